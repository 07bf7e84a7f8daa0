// docs/performance.md: one section per benchmark, each replaced by the newest run
// of that benchmark.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "..", "..", "docs", "performance.md");

const HEAD = `# Performance

Written by \`npm run bench [NAME…]\`. Trust ratios within one run, not times: they come from shared machines. "NOT MET" is a goal that this run missed.
`;

export function writePerformance(name: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const sections = existsSync(FILE) ? sectionsOf(readFileSync(FILE, "utf8")) : new Map<string, string>();
  sections.set(name, `${machine()}\n\n\`\`\`text\n${lines.join("\n").trim()}\n\`\`\`\n`);
  const sorted = [...sections].toSorted(([a], [b]) => a.localeCompare(b));
  writeFileSync(FILE, HEAD + sorted.map(([title, text]) => `\n## ${title}\n\n${text}`).join(""));
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
