// docs/internals/performance.md: one table of goals per benchmark, each replaced by the newest
// run of that benchmark.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import type { Goal } from "./measure.ts";

const FILE = join(import.meta.dirname, "..", "..", "docs", "internals", "performance.md");

const HEAD = `# Performance

Written by \`npm run bench [NAME…]\`. Each table has the goals of the newest run of one benchmark, which prints more. Trust ratios within one run, not times: they come from shared machines.
`;

export function writePerformance(name: string, goals: readonly Goal[]): void {
  if (goals.length === 0) return;
  const sections = existsSync(FILE) ? sectionsOf(readFileSync(FILE, "utf8")) : new Map<string, string>();
  sections.set(name, `${machine()}\n\n${tableOf(goals)}`);
  const sorted = [...sections].toSorted(([a], [b]) => a.localeCompare(b));
  writeFileSync(FILE, HEAD + sorted.map(([title, text]) => `\n## ${title}\n\n${text}`).join(""));
}

function tableOf(goals: readonly Goal[]): string {
  const rows = goals.map(({ met, text }) => `| ${met ? "met" : "**missed**"} | ${text.replaceAll("|", "\\|")} |\n`);
  return `| | goal and figure |\n| --- | --- |\n${rows.join("")}`;
}

function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^## (.+)\n\n/m).slice(1);
  return new Map(Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i]!, `${parts[2 * i + 1]!.trim()}\n`]));
}

function machine(): string {
  const day = new Date().toISOString().slice(0, 10);
  const processor = cpus()[0]?.model.trim() ?? process.arch;
  const load = loadavg()[0]!.toFixed(1);
  return `${day}, Node ${process.versions.node}, ${availableParallelism()} cores (${processor}), load ${load}`;
}
