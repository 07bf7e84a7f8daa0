// Finds many literals in one pass over a text, with one table lookup per character:
// a regular expression with two hundred alternatives takes ten times as long. Used
// for tokens and announcements.

interface Literal<T> {
  readonly literal: string;
  readonly ignoresCase: boolean;
  readonly value: T;
}

/** Literals must have three characters or more. */
export class LiteralScanner<T> {
  /** By the hash of three characters: one bit for each fourth character (modulo 32, so for both cases). Rules out most positions. */
  readonly #fourths = new Uint32Array(1 << 16);
  /** An array rather than a Map: finding known tokens takes a tenth less time. */
  readonly #byBeginning: (Literal<T>[] | undefined)[] = Array.from({ length: 1 << 16 });

  /** Of literals with the same beginning, longer ones are tried first. */
  constructor(entries: readonly Literal<T>[]) {
    for (const entry of entries.toSorted((a, b) => b.literal.length - a.literal.length)) {
      for (const beginning of spellings(entry.literal.slice(0, 3), entry.ignoresCase)) {
        const hash = hashOf(beginning.charCodeAt(0), beginning.charCodeAt(1), beginning.charCodeAt(2));
        this.#fourths[hash]! |= bitOf(entry.literal.charCodeAt(3));
        (this.#byBeginning[hash] ??= []).push(entry);
      }
    }
  }

  /** Calls `visit` for each literal found; it may return the offset at which to continue. */
  scan(text: string, visit: (at: number, value: T) => number | undefined): void {
    const fourths = this.#fourths;
    let first = text.charCodeAt(0);
    let second = text.charCodeAt(1);
    for (let at = 0; at + 2 < text.length; at++) {
      const third = text.charCodeAt(at + 2);
      const hash = hashOf(first, second, third);
      first = second;
      second = third;
      const mask = fourths[hash]!;
      if (mask === 0 || (mask & (1 << (text.charCodeAt(at + 3) & 31))) === 0) continue;
      const next = this.#visitAll(text, at, hash, visit);
      if (next === undefined || next <= at) continue;
      at = next - 1;
      first = text.charCodeAt(next);
      second = text.charCodeAt(next + 1);
    }
  }

  #visitAll(
    text: string,
    at: number,
    hash: number,
    visit: (at: number, value: T) => number | undefined,
  ): number | undefined {
    for (const { literal, ignoresCase, value } of this.#byBeginning[hash]!) {
      const isThere = ignoresCase
        ? text.slice(at, at + literal.length).toLowerCase() === literal
        : text.startsWith(literal, at);
      const next = isThere ? visit(at, value) : undefined;
      if (next !== undefined) return next;
    }
    return undefined;
  }
}

/** All bits if there is no fourth character, or if its other case may have another bit. */
function bitOf(fourth: number): number {
  return fourth < 128 ? 1 << (fourth & 31) : 0xff_ff_ff_ff;
}

function hashOf(first: number, second: number, third: number): number {
  return ((first << 9) ^ (second << 5) ^ third) & 0xff_ff;
}

function spellings(text: string, ignoresCase: boolean): string[] {
  if (!ignoresCase) return [text];
  return [...text].reduce<string[]>(
    (all, character) =>
      [...new Set([character, character.toUpperCase()])].flatMap((one) => all.map((start) => start + one)),
    [""],
  );
}
