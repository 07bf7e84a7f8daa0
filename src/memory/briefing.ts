// Shortens a briefing on a session or a workspace to a number of tokens. Pure;
// used by sessions.ts and workspaces.ts.
import { estimateTokens, isRecord } from "../kernel/kernel.ts";

/** Items per list and characters per text, in ever shorter versions. */
const CUTS = [
  [20, 2_000],
  [10, 600],
  [6, 300],
  [4, 150],
  [2, 80],
  [1, 40],
] as const;

/** Cuts what does not fit, from the end of lists and texts. */
export function within<T extends object>(briefing: T, mostTokens: number): T {
  const fits = (value: unknown) => estimateTokens(JSON.stringify(value)) <= mostTokens;
  const cuts = [briefing, ...CUTS.map(([items, length]) => shortened(briefing, items, length) as T)];
  return cuts.find(fits) ?? cuts.at(-1)!;
}

function shortened(value: unknown, items: number, length: number): unknown {
  if (typeof value === "string") {
    return value.length <= length ? value : `${value.slice(0, length - 1).toWellFormed()}…`;
  }
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shortened(item, items, length));
  if (!isRecord(value)) return value;
  // A cut id would be useless.
  const kept = (name: string, inner: unknown) =>
    /^(?:id|continues|\w+Id)$/.test(name) ? inner : shortened(inner, items, length);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, kept(name, inner)]));
}
