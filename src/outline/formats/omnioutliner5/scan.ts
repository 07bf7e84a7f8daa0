// Finds the rows in an OmniOutliner 5 document in one pass over the bytes, which
// also checks that the document is well-formed. Used by omnioutliner5.ts.
import { Problem } from "../../../kernel/kernel.ts";
import { NumberList } from "../number-list.ts";
import { CHECKED, MIXED, NONE, UNCHECKED } from "../parsed-outline.ts";
import { type Layout, layoutOf } from "../xml/layout.ts";
import { checkEncoding, damaged } from "../xml/characters.ts";
import { CLOSE, END, OPEN, TEXT, XmlScanner } from "../xml/scanner.ts";

/** The numbers recorded of each item: offsets in the file, -1 for parts it does not have. */
export const [START, END_OF_ITEM, ID, ID_END, PARENT, PARENT_END, RANK, RANK_END] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
/** Starts of cells; the next number is the end. */
export const [TOPIC, NOTE, STATUS] = [8, 12, 16] as const;
/** For a topic or note that consists of one plain text: its start and end, relative to the index of the cell. */
export const [LITERAL, LITERAL_END] = [2, 3] as const;
export const SIZE = 18;
/** A typical row, to allocate about the right length. */
const BYTES_PER_ROW = 280;

export interface Columns {
  readonly count: number;
  /** Indexes of columns; -1 if there is no such column. */
  readonly topic: number;
  readonly note: number;
  readonly status: number;
}

export interface Scan {
  readonly columns: Columns;
  /** SIZE numbers per item, in the order of the file. */
  readonly items: Int32Array;
  readonly states: Uint8Array;
  /** The offset at which an item before all others is inserted. */
  readonly anchor: number;
  readonly layout: Layout;
}

export function scanItems(bytes: Buffer): Scan {
  const scanner = new XmlScanner(bytes, checkEncoding(bytes));
  let columns: Columns | undefined;
  const items = new NumberList(SIZE * Math.ceil(bytes.length / BYTES_PER_ROW));
  const states: number[] = [];
  let anchor = -1;
  let layout: Layout | undefined;
  /** The current item and cell; -1 outside items, and in the root item. */
  let item = -1;
  let isInItem = false;
  let cell = -1;
  let content = -1;
  /** The index of the current cell's offsets if it is a topic or a note, otherwise -1. */
  let text = -1;
  let literals = 0;
  let paragraphs = 0;
  let isInItems = false;
  let firstItem = -1;
  for (let kind = scanner.next(); kind !== END; kind = scanner.next()) {
    const { depth, start, end } = scanner;
    if (depth === 1) {
      if (kind === OPEN && scanner.isNamed("columns")) {
        if (columns !== undefined)
          throw new Problem(
            "invalid",
            "The outline has more than one set of columns, which this program does not support. The file was not changed.",
          );
        columns = scanColumns(scanner);
      } else if (kind !== TEXT) {
        isInItems = kind === OPEN && !scanner.isEmpty && scanner.isNamed("items");
        if (isInItems) anchor = end;
        if (isInItems && columns === undefined) throw scanner.damaged("its rows come before its columns", start);
      }
    } else if (isInItems && depth === 2 && kind === OPEN && scanner.isNamed("item")) {
      const isRoot = scanner.value("is-root") === "yes";
      item = isRoot ? -1 : items.length;
      if (isRoot || firstItem === -1) firstItem = start;
      if (!isRoot) pushItem(scanner, items);
      if (!isRoot) states.push(NONE);
      cell = -1;
      isInItem = !scanner.isEmpty;
      if (scanner.isEmpty) {
        if (isRoot) anchor = end;
        else items.set(item + END_OF_ITEM, end);
      }
    } else if (isInItem && depth === 2 && kind === CLOSE) {
      isInItem = false;
      if (item === -1 && states.length === 0) anchor = end;
      if (item !== -1) items.set(item + END_OF_ITEM, end);
    } else if (isInItems && depth === 2 && states.length === 0 && (kind === CLOSE || scanner.isEmpty)) {
      // Level styles come before all rows.
      if (kind !== TEXT) anchor = end;
    } else if (isInItem && depth === 3 && kind !== TEXT) {
      if (kind === OPEN && !scanner.isNamed("style")) {
        cell++;
        if (layout === undefined) layout = layoutOf(bytes, firstItem, start);
        text = item === -1 || cell === columns!.status ? -1 : cellField(cell, columns!);
        literals = paragraphs = 0;
        content = end;
        if (item !== -1) beginCell(scanner, items, item, cell, columns!);
      }
      if (item !== -1 && (kind === CLOSE || scanner.isEmpty) && !scanner.isNamed("style")) {
        endCell(scanner, items, item, cell, columns!);
        if (cell === columns!.status) states[states.length - 1] = stateOf(scanner, content);
      }
    } else if (text !== -1 && depth >= 4 && isInItem) {
      // Most topics and notes are a single `lit` with plain text, in one paragraph.
      if (kind === OPEN && scanner.isNamed("lit") && !scanner.isEmpty && depth === 6) {
        literals++;
        items.set(item + text + LITERAL, literals === 1 ? end : -1);
      } else if (kind === CLOSE && depth === 6 && scanner.isNamed("lit")) items.set(item + text + LITERAL_END, start);
      else if (kind === OPEN && (depth > 6 || scanner.isNamed("lit") || (depth === 4 && paragraphs++ > 0))) {
        literals = 2;
        items.set(item + text + LITERAL, -1);
      } else if (kind !== TEXT && kind !== OPEN && kind !== CLOSE) {
        literals = 2;
        items.set(item + text + LITERAL, -1);
      }
    }
  }
  if (columns === undefined || anchor === -1) throw damaged(bytes, "it has no columns or no rows", 0);
  return {
    columns,
    items: items.finish(),
    states: Uint8Array.from(states),
    anchor,
    layout: layout ?? { newline: "", indent: "", unit: "" },
  };
}

/** Reads to the end of `columns`. */
function scanColumns(scanner: XmlScanner): Columns {
  const wanted = ["outline-column", "note-column", "status-column"].map((name) => scanner.value(name));
  const ids: (string | undefined)[] = [];
  if (!scanner.isEmpty) {
    for (let kind = scanner.next(); kind !== CLOSE || scanner.depth > 1; kind = scanner.next()) {
      if (kind === END) break;
      if (kind === OPEN && scanner.depth === 2 && scanner.isNamed("column")) ids.push(scanner.value("id"));
    }
  }
  const [topic, note, status] = wanted.map((id) => (id === undefined ? -1 : ids.indexOf(id)));
  if (topic === -1) throw scanner.damaged("it has no column for topics");
  return { count: ids.length, topic: topic!, note: note!, status: status! };
}

function pushItem(scanner: XmlScanner, items: NumberList): void {
  const item = items.extend(SIZE, -1);
  items.set(item + START, scanner.start);
  const [id, parent, rank] = [scanner.find("id"), scanner.find("parent-id"), scanner.find("rank")];
  if (id === -1 || rank === -1) throw scanner.damaged("a row has no id, or no rank", scanner.start);
  setValue(scanner, items, item + ID, id);
  setValue(scanner, items, item + RANK, rank);
  if (parent !== -1) setValue(scanner, items, item + PARENT, parent);
}

function setValue(scanner: XmlScanner, items: NumberList, at: number, attribute: number): void {
  items.set(at, scanner.valueStart(attribute));
  items.set(at + 1, scanner.valueEnd(attribute));
}

function cellField(cell: number, columns: Columns): number {
  if (cell === columns.topic) return TOPIC;
  if (cell === columns.note) return NOTE;
  return cell === columns.status ? STATUS : -1;
}

function beginCell(scanner: XmlScanner, items: NumberList, item: number, cell: number, columns: Columns): void {
  const field = cellField(cell, columns);
  if (field !== -1) items.set(item + field, scanner.start);
}

function endCell(scanner: XmlScanner, items: NumberList, item: number, cell: number, columns: Columns): void {
  const field = cellField(cell, columns);
  if (field !== -1) items.set(item + field + 1, scanner.end);
}

/** The state in the cell whose content begins at `content` and whose end tag was just read. */
function stateOf(scanner: XmlScanner, content: number): number {
  if (scanner.isEmpty || !scanner.isNamed("checkbox")) return NONE;
  const word = scanner.bytes.toString("latin1", content, scanner.start).trim();
  if (word === "checked") return CHECKED;
  return word === "unchecked" ? UNCHECKED : word === "mixed" || word === "indeterminate" ? MIXED : NONE;
}
