// Turns the rows that a script has read into an outline, and computes the
// expectations that scripts check before an edit. Pure; used by document.ts,
// edits.ts and inspection.ts.
import { basename } from "node:path";
import { CHECKED, childrenOf, MIXED, NONE, TOP, treeOf, UNCHECKED } from "../formats/parsed-outline.ts";
import { outlineOf, type OutlineOfRows, type OutlineRows } from "../outline-of-rows.ts";
import { noSuchRow } from "../problems.ts";
import type { State } from "../model.ts";
import type { Expectation, Facts, ScriptRows } from "./protocol.ts";
import { fingerprintOf } from "./fingerprint.ts";

export type AppOutline = OutlineOfRows<AppRows>;

export interface AppRows extends OutlineRows {
  /** The state of each row itself; a parent shows that of its leaves. */
  readonly own: readonly State[];
}

const NUMBERS = { none: NONE, unchecked: UNCHECKED, checked: CHECKED, mixed: MIXED } as const;

export function outlineOfAnswer({ name, path }: Facts, { ids, levels, states, topics, notes }: ScriptRows): AppOutline {
  const above: number[] = [];
  const parents = Int32Array.from(levels, (level, row) => {
    above[level] = row;
    return level === 0 ? TOP : above[level - 1]!;
  });
  const parsed: AppRows = {
    ...treeOf(parents),
    format: "app",
    states: Uint8Array.from(states, (state) => NUMBERS[state]),
    own: states,
    numberOf: undefined,
    topic: (row) => topics[row]!,
    note: (row) => notes[row]! || null,
    holdsState: () => true,
  };
  return outlineOf(parsed, ids, {
    // The application may show a name without its extension.
    name: path === null ? name : basename(path),
    path,
    version: fingerprintOf(textsOf(parsed, ids, 0, ids.length, levels)),
  });
}

/** The same texts, in the same order, as in scripts/edits.js. */
function* textsOf(
  { own, topic, note }: AppRows,
  ids: readonly string[],
  start: number,
  end: number,
  levels: readonly number[],
): Generator<string> {
  for (let row = start; row < end; row++) {
    yield ids[row]!;
    yield String(levels[row]!);
    yield own[row]!;
    yield topic(row);
    yield note(row) ?? "";
  }
}

/** Expects the whole document to have this version. */
export function wholeIs(version: string): Expectation {
  return { id: null, what: "below", is: version };
}

/** Expects a row to have the same parent and values as in the outline. */
export function selfAsIn({ parsed, ids, numberOf }: AppOutline, id: string): Expectation {
  const row = numberIn(numberOf, id);
  const parent = parsed.parents[row]!;
  const texts = [parent === TOP ? "" : ids[parent]!, parsed.own[row]!, parsed.topic(row), parsed.note(row) ?? ""];
  return { id, what: "self", is: fingerprintOf(texts) };
}

/** Expects a row, or the top level, to have the same children in the same order. */
export function childrenAsIn({ parsed, ids, numberOf }: AppOutline, id: string | null): Expectation {
  const parent = id === null ? TOP : numberIn(numberOf, id);
  return { id, what: "children", is: fingerprintOf(childrenOf(parsed, parent).map((row) => ids[row]!)) };
}

/** Expects a row and all its descendants to be the same. */
export function belowAsIn({ parsed, ids, numberOf }: AppOutline, id: string): Expectation {
  const row = numberIn(numberOf, id);
  const end = row + 1 + parsed.descendants[row]!;
  const levels = levelsBelow(parsed, row, end);
  return { id, what: "below", is: fingerprintOf(textsOf(parsed, ids, row, end, levels)) };
}

function numberIn(numberOf: AppOutline["numberOf"], id: string): number {
  const row = numberOf(id);
  if (row === undefined) throw noSuchRow(id);
  return row;
}

/** By row number, relative to the first row. */
function levelsBelow({ parents }: AppRows, start: number, end: number): number[] {
  const levels: number[] = [];
  for (let row = start; row < end; row++) levels[row] = row === start ? 0 : levels[parents[row]!]! + 1;
  return levels;
}
