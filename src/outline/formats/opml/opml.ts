// OPML 1 and 2: nested `outline` elements with everything in attributes. Notes and
// states as OmniOutliner (`_note`, `_status`), Workflowy (`_complete`) and
// Dynalist (`complete`) write them. Used by format-detection.ts and for inserted
// content.
import type { NewRow, SettableState } from "../../model.ts";
import { Hash } from "../hash.ts";
import { insertRows, layoutOfRows, moveRow, removeRow, type Nested } from "../nested-rows.ts";
import { NumberList } from "../number-list.ts";
import {
  CHECKED,
  childrenOf,
  insertion,
  MIXED,
  NONE,
  replacement,
  TOP,
  treeOf,
  UNCHECKED,
  type RowUpdate,
  type ParsedOutline,
  type Splice,
} from "../parsed-outline.ts";
import { attributeStart, gap, gapStart, type Layout, layoutOf, lineIndent } from "../xml/layout.ts";
import { checkEncoding, damaged } from "../xml/characters.ts";
import { CLOSE, END, OPEN, XmlScanner } from "../xml/scanner.ts";
import { checkText, decodeValue, encodeValue, respell } from "../xml/text.ts";

/** The numbers recorded of each row: offsets in the file, -1 for parts it does not have. The number after a text is its end. */
const [START, TAG_END, ROW_END, TOPIC, NOTE] = [0, 1, 2, 3, 5] as const;
const SIZE = 7;
/** A typical row, to allocate about the right length. */
const BYTES_PER_ROW = 80;

/** Attributes for states. Rows without one get the first that the file uses. */
const STATE_NAMES = ["_status", "_complete", "complete"] as const;
type StateName = (typeof STATE_NAMES)[number];

interface Scan {
  readonly rows: Int32Array;
  readonly parents: Int32Array;
  readonly states: Uint8Array;
  readonly stateName: StateName;
  /** Offsets of the body: its start, the end of its start tag, its end. */
  readonly body: readonly [number, number, number];
  readonly unit: string;
}

export function parseOpml(bytes: Buffer): ParsedOutline {
  const { rows, parents, states, stateName, body, unit } = scanRows(bytes);
  const tree = treeOf(parents);
  const scanner = new XmlScanner(bytes);
  const at = (row: number, field: number) => (row === TOP ? body[field]! : rows[row * SIZE + field]!);
  const value = (row: number, field: number) =>
    at(row, field) === -1 ? "" : decodeValue(bytes.toString("utf8", at(row, field), at(row, field + 1)));

  const layoutBelow = (parent: number): Layout => {
    const outer = lineIndent(bytes, at(parent, START));
    const below = { newline: outer?.newline ?? "", indent: (outer?.indent ?? "") + unit, unit };
    const [first] = childrenOf(tree, parent);
    return layoutOfRows(bytes, first === undefined ? undefined : at(first, START), below);
  };
  const nested: Nested = {
    scanner,
    tree,
    start: (row) => at(row, START),
    end: (row) => at(row, ROW_END),
    layoutBelow,
    open: (parent, xml) => {
      const layout = layoutBelow(parent);
      const [tagEnd, end] = [at(parent, TAG_END), at(parent, ROW_END)];
      const back = gap({ ...layout, indent: lineIndent(bytes, at(parent, START))?.indent ?? "" }, 0);
      // An empty-element tag becomes a start tag and an end tag.
      if (tagEnd === end) {
        const name = parent === TOP ? "body" : "outline";
        const slash = gapStart(bytes, tagEnd - 2);
        return replacement(slash, end, `>${gap(layout, 0)}${xml}${back}</${name}>`);
      }
      const closing = bytes.lastIndexOf("</", end - 3);
      const white = Math.max(gapStart(bytes, closing), tagEnd);
      return insertion(white, gap(layout, 0) + xml + (white === closing ? back : ""));
    },
    close: (parent, start, end) => {
      const [tagEnd, rowEnd] = [at(parent, TAG_END), at(parent, ROW_END)];
      const closing = bytes.lastIndexOf("</", rowEnd - 3);
      const isAll = start <= tagEnd && gapStart(bytes, closing) <= end;
      return isAll && parent !== TOP ? replacement(tagEnd - 1, rowEnd, "/>") : replacement(start, end, "");
    },
  };

  /** The XML of a row and its children, formatted as the file is. */
  const rowXml = (row: NewRow, layout: Layout): string => {
    const attributes = [
      ` text="${encodeValue(checkText(row.topic), '"')}"`,
      row.note ? ` _note="${encodeValue(checkText(row.note), '"')}"` : "",
      row.state === undefined ? "" : ` ${stateName}="${stateValue(stateName, row.state)}"`,
    ].join("");
    const children = row.children ?? [];
    if (children.length === 0) return `<outline${attributes}/>`;
    const below = { ...layout, indent: layout.indent + layout.unit };
    const inside = children.map((child) => gap(layout, 1) + rowXml(child, below)).join("");
    return `<outline${attributes}>${inside}${gap(layout, 0)}</outline>`;
  };

  /** Sets, adds or removes an attribute of the tag that the scanner has just read. */
  const attributeSplice = (name: string, text: string | undefined, after: number): Splice[] => {
    const found = scanner.find(name);
    if (found === -1) return text === undefined ? [] : [insertion(after, ` ${name}="${encodeValue(text, '"')}"`)];
    const [start, end] = [scanner.valueStart(found), scanner.valueEnd(found)];
    if (text === undefined) return [replacement(attributeStart(bytes, start), end + 1, "")];
    const quote = bytes[start - 1] === 0x22 ? '"' : "'";
    const xml = bytes.toString("utf8", start, end);
    return [
      replacement(
        start,
        end,
        respell(xml, text, decodeValue, (each) => encodeValue(each, quote)),
      ),
    ];
  };

  const updateSplices = ({ row, topic, note, state }: RowUpdate): Splice[] => {
    scanner.restart(at(row, START), at(row, ROW_END));
    scanner.next();
    const text = scanner.find("text");
    const afterText = text === -1 ? scanner.nameEnd : scanner.valueEnd(text) + 1;
    const last = scanner.attributeCount === 0 ? scanner.nameEnd : scanner.valueEnd(scanner.attributeCount - 1) + 1;
    const splices: Splice[] = [];
    if (topic !== undefined) splices.push(...attributeSplice("text", checkText(topic), scanner.nameEnd));
    if (note !== undefined) splices.push(...attributeSplice("_note", checkText(note) || undefined, afterText));
    if (state !== undefined) {
      const own = STATE_NAMES.filter((name) => scanner.find(name) !== -1);
      for (const name of own.length > 0 ? own : [stateName])
        splices.push(...attributeSplice(name, state === "none" ? undefined : stateValue(name, state), last));
    }
    return splices;
  };

  return {
    ...tree,
    format: "opml",
    bytes,
    states,
    ids: undefined,
    numberOf: undefined,
    topic: (row) => value(row, TOPIC),
    topicNumber: (row) => new Hash().addBytes(bytes, at(row, TOPIC), at(row, TOPIC + 1)).number(),
    note: (row) => value(row, NOTE) || null,
    // Without the attribute, 0 to 0 is the empty text.
    written: {
      bytes,
      start: (row, field) => Math.max(0, at(row, field === "topic" ? TOPIC : NOTE)),
      end: (row, field) => Math.max(0, at(row, (field === "topic" ? TOPIC : NOTE) + 1)),
    },
    holdsState: () => true,
    keepsParentStates: true,
    read: parseOpml,
    asStored: checkText,
    add: (added, slot) => {
      const layout = layoutBelow(slot.parent);
      return [
        insertRows(
          nested,
          slot,
          added.map((row) => rowXml(row, layout)),
        ),
      ];
    },
    update: (updates) => updates.flatMap(updateSplices),
    move: (row, slot) => moveRow(nested, row, slot),
    remove: (row) => [removeRow(nested, row)],
  };
}

function stateValue(name: StateName, state: Exclude<SettableState, "none">): string {
  if (name === "_status") return state;
  return state === "checked" ? "true" : "false";
}

function stateOf(scanner: XmlScanner): number {
  for (const name of STATE_NAMES) {
    const at = scanner.find(name);
    if (at === -1) continue;
    if (scanner.isValue(at, "checked") || scanner.isValue(at, "true")) return CHECKED;
    if (scanner.isValue(at, "unchecked") || scanner.isValue(at, "false")) return UNCHECKED;
    if (scanner.isValue(at, "mixed") || scanner.isValue(at, "indeterminate")) return MIXED;
  }
  return NONE;
}

export function scanRows(bytes: Buffer): Scan {
  const scanner = new XmlScanner(bytes, checkEncoding(bytes));
  const expected = Math.ceil(bytes.length / BYTES_PER_ROW);
  const rows = new NumberList(SIZE * expected);
  const parents = new NumberList(expected);
  const states = new NumberList(expected);
  const body: [number, number, number] = [-1, -1, -1];
  let stateName: StateName | undefined;
  let isInBody = false;
  /** The enclosing rows, innermost last. */
  const open: number[] = [];
  let unit: string | undefined;
  for (let kind = scanner.next(); kind !== END; kind = scanner.next()) {
    const { depth, start, end } = scanner;
    if (kind === OPEN && depth === 0 && !scanner.isNamed("opml")) throw scanner.damaged("it is not OPML", start);
    if (kind === OPEN && depth === 1 && scanner.isNamed("body") && body[0] === -1) {
      isInBody = !scanner.isEmpty;
      body.splice(0, 3, start, end, end);
    } else if (kind === CLOSE && depth === 1 && isInBody) {
      isInBody = false;
      body[2] = end;
    } else if (isInBody && kind === OPEN && scanner.isNamed("outline")) {
      // Inside an unknown element it is not a row.
      if (depth !== open.length + 2) continue;
      const row = rows.length / SIZE;
      const parent = open.at(-1) ?? TOP;
      parents.push(parent);
      states.push(stateOf(scanner));
      stateName ??= STATE_NAMES.find((name) => scanner.find(name) !== -1);
      const text = scanner.find("text");
      pushRow(scanner, rows, text === -1 ? scanner.find("title") : text, scanner.find("_note"));
      unit ??= layoutOf(bytes, parent === TOP ? body[0] : rows.get(parent * SIZE), start).unit;
      if (!scanner.isEmpty) open.push(row);
    } else if (isInBody && kind === CLOSE && depth === open.length + 1) {
      rows.set(open.pop()! * SIZE + ROW_END, end);
    }
  }
  if (body[0] === -1) throw damaged(bytes, "it has no body", bytes.length);
  unit ??= layoutOf(bytes, body[0], undefined).unit;
  return {
    rows: rows.finish(),
    parents: parents.finish(),
    states: Uint8Array.from(states.finish()),
    stateName: stateName ?? "_status",
    body,
    unit,
  };
}

function pushRow(scanner: XmlScanner, rows: NumberList, topic: number, note: number): void {
  const row = rows.extend(SIZE, -1);
  rows.set(row + START, scanner.start);
  rows.set(row + TAG_END, scanner.end);
  rows.set(row + ROW_END, scanner.end);
  for (let field: number = TOPIC, attribute = topic; field <= NOTE; field += 2, attribute = note) {
    if (attribute === -1) continue;
    rows.set(row + field, scanner.valueStart(attribute));
    rows.set(row + field + 1, scanner.valueEnd(attribute));
  }
}
