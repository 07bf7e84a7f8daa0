// What is told of the past, in no more tokens than a model has for it. Pure;
// used by whoever tells of a session or a workspace.
import { estimateTokens, isRecord } from "../kernel/kernel.ts";

/** How many of each list, and how much of each text, ever less. */
const CUTS = [
  [20, 2_000],
  [10, 600],
  [6, 300],
  [4, 150],
  [2, 80],
  [1, 40],
] as const;

/** What does not fit is cut, from the end of the lists and of the texts. */
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
  // An id that is cut is no id any more.
  const kept = (name: string, inner: unknown) =>
    /^(?:id|continues|\w+Id)$/.test(name) ? inner : shortened(inner, items, length);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, kept(name, inner)]));
}
