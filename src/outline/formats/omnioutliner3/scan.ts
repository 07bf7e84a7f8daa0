// Finds the rows in an OmniOutliner 3 or 4 document in one pass over the bytes,
// which also checks that the document is well-formed. Used by omnioutliner3.ts.
import { NumberList } from "../number-list.ts";
import { CHECKED, MIXED, TOP, UNCHECKED } from "../parsed-outline.ts";
import { layoutOf } from "../xml/layout.ts";
import { checkEncoding, damaged } from "../xml/characters.ts";
import { CLOSE, END, OPEN, TEXT, XmlScanner } from "../xml/scanner.ts";

/** The numbers recorded of each item: offsets in the file, -1 for parts it does not have. */
export const [START, TAG_END, ITEM_END, ID] = [0, 1, 2, 3] as const;
/** Starts; the next number is the end. LITERAL is the text of a topic that consists of one plain text. */
export const [TOPIC, LITERAL, LITERAL_END, NOTE, NOTE_TEXT] = [5, 7, 8, 9, 11] as const;
/** CONTENT_END: after the values and the note, where `children` may follow. */
export const [CONTENT_END, CHILDREN, CHILDREN_TAG_END, CHILDREN_END] = [13, 14, 15, 16] as const;
export const SIZE = 17;

interface Columns {
  /** Those with a cell in `values`: all but the note column. */
  readonly count: number;
  readonly topic: number;
}

interface Scan {
  readonly rows: Int32Array;
  readonly parents: Int32Array;
  readonly states: Uint8Array;
  readonly columns: Columns;
  /** Offsets of the root: its start, the end of its start tag, its end. */
  readonly root: readonly [number, number, number];
  readonly unit: string;
}

export function scanItems(bytes: Buffer): Scan {
  const scanner = new XmlScanner(bytes, checkEncoding(bytes));
  const rows = new NumberList(64 * SIZE);
  const parents = new NumberList(64);
  const states = new NumberList(64);
  const root: [number, number, number] = [-1, -1, -1];
  let columns: Columns | undefined;
  let unit: string | undefined;
  let isInRoot = false;
  /** The enclosing items, innermost last, at the depth `2 + 2 * (open.length - 1)`. */
  const open: number[] = [];
  let part: "values" | "note" | "children" | "other" = "other";
  let cell = -1;
  let literals = 0;
  let paragraphs = 0;
  const set = (field: number, offset: number) => rows.set(open.at(-1)! * SIZE + field, offset);
  for (let kind = scanner.next(); kind !== END; kind = scanner.next()) {
    const { depth, start, end } = scanner;
    if (!isInRoot) {
      if (kind === OPEN && depth === 1 && scanner.isNamed("columns")) columns = scanColumns(scanner);
      if (kind === OPEN && depth === 1 && scanner.isNamed("root") && root[0] === -1) {
        root.splice(0, 3, start, end, end);
        isInRoot = !scanner.isEmpty;
        if (columns === undefined) throw scanner.damaged("its rows come before its columns", start);
      }
      continue;
    }
    if (kind === CLOSE && depth === 1) {
      isInRoot = false;
      root[2] = end;
      continue;
    }
    if (kind === TEXT) continue;
    /** The depth relative to the innermost item. */
    const inside = depth - 2 * open.length;
    if (kind === OPEN && inside === 2 && scanner.isNamed("item") && (open.length === 0 || part === "children")) {
      const parent = open.at(-1) ?? TOP;
      const row = rows.length / SIZE;
      pushItem(scanner, rows);
      parents.push(parent);
      states.push(stateOf(scanner));
      unit ??= layoutOf(bytes, root[0], start).unit;
      if (scanner.isEmpty) continue;
      open.push(row);
      part = "other";
    } else if (open.length > 0 && inside === 0 && kind === CLOSE) {
      set(ITEM_END, end);
      open.pop();
      part = "children";
    } else if (open.length > 0 && inside === 1) {
      if (kind === OPEN) part = scanner.isNamed("values") ? "values" : scanner.isNamed("note") ? "note" : "other";
      if (kind === OPEN && part === "values") cell = -1;
      if (kind === OPEN && part === "note") set(NOTE, start);
      if (kind === OPEN && scanner.isNamed("children")) {
        part = "children";
        set(CHILDREN, start);
        set(CHILDREN_TAG_END, end);
      }
      if (kind === CLOSE || scanner.isEmpty) {
        if (part === "note") set(NOTE + 1, end);
        if (scanner.isNamed("children")) set(CHILDREN_END, end);
        else if (part === "values" || part === "note" || scanner.isNamed("style")) set(CONTENT_END, end);
        part = "other";
      }
    } else if (part === "values" && inside === 2) {
      if (kind === OPEN) {
        cell++;
        literals = paragraphs = 0;
        if (cell === columns!.topic) set(TOPIC, start);
      }
      if (cell === columns!.topic && (kind === CLOSE || scanner.isEmpty)) set(TOPIC + 1, end);
    } else if (part === "note" && inside === 2 && scanner.isNamed("text")) {
      if (kind === OPEN) set(NOTE_TEXT, start);
      if (kind === CLOSE || scanner.isEmpty) set(NOTE_TEXT + 1, end);
    } else if (part === "values" && cell === columns!.topic) {
      // Most topics are a single `lit` with plain text, in one paragraph.
      const isLiteral = inside === 5 && scanner.isNamed("lit");
      if (kind === OPEN && isLiteral && !scanner.isEmpty && literals++ === 0) set(LITERAL, end);
      else if (kind === CLOSE && isLiteral) set(LITERAL_END, start);
      else if (
        inside > 5 ||
        (kind !== OPEN && kind !== CLOSE) ||
        (kind === OPEN && (scanner.isNamed("lit") || (inside === 3 && paragraphs++ > 0)))
      ) {
        literals++;
        set(LITERAL, -1);
      }
    }
  }
  if (root[0] === -1) throw damaged(bytes, "it has no rows", bytes.length);
  unit ??= layoutOf(bytes, root[0], undefined).unit;
  return {
    rows: rows.finish(),
    parents: parents.finish(),
    states: Uint8Array.from(states.finish()),
    columns: columns!,
    root,
    unit,
  };
}

/** Reads to the end of `columns`. */
function scanColumns(scanner: XmlScanner): Columns {
  let count = 0;
  let topic = -1;
  if (!scanner.isEmpty) {
    for (let kind = scanner.next(); kind !== CLOSE || scanner.depth > 1; kind = scanner.next()) {
      if (kind === END) break;
      if (kind !== OPEN || scanner.depth !== 2 || !scanner.isNamed("column")) continue;
      if (scanner.value("is-note-column") === "yes") continue;
      if (scanner.value("is-outline-column") === "yes") topic = count;
      count++;
    }
  }
  if (topic === -1) throw scanner.damaged("it has no column for topics");
  return { count, topic };
}

function pushItem(scanner: XmlScanner, rows: NumberList): void {
  const id = scanner.find("id");
  if (id === -1) throw scanner.damaged("a row has no id", scanner.start);
  for (const offset of [scanner.start, scanner.end, scanner.end, scanner.valueStart(id), scanner.valueEnd(id)])
    rows.push(offset);
  for (let field: number = TOPIC; field < SIZE; field++) rows.push(field === CONTENT_END ? scanner.end : -1);
}

function stateOf(scanner: XmlScanner): number {
  const state = scanner.value("state");
  if (state === "checked") return CHECKED;
  return state === "indeterminate" || state === "mixed" ? MIXED : UNCHECKED;
}
