// The format of OmniOutliner 3 and 4: nested `item` elements, each with its cells
// in `values`, its note, and its rows in `children`. A file keeps its version.
// Used by format-detection.ts.
import { Problem } from "../../../kernel/kernel.ts";
import type { NewRow } from "../../model.ts";
import { Hash } from "../hash.ts";
import { insertRows, layoutOfRows, moveRow, removeRow, type Nested } from "../nested-rows.ts";
import {
  CHILDREN,
  CHILDREN_END,
  CHILDREN_TAG_END,
  CONTENT_END,
  ITEM_END,
  NOTE,
  NOTE_TEXT,
  scanItems,
  SIZE,
  START,
  TAG_END,
  TOPIC,
  LITERAL,
  LITERAL_END,
  ID,
} from "./scan.ts";
import { changedText, newText, plainText } from "../rich-text.ts";
import {
  childrenOf,
  flattenedRows,
  insertion,
  replacement,
  TOP,
  treeOf,
  type RowUpdate,
  type ParsedOutline,
  type Splice,
} from "../parsed-outline.ts";
import { attributeStart, gap, gapStart, inner, type Layout, lineIndent } from "../xml/layout.ts";
import { damaged } from "../xml/characters.ts";
import { XmlScanner } from "../xml/scanner.ts";
import { checkText, decodeText, decodeValue } from "../xml/text.ts";

export function parseOmniOutliner3(bytes: Buffer): ParsedOutline {
  const { rows, parents, states, columns, root, unit } = scanItems(bytes);
  const tree = treeOf(parents);
  const scanner = new XmlScanner(bytes);
  const at = (row: number, field: number) => rows[row * SIZE + field]!;
  const ids = Array.from({ length: tree.count }, (_, row) =>
    decodeValue(bytes.toString("utf8", at(row, ID), at(row, ID + 1))),
  );
  const numbers = new Map(ids.map((id, row) => [id, row]));
  if (numbers.size < ids.length) {
    const row = ids.findIndex((id, each) => numbers.get(id) !== each);
    throw damaged(bytes, `two rows have the id ${ids[row]}`, at(row, START));
  }

  const indentOf = (row: number) => lineIndent(bytes, row === TOP ? root[0] : at(row, START));
  const layoutBelow = (parent: number): Layout => {
    const outer = indentOf(parent);
    const levels = parent === TOP ? 1 : 2;
    const below = { newline: outer?.newline ?? "", indent: (outer?.indent ?? "") + unit.repeat(levels), unit };
    const [first] = childrenOf(tree, parent);
    return layoutOfRows(bytes, first === undefined ? undefined : at(first, START), below);
  };
  const layoutOfItem = (row: number): Layout => {
    const { newline = "", indent = "" } = indentOf(row) ?? {};
    return { newline, indent, unit: newline === "" ? "" : unit };
  };

  const nested: Nested = {
    scanner,
    tree,
    start: (row) => at(row, START),
    end: (row) => at(row, ITEM_END),
    layoutBelow,
    open: (parent, xml) => {
      const name = parent === TOP ? "root" : "children";
      const layout = layoutBelow(parent);
      const outer = { ...layout, indent: (indentOf(parent)?.indent ?? "") + (parent === TOP ? "" : unit) };
      const [start, tagEnd, end] =
        parent === TOP ? root : [at(parent, CHILDREN), at(parent, CHILDREN_TAG_END), at(parent, CHILDREN_END)];
      const list = `${gap(layout, 0)}${xml}${gap(outer, 0)}</${name}>`;
      if (start === -1) return insertion(at(parent, CONTENT_END), `${gap(outer, 0)}<children>${list}`);
      if (tagEnd === end) return replacement(gapStart(bytes, tagEnd - 2), end, `>${list}`);
      const closing = bytes.lastIndexOf("</", end - 3);
      const white = Math.max(gapStart(bytes, closing), tagEnd);
      return insertion(white, gap(layout, 0) + xml + (white === closing ? gap(outer, 0) : ""));
    },
    close: (parent, start, end) => {
      if (parent === TOP) return replacement(start, end, "");
      const [list, listEnd] = [at(parent, CHILDREN), at(parent, CHILDREN_END)];
      const closing = bytes.lastIndexOf("</", listEnd - 3);
      const isAll = start <= at(parent, CHILDREN_TAG_END) && gapStart(bytes, closing) <= end;
      return isAll ? replacement(gapStart(bytes, list), listEnd, "") : replacement(start, end, "");
    },
  };

  const itemXml = (row: NewRow, layout: Layout, nextId: () => string): string => {
    const state = row.state === "checked" ? ' state="checked"' : "";
    const children = row.children ?? [];
    const expanded = children.length > 0 ? ' expanded="yes"' : "";
    const opening = `<item id="${nextId()}"${expanded}${state}>`;
    const cells = Array.from({ length: columns.count }, (_, column) =>
      column === columns.topic && row.topic !== "" ? newText(checkText(row.topic), inner(layout, 2)) : "<null/>",
    );
    const values = `<values>${cells.map((cell) => gap(layout, 2) + cell).join("")}${gap(layout, 1)}</values>`;
    const parts = [values];
    if (row.note) parts.push(noteXml(row.note, inner(layout, 1)));
    if (children.length > 0) {
      const below = children.map((child) => gap(layout, 2) + itemXml(child, inner(layout, 2), nextId));
      parts.push(`<children>${below.join("")}${gap(layout, 1)}</children>`);
    }
    return `${opening}${parts.map((part) => gap(layout, 1) + part).join("")}${gap(layout, 0)}</item>`;
  };

  const topicSplice = (row: number, topic: string): Splice => {
    const [start, end] = [at(row, TOPIC), at(row, TOPIC + 1)];
    const kind = start === -1 ? undefined : /^<([\w-]+)/.exec(bytes.toString("latin1", start, start + 20))?.[1];
    if (kind !== "null" && kind !== "text") throw unknownCell();
    const layout = inner(layoutOfItem(row), 2);
    if (kind === "null") return replacement(start, end, topic === "" ? "<null/>" : newText(topic, layout));
    const changed = changedText(scanner, start, end, topic, layout);
    return replacement(start, end, topic === "" && !changed.includes("<run") ? "<null/>" : changed);
  };

  const noteSplice = (row: number, note: string): Splice[] => {
    const layout = inner(layoutOfItem(row), 1);
    const [start, end] = [at(row, NOTE), at(row, NOTE + 1)];
    if (start === -1) {
      if (note === "") return [];
      // After the values and before the children.
      return [insertion(at(row, CONTENT_END), gap(layout, 0) + noteXml(note, layout))];
    }
    const [text, textEnd] = [at(row, NOTE_TEXT), at(row, NOTE_TEXT + 1)];
    if (text === -1) return [replacement(start, end, noteXml(note, layout))];
    const changed = changedText(scanner, text, textEnd, note, inner(layout, 1));
    if (note === "" && !changed.includes("<run")) return [replacement(gapStart(bytes, start), end, "")];
    return [replacement(text, textEnd, changed)];
  };

  const stateSplice = (row: number, state: "checked" | "unchecked"): Splice[] => {
    scanner.restart(at(row, START), at(row, ITEM_END));
    scanner.next();
    const found = scanner.find("state");
    if (found === -1) return state === "checked" ? [insertion(at(row, TAG_END) - 1, ' state="checked"')] : [];
    const [start, end] = [scanner.valueStart(found), scanner.valueEnd(found)];
    // No attribute means unchecked; the application writes it that way.
    if (state === "unchecked") return [replacement(attributeStart(bytes, start), end + 1, "")];
    return [replacement(start, end, state)];
  };

  const updateSplices = ({ row, topic, note, state }: RowUpdate): Splice[] => {
    if (state === "none")
      throw new Problem(
        "invalid",
        "In a version 3 document every row has a checkbox: its state can only be checked or unchecked.",
      );
    if (at(row, TAG_END) === at(row, ITEM_END)) throw unknownCell();
    return [
      ...(topic === undefined ? [] : [topicSplice(row, checkText(topic))]),
      ...(note === undefined ? [] : noteSplice(row, checkText(note))),
      ...(state === undefined ? [] : stateSplice(row, state)),
    ];
  };

  const topic = (row: number): string => {
    const start = at(row, LITERAL);
    if (start !== -1) return decodeText(bytes.toString("utf8", start, at(row, LITERAL_END)));
    return at(row, TOPIC) === -1 ? "" : plainText(scanner, at(row, TOPIC), at(row, TOPIC + 1));
  };

  return {
    ...tree,
    format: "oo3",
    bytes,
    states,
    ids,
    numberOf: (id) => numbers.get(id),
    topic,
    topicNumber: (row) => new Hash().addText(topic(row)).number(),
    note: (row) =>
      at(row, NOTE_TEXT) === -1 ? null : plainText(scanner, at(row, NOTE_TEXT), at(row, NOTE_TEXT + 1)) || null,
    written: {
      bytes,
      // A note must be read with `note`; without one, 0 to 0 is the empty text.
      start: (row, field) => (field === "topic" ? at(row, LITERAL) : at(row, NOTE_TEXT) === -1 ? 0 : -1),
      end: (row, field) => (field === "topic" ? at(row, LITERAL_END) : at(row, NOTE_TEXT) === -1 ? 0 : -1),
    },
    holdsState: () => true,
    keepsParentStates: true,
    read: parseOmniOutliner3,
    asStored: checkText,
    add: (added, slot, newIds) => {
      const layout = layoutBelow(slot.parent);
      if (slot.parent !== TOP && at(slot.parent, TAG_END) === at(slot.parent, ITEM_END)) throw unknownCell();
      if (newIds.length !== flattenedRows(added).length) throw new RangeError("A new row has no id");
      let next = 0;
      return [
        insertRows(
          nested,
          slot,
          added.map((row) => itemXml(row, layout, () => newIds[next++]!)),
        ),
      ];
    },
    update: (updates) => updates.flatMap(updateSplices),
    move: (row, slot) => moveRow(nested, row, slot),
    remove: (row) => [removeRow(nested, row)],
  };
}

function noteXml(note: string, layout: Layout): string {
  return `<note>${gap(layout, 1)}${newText(checkText(note), inner(layout, 1))}${gap(layout, 0)}</note>`;
}

function unknownCell(): Problem {
  return new Problem(
    "invalid",
    "This row has a form that this program does not know. The file was not changed.",
    "Change it in OmniOutliner.",
  );
}
