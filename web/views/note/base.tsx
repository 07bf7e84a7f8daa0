// A base as Obsidian shows it: a view as a table, a list or cards, by the query
// tool; the other views can be chosen.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import { Loading, More, ProblemNote, Time } from "../../components/components.ts";
import { nameOf } from "../../format/format.ts";
import { noteAddress } from "../../navigation/navigation.ts";
import { usePages } from "../../server/server.ts";
import { renderValue } from "./property-values.tsx";

const TOOL = "vaultLibrarian_query";

type Page = ResultNamed<typeof TOOL>["data"];
type Row = Page["rows"] extends Iterable<infer R> ? R : never;

interface BaseProps {
  readonly path: string;
  /** Empty for the first one. */
  readonly view?: string;
  /** The note that the base is embedded in. */
  readonly shownIn?: string;
}

export function Base({ path, view = "", shownIn }: BaseProps) {
  const [chosen, choose] = useState(view);
  const input = { base: path, ...(chosen !== "" && { view: chosen }), ...(shownIn !== undefined && { this: shownIn }) };
  const { pages, problem, isLoading, hasMore, loadMore } = usePages(TOOL, input);
  const first = pages[0]?.data;
  const rows = pages.flatMap(({ data }) => [...data.rows]);
  const views = first?.view?.views ?? [];
  return (
    <div class="base prose" aria-busy={isLoading}>
      {views.length > 1 && view === "" && (
        <div class="base-views" role="group" aria-label="Views">
          {views.map((name) => (
            <button type="button" key={name} aria-pressed={name === first?.view?.name} onClick={() => choose(name)}>
              {name}
            </button>
          ))}
        </div>
      )}
      {problem && <ProblemNote problem={problem} />}
      {!first && !problem && <Loading of={nameOf(path)} />}
      {first?.warnings?.map((warning) => (
        <p class="none" key={warning}>
          {warning}
        </p>
      ))}
      {first && !problem && <Rows page={first} rows={rows} />}
      {first && (
        <p class="base-count">
          {rows.length < first.totalRows ? `${rows.length} of ${first.totalRows}` : first.totalRows}{" "}
          {first.totalRows === 1 ? "file" : "files"}
        </p>
      )}
      {hasMore && <More onVisible={loadMore} />}
    </div>
  );
}

function Rows({ page, rows }: { page: Page; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  const type = page.view?.type ?? "table";
  if (type === "cards" || type === "list") return <Cards page={page} rows={rows} isList={type === "list"} />;
  return <Table page={page} rows={rows} />;
}

/** As Obsidian calls the facts of a file. */
const FACTS: Readonly<Record<string, string>> = {
  "file.name": "Name",
  "file.basename": "Name",
  "file.file": "File",
  "file.path": "Path",
  "file.folder": "Folder",
  "file.ext": "Extension",
  "file.size": "Size",
  "file.ctime": "Created",
  "file.mtime": "Modified",
  "file.tags": "Tags",
  "file.links": "Links",
  "file.backlinks": "Backlinks",
  "file.embeds": "Embeds",
};

function titleOf({ view }: Page, column: string): string {
  return view?.titles?.[column] ?? FACTS[column] ?? column.replace(/^(?:note|formula)\./, "");
}

/** The name of a file leads to it. */
function cellOf(column: string, path: string, value: unknown): ComponentChildren {
  if (value === null || value === undefined || value === "") return null;
  if (column === "file.name" || column === "file.basename" || column === "file.file" || column === "file")
    return <a href={noteAddress(path)}>{nameOf(path)}</a>;
  if (typeof value === "string" && INSTANT.test(value)) return <Time at={Date.parse(value)} />;
  return renderValue(column.replace(/^(?:file|note)\./, ""), value);
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The rows of each group together, in the order of the groups. */
function groupsOf({ groups }: Page, rows: readonly Row[]) {
  let at = 0;
  const parts = (groups ?? [{ value: null, count: Infinity }]).map(({ value, count }) => {
    const part = { value, count, rows: rows.slice(at, at + count) };
    at += part.rows.length;
    return part;
  });
  return parts.filter((part) => part.rows.length > 0);
}

function Table({ page, rows }: { page: Page; rows: readonly Row[] }) {
  const columns = page.columns.slice(1);
  return (
    <div class="table" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {titleOf(page, column)}
              </th>
            ))}
          </tr>
        </thead>
        {groupsOf(page, rows).map(({ value, count, rows: part }, i) => (
          <tbody key={i}>
            {page.groups && (
              <tr class="base-group">
                <th colSpan={columns.length} scope="rowgroup">
                  {value === null || value === "" ? "None" : renderValue("", value)}{" "}
                  <span class="entry-count">{count}</span>
                </th>
              </tr>
            )}
            {part.map(([path, ...values]) => (
              <tr key={String(path)}>
                {values.map((value_, column) => (
                  <td key={columns[column]}>{cellOf(columns[column]!, String(path), value_)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
        {page.summaries && (
          <tfoot>
            <tr>
              {columns.map((column) => (
                <td key={column}>
                  {page
                    .summaries!.filter((summary) => summary.column === column)
                    .map(({ name, value }) => (
                      <span key={name}>
                        {name} {renderValue("", value)}
                      </span>
                    ))}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

function Cards({ page, rows, isList }: { page: Page; rows: readonly Row[]; isList: boolean }) {
  const columns = page.columns.slice(1);
  return (
    <>
      {groupsOf(page, rows).map(({ value, rows: part }, i) => (
        <div key={i}>
          {page.groups && <p class="base-group-name">{value === null ? "None" : renderValue("", value)}</p>}
          <ul class={isList ? "base-list" : "base-cards"}>
            {part.map(([path, ...values]) => (
              <li key={String(path)}>
                <a class="base-card-name" href={noteAddress(String(path))}>
                  {nameOf(String(path))}
                </a>
                {values.map((value_, column) => {
                  const name = columns[column]!;
                  const shown = name === "file.name" ? null : cellOf(name, String(path), value_);
                  return (
                    shown && (
                      <span class="base-field" key={name}>
                        <span class="base-field-name">{titleOf(page, name)}</span> {shown}
                      </span>
                    )
                  );
                })}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
