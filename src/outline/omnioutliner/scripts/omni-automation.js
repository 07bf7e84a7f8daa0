// The frontmost outline through Omni Automation, inside of OmniOutliner: here
// reading a property costs no Apple Event, and rows that move keep their ids.
// Together with edits.js this is the body of one function of `request`.

function automationOutline() {
  const outline = document.outline;
  const itemOf = (id) => (id === null ? outline.rootItem : outline.itemWithIdentifier(id));
  const states = { checked: State.Checked, unchecked: State.Unchecked, mixed: State.Mixed, none: null };
  const nameOf = (state) => Object.keys(states).find((name) => states[name] === state) || "none";
  const placeAt = (parentId, beforeId) => (beforeId === null ? itemOf(parentId).end : itemOf(beforeId).before);
  const idOf = (item) => item.identifier;

  return {
    list: () => {
      const rows = { ids: [], levels: [], states: [], topics: [], notes: [] };
      const waiting = [];
      const wait = (item, level) => {
        const children = item.children;
        for (let at = children.length - 1; at >= 0; at--) waiting.push({ item: children[at], level });
      };
      wait(outline.rootItem, 0);
      while (waiting.length > 0) {
        const { item, level } = waiting.pop();
        rows.ids.push(item.identifier);
        rows.levels.push(level);
        rows.states.push(nameOf(item.state));
        rows.topics.push(item.topic || "");
        rows.notes.push(item.note || "");
        wait(item, level + 1);
      }
      return rows;
    },
    has: (id) => Boolean(itemOf(id)),
    children: (id) => itemOf(id).children.map(idOf),
    parent: (id) => {
      const parent = itemOf(id).parent;
      return !parent || parent.identifier === outline.rootItem.identifier ? null : parent.identifier;
    },
    topic: (id) => itemOf(id).topic || "",
    note: (id) => itemOf(id).note || "",
    state: (id) => nameOf(itemOf(id).state),
    count: () => outline.rootItem.descendants.length,
    add: (parentId, beforeId, { topic, note }) => {
      const item = itemOf(parentId).addChild(placeAt(parentId, beforeId), () => {});
      try {
        item.topic = topic;
        if (note !== "") item.note = note;
      } catch (error) {
        item.remove();
        throw error;
      }
      return item.identifier;
    },
    remove: (id) => itemOf(id).remove(),
    setTopic: (id, text) => {
      itemOf(id).topic = text;
    },
    setNote: (id, text) => {
      itemOf(id).note = text;
    },
    setState: (id, name) => {
      const item = itemOf(id);
      item.state = states[name];
      // The documentation shows both ways to set a checkbox; this one is that of the columns.
      if (nameOf(item.state) !== name) item.setValueForColumn(states[name], outline.statusColumn);
    },
    move: (id, parentId, beforeId) => {
      outline.moveItems([itemOf(id)], placeAt(parentId, beforeId));
      return id;
    },
    holds: () => true,
    can: (step) => (step === "undo" ? document.canUndo : document.canRedo),
    step: (step) => (step === "undo" ? document.undo() : document.redo()),
  };
}

/** The Finder may hide extensions, and then names are without. */
function bareName(name) {
  return name.replace(/\.(ooutline|oo3|opml)$/i, "");
}

/** How an exception looks from the outside is not documented: it goes out as data. */
function answered(request) {
  try {
    // What is in front may have changed since the document was looked up from the outside.
    if (bareName(document.name) !== bareName(request.name)) return JSON.stringify({ isElsewhere: true });
    return JSON.stringify(answerOf(automationOutline(), request));
  } catch (error) {
    return JSON.stringify({ failed: messageOf(error) });
  }
}
