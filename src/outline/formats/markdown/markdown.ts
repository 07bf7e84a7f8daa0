// Markdown: headings and list items are rows; in a plain list (plain-list.ts)
// every line is one. An edit changes the lines of its row in the style of the file
// (markers, indentation, line endings); paragraphs, tables, code and frontmatter
// stay as they are. Used by format-detection.ts and for inserted content.
import { findFrontmatter, isWhiteLine, lineEndingOf, readNoteText, trimWhiteEnd } from "../../../markdown/markdown.ts";
import { Problem } from "../../../kernel/kernel.ts";
import type { NewRow, SettableState } from "../../model.ts";
import { Hash } from "../hash.ts";
import { scanRows, type MarkdownRow } from "./scan.ts";
import { scanPlainList } from "./plain-list.ts";
import {
  columnOf,
  commonIndent,
  escapeStart,
  linesOfNote,
  mapLines,
  noteOf,
  outdented,
  topicOf,
  unescapeStart,
} from "./text.ts";
import {
  childrenOf,
  NONE,
  TOP,
  treeOf,
  type RowSlot,
  type RowUpdate,
  type ParsedOutline,
  type Splice,
} from "../parsed-outline.ts";
import { differing, inBytes, isBlankBefore, lineAfter, removal, type TextEdit } from "./text-edits.ts";

export function parseMarkdown(bytes: Buffer): ParsedOutline {
  const { hasByteOrderMark, text } = readNoteText(bytes);
  const marked = scanRows(text);
  const rows = marked.length > 0 ? marked : scanPlainList(text);
  const isPlain = rows[0]?.marker === "";
  const tree = treeOf(Int32Array.from(rows, ({ parent }) => parent));
  const ending = lineEndingOf(text) ?? "\n";
  const spliced = (edits: readonly TextEdit[]): Splice[] => inBytes(text, edits, hasByteOrderMark ? 3 : 0);
  const sectionEnd = (heading: number) => (heading === TOP ? text.length : rows[heading]!.end);

  /** The indentation that is not part of a note: what its lines have in common, or that of the row's text. */
  const indentOfNote = (row: MarkdownRow): string => {
    if (row.heading > 0) return "";
    const lines = text.slice(row.note, row.noteEnd).split(/\r?\n/);
    const [first, common] = [/^[ \t]*/.exec(lines[0]!)![0], commonIndent(lines)];
    if (columnOf(common) >= Math.min(columnOf(first), row.contentColumn)) return common;
    return columnOf(first) <= row.contentColumn ? first : " ".repeat(row.contentColumn);
  };

  const noteLines = (row: MarkdownRow): string[] => {
    const base = columnOf(indentOfNote(row));
    const lines = text.slice(row.note, row.noteEnd).split(/\r?\n/);
    return lines.map((line) => (isWhiteLine(line) ? "" : outdented(line, base)));
  };

  /** By how much the first nested item is indented; undefined without nested items. */
  const unitOfIndent = (): string | undefined => {
    const nested = rows.find(({ parent, heading }) => parent !== TOP && heading === 0 && rows[parent]!.heading === 0);
    return nested?.indent.slice(rows[nested.parent]!.indent.length);
  };

  /** The indentation of a child row: that of its siblings. */
  const indentAt = (parent: number, siblings: readonly number[], index: number): string => {
    const sibling = [siblings[index - 1], siblings[index]].find((each) => rows[each ?? -1]?.heading === 0);
    if (sibling !== undefined) return rows[sibling]!.indent;
    const row = rows[parent];
    if (row === undefined || row.heading > 0) return "";
    const unit = unitOfIndent();
    const isEnough = unit !== undefined && columnOf(row.indent + unit) >= row.contentColumn;
    return isEnough ? row.indent + unit : row.indent + " ".repeat(row.contentColumn - columnOf(row.indent));
  };

  const markerFor = (siblings: readonly number[], index: number): string => {
    const [before, after] = [siblings[index - 1], siblings[index]].map((row) =>
      row === undefined ? undefined : rows[row],
    );
    const sibling = before?.heading === 0 ? before : after?.heading === 0 ? after : undefined;
    if (sibling === undefined && isPlain) return "";
    if (sibling === undefined)
      return rows.find(({ heading, marker }) => heading === 0 && /^[-*+]$/.test(marker))?.marker ?? "-";
    const number = /^(\d+)(.)$/.exec(sibling.marker);
    return number === null ? sibling.marker : `${Number(number[1]) + (sibling === before ? 1 : 0)}${number[2]}`;
  };

  const hasBox = (siblings: readonly number[], index: number): boolean => {
    const sibling = siblings[index - 1] ?? siblings[index];
    return sibling !== undefined && rows[sibling]!.state !== NONE;
  };

  /** The lines of a new list item and its descendants. */
  const itemLines = (row: NewRow, indent: string, marker: string, withBox: boolean): string[] => {
    const state = row.state ?? (withBox ? "unchecked" : undefined);
    const topic = escapeStart(topicOf(row.topic), "topic");
    if (isPlain && (row.note || state !== undefined)) throw plainRow();
    const box = state === undefined ? "" : `${boxOf(state)} `;
    const own = trimWhiteEnd(`${indent}${marker === "" ? "" : `${marker} `}${box}${topic}`);
    const inside = isPlain ? indent + (unitOfIndent() ?? "\t") : indent + " ".repeat(marker.length + 1);
    const below = indent.includes("\t") && marker.length === 1 ? `${indent}\t` : inside;
    const bullet = /^[-*+]?$/.test(marker) ? marker : "-";
    const children = (row.children ?? []).flatMap((child) => itemLines(child, below, bullet, withBox));
    return [own, ...linesOfNote(row.note ?? "", "note").map((line) => (line === "" ? "" : inside + line)), ...children];
  };

  const sectionLines = (row: NewRow, level: number): string[] => {
    if (row.state !== undefined)
      throw new Problem("invalid", "A heading has no checkbox: add this row below a heading, or without a state.");
    const note = linesOfNote(row.note ?? "", "section");
    const items = (row.children ?? []).flatMap((child) => itemLines(child, "", markerFor([], 0), false));
    return [
      trimWhiteEnd(`${"#".repeat(level)} ${topicOf(row.topic)}`),
      ...(note.length > 0 ? ["", ...note] : []),
      ...(items.length > 0 ? ["", ...items] : []),
    ];
  };

  /** Inserts lines as a block, at the start of a line or at the end of the text. */
  const insertLines = (
    at: number,
    lines: readonly string[],
    blank: { before?: boolean; after?: boolean } = {},
  ): TextEdit => {
    const isOpenEnd = at > 0 && text[at - 1] !== "\n" && text[at - 1] !== "\uFEFF";
    const before = blank.before && !isBlankBefore(text, at) ? [""] : [];
    const after = blank.after && at < text.length && !/^[ \t]*(?:\r?\n|$)/.test(text.slice(at, at + 200)) ? [""] : [];
    const block = [...before, ...lines, ...after].join(ending);
    return { start: at, end: at, text: isOpenEnd ? ending + block : block + ending };
  };

  /** Whether the list at this index has blank lines between its items. */
  const isLoose = (siblings: readonly number[], index: number): boolean => {
    for (const at of [index, index - 1, index + 1]) {
      const [before, after] = [rows[siblings[at - 1] ?? -1], rows[siblings[at] ?? -1]];
      const between = before && after?.heading === 0 ? text.slice(before.end, after.start) : undefined;
      // Text between two items separates two lists.
      if (between !== undefined && between.split("\n").every(isWhiteLine)) return between !== "";
    }
    return false;
  };

  /** Inserts items, with blank lines around them as the list has them. */
  const insertItems = (
    { parent }: RowSlot,
    index: number,
    siblings: readonly number[],
    lines: readonly string[],
  ): TextEdit => {
    const [before, after] = [siblings[index - 1], siblings[index]];
    const loose = isLoose(siblings, index);
    if (before !== undefined) return insertLines(rows[before]!.end, lines, { before: loose });
    if (after !== undefined && rows[after]!.heading === 0)
      return insertLines(rows[after]!.start, lines, { after: loose });
    const above = rows[parent];
    if (above?.heading === 0)
      return insertLines(above.note === -1 ? lineAfter(text, above.lineEnd) : lineAfter(text, above.noteEnd), lines);
    // The first item of a section: after its text, between blank lines.
    if (above !== undefined) {
      const end = above.note === -1 ? above.lineEnd : above.noteEnd;
      return insertLines(lineAfter(text, end), lines, { before: above.note !== -1, after: true });
    }
    const at = after === undefined ? text.length : rows[after]!.start;
    return insertLines(at, lines, { before: at > (findFrontmatter(text)?.end ?? 0), after: true });
  };

  const headingLevel = (parent: number, siblings: readonly number[]): number => {
    const sibling = siblings.map((row) => rows[row]!).findLast(({ heading }) => heading > 0);
    const level = sibling?.heading ?? (parent === TOP ? 1 : rows[parent]!.heading + 1);
    if (level > 6) throw new Problem("invalid", "Markdown has six levels of headings: this would be a seventh.");
    return level;
  };

  const insertSection = (
    parent: number,
    index: number,
    siblings: readonly number[],
    lines: readonly string[],
  ): TextEdit => {
    const after = siblings[index];
    if (after !== undefined && rows[after]!.heading === 0) throw noHeadingHere();
    const at = after === undefined ? sectionEnd(parent) : rows[after]!.start;
    return insertLines(at, lines, { before: at > 0, after: true });
  };

  const isAfterHeading = (siblings: readonly number[], index: number) =>
    index > 0 && rows[siblings[index - 1]!]!.heading > 0;

  const noteEdits = (number: number, note: string): TextEdit[] => {
    const row = rows[number]!;
    if (isPlain) throw plainRow();
    const lines = linesOfNote(note, row.heading > 0 ? "section" : "note");
    const inside = row.heading > 0 ? "" : row.note === -1 ? noteIndent(row) : indentOfNote(row);
    const written = lines.map((line) => (line === "" ? "" : inside + line));
    if (row.note === -1) {
      if (lines.length === 0) return [];
      return [
        insertLines(lineAfter(text, row.lineEnd), row.heading > 0 ? ["", ...written] : written, {
          after: row.heading > 0,
        }),
      ];
    }
    if (lines.length === 0) return [removal(text, row.note, lineAfter(text, row.noteEnd))];
    return [differing(text, row.note, row.noteEnd, written.join(ending))];
  };

  const update = ({ row: number, topic, note, state }: RowUpdate): TextEdit[] => {
    const row = rows[number]!;
    const edits: TextEdit[] = [];
    const isBare = row.content === row.lineEnd && row.heading === 0;
    /** A marker without content has no space after it. */
    const space = isBare && text[row.content - 1] !== " " && text[row.content - 1] !== "\t" ? " " : "";
    if (state !== undefined && row.heading === 0) edits.push(stateEdit(row, state, space));
    if (topic !== undefined) {
      const written = row.heading > 0 ? topicOf(topic) : escapeStart(topicOf(topic), "topic");
      const lead =
        space !== "" && (state === undefined || state === "none") ? space : text[row.topic - 1] === "#" ? " " : "";
      edits.push({ start: row.topic, end: row.topicEnd, text: written === "" ? "" : lead + written });
    }
    if (note !== undefined) edits.push(...noteEdits(number, note));
    return edits;
  };

  const move = (number: number, { parent, index }: RowSlot): TextEdit[] => {
    const row = rows[number]!;
    const siblings = childrenOf(tree, parent).filter((each) => each !== number);
    const block = text.slice(row.start, row.end).replace(/\r?\n$/, "");
    const lines = block.split(/\r?\n/);
    if (row.heading > 0) {
      if (parent !== TOP && rows[parent]!.heading === 0) throw noHeadingHere();
      const level = headingLevel(parent, siblings);
      const section = relevelled(number, lines, level - row.heading);
      return moved(row, section, insertSection(parent, index, siblings, section));
    }
    if (isAfterHeading(siblings, index)) {
      if (row.state !== NONE)
        throw new Problem(
          "invalid",
          "Only headings can be here, and a heading has no checkbox: move the row below a heading.",
        );
      const level = headingLevel(parent, siblings);
      const below = lines.slice(1).map((line) => outdented(line, row.contentColumn));
      const heading = trimWhiteEnd(`${"#".repeat(level)} ${topicText(row)}`);
      const section = [heading, ...(below.length > 0 ? ["", ...below] : [])];
      return moved(row, section, insertSection(parent, index, siblings, section));
    }
    const indent = indentAt(parent, siblings, index);
    const item = lines.map((line) =>
      isWhiteLine(line)
        ? line
        : indent +
          (line.startsWith(row.indent) ? line.slice(row.indent.length) : outdented(line, columnOf(row.indent))),
    );
    return moved(row, item, insertItems({ parent, index }, index, siblings, item));
  };

  /** Removes a row and inserts its new lines; combines the two if they overlap. */
  const moved = (row: MarkdownRow, lines: readonly string[], put: TextEdit): TextEdit[] => {
    const taken = removal(text, row.start, row.end);
    if (put.start <= taken.start || put.start >= taken.end) return [taken, put];
    const block = put.start > row.start ? lines.join(ending) : put.text.replace(/\r?\n$/, "");
    return [{ start: row.start, end: row.end, text: text[row.end - 1] === "\n" ? block + ending : block }];
  };

  /** The lines of a section, with all headings `deeper` levels down. */
  const relevelled = (number: number, lines: readonly string[], deeper: number): string[] => {
    const inside = rows.slice(number, number + 1 + tree.descendants[number]!).filter(({ heading }) => heading > 0);
    if (deeper === 0) return [...lines];
    if (inside.some(({ isUnderlined }) => isUnderlined))
      throw new Problem("invalid", "An underlined heading cannot change its level: write it with # first.");
    if (inside.some(({ heading }) => heading + deeper > 6))
      throw new Problem("invalid", "Markdown has six levels of headings: this would need more.");
    const starts = new Set(inside.map(({ start }) => start));
    let at = rows[number]!.start;
    return lines.map((line) => {
      const isHeading = starts.has(at);
      at = lineAfter(text, at + line.length);
      return isHeading ? line.replace(/#+/, (marks) => "#".repeat(marks.length + deeper)) : line;
    });
  };

  const topicText = (row: MarkdownRow) => {
    const written = text.slice(row.topic, row.topicEnd);
    return row.heading > 0 ? written : unescapeStart(written, "topic");
  };

  return {
    ...tree,
    format: "markdown",
    bytes,
    states: Uint8Array.from(rows, ({ state }) => state),
    ids: undefined,
    numberOf: undefined,
    topic: (row) => topicText(rows[row]!),
    topicNumber: (row) => new Hash().addText(text, rows[row]!.topic, rows[row]!.topicEnd).number(),
    note: (number) => {
      const row = rows[number]!;
      if (row.note === -1) return null;
      const kind = row.heading > 0 ? "section" : "note";
      return mapLines(noteLines(row), (line) => unescapeStart(line, kind)).join("\n");
    },
    holdsState: (row) => rows[row]!.heading === 0 && !isPlain,
    keepsParentStates: true,
    read: parseMarkdown,
    asStored: (written, field) => (field === "topic" ? topicOf(written) : noteOf(written)),
    add: (added, slot) => {
      const siblings = childrenOf(tree, slot.parent);
      if (isAfterHeading(siblings, slot.index)) {
        const level = headingLevel(slot.parent, siblings);
        const sections = added.flatMap((row, index) => [...(index === 0 ? [] : [""]), ...sectionLines(row, level)]);
        return spliced([insertSection(slot.parent, slot.index, siblings, sections)]);
      }
      const indent = indentAt(slot.parent, siblings, slot.index);
      const withBox = hasBox(siblings, slot.index);
      const marker = markerFor(siblings, slot.index);
      const loose = isLoose(siblings, slot.index);
      const lines = added.flatMap((row, index) => [
        ...(loose && index > 0 ? [""] : []),
        ...itemLines(row, indent, numbered(marker, index), withBox),
      ]);
      return spliced([insertItems(slot, slot.index, siblings, lines)]);
    },
    update: (updates) => spliced(updates.flatMap(update)),
    move: (row, slot) => spliced(move(row, slot)),
    remove: (row) => spliced([removal(text, rows[row]!.start, rows[row]!.end)]),
  };
}

function noteIndent(row: MarkdownRow): string {
  const spaces = row.indent + " ".repeat(row.contentColumn - columnOf(row.indent));
  return row.indent.includes("\t") && row.contentColumn - columnOf(row.indent) <= 4 ? `${row.indent}\t` : spaces;
}

function stateEdit(row: MarkdownRow, state: SettableState, space: string): TextEdit {
  if (row.state !== NONE) {
    if (state === "none") return { start: row.content, end: row.topic, text: "" };
    return { start: row.content + 1, end: row.content + 2, text: state === "checked" ? "x" : " " };
  }
  return { start: row.content, end: row.content, text: state === "none" ? "" : `${space}${boxOf(state)} ` };
}

function boxOf(state: "checked" | "unchecked"): string {
  return state === "checked" ? "[x]" : "[ ]";
}

/** The marker of the row `index` rows after one with this marker. */
function numbered(marker: string, index: number): string {
  return marker.replace(/^\d+/, (number) => String(Number(number) + index));
}

function plainRow(): Problem {
  return new Problem(
    "invalid",
    "This is a plain list: its rows are single lines without notes or checkboxes.",
    "Add it as a child row instead.",
  );
}

function noHeadingHere(): Problem {
  return new Problem(
    "invalid",
    "A heading cannot be below a list item, or before one: the items after it would become its children.",
    "Move it after them, or below another heading.",
  );
}
