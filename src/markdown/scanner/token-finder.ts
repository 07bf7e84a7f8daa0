// Finds the next occurrence of a token, and remembers it between calls with
// increasing offsets. Keeps the scanners for Markdown and links linear: a token that
// does not occur is searched for once, not once for every opening mark.

export class TokenFinder {
  readonly #text: string;
  readonly #token: string;
  #from = 0;
  #next = -1;

  constructor(text: string, token: string) {
    this.#text = text;
    this.#token = token;
  }

  /** The first offset of the token at or after `from`; Infinity if there is none. */
  from(from: number): number {
    if (from >= this.#from && from <= this.#next) return this.#next;
    const found = this.#text.indexOf(this.#token, from);
    this.#from = from;
    this.#next = found === -1 ? Number.POSITIVE_INFINITY : found;
    return this.#next;
  }
}

/** Returns whether the character at this offset is escaped by a backslash. */
export function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(position - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}
