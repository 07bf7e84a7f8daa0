// The README's table of the comparison, written by the benchmark that measured it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "./servers.ts";

export interface Cell {
  readonly text: string;
  /** Higher is better; without one, a cell is not compared. */
  readonly rank?: number;
}

export interface Row {
  readonly title: string;
  readonly cells: readonly Cell[];
}

const README = join(import.meta.dirname, "..", "..", "README.md");
const BETWEEN = /(<!-- peers: made by npm run bench peers -->\n)[^]*?(<!-- end of peers -->)/;

/** Writes the table, unless this is a quick look; returns the sentences that say who is ahead of us, and in what. */
export function writeComparison(servers: readonly Server[], rows: readonly Row[]): string[] {
  const ahead = rows.flatMap((row) => aheadIn(servers, row));
  const sentence =
    ahead.length === 0 ? "None of them is ahead in any row." : `Ahead of Commonplace: ${ahead.join("; ")}.`;
  const day = new Date().toISOString().slice(0, 10);
  const text = [
    `| ${day} | ${servers.map(headOf).join(" | ")} |`,
    `| --- |${" --- |".repeat(servers.length)}`,
    ...rows.map(lineOf),
    "",
    sentence,
  ].join("\n");
  const readme = readFileSync(README, "utf8");
  if (!BETWEEN.test(readme)) throw new Error("README.md has no place for the comparison.");
  writeFileSync(
    README,
    readme.replace(BETWEEN, (_, start: string, end: string) => `${start}${text}\n${end}`),
  );
  return [sentence];
}

function headOf(server: Server): string {
  if (server.package === undefined) return `${server.name} ${server.version}`;
  return `[${server.name}](https://www.npmjs.com/package/${server.package}) ${server.version}`;
}

/** The best of a row is bold, where not all are alike. */
function lineOf({ title, cells }: Row): string {
  const ranks = cells.flatMap(({ rank }) => rank ?? []);
  const best = Math.max(...ranks);
  const isContest = ranks.length > 1 && ranks.some((rank) => rank < best);
  const shown = cells.map(({ text, rank }) => (isContest && rank === best ? `**${text}**` : text));
  return `| ${title} | ${shown.join(" | ")} |`;
}

function aheadIn(servers: readonly Server[], { title, cells }: Row): string[] {
  const ours = cells[0]!.rank;
  if (ours === undefined) return [];
  const names = servers.filter((_, i) => (cells[i]!.rank ?? Number.NEGATIVE_INFINITY) > ours).map(({ name }) => name);
  return names.length === 0 ? [] : [`${title} (${names.join(", ")})`];
}
