// Markdown: headings and list items are rows; in a plain list (plain-list.ts)
// every line is one. An edit changes the lines of its row in the style of the file
// (markers, indentation, line endings); paragraphs, tables, code and frontmatter
// stay as they are. Used by format-detection.ts and for inserted content.
import { isWhiteLine, lineEndingOf, readNoteText, trimWhiteEnd } from "../../../markdown/markdown.ts";
import { Problem } from "../../../kernel/kernel.ts";
import type { SettableState } from "../../model.ts";
import { Hash } from "../hash.ts";
import { boxOf, insertionInto, noHeadingHere, plainRow } from "./insertion.ts";
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
import { differing, inBytes, lineAfter, removal, type TextEdit } from "./text-edits.ts";

export function parseMarkdown(bytes: Buffer): ParsedOutline {
  const { hasByteOrderMark, text } = readNoteText(bytes);
  const marked = scanRows(text);
  const rows = marked.length > 0 ? marked : scanPlainList(text);
  const isPlain = rows[0]?.marker === "";
  const tree = treeOf(Int32Array.from(rows, ({ parent }) => parent));
  const ending = lineEndingOf(text) ?? "\n";
  const spliced = (edits: readonly TextEdit[]): Splice[] => inBytes(text, edits, hasByteOrderMark ? 3 : 0);
  const { indentAt, itemsOf, sectionsOf, insertLines, insertItems, headingLevel, insertSection, isAfterHeading } =
    insertionInto({ text, rows, isPlain, ending });

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
        const sections = sectionsOf(added, headingLevel(slot.parent, siblings));
        return spliced([insertSection(slot.parent, slot.index, siblings, sections)]);
      }
      return spliced([insertItems(slot, slot.index, siblings, itemsOf(added, slot, siblings))]);
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
