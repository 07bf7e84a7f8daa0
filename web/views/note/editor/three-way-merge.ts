// Merges two changes of one text by lines: what only one side changed is taken,
// what both changed differently is a conflict. Pure; used when somebody else wrote
// a note while it was being edited.
import { stepsBetween } from "../../../diff/diff.tsx";

export type Part =
  | { readonly kind: "agreed"; readonly lines: readonly string[] }
  | {
      readonly kind: "conflict";
      readonly base: readonly string[];
      readonly mine: readonly string[];
      readonly theirs: readonly string[];
    };

export function mergeTexts(base: string, mine: string, theirs: string): Part[] {
  const lines = base.split("\n");
  const [own, other] = [changesOf(lines, mine.split("\n")), changesOf(lines, theirs.split("\n"))];
  const parts: Part[] = [];
  let at = 0;
  while (at < lines.length || own.length > 0 || other.length > 0) {
    const start = Math.min(own[0]?.start ?? lines.length, other[0]?.start ?? lines.length);
    agree(parts, lines.slice(at, start));
    if (own.length === 0 && other.length === 0) break;
    // A change may touch several of the other side: all of them together are one place.
    let end = start;
    const [a, b]: Change[][] = [[], []];
    for (let grew = true; grew;) {
      grew = false;
      for (const [changes, taken] of [
        [own, a!],
        [other, b!],
      ] as const)
        while (changes.length > 0 && (changes[0]!.start < end || changes[0]!.start === start)) {
          const change = changes.shift()!;
          taken.push(change);
          if (change.end > end) end = change.end;
          grew = true;
        }
    }
    const part = {
      base: lines.slice(start, end),
      mine: applied(lines, a!, start, end),
      theirs: applied(lines, b!, start, end),
    };
    if (b!.length === 0 || isSame(part.mine, part.theirs)) agree(parts, part.mine);
    else if (a!.length === 0) agree(parts, part.theirs);
    else parts.push({ kind: "conflict", ...part });
    at = end;
  }
  return parts;
}

/** The merged text; undefined if there is a conflict. */
export function mergedText(parts: readonly Part[]): string | undefined {
  const lines: string[] = [];
  for (const part of parts) {
    if (part.kind === "conflict") return undefined;
    lines.push(...part.lines);
  }
  return lines.join("\n");
}

function agree(parts: Part[], lines: readonly string[]): void {
  if (lines.length > 0) parts.push({ kind: "agreed", lines });
}

interface Change {
  /** Lines of the base, from the first to before the last. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function applied(base: readonly string[], changes: readonly Change[], start: number, end: number): string[] {
  const lines: string[] = [];
  let at = start;
  for (const change of changes) {
    lines.push(...base.slice(at, change.start), ...change.lines);
    at = change.end;
  }
  return [...lines, ...base.slice(at, end)];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}

/** The places where one text differs from another. */
function changesOf(base: readonly string[], now: readonly string[]): Change[] {
  const changes: { start: number; end: number; lines: string[] }[] = [];
  let at = 0;
  let isSameBefore = true;
  for (const { kind, text } of stepsBetween(base, now)) {
    if (kind !== "same" && isSameBefore) changes.push({ start: at, end: at, lines: [] });
    isSameBefore = kind === "same";
    if (kind === "added") changes.at(-1)!.lines.push(text);
    else at++;
    if (kind === "removed") changes.at(-1)!.end = at;
  }
  return changes;
}
