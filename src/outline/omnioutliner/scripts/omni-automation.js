// Accesses the frontmost outline through Omni Automation, inside OmniOutliner:
// reading a property costs no Apple Event, and moved rows keep their ids. With
// edits.js this is the body of a function of `request`.

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
      const pending = [];
      const push = (item, level) => {
        const children = item.children;
        for (let at = children.length - 1; at >= 0; at--) pending.push({ item: children[at], level });
      };
      push(outline.rootItem, 0);
      while (pending.length > 0) {
        const { item, level } = pending.pop();
        rows.ids.push(item.identifier);
        rows.levels.push(level);
        rows.states.push(nameOf(item.state));
        rows.topics.push(item.topic || "");
        rows.notes.push(item.note || "");
        push(item, level + 1);
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
      // The documentation shows two ways to set a checkbox; this one sets the column.
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

/** Names have no extension if the Finder hides it. */
function bareName(name) {
  return name.replace(/\.(ooutline|oo3|opml)$/i, "");
}

/** How osascript sees an exception is not documented, so it is returned as data. */
function answered(request) {
  try {
    // The frontmost document may have changed since osascript looked it up.
    if (bareName(document.name) !== bareName(request.name)) return JSON.stringify({ isElsewhere: true });
    return JSON.stringify(answerOf(automationOutline(), request));
  } catch (error) {
    return JSON.stringify({ failed: messageOf(error) });
  }
}
