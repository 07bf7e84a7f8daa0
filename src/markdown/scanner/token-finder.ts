// Where a token comes next in a text, remembered between questions that only
// go forward. It keeps the scanners for Markdown and links linear: a token
// that never comes is looked for once, not once for every opening.

export class TokenFinder {
  readonly #text: string;
  readonly #token: string;
  #from = 0;
  #next = -1;

  constructor(text: string, token: string) {
    this.#text = text;
    this.#token = token;
  }

  /** The first position of the token at or after `from`; Infinity where there is none. */
  from(from: number): number {
    if (from >= this.#from && from <= this.#next) return this.#next;
    const found = this.#text.indexOf(this.#token, from);
    this.#from = from;
    this.#next = found === -1 ? Number.POSITIVE_INFINITY : found;
    return this.#next;
  }
}

/** Whether a backslash takes the meaning from the character at a position. */
export function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(position - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}
