// The outline that a document's rows make, as the tools see it: rows by their
// ids, states rolled up, nothing read before it is asked for. Used by the file
// document and by the application's.
import { CHECKED, childrenOf, levelsOf, MIXED, NONE, TOP, UNCHECKED, type Source } from "./formats/parsed-outline.ts";
import type { Outline, OutlineFormat, Row, State } from "./model.ts";

const NAMES: readonly State[] = ["none", "unchecked", "checked", "mixed"];

/** What an outline is made of, whether it can be changed as a file or not. */
export interface RowSource extends Pick<
  Source,
  "count" | "parents" | "descendants" | "states" | "numberOf" | "topic" | "note" | "written" | "holdsState"
> {
  readonly format: OutlineFormat;
}

/** An outline, and what it takes to find its rows in the source. */
export interface OutlineOfRows<S extends RowSource = Source> extends Outline {
  readonly source: S;
  readonly ids: readonly string[];
  /** The number of a row; undefined where none has this id. */
  readonly numberOf: (id: string) => number | undefined;
}

export function outlineOf<S extends RowSource>(
  source: S,
  ids: readonly string[],
  about: Pick<Outline, "name" | "path" | "version">,
): OutlineOfRows<S> {
  const { count, parents, descendants } = source;
  const numberOf = source.numberOf ?? lookup(ids);
  const levels = levelsOf(source);
  const states = rolledUp(source);
  const known = new Map<number, readonly string[]>();
  const childIds = (parent: number): readonly string[] => {
    let children = known.get(parent);
    if (children === undefined) {
      children = childrenOf(source, parent).map((row) => ids[row]!);
      known.set(parent, children);
    }
    return children;
  };
  const rowAt = (row: number): Row => {
    const parent = parents[row]!;
    return {
      id: ids[row]!,
      topic: source.topic(row),
      note: source.note(row),
      state: NAMES[states[row]!]!,
      level: levels[row]!,
      parentId: parent === TOP ? null : ids[parent]!,
      childIds: descendants[row] === 0 ? [] : childIds(row),
      descendants: descendants[row]!,
    };
  };
  return {
    ...about,
    format: source.format,
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
      topic: source.topic,
      note: source.note,
      state: (row) => NAMES[states[row]!]!,
      descendants: (row) => descendants[row]!,
      written: source.written,
    },
    source,
    ids,
    numberOf,
  };
}

/** After so many questions a table is made: of 100,000 rows it takes as long as 50 looks at all of them. */
const LOOKS = 20;

/** Most outlines are asked for a row or two before an edit makes another of them. */
function lookup(ids: readonly string[]): (id: string) => number | undefined {
  let looks = 0;
  let numbers: Map<string, number> | undefined;
  return (id) => {
    if (numbers === undefined && looks++ < LOOKS) {
      const row = ids.indexOf(id);
      return row === -1 ? undefined : row;
    }
    numbers ??= new Map(ids.map((each, row) => [each, row]));
    return numbers.get(id);
  };
}

/**
 * A parent shows what its leaves are: checked where all are, unchecked where
 * none is, else mixed. Its own state counts where no leaf has a checkbox, and
 * leaves that can have none (headings) do not. In OPML and Markdown a parent
 * without a checkbox of its own has none, whatever its leaves have.
 */
export function rolledUp({ count, parents, descendants, states, holdsState, format }: RowSource): Uint8Array {
  const needsBox = format === "opml" || format === "markdown";
  const rolled = Uint8Array.from(states);
  /** What there is among the leaves below: checked, mixed, any checkbox, any that is not checked. */
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
      if ((found & SOME_BOX!) !== 0 && !(needsBox && states[row] === NONE)) {
        if ((found & (SOME_CHECKED! | SOME_MIXED!)) === 0) rolled[row] = UNCHECKED;
        else rolled[row] = (found & (SOME_OPEN! | SOME_MIXED!)) === 0 ? CHECKED : MIXED;
      }
    }
    const parent = parents[row]!;
    if (parent !== TOP) below[parent]! |= below[row]!;
  }
  return rolled;
}
