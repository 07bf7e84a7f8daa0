// get_section_content and insert_content: read and insert whole parts of an
// outline.
import type { NewRow } from "../../outline/outline.ts";
import { isRecord, parseJson, Problem } from "../../kernel/kernel.ts";
import { LazyList, mapped } from "../definition/lazy-list.ts";
import type { Field } from "../definition/field.ts";
import {
  choice,
  integer,
  list,
  object,
  optional,
  text,
  textOr,
  withDefault,
  resultObject,
  unlisted,
} from "../definition/schema.ts";
import { defineTool } from "../definition/define-tool.ts";
import { ADDS, READS } from "../definition/effects.ts";
import {
  currentDocument,
  EXPECTED_VERSION,
  PARENT_ID,
  givenId,
  POSITION,
  rowResult,
  ROWS,
  SHARED,
  VERSION,
  WRITTEN,
  type RowResult,
} from "./fields.ts";

export const getSectionContent = defineTool({
  ...SHARED,
  name: "get_section_content",
  title: "Section",
  description:
    "Everything under a row (section, part, branch) of the outline as markdown, plain text or structured, to summarize.",
  effects: READS,
  pages: ["content.rows", "markdown", "text"],
  input: {
    rowId: optional(text("Omit for the document")),
    format: withDefault(choice(["plain", "markdown", "structured"]), "structured"),
  },
  output: {
    section: object({ title: text(), id: text() }),
    content: optional(object({ rows: list(resultObject<SectionRow>()), totalRows: integer() })),
    markdown: optional(text()),
    text: optional(text()),
    version: VERSION,
  },
  shape: nested,
  run: async ({ rowId, format }, { services, signal }) => {
    const { markdownText, plainText, sectionOf } = await import("../../outline/outline.ts");
    const outline = await (await currentDocument(services)).read(signal);
    const section = sectionOf(outline, givenId(rowId));
    const frame = { section: { title: section.title, id: section.row?.id ?? "" } };
    const { version } = outline;
    if (format === "markdown") return { ...frame, markdown: markdownText(section), version };
    if (format === "plain") return { ...frame, text: plainText(section), version };
    const rows = new LazyList<SectionRow>(section.count, (start) =>
      mapped(section.rows(start), (row) => ({ ...rowResult(row), children: [] })),
    );
    return { ...frame, content: { rows, totalRows: section.count }, version };
  },
});

/** A row with the rows below it, as far as they are on the same page. */
interface SectionRow extends RowResult {
  readonly children: SectionRow[];
}

/** Nests rows that are listed in document order. If a page begins below a row, parentId says so. */
function nested<
  Page extends { readonly content?: { readonly rows: readonly SectionRow[]; readonly totalRows: number } | undefined },
>(page: Page): Page {
  if (page.content === undefined) return page;
  const rows = page.content.rows.map((row) => ({ ...row, children: [] as SectionRow[] }));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const parentOf = (row: SectionRow) => (row.parentId === null ? undefined : byId.get(row.parentId));
  for (const row of rows) parentOf(row)?.children.push(row);
  return { ...page, content: { ...page.content, rows: rows.filter((row) => parentOf(row) === undefined) } };
}

/** Deeper than real outlines, and safe for a recursive reader. */
const MAX_DEPTH = 200;

const CHILDREN: Field<readonly NewRow[], "required"> = {
  schema: { type: "array" },
  presence: "required",
  missing: undefined,
  read: (value, name) => {
    if (name.split(".").length > MAX_DEPTH)
      throw new Problem("invalid", `content is nested deeper than ${MAX_DEPTH} rows`);
    return CONTENT_ROWS.read(value, name);
  },
};

const ROW: Field<NewRow, "required"> = object({
  topic: text(),
  note: optional(text()),
  children: optional(CHILDREN),
});

/** A row may be sent as its topic alone. */
const CONTENT_ROWS: Field<readonly NewRow[], "required"> = list({
  ...ROW,
  read: (value, name) => ROW.read(typeof value === "string" ? { topic: value } : value, name),
});

export const insertContent = defineTool({
  ...SHARED,
  name: "insert_content",
  title: "Insert content",
  description:
    "Insert several rows in one go: paste, import or turn a list of items (bullets) into rows of the outline: nested Markdown (as sections are read) or OPML.",
  effects: ADDS,
  input: {
    content: textOr(text(), CONTENT_ROWS, ""),
    parentId: PARENT_ID,
    position: withDefault(POSITION, "last"),
    format: optional(choice(["markdown", "opml", "text"], "Of a string")),
    ...EXPECTED_VERSION,
  },
  output: { ...WRITTEN, insertedRows: ROWS, hint: unlisted(text()) },
  run: async ({ content, parentId, position, format, expectedVersion }, { services, author }) => {
    const { rows, meant } = await rowsSent(content, format);
    const { insertRows } = await import("../../outline/outline.ts");
    const document = await currentDocument(services);
    const about = { ...author, expectedVersion };
    const where = { parentId: givenId(parentId), position };
    const inserted = await insertRows(document, about, rows, where).catch((error: unknown) => {
      // A topic of several lines, in a document that cannot hold one.
      const isRefused = meant !== undefined && error instanceof Problem && error.code === "invalid";
      throw isRefused
        ? new Problem(error.code, error.message, `For a row of each line send format: "${meant}".`)
        : error;
    });
    const { message, version } = inserted;
    return {
      success: true,
      message,
      insertedRows: inserted.rows.map(rowResult),
      version,
      undoAvailable: true,
      ...(meant !== undefined && {
        hint: `A text is one row. For a row of each line: undo, then send format: "${meant}".`,
      }),
    };
  },
});

/** Some hosts know this argument as a string only, and send a list of rows as its JSON. */
function rowsOfJson(content: string): readonly NewRow[] | undefined {
  const sent = content.trimStart().startsWith("[") ? parseJson(content) : undefined;
  const isRows = Array.isArray(sent) && sent.every((row) => typeof row === "string" || isRecord(row));
  return isRows ? CONTENT_ROWS.read(sent, "content") : undefined;
}

const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;
const HEADING = /^[ \t]*#{1,6}[ \t]+\S/;

const isMarked = (line: string) => ITEM.test(line) || HEADING.test(line);

/** The text, if it is a list, below headings or not: its outermost lines are items and headings alone, and there are several. */
function listIn(content: string, listed = content): string | undefined {
  const lines = listed.split(/\r?\n/);
  const written = lines.filter((line) => line.trim() !== "");
  const [indent = ""] = /^[ \t]*/.exec(written[0] ?? "") ?? [];
  const isList =
    written.filter(isMarked).length > 1 &&
    written.some((line) => ITEM.test(line)) &&
    written.every((line) => line.startsWith(indent) && (isMarked(line) || /^[ \t]/.test(line.slice(indent.length))));
  if (!isList) return undefined;
  return content === listed ? lines.map((line) => line.slice(indent.length)).join("\n") : content;
}

/** Returns the format in which a text is several rows; undefined if it is one. */
function formatOf(content: string): Format | undefined {
  if (/^\s*(?:<\?xml|<opml)\b/i.test(content)) return "opml";
  const lines = content.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2) return undefined;
  return lines.some((line) => /^\s*(?:[-*+]|\d+[.)]|#{1,6})\s/.test(line)) ? "markdown" : "text";
}

type Format = "markdown" | "opml" | "text";

/** The rows that are sent; `meant` is the format in which a text that is taken for one row would be several. */
async function rowsSent(
  content: string | readonly NewRow[],
  format: Format | undefined,
): Promise<{ readonly rows: readonly NewRow[]; readonly meant?: Format | undefined }> {
  if (typeof content !== "string") return { rows: content };
  const rows = rowsOfJson(content);
  if (rows !== undefined) return { rows };
  const { rowsOfContent, withoutSectionNote } = await import("../../outline/outline.ts");
  const list = format === undefined ? listIn(content, withoutSectionNote(content)) : content;
  if (list === undefined) return { rows: [{ topic: content }], meant: formatOf(content) };
  return { rows: rowsOfContent(list, format ?? "markdown") };
}
