// Translates edits for the scripts: every affected row by id, long lists in parts,
// and what must be unchanged for the edits to be applied. Pure; used by document.ts.
import { Problem } from "../../kernel/kernel.ts";
import { flattenedRows } from "../formats/parsed-outline.ts";
import { checkText } from "../formats/xml/text.ts";
import type { Edit, NewRow } from "../model.ts";
import { belowAsIn, childrenAsIn, selfAsIn, type AppOutline } from "./rows.ts";
import type { Expectation, ScriptEdit, ScriptRow, ScriptUpdate } from "./protocol.ts";

export interface ScriptPlan {
  readonly edits: readonly ScriptEdit[];
  readonly expects: readonly Expectation[];
}

/** Characters of rows per script: with the script itself, less than the 260,000 that are possible. */
const MAX_PART_LENGTH = 150_000;

/** @param edits applied in order, each to the result of the one before */
export function scripted(outline: AppOutline, edits: readonly Edit[]): ScriptPlan {
  let rows = 0;
  const parts = edits.map((edit) => {
    const part = scriptedOne(outline, edit, rows);
    for (const each of part.edits) if (each.kind === "add") rows += each.rows.length;
    return part;
  });
  return { edits: parts.flatMap((part) => part.edits), expects: parts.flatMap((part) => part.expects) };
}

function scriptedOne(outline: AppOutline, edit: Edit, first: number): ScriptPlan {
  switch (edit.kind) {
    case "add": {
      const { parentId, index } = edit.position;
      return { edits: added(edit.rows, parentId, index, first), expects: [childrenAsIn(outline, parentId)] };
    }
    case "update": {
      const rows = updated(outline, edit);
      const isAlone = rows.every(({ id }) => id === edit.id);
      const edits = inParts(rows).map((part): ScriptEdit => ({ kind: "update", rows: part }));
      return { edits, expects: [isAlone ? selfAsIn(outline, edit.id) : belowAsIn(outline, edit.id)] };
    }
    case "move": {
      const { id, position } = edit;
      return {
        edits: [{ kind: "move", id, ...position }],
        expects: [selfAsIn(outline, id), childrenAsIn(outline, position.parentId)],
      };
    }
    case "delete":
      // Otherwise rows that were added below it in the meantime would be deleted unseen.
      return { edits: [{ kind: "delete", id: edit.id }], expects: [belowAsIn(outline, edit.id)] };
  }
}

function added(content: readonly NewRow[], parentId: string | null, index: number, start: number): ScriptEdit[] {
  const rows = flattenedRows(content).map(({ row, parent }): ScriptRow => {
    const { topic, note = "", state } = row;
    const above = parent === -1 ? -1 : start + parent;
    return { parent: above, topic: checkText(topic), note: checkText(note), ...(state !== undefined && { state }) };
  });
  let first = start;
  let tops = 0;
  return inParts(rows).map((part) => {
    const edit: ScriptEdit = { kind: "add", parentId, index: index + tops, rows: part, first };
    first += part.length;
    tops += part.filter(({ parent }) => parent === -1).length;
    return edit;
  });
}

/** A state is set on the leaves, whose states a parent shows; "none" is set on the parents too. */
function updated(outline: AppOutline, { id, topic, note, state }: Extract<Edit, { kind: "update" }>): ScriptUpdate[] {
  const { parsed, ids } = outline;
  const number = outline.numberOf(id)!;
  const texts = {
    ...(topic !== undefined && topic !== parsed.topic(number) && { topic: checkText(topic) }),
    ...(note !== undefined && note !== (parsed.note(number) ?? "") && { note: checkText(note) }),
  };
  const updates = new Map<string, ScriptUpdate>();
  if (Object.keys(texts).length > 0) updates.set(id, { id, ...texts });
  if (state === undefined) return [...updates.values()];
  for (let row = number; row <= number + parsed.descendants[number]!; row++) {
    const isWritten = parsed.descendants[row] === 0 || state === "none";
    if (isWritten && parsed.own[row] !== state)
      updates.set(ids[row]!, { ...updates.get(ids[row]!), id: ids[row]!, state });
  }
  return [...updates.values()];
}

function inParts<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [[]];
  let length = 0;
  for (const row of rows) {
    const more = lengthInScript(row);
    if (more > MAX_PART_LENGTH)
      throw new Problem("too_large", "One row has more text than OmniOutliner accepts at once.", "Split it.");
    if (length + more > MAX_PART_LENGTH) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)!.push(row);
    length += more;
  }
  return parts;
}

/** The length in an ASCII string literal; see scripts/application.js. */
function lengthInScript(value: unknown): number {
  const literal = JSON.stringify(JSON.stringify(value));
  return literal.length + 5 * (literal.match(/[^\x20-\x7e]/g)?.length ?? 0);
}
