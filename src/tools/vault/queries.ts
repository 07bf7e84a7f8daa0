// vaultLibrarian_query: notes as a table by their properties, and the views of
// bases.
import type { QueryAnswer, VaultGraph } from "../../vault/vault.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { defineTool } from "../definition/define-tool.ts";
import { READS } from "../definition/effects.ts";
import { asLines } from "../call/result-lines.ts";
import { LazyList } from "../definition/lazy-list.ts";
import {
  flag,
  integer,
  list,
  optional,
  record,
  result,
  resultObject,
  text,
  textOr,
  unlisted,
  withDefault,
} from "../definition/schema.ts";
import { askEveryVault, notAsked, UNAVAILABLE } from "./every-vault.ts";
import { dataOutput, FRESHNESS, SHARED } from "./fields.ts";

/** A row: the path of a file, then its columns. */
type Row = ReturnType<QueryAnswer["rows"]> extends Iterable<infer R> ? R : never;

const MAX_ROWS = 1000;

export const query = defineTool({
  ...SHARED,
  name: "vaultLibrarian_query",
  title: "Table of notes",
  description:
    "List notes as a table by properties (frontmatter), tags, links, folder, size or date: filter, sort, group, count; or show a view of a .base file (Obsidian Bases, database). Expressions are those of Bases.",
  example: { where: 'file.hasTag("book") && rating >= 8', select: ["author", "rating"], sort: ["rating desc"] },
  byDefault: false,
  effects: READS,
  pages: "data.rows",
  pageSize: "limit",
  input: {
    where: optional(
      textOr(
        text(),
        record(),
        'Expression, or {"status": "open", "due": {"lt": "2026-12-01"}, "or": [...]}; eq ne gt gte lt lte between in contains startsWith endsWith exists; and, or, not',
      ),
    ),
    select: optional(list(text(), "Properties or expressions: author, file.mtime, file.tags, price * 2")),
    sort: optional(list(text(), "e.g. rating desc")),
    group: optional(text("Property")),
    base: optional(text(".base file, by path or name")),
    view: optional(text("Of the base; default the first")),
    this: optional(text("Note that the base is shown in")),
    limit: withDefault(integer("", { minimum: 1, maximum: MAX_ROWS, isUnlisted: true }), 50),
    /** The names, types and numbers of all properties of the vault instead. For the page. */
    properties: unlisted(flag()),
    /** All notes and the links between them instead. For the page. */
    graph: unlisted(flag()),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    ...dataOutput({
      base: optional(text()),
      view: optional(resultObject<NonNullable<QueryAnswer["view"]>>()),
      columns: list(text()),
      rows: list(result<Row>({ type: "array" })),
      totalRows: integer(),
      groups: optional(list(resultObject<NonNullable<QueryAnswer["groups"]>[number]>())),
      summaries: optional(list(resultObject<QueryAnswer["summaries"][number]>())),
      warnings: optional(list(text())),
      /** Vaults that were asked, if they are several. */
      vaults: unlisted(list(text())),
      graph: unlisted(resultObject<VaultGraph>()),
    }),
    ...UNAVAILABLE,
    ...FRESHNESS,
  },
  touches: ({ base }) => [base],
  about: ({ where, view }) => (typeof where === "string" ? where : view),
  text: ({ data: { base, view, columns, rows, totalRows, groups, summaries, warnings, vaults }, ...facts }) => ({
    head: [
      `${rows.length} of ${totalRows} rows${view === undefined ? "" : ` of the view "${view.name}" of ${base}`}${vaults === undefined ? "" : ` in the vaults ${vaults.join(", ")}`}: ${columns.join(" | ")}`,
      ...notAsked(facts.unavailable),
      ...(view?.views === undefined ? [] : [`Views: ${view.views.join(", ")}`]),
      ...(view?.titles === undefined ? [] : [asLines({ titles: view.titles })]),
      ...(warnings ?? []).map((warning) => `Warning: ${warning}`),
      ...(facts.stale === true ? ["stale: true"] : []),
    ].join("\n"),
    words: [
      ...rows.map((row) => row.map(cell).join(" | ")),
      ...(groups ?? []).map(({ value, count }) => `Group ${cell(value)}: ${count}`),
      ...(summaries ?? []).map(({ column, name, value }) => `${name} of ${column}: ${cell(value)}`),
    ].join("\n"),
  }),
  run: async ({ this: shownIn, context: _, limit, properties, graph, ...question }, { services, signal, page }) => {
    const { inOneTable, queryVault, vaultGraph, vaultProperties } = await import("../../vault/vault.ts");
    if (graph === true) {
      const whole = await vaultGraph(await services.vault(), signal);
      return { success: true, data: { columns: [], rows: new LazyList<Row>(0, () => []), totalRows: 0, graph: whole } };
    }
    if (properties === true) {
      const rows = await vaultProperties(await services.vault(), signal);
      return {
        success: true,
        data: {
          columns: ["name", "type", "notes"],
          rows: new LazyList<Row>(rows.length, (from) => rows.slice(from)),
          totalRows: rows.length,
        },
      };
    }
    const asked = { ...question, shownIn, signal };
    // A base and the note that it is shown in are of one vault.
    const isOfOne = question.base !== undefined || shownIn !== undefined || services.askedVaults.length === 1;
    const { answers, missing } = isOfOne
      ? { answers: [{ answer: await queryVault(await services.vault(), asked), in: {} }], missing: {} }
      : await askEveryVault(services, (vault) => queryVault(vault, asked));
    const vaults = isOfOne ? undefined : answers.map(({ in: { vault = "" } }) => vault);
    const answer =
      vaults === undefined
        ? answers[0]!.answer
        : inOneTable(answers.map(({ answer: each, in: { vault = "" } }) => ({ vault, answer: each })));
    // The page is made here, so that what cannot be evaluated in it is among the warnings.
    const { start } = page;
    const shown = new LazyList(answer.total, answer.rows).slice(start, start + limit);
    const warnings = answer.warnings();
    return {
      success: true,
      data: {
        ...(answer.base !== undefined && { base: answer.base }),
        ...(answer.view !== undefined && { view: answer.view }),
        columns: answer.columns,
        rows: new LazyList<Row>(answer.total, (from) => (from === start ? shown : answer.rows(from))),
        totalRows: answer.total,
        ...(answer.groups !== undefined && { groups: answer.groups }),
        ...(answer.summaries.length > 0 && { summaries: answer.summaries }),
        ...(warnings.length > 0 && { warnings }),
        ...(vaults !== undefined && { vaults }),
      },
      ...missing,
      ...(answer.freshness.stale && answer.freshness),
    };
  },
});

/** On one line, and without the mark between cells. */
function cell(value: unknown): string {
  const written =
    typeof value === "string"
      ? value
      : value === null
        ? ""
        : Array.isArray(value)
          ? value.map(cell).join(", ")
          : JSON.stringify(value);
  return written.replace(/(?<!\s)\s*[\n\r]\s*/g, " ").replaceAll(" | ", " ∣ ");
}
