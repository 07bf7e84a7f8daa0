// Applies edits to the rows of an outline through either interface: part of what
// runs inside OmniOutliner (with omni-automation.js) and of what runs in osascript
// (with dictionary.js). Each of those provides an `outline`:
//
//   list(), count()              all rows, in order: {ids, levels, states, topics, notes}; how many
//   has(id), children(id), parent(id), topic(id), note(id), state(id)
//   add(parentId, beforeId, {topic, note}), remove(id), setTopic(id, text), setNote(id, text), setState(id, name)
//   move(id, parentId, beforeId) returns the id afterwards, which may be a new one
//   holds(state)                 whether a checkbox can be set to it
//   can(step), step(step)        step: "undo" or "redo"; null if the application does not say
//
// Older systems run this too: nothing newer than ES2019.
// The id null stands for the root above all rows; as `beforeId`, for the end.

/** Must equal `fingerprintOf` in fingerprint.ts. */
function fingerprintOf(texts) {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const each of texts) {
    const text = `${each.length}:${each}`;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The fingerprint of a row itself, its children or all its descendants; undefined if the row is gone. */
function seen(outline, id, what) {
  if (id !== null && !outline.has(id)) return undefined;
  if (what === "self")
    return fingerprintOf([outline.parent(id) || "", outline.state(id), outline.topic(id), outline.note(id)]);
  if (what === "children") return fingerprintOf(outline.children(id));
  const texts = [];
  const pending = [];
  const push = (ids, level) => {
    for (const each of ids.slice().reverse()) pending.push({ id: each, level });
  };
  push(id === null ? outline.children(null) : [id], 0);
  while (pending.length > 0) {
    const row = pending.pop();
    texts.push(row.id, String(row.level), outline.state(row.id), outline.topic(row.id), outline.note(row.id));
    push(outline.children(row.id), row.level + 1);
  }
  return fingerprintOf(texts);
}

function isAsExpected(outline, expects) {
  return expects.every(({ id, what, is }) => seen(outline, id, what) === is);
}

/** Applies all edits, or none if an expectation is not met. */
function change(outline, { expects, edits, from = 0 }) {
  if (!isAsExpected(outline, expects)) return { isDone: false };
  // Checked before anything is changed, since a rollback leaves undo steps behind.
  const states = edits.flatMap(({ rows = [] }) => rows.map(({ state }) => state));
  if (states.some((state) => state !== undefined && !outline.holds(state))) throw new Error("REFUSED: the checkbox");
  // The state that an undo has to restore: other rows may have changed since the edits were planned.
  // Later parts of a change have no expectations, and their state is not needed.
  const isFirst = expects.length > 0;
  const before = isFirst ? { version: seen(outline, null, "below"), rowCount: outline.count() } : undefined;
  const done = { isDone: true, before, added: [], renamed: [], inverse: [], from };
  try {
    for (const edit of edits) perform(outline, edit, done);
    for (const edit of edits) verify(outline, edit, done);
  } catch (error) {
    rollback(outline, done.inverse, error);
  }
  return done;
}

function rollback(outline, inverse, error) {
  try {
    for (const edit of inverse.slice().reverse()) perform(outline, edit, { added: [], renamed: [], inverse: [] });
  } catch (failure) {
    throw new Error(`HALF DONE: ${messageOf(error)} Then: ${messageOf(failure)}`);
  }
  throw error;
}

function messageOf(error) {
  return String((error && error.message) || error);
}

function perform(outline, edit, done) {
  switch (edit.kind) {
    case "add": {
      const beforeId = siblingAt(outline, edit.parentId, edit.index);
      for (const row of edit.rows) {
        // New rows are numbered across requests; those of earlier requests are known by id only.
        const parentId = row.parentId || (row.parent === -1 ? edit.parentId : done.added[row.parent - done.from]);
        const isTop = row.parent === -1;
        const id = outline.add(parentId, isTop ? beforeId : null, row);
        done.added.push(id);
        if (isTop || row.parentId) done.inverse.push({ kind: "delete", id });
        if (row.state !== undefined) outline.setState(id, row.state);
      }
      return;
    }
    case "update":
      for (const row of edit.rows) {
        const before = { id: row.id };
        done.inverse.push({ kind: "update", rows: [before] });
        if (row.topic !== undefined) {
          before.topic = outline.topic(row.id);
          outline.setTopic(row.id, row.topic);
        }
        if (row.note !== undefined) {
          before.note = outline.note(row.id);
          outline.setNote(row.id, row.note);
        }
        if (row.state !== undefined) {
          before.state = outline.state(row.id);
          outline.setState(row.id, row.state);
        }
      }
      return;
    case "move": {
      const parentId = outline.parent(edit.id);
      const index = outline.children(parentId).indexOf(edit.id);
      const id = outline.move(edit.id, edit.parentId, siblingAt(outline, edit.parentId, edit.index, edit.id));
      done.inverse.push({ kind: "move", id, parentId, index });
      if (id !== edit.id) done.renamed.push([edit.id, id]);
      return;
    }
    case "delete":
      outline.remove(edit.id);
  }
}

/** The row before which a row is inserted; null for the end. The moved row does not count. */
function siblingAt(outline, parentId, index, moving) {
  const siblings = outline.children(parentId).filter((id) => id !== moving);
  return index < siblings.length ? siblings[index] : null;
}

/** Throws if the application did something else than requested, which it may do silently. */
function verify(outline, edit, done) {
  const refuse = (what) => {
    throw new Error(`REFUSED: ${what}`);
  };
  const hasTaken = (id, { topic, note, state }) => {
    if (!outline.has(id)) refuse("a row");
    if (topic !== undefined && outline.topic(id) !== topic) refuse("the topic");
    if (note !== undefined && outline.note(id) !== note) refuse("the note");
    if (state !== undefined && outline.state(id) !== state) refuse("the checkbox");
  };
  if (edit.kind === "add") edit.rows.forEach((row, at) => hasTaken(done.added[edit.first - done.from + at], row));
  if (edit.kind === "update") for (const row of edit.rows) hasTaken(row.id, row);
  if (edit.kind === "delete" && outline.has(edit.id)) refuse("the deletion");
  if (edit.kind === "move") {
    const renamed = done.renamed.find(([old]) => old === edit.id);
    const id = renamed ? renamed[1] : edit.id;
    if (outline.children(edit.parentId).indexOf(id) !== edit.index) refuse("the move");
  }
}

/** Undoes or redoes until the content has the version `until`. If it never has, all steps are reverted. */
function stepUntil(outline, { step, expects, until, count, most }) {
  if (!isAsExpected(outline, expects)) return { isDone: false };
  let steps = 0;
  // Counting is quicker than computing the fingerprint.
  while (outline.count() !== count || seen(outline, null, "below") !== until) {
    if (steps === most || !hasStepped(outline, step)) {
      for (; steps > 0; steps--) outline.step(step === "undo" ? "redo" : "undo");
      return { isDone: false };
    }
    steps++;
  }
  return { isDone: true };
}

function hasStepped(outline, step) {
  if (outline.can(step) === false) return false;
  try {
    outline.step(step);
    return true;
  } catch (error) {
    // If the application does not say whether there is a step, it fails without one.
    if (outline.can(step) === null) return false;
    throw error;
  }
}

/** Answers one request for one outline. */
function answerOf(outline, request) {
  const done =
    request.do === "change"
      ? change(outline, request)
      : request.do === "undo" || request.do === "redo"
        ? stepUntil(outline, { ...request, step: request.do })
        : {};
  const isLast = request.withRows !== false;
  return {
    ...done,
    canUndo: outline.can("undo"),
    canRedo: outline.can("redo"),
    ...(isLast && { rows: outline.list() }),
    inverse: isLast ? undefined : done.inverse,
  };
}
