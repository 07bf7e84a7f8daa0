// Builds the Outline that the tools see from the rows of a document: rows by id,
// combined states, and texts that are read only when needed. Used by both kinds
// of document.
import { CHECKED, childrenOf, levelsOf, MIXED, TOP, UNCHECKED, type ParsedOutline } from "./formats/parsed-outline.ts";
import { hasPlainRows, type Outline, type OutlineFormat, type Row, type State } from "./model.ts";

const NAMES: readonly State[] = ["none", "unchecked", "checked", "mixed"];

/** The input of an outline: a parsed file, or OmniOutliner's answer. */
export interface OutlineRows extends Pick<
  ParsedOutline,
  "count" | "parents" | "descendants" | "states" | "numberOf" | "topic" | "note" | "written" | "holdsState"
> {
  readonly format: OutlineFormat;
}

/** An outline with what it was built from. */
export interface OutlineOfRows<S extends OutlineRows = ParsedOutline> extends Outline {
  readonly parsed: S;
  readonly ids: readonly string[];
  /** Undefined if no row has this id. */
  readonly numberOf: (id: string) => number | undefined;
}

export function outlineOf<S extends OutlineRows>(
  parsed: S,
  ids: readonly string[],
  about: Pick<Outline, "name" | "path" | "version">,
): OutlineOfRows<S> {
  const { count, parents, descendants } = parsed;
  const numberOf = parsed.numberOf ?? lookup(ids);
  const levels = levelsOf(parsed);
  const states = combinedStates(parsed);
  const known = new Map<number, readonly string[]>();
  const childIds = (parent: number): readonly string[] => {
    let children = known.get(parent);
    if (children === undefined) {
      children = childrenOf(parsed, parent).map((row) => ids[row]!);
      known.set(parent, children);
    }
    return children;
  };
  const rowAt = (row: number): Row => {
    const parent = parents[row]!;
    return {
      id: ids[row]!,
      topic: parsed.topic(row),
      note: parsed.note(row),
      state: NAMES[states[row]!]!,
      level: levels[row]!,
      parentId: parent === TOP ? null : ids[parent]!,
      childIds: descendants[row] === 0 ? [] : childIds(row),
      descendants: descendants[row]!,
    };
  };
  return {
    ...about,
    format: parsed.format,
    rowCount: count,
    get topIds() {
      return childIds(TOP);
    },
    row: (id): Row | undefined => {
      const number = numberOf(id);
      return number === undefined ? undefined : rowAt(number);
    },
    numbered: {
      numberOf,
      row: rowAt,
      topic: parsed.topic,
      note: parsed.note,
      state: (row) => NAMES[states[row]!]!,
      descendants: (row) => descendants[row]!,
      written: parsed.written,
    },
    parsed,
    ids,
    numberOf,
  };
}

/** A table is built after this many lookups: for 100,000 rows it costs as much as 50 linear searches. */
const LOOKUPS_BEFORE_TABLE = 20;

/** Most outlines are asked for one or two rows before an edit replaces them. */
function lookup(ids: readonly string[]): (id: string) => number | undefined {
  let lookups = 0;
  let numbers: Map<string, number> | undefined;
  return (id) => {
    if (numbers === undefined && lookups++ < LOOKUPS_BEFORE_TABLE) {
      const row = ids.indexOf(id);
      return row === -1 ? undefined : row;
    }
    numbers ??= new Map(ids.map((each, row) => [each, row]));
    return numbers.get(id);
  };
}

/**
 * The states as shown. In OPML and Markdown a row shows its own checkbox. In OmniOutliner a parent is checked if all its
 * leaves are, unchecked if none is, otherwise mixed; leaves that cannot have a checkbox do not count. If no leaf has a
 * checkbox, the parent's own state is shown.
 */
function combinedStates({ count, parents, descendants, states, holdsState, format }: OutlineRows): Uint8Array {
  if (hasPlainRows(format)) return states;
  const rolled = Uint8Array.from(states);
  /** Bits for the leaves below: some checked, some mixed, some with a checkbox, some not checked. */
  const below = new Uint8Array(count);
  const [SOME_CHECKED, SOME_MIXED, SOME_BOX, SOME_OPEN] = [1, 2, 4, 8];
  for (let row = count - 1; row >= 0; row--) {
    if (descendants[row] === 0) {
      const state = states[row]!;
      below[row] =
        state === CHECKED
          ? SOME_CHECKED! | SOME_BOX!
          : state === MIXED
            ? SOME_MIXED! | SOME_BOX!
            : state === UNCHECKED
              ? SOME_OPEN! | SOME_BOX!
              : holdsState(row)
                ? SOME_OPEN!
                : 0;
    } else {
      const found = below[row]!;
      if ((found & SOME_BOX!) !== 0) {
        if ((found & (SOME_CHECKED! | SOME_MIXED!)) === 0) rolled[row] = UNCHECKED;
        else rolled[row] = (found & (SOME_OPEN! | SOME_MIXED!)) === 0 ? CHECKED : MIXED;
      }
    }
    const parent = parents[row]!;
    if (parent !== TOP) below[parent]! |= below[row]!;
  }
  return rolled;
}
