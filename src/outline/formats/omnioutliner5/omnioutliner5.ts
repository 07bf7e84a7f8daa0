// The format of OmniOutliner 5: a flat list of rows, sorted by id, each with the
// id of its parent and a rank among its siblings. So a move changes two
// attributes. Used by format-detection.ts.
import { Problem } from "../../../kernel/kernel.ts";
import type { NewRow, SettableState } from "../../model.ts";
import { Hash } from "../hash.ts";
import { arrange, ranksBefore } from "./order.ts";
import {
  END_OF_ITEM,
  ID,
  ID_END,
  LITERAL,
  LITERAL_END,
  NOTE,
  PARENT,
  PARENT_END,
  RANK,
  RANK_END,
  scanItems,
  SIZE,
  START,
  STATUS,
  TOPIC,
} from "./scan.ts";
import { rankKey, ranksBetween } from "./rank.ts";
import { changedText, newText, plainText } from "../rich-text.ts";
import {
  childrenOf,
  flattenedRows,
  insertion,
  NONE,
  replacement,
  TOP,
  type ParsedOutline,
  type Splice,
} from "../parsed-outline.ts";
import { attributeStart, gap, gapStart, inner } from "../xml/layout.ts";
import { damaged } from "../xml/characters.ts";
import { XmlScanner } from "../xml/scanner.ts";
import { checkText, decodeText, decodeValue, encodeValue } from "../xml/text.ts";

const SLASH = 0x2f;

export function parseOmniOutliner5(bytes: Buffer): ParsedOutline {
  const scan = scanItems(bytes);
  const { items, columns, layout } = scan;
  const value = (item: number, field: number) => {
    const [start, end] = [items[item * SIZE + field]!, items[item * SIZE + field + 1]!];
    return decodeValue(bytes.toString("utf8", start, end));
  };
  const count = items.length / SIZE;
  const fileIds = Array.from({ length: count }, (_, item) => value(item, ID));
  const isSorted = fileIds.every((id, item) => item === 0 || fileIds[item - 1]! < id);
  const asDamaged = (what: string, item: number) => damaged(bytes, what, items[item * SIZE]!);
  const itemOf = new Map<string, number>();
  for (const [item, id] of fileIds.entries()) {
    if (itemOf.has(id)) throw asDamaged(`two rows have the id ${id}`, item);
    itemOf.set(id, item);
  }
  const { tree, order, rowOf } = arrange({
    count,
    parentOf: (item) => (items[item * SIZE + PARENT] === -1 ? TOP : itemOf.get(value(item, PARENT))),
    keyOf: (item) => rankKey(bytes, items[item * SIZE + RANK]!, items[item * SIZE + RANK_END]!),
    rankOf: (item) => value(item, RANK),
    damaged: asDamaged,
  });
  const numberOf = (id: string) => {
    const item = itemOf.get(id);
    return item === undefined ? undefined : rowOf[item]!;
  };
  const ids = Array.from(order, (item) => fileIds[item]!);
  const scanner = new XmlScanner(bytes);
  const cellLayout = inner(layout, 1);

  const rankOf = (row: number) => value(order[row]!, RANK);

  const at = (row: number, field: number) => items[order[row]! * SIZE + field]!;
  /** Returns whether an item has no such cell, or an empty one. */
  const isEmpty = (item: number, cell: number) => {
    const end = items[item * SIZE + cell + 1]!;
    return end === -1 || bytes[end - 2] === SLASH;
  };
  const text = (row: number, cell: number) => {
    const start = at(row, cell + LITERAL);
    if (start !== -1) return decodeText(bytes.toString("utf8", start, at(row, cell + LITERAL_END)));
    return isEmpty(order[row]!, cell) ? "" : plainText(scanner, at(row, cell), at(row, cell + 1));
  };
  const writtenAt = (item: number, field: "topic" | "note", literal: number) => {
    const cell = field === "topic" ? TOPIC : NOTE;
    const offset = items[item * SIZE + cell + literal]!;
    // 0 to 0 is the empty text.
    return offset === -1 && isEmpty(item, cell) ? 0 : offset;
  };

  const textSplice = (row: number, cell: number, wanted: string): Splice => {
    const [start, end] = [at(row, cell), at(row, cell + 1)];
    if (start === -1) throw noCell();
    const kind = /^<([\w-]+)/.exec(bytes.toString("latin1", start, start + 20))?.[1];
    if (kind === "entry") return replacement(start, end, wanted === "" ? "<entry/>" : newText(wanted, cellLayout));
    if (kind !== "text") throw noCell();
    const changed = changedText(scanner, start, end, wanted, cellLayout);
    return replacement(start, end, wanted === "" && !changed.includes("<run") ? "<entry/>" : changed);
  };

  const stateSplice = (row: number, state: SettableState): Splice => {
    const start = at(row, STATUS);
    if (columns.status === -1)
      throw new Problem("invalid", "This document has no status column: its rows have no checkboxes.");
    if (start === -1) throw noCell();
    return replacement(start, at(row, STATUS + 1), statusCell(state));
  };

  /** The offset at which an item with this id is inserted: items are sorted by id. */
  const offsetFor = (id: string): number => {
    let [low, high] = [0, fileIds.length];
    if (!isSorted) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fileIds[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? scan.anchor : items[(low - 1) * SIZE + END_OF_ITEM]!;
  };

  /** Returns whether new rows here get a checkbox: as their siblings have, otherwise as most rows have. */
  const hasCheckboxes = (siblings: readonly number[], index: number): boolean => {
    const sibling = siblings[index - 1] ?? siblings[index];
    if (sibling !== undefined) return scan.states[order[sibling]!] !== NONE;
    let boxes = 0;
    for (const state of scan.states) if (state !== NONE) boxes++;
    return boxes * 2 > tree.count;
  };

  const itemXml = (id: string, parent: string | undefined, rank: string, row: NewRow, hasBox: boolean): string => {
    const cells = Array.from({ length: columns.count }, (_, column) => {
      if (column === columns.topic) return row.topic === "" ? "<entry/>" : newText(checkText(row.topic), cellLayout);
      if (column === columns.note) return row.note ? newText(checkText(row.note), cellLayout) : "<entry/>";
      if (column === columns.status) return statusCell(row.state ?? (hasBox ? "unchecked" : "none"));
      return "<entry/>";
    });
    const parentId = parent === undefined ? "" : ` parent-id="${encodeValue(parent, '"')}"`;
    const opening = `<item id="${id}"${parentId} rank="${rank}">`;
    return [gap(layout, 0), opening, ...cells.map((cell) => gap(layout, 1) + cell), gap(layout, 0), "</item>"].join("");
  };

  /** `parent-id`, if there is one, follows `id`. */
  const parentSplices = (row: number, parentId: string | undefined): Splice[] => {
    const [start, end] = [at(row, PARENT), at(row, PARENT_END)];
    if (parentId === undefined) return start === -1 ? [] : [replacement(attributeStart(bytes, start), end + 1, "")];
    const value = encodeValue(parentId, '"');
    return start === -1 ? [insertion(at(row, ID_END) + 1, ` parent-id="${value}"`)] : [replacement(start, end, value)];
  };

  const rankSplices = (changed: ReadonlyMap<number, string>): Splice[] =>
    [...changed].map(([row, rank]) => replacement(at(row, RANK), at(row, RANK_END), rank));

  return {
    ...tree,
    format: "ooutline",
    bytes,
    ids,
    numberOf,
    states: Uint8Array.from(order, (item) => scan.states[item]!),
    topic: (row) => text(row, TOPIC),
    topicNumber: (row) => new Hash().addText(text(row, TOPIC)).number(),
    note: (row) => text(row, NOTE) || null,
    written: {
      bytes,
      order: rowOf,
      start: (item, field) => writtenAt(item, field, LITERAL),
      end: (item, field) => writtenAt(item, field, LITERAL_END),
    },
    holdsState: () => columns.status !== -1,
    keepsParentStates: false,
    read: parseOmniOutliner5,
    asStored: checkText,
    add: (rows, slot, newIds) => {
      const flat = flattenedRows(rows);
      if (flat.some(({ row }) => row.note) && columns.note === -1) throw noNotes();
      const siblings = childrenOf(tree, slot.parent);
      const hasBox = hasCheckboxes(siblings, slot.index);
      const newRanks = ranksBefore(siblings, rankOf, slot.index, rows.length);
      const rankQueues = new Map([[-1, newRanks.ranks]]);
      flat.forEach(({ row }, index) =>
        rankQueues.set(index, ranksBetween(undefined, undefined, row.children?.length ?? 0)),
      );
      const added = flat.map(({ row, parent }, index) => {
        const parentId = parent === -1 ? ids[slot.parent] : newIds[parent];
        const rank = rankQueues.get(parent)!.shift()!;
        return { id: newIds[index]!, xml: itemXml(newIds[index]!, parentId, rank, row, hasBox) };
      });
      const sorted = added.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return [...sorted.map(({ id, xml }) => insertion(offsetFor(id), xml)), ...rankSplices(newRanks.changed)];
    },
    update: (updates) =>
      updates.flatMap(({ row, topic: newTopic, note, state }) => {
        if (note !== undefined && columns.note === -1) throw noNotes();
        return [
          ...(newTopic === undefined ? [] : [textSplice(row, TOPIC, checkText(newTopic))]),
          ...(note === undefined ? [] : [textSplice(row, NOTE, checkText(note))]),
          ...(state === undefined ? [] : [stateSplice(row, state)]),
        ];
      }),
    move: (row, { parent, index }) => {
      const siblings = childrenOf(tree, parent).filter((sibling) => sibling !== row);
      const {
        ranks: [rank],
        changed,
      } = ranksBefore(siblings, rankOf, index, 1);
      return [...parentSplices(row, ids[parent]), ...rankSplices(changed.set(row, rank!))];
    },
    remove: (row) =>
      Array.from({ length: tree.descendants[row]! + 1 }, (_, below) => {
        const start = at(row + below, START);
        return replacement(gapStart(bytes, start), at(row + below, END_OF_ITEM), "");
      }),
  };
}

function statusCell(state: SettableState): string {
  return state === "none" ? "<entry/>" : `<checkbox>${state}</checkbox>`;
}

function noCell(): Problem {
  return new Problem(
    "invalid",
    "This row has no such cell, or one of another kind. The file was not changed.",
    "Change it in OmniOutliner.",
  );
}

function noNotes(): Problem {
  return new Problem("invalid", "This document has no note column: its rows have no notes.");
}
