// Accesses an outline through OmniOutliner's scripting dictionary, from osascript:
// for versions without Omni Automation, and for documents that are not frontmost.
// Every property is an Apple Event, so all rows are fetched in a few events, and
// again after a change.

function dictionaryOutline(app, doc) {
  let rows;
  const rowOf = (id) => doc.rows.byId(id);
  const childrenOf = (id) => (id === null ? doc : rowOf(id)).children;
  const placeAt = (parentId, beforeId) => (beforeId === null ? childrenOf(parentId).end : rowOf(beforeId).before);
  const now = () => (rows = rows || fetched(doc));
  const numberOf = (id) => now().numbers.get(id);
  const changed = () => (rows = undefined);

  const outline = {
    list: () => {
      const { ids, levels, states, topics, notes } = now();
      return { ids, levels, states, topics, notes };
    },
    has: (id) => numberOf(id) !== undefined,
    children: (id) => now().children.get(id) || [],
    parent: (id) => now().parents[numberOf(id)],
    topic: (id) => now().topics[numberOf(id)],
    note: (id) => now().notes[numberOf(id)],
    state: (id) => now().states[numberOf(id)],
    count: () => doc.rows.length,
    add: (parentId, beforeId, { topic, note }) => {
      const withProperties = note === "" ? { topic } : { topic, note };
      const made = app.make({ new: "row", at: placeAt(parentId, beforeId), withProperties });
      changed();
      return made.id();
    },
    remove: (id) => {
      app.delete(rowOf(id));
      changed();
    },
    setTopic: (id, text) => {
      rowOf(id).topic = text;
      changed();
    },
    setNote: (id, text) => {
      rowOf(id).note = text;
      changed();
    },
    setState: (id, name) => {
      rowOf(id).state = name === "mixed" ? "indeterminate" : name;
      changed();
    },
    move: (id, parentId, beforeId) => {
      const place = placeAt(parentId, beforeId);
      try {
        app.move(rowOf(id), { to: place });
        changed();
        return id;
      } catch (error) {
        if (isOfTheSystem(error)) throw error;
        changed();
      }
      // Not every version can move rows; a copy has everything but the ids.
      const copy = app.duplicate(rowOf(id), { to: place }).id();
      changed();
      try {
        const textsOf = (each) => contentBelow(outline, each).join("\n");
        if (textsOf(copy) !== textsOf(id)) throw new Error("REFUSED: the move");
        outline.remove(id);
      } catch (error) {
        outline.remove(copy);
        throw error;
      }
      return copy;
    },
    // The dictionary has checked, unchecked and indeterminate, but not none.
    holds: (name) => name !== "none",
    // The dictionary does not say: the caller has to try.
    can: () => null,
    step: (step) => {
      if (step === "undo") doc.undo();
      else doc.redo();
      changed();
    },
  };
  return outline;
}

/** The texts of a row and its descendants. */
function contentBelow(outline, id) {
  return [
    `${outline.state(id)} ${outline.topic(id)} ${outline.note(id)}`,
    ...outline.children(id).flatMap((child) => ["(", ...contentBelow(outline, child), ")"]),
  ];
}

const STATES = { checked: "checked", unchecked: "unchecked", indeterminate: "mixed" };

/** All rows in six Apple Events; tries again if rows were added or removed in between. */
function fetched(doc) {
  for (let tries = 0; tries < 3; tries++) {
    const ids = doc.rows.id();
    const levels = doc.rows.level().map((level) => level - 1);
    const topics = doc.rows.topic().map(textOf);
    const notes = doc.rows.note().map(textOf);
    const states = doc.rows.state().map((state) => STATES[state] || "none");
    const isWhole = [levels, topics, notes, states].every(({ length }) => length === ids.length);
    if (isWhole && doc.rows.id().join() === ids.join())
      return { ids, levels, topics, notes, states, ...treeOf(ids, levels) };
  }
  throw new Error("BUSY");
}

function textOf(value) {
  return value === null || value === undefined ? "" : String(value);
}

function treeOf(ids, levels) {
  const numbers = new Map();
  const children = new Map();
  const parents = [];
  const above = [];
  ids.forEach((id, number) => {
    const level = levels[number];
    const parent = level === 0 ? null : above[level - 1];
    above[level] = id;
    numbers.set(id, number);
    parents.push(parent);
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(id);
  });
  return { numbers, children, parents };
}
