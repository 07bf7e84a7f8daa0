// docs/internals/performance.md: one row per benchmark with its goals, replaced by its newest run.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";
import type { Goal } from "./measure.ts";

const FILE = join(import.meta.dirname, "..", "..", "docs", "internals", "performance.md");

export function writePerformance(name: string, goals: readonly Goal[]): void {
  if (goals.length === 0) return;
  const processor = cpus()[0]?.model.trim() ?? process.arch;
  const head = `# Performance

Written by \`npm run bench [NAME…]\`: the goals of the newest run of each benchmark, which prints more. Trust ratios within one run, not times: they come from shared machines, and "load" is what else ran. The last run was on Node ${process.versions.node}, ${availableParallelism()} cores (${processor}).

| run | met | missed |
| --- | --- | --- |
`;
  const texts = (met: boolean) =>
    goals.filter((goal) => goal.met === met).map(({ text }) => text.replaceAll("|", "\\|"));
  const run = `${name}<br>${new Date().toISOString().slice(0, 10)}<br>load ${loadavg()[0]!.toFixed(1)}`;
  const row = `| ${run} | ${texts(true).join("<br>")} | ${texts(false).join("<br>")} |`;
  const rows = existsSync(FILE) ? readFileSync(FILE, "utf8").match(/^\| [\w-]+<br>.*/gm) : null;
  const others = (rows ?? []).filter((other) => !other.startsWith(`| ${name}<br>`));
  writeFileSync(FILE, `${head}${[...others, row].toSorted().join("\n")}\n`);
}
