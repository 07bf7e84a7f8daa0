// Tables for a terminal that are tables in Markdown, too.

export type Cell = string | number;

/** Figures stand to the right, the first column to the left. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(lines[0]!), rule, ...lines.slice(1).map(line)].join("\n");
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
