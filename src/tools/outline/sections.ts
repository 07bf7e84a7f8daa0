// get_section_content and insert_content: whole parts of an outline, out of it
// and into it.
import { insertRows, markdownText, type NewRow, plainText, sectionOf } from "../../outline/outline.ts";
import { Problem } from "../../kernel/kernel.ts";
import type { Result } from "../budget.ts";
import { LazyList } from "../lazy-list.ts";
import { choice, integer, list, object, optional, text, textOr, withDefault, type Field } from "../schema.ts";
import { defineTool } from "../define-tool.ts";
import { ADDS, READS } from "../effects.ts";
import { EXPECTED_VERSION, named, POSITION, rowResult, ROWS, SHARED, VERSION, WRITTEN } from "./fields.ts";

export const getSectionContent = defineTool({
  ...SHARED,
  name: "get_section_content",
  title: "Content of a section",
  description:
    "Get the complete text content of a section and all its descendants, formatted for summarization or content generation. Plain: topics only.",
  effects: READS,
  pages: ["content.rows", "markdown", "text"],
  input: {
    rowId: optional(text("Root row ID for the section. Omit for entire document.")),
    format: withDefault(choice(["plain", "markdown", "structured"], "How to format the content output."), "structured"),
  },
  output: {
    section: object({ title: text(), id: text() }),
    content: object({ rows: ROWS, totalRows: integer() }),
    markdown: text(),
    text: text(),
    version: VERSION,
  },
  shape: nested,
  run: async ({ rowId, format }, { services, signal }) => {
    const outline = await (await (await services.outlines()).current()).read(signal);
    const section = sectionOf(outline, named(rowId));
    const frame = { section: { title: section.title, id: section.row?.id ?? "" } };
    const { version } = outline;
    if (format === "markdown") return { ...frame, markdown: markdownText(section), version };
    if (format === "plain") return { ...frame, text: plainText(section), version };
    const rows = new LazyList(section.count, section.rows, (row) => ({ ...rowResult(row), children: [] }));
    return { ...frame, content: { rows, totalRows: section.count }, version };
  },
});

type Nesting = ReturnType<typeof rowResult> & { readonly children: Nesting[] };

/** Rows in order become rows with children; so a page may end anywhere, and one that begins below a row says so by parentId. */
function nested(page: Result): Result {
  const content = page["content"] as { readonly rows: readonly Nesting[] } | undefined;
  if (content === undefined) return page;
  const rows = content.rows.map((row) => ({ ...row, children: [] as Nesting[] }));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const parentOf = (row: Nesting) => (row.parentId === null ? undefined : byId.get(row.parentId));
  for (const row of rows) parentOf(row)?.children.push(row);
  return { ...page, content: { ...content, rows: rows.filter((row) => parentOf(row) === undefined) } };
}

/** Deeper than any outline, and not so deep that reading it takes the stack. */
const DEEPEST = 200;

const CHILDREN: Field<readonly NewRow[], "required"> = {
  schema: { type: "array" },
  presence: "required",
  missing: undefined,
  read: (value, name) => {
    if (name.split(".").length > DEEPEST) throw new Problem("invalid", `content is nested deeper than ${DEEPEST} rows`);
    return CONTENT_ROWS.read(value, name);
  },
};

const CONTENT_ROWS: Field<readonly NewRow[], "required"> = list(
  object({ topic: text(), note: optional(text()), children: optional(CHILDREN) }),
  "Hierarchical content to insert",
);

export const insertContent = defineTool({
  ...SHARED,
  name: "insert_content",
  title: "Insert content",
  description:
    "Insert synthesized or generated content at a specified location. Supports both single rows and hierarchical content.",
  effects: ADDS,
  input: {
    content: textOr(
      text("Single text item to insert"),
      CONTENT_ROWS,
      "Content to insert - either a string or array of row objects.",
    ),
    parentId: optional(text("Parent row ID. Omit for top-level placement.")),
    position: withDefault(POSITION, "last"),
    format: optional(choice(["markdown", "opml", "text"], "Parse a string as this")),
    ...EXPECTED_VERSION,
  },
  output: { ...WRITTEN, insertedRows: ROWS },
  run: async ({ content, parentId, position, format, expectedVersion }, { services, signal }) => {
    const rows = typeof content === "string" ? await rowsOfText(content, format) : content;
    const document = await (await services.outlines()).current();
    const about = { tool: "insert_content", signal, expectedVersion };
    const inserted = await insertRows(document, about, rows, { parentId: named(parentId), position });
    const { message, version } = inserted;
    return { success: true, message, insertedRows: inserted.rows.map(rowResult), version, undoAvailable: true };
  },
});

/** The readers of the formats are loaded when there is something to read. */
async function rowsOfText(content: string, format: "markdown" | "opml" | "text" | undefined) {
  if (format === undefined) return [{ topic: content }];
  return (await import("../../outline/outline.ts")).rowsOfContent(content, format);
}
