// Parses JSON that is too long for memory: it comes in pieces, long texts are
// cut, and beyond a limit everything is dropped. Pure; used for lines of
// transcripts beyond a few megabytes (a pasted image, a tool's dump).

/** Bytes that are kept of one text, and of all texts together. */
const MAX_TEXT_LENGTH = 4_000_000;
const MAX_KEPT = 8_000_000;
const MAX_VALUES = 200_000;

const MAX_WORD_LENGTH = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

type Container =
  | { readonly kind: "object"; readonly value: Record<string, unknown> }
  | { readonly kind: "array"; readonly value: unknown[] };

export class BoundedJson {
  readonly #open: { readonly container: Container; key: string | undefined }[] = [];
  #result: unknown;
  #hasResult = false;
  #isBroken = false;
  /** Bytes of the current text, number or word. */
  #token: Buffer[] = [];
  #tokenLength = 0;
  /** Bytes of the current text that were not kept. */
  #leftOut = 0;
  #state: "between" | "text" | "word" = "between";
  #isEscaped = false;
  #kept = 0;
  #values = 0;

  /** The next piece. It may be overwritten afterwards. */
  push(bytes: Buffer, start = 0, end = bytes.length): void {
    let at = start;
    while (at < end && !this.#isBroken) {
      if (this.#state === "text") at = this.#readText(bytes, at, end);
      else if (this.#state === "word") at = this.#readWord(bytes, at, end);
      else this.#readSign(bytes[at++]!);
    }
  }

  /** The value; undefined if it was invalid or incomplete JSON. */
  end(): unknown {
    if (this.#state === "word") this.#endWord();
    return !this.#isBroken && this.#hasResult && this.#open.length === 0 && this.#state === "between"
      ? this.#result
      : undefined;
  }

  #readSign(sign: number): void {
    switch (sign) {
      case QUOTE:
        this.#state = "text";
        return;
      case OPEN_OBJECT:
        return this.#begin({ kind: "object", value: {} });
      case OPEN_ARRAY:
        return this.#begin({ kind: "array", value: [] });
      case CLOSE_OBJECT:
      case CLOSE_ARRAY: {
        const closed = this.#open.pop();
        if (closed?.container.kind !== (sign === CLOSE_OBJECT ? "object" : "array")) this.#isBroken = true;
        return;
      }
      case COMMA:
      case COLON:
      case 0x20:
      case 0x09:
      case 0x0d:
      case 0x0a:
        return;
      default:
        this.#state = "word";
        this.#token = [Buffer.of(sign)];
        this.#tokenLength = 1;
    }
  }

  #begin(container: Container): void {
    this.#put(container.value);
    this.#open.push({ container, key: undefined });
  }

  /** To the quote that ends the text, or to the end of the piece. */
  #readText(bytes: Buffer, start: number, end: number): number {
    for (let at = start; ; at++) {
      if (this.#isEscaped) {
        if (at >= end) return this.#keep(bytes, start, end);
        this.#isEscaped = false;
        continue;
      }
      while (at < end && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
      if (at >= end) return this.#keep(bytes, start, end);
      if (bytes[at] === BACKSLASH) {
        this.#isEscaped = true;
        continue;
      }
      this.#keep(bytes, start, at);
      this.#endText();
      return at + 1;
    }
  }

  #keep(bytes: Buffer, start: number, end: number): number {
    const room = Math.min(MAX_TEXT_LENGTH - this.#tokenLength, MAX_KEPT - this.#kept, end - start);
    if (room > 0) {
      this.#token.push(Buffer.from(bytes.subarray(start, start + room)));
      this.#tokenLength += room;
      this.#kept += room;
    }
    this.#leftOut += end - start - Math.max(0, room);
    return end;
  }

  #endText(): void {
    const beginning = decoded(Buffer.concat(this.#token));
    const text = this.#leftOut === 0 ? beginning : `${withoutLastWord(beginning)} … (${this.#leftOut} bytes more)`;
    this.#token = [];
    this.#tokenLength = 0;
    this.#leftOut = 0;
    this.#state = "between";
    const top = this.#open.at(-1);
    if (top?.container.kind === "object" && top.key === undefined) top.key = text;
    else this.#put(text);
  }

  #readWord(bytes: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && /[\w.+-]/.test(String.fromCharCode(bytes[at]!))) at++;
    this.#keep(bytes, start, at);
    if (at < end) this.#endWord();
    return at;
  }

  #endWord(): void {
    const word = Buffer.concat(this.#token).toString("latin1");
    this.#token = [];
    this.#tokenLength = 0;
    this.#leftOut = 0;
    this.#state = "between";
    try {
      this.#put(JSON.parse(word));
    } catch {
      this.#isBroken = true;
    }
  }

  #put(value: unknown): void {
    const top = this.#open.at(-1);
    if (top === undefined) {
      if (this.#hasResult) this.#isBroken = true;
      this.#result = value;
      this.#hasResult = true;
      return;
    }
    const isRoom = ++this.#values <= MAX_VALUES;
    if (top.container.kind === "array") {
      if (isRoom) top.container.value.push(value);
      return;
    }
    if (top.key === undefined) this.#isBroken = true;
    // The last of equal keys counts, and `__proto__` is a plain key, as in JSON.parse.
    else if (isRoom)
      Object.defineProperty(top.container.value, top.key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    top.key = undefined;
  }
}

/** Half of a secret would not be recognised as one. */
function withoutLastWord(text: string): string {
  const end = text.length - MAX_WORD_LENGTH;
  return text.slice(0, end) + text.slice(end).replace(/[^\s"'`,;&<>(){}[\]]*$/, "");
}

/** The text between two quotes, which may end in the middle of a character or of an escape. */
function decoded(raw: Buffer): string {
  const text = raw.toString("utf8").replace(/\uFFFD{1,3}$/, "");
  if (!text.includes("\\")) return text;
  const whole = text.replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/, "$1");
  try {
    return JSON.parse(`"${whole}"`) as string;
  } catch {
    return whole;
  }
}
