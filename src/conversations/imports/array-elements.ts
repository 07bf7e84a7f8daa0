// The elements of a JSON array that is too large for memory, or for a string:
// they are cut out of its bytes and parsed one by one. Pure; used by
// import-archive.ts.
import { createHash, type Hash } from "node:crypto";
import { parseJson } from "../../kernel/kernel.ts";
import { BoundedJson } from "../sources/kit/bounded-json.ts";

export interface ArrayElement {
  /** Undefined if it is damaged. Long texts of a very large one are cut. */
  readonly value: unknown;
  /** Of its bytes. */
  readonly hash: string;
}

/** Larger elements are parsed while they are read. */
const LARGE = 32 << 20;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** Objects only: anything else in the array is no conversation. */
export class ArrayElements {
  /** Of objects and lists around the current byte. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #element: PartialElement | undefined;
  /** The depth at which elements begin: 0 if the file is one object, or several; undefined before its first sign. */
  #level: number | undefined;

  /** The elements that end in the next piece, which may be overwritten afterwards. */
  *push(bytes: Buffer): Generator<ArrayElement> {
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const sign = bytes[at]!;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (sign === BACKSLASH) this.#isEscaped = true;
        else if (sign === QUOTE) this.#isInText = false;
      } else if (sign === QUOTE) this.#isInText = true;
      else if (sign === OPEN_LIST) {
        this.#level ??= 1;
        this.#depth++;
      } else if (sign === OPEN_OBJECT) {
        this.#level ??= 0;
        if (this.#depth++ !== this.#level) continue;
        this.#element = new PartialElement();
        from = at;
      } else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) {
        if (--this.#depth !== this.#level || this.#element === undefined) continue;
        this.#element.push(bytes.subarray(from, at + 1));
        yield this.#element.end();
        this.#element = undefined;
      }
    }
    this.#element?.push(bytes.subarray(from));
  }

  /** Returns whether the file ended where its array does. */
  get isComplete(): boolean {
    return this.#level !== undefined && this.#depth === 0 && !this.#isInText;
  }
}

class PartialElement {
  #pieces: Buffer[] = [];
  #size = 0;
  #long: BoundedJson | undefined;
  readonly #hash: Hash = createHash("sha256");

  push(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.#size += bytes.length;
    if (this.#long !== undefined) this.#long.push(bytes);
    else this.#pieces.push(Buffer.from(bytes));
    if (this.#long !== undefined || this.#size <= LARGE) return;
    this.#long = new BoundedJson();
    for (const piece of this.#pieces.splice(0)) this.#long.push(piece);
  }

  end(): ArrayElement {
    const hash = this.#hash.digest("base64url").slice(0, 22);
    if (this.#long !== undefined) return { value: this.#long.end(), hash };
    return { value: parseJson(Buffer.concat(this.#pieces).toString("utf8")), hash };
  }
}
