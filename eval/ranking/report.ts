// What `npm run eval` prints without a model: the shares, by pair, and each miss
// with the tools that came before the right one.
import { wordsOf } from "../requests.ts";
import { percent, table } from "../table.ts";
import { shareWithin, type Ranked } from "./ranking.ts";

export function reportOf(ranked: readonly Ranked[]): string {
  const pairs = Map.groupBy(ranked, ({ request }) => request.pair ?? "alone");
  return [
    table(
      ["requests that can be mistaken", "requests", "first", "in three"],
      [...[...pairs].map(([pair, rows]) => [pair, ...shares(rows)]), ["all", ...shares(ranked)]],
    ),
    ...ranked.filter(({ rank }) => rank > 1).map(missOf),
  ].join("\n\n");
}

function missOf({ request, rank, found }: Ranked): string {
  const place = rank === Infinity ? "not found" : `found as number ${rank}`;
  const before = found.slice(0, Math.min(rank - 1, 3)).join(", ");
  return `${request.id}: ${wordsOf(request).replaceAll(/\s+/g, " ")}\n  ${request.tools.join(" or ")}, ${place}${before ? ` after ${before}` : ""}`;
}

function shares(rows: readonly Ranked[]): (number | string)[] {
  return [rows.length, percent(shareWithin(rows, 1)), percent(shareWithin(rows, 3))];
}
