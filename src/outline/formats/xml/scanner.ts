// A pull parser for XML that builds nothing: it reports one token after the other
// with its offsets in the bytes, so that an edit can be a splice. It is as strict
// as the standard about well-formedness, since the result of an edit is checked
// with it before it is written. All XML formats use it.
import { Problem } from "../../../kernel/kernel.ts";
import {
  BANG,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  inNames,
  isSpace,
  LESS,
  NAME_START,
  PLAIN,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
  stopsText,
  stopsValue,
} from "./bytes.ts";
import { checkSpecial, damaged } from "./characters.ts";
import { cdataEnd, commentEnd, documentTypeEnd, instructionEnd, isAt } from "./declarations.ts";

export const END = 0;
/** A start tag. After an empty-element tag (`isEmpty`) no CLOSE follows. */
export const OPEN = 1;
export const CLOSE = 2;
export const TEXT = 3;
export const CDATA = 4;
/** A comment, a processing instruction, a declaration. */
export const OTHER = 5;

/** More levels than any outline has. */
const MAX_DEPTH = 4000;
/** Limited because each attribute is compared with all others. */
const MAX_ATTRIBUTES = 500;

export class XmlScanner {
  /** Offsets of the token. */
  start = 0;
  end = 0;
  /** Offsets of the tag's name. */
  nameStart = 0;
  nameEnd = 0;
  isEmpty = false;
  /** The number of elements that enclose the tag's element, or the text. */
  depth = 0;
  attributeCount = 0;
  /** Four offsets per attribute: start and end of its name, and of its value without the quotes. */
  readonly attributes = new Int32Array(4 * MAX_ATTRIBUTES);

  readonly bytes: Buffer;
  #limit: number;
  #open = 0;
  #hasRoot = false;
  /** Start and end of the names of the open elements. */
  #names = new Int32Array(64);

  /** The bytes must be UTF-8: see `checkEncoding`. */
  constructor(bytes: Buffer, start = 0, limit: number = bytes.length) {
    this.bytes = bytes;
    this.#limit = limit;
    this.restart(start, limit);
  }

  /** Starts over with another part of the same bytes: one element, or a document. */
  restart(start: number, limit: number): void {
    this.start = this.end = start;
    this.#limit = limit;
    this.#open = 0;
    this.#hasRoot = false;
  }

  next(): number {
    const start = (this.start = this.end);
    if (start >= this.#limit) return this.#finish();
    if (this.bytes[start] !== LESS) return this.#text();
    const mark = this.bytes[start + 1];
    if (mark === SLASH) return this.#closingTag();
    if (mark === BANG) return this.#declaration();
    if (mark === QUESTION) return this.#instruction();
    return this.#openingTag();
  }

  isNamed(name: string): boolean {
    return this.#matches(this.nameStart, this.nameEnd, name);
  }

  /** The index of an attribute in `attributes`; -1 if the tag has none of this name. */
  find(name: string): number {
    for (let at = 0; at < this.attributeCount; at++) {
      if (this.#matches(this.attributes[4 * at]!, this.attributes[4 * at + 1]!, name)) return at;
    }
    return -1;
  }

  /** An attribute's value, not decoded; undefined if there is no such attribute. */
  value(name: string): string | undefined {
    const at = this.find(name);
    return at === -1 ? undefined : this.bytes.toString("utf8", this.valueStart(at), this.valueEnd(at));
  }

  /** Returns whether an attribute has this value, which must be ASCII and without references. */
  isValue(attribute: number, value: string): boolean {
    return this.#matches(this.valueStart(attribute), this.valueEnd(attribute), value);
  }

  valueStart(attribute: number): number {
    return this.attributes[4 * attribute + 2]!;
  }

  valueEnd(attribute: number): number {
    return this.attributes[4 * attribute + 3]!;
  }

  damaged(what: string, at: number = this.end): Problem {
    return damaged(this.bytes, what, at);
  }

  #matches(start: number, end: number, name: string): boolean {
    if (end - start !== name.length) return false;
    for (let at = 0; at < name.length; at++) if (this.bytes[start + at] !== name.charCodeAt(at)) return false;
    return true;
  }

  #finish(): number {
    if (this.#open > 0) throw this.damaged(`it ends inside <${this.#nameAt(this.#open - 1)}>`);
    if (!this.#hasRoot) throw this.damaged("it has no element");
    return END;
  }

  #text(): number {
    const { bytes } = this;
    const limit = this.#limit;
    let at = this.end;
    for (; ; at++) {
      while (at < limit && stopsText[bytes[at]!] === 0) at++;
      if (at >= limit || bytes[at] === LESS) break;
      at = checkSpecial(this.bytes, at, this.#limit);
    }
    this.end = at;
    this.depth = this.#open;
    if (this.#open === 0) {
      for (let outside = this.start; outside < at; outside++)
        if (!isSpace(bytes[outside])) throw this.damaged("there is text outside the root element", outside);
    }
    return TEXT;
  }

  #openingTag(): number {
    const { bytes } = this;
    const limit = this.#limit;
    let at = this.start + 1;
    if (at >= limit || inNames[bytes[at]!] !== NAME_START)
      throw this.damaged('there is a "<" that does not begin a tag', at);
    this.nameStart = at;
    while (at < limit && inNames[bytes[at]!] !== PLAIN) at++;
    this.nameEnd = at;
    this.attributeCount = 0;
    this.isEmpty = false;
    for (;;) {
      const gap = at;
      while (at < limit && isSpace(bytes[at])) at++;
      if (at >= limit) throw this.damaged("it ends inside a tag", limit);
      const byte = bytes[at]!;
      if (byte === GREATER) break;
      if (byte === SLASH) {
        if (at + 1 >= limit || bytes[at + 1] !== GREATER) throw this.damaged('there is a "/" inside a tag', at);
        this.isEmpty = true;
        at++;
        break;
      }
      if (gap === at) throw this.damaged("there is no space between two attributes", at);
      at = this.#attribute(at);
    }
    this.end = at + 1;
    this.#enter();
    return OPEN;
  }

  #enter(): void {
    if (this.#open === 0) {
      if (this.#hasRoot) throw this.damaged("there is a second root element", this.start);
      this.#hasRoot = true;
    }
    this.depth = this.#open;
    if (this.isEmpty) return;
    if (this.#open === MAX_DEPTH)
      throw new Problem("invalid", "The outline is nested too deeply for this program. The file was not changed.");
    if (2 * this.#open + 2 > this.#names.length) {
      const larger = new Int32Array(2 * this.#names.length);
      larger.set(this.#names);
      this.#names = larger;
    }
    this.#names[2 * this.#open] = this.nameStart;
    this.#names[2 * this.#open + 1] = this.nameEnd;
    this.#open++;
  }

  #attribute(start: number): number {
    const { bytes, attributes } = this;
    const limit = this.#limit;
    let at = start;
    if (inNames[bytes[at]!] !== NAME_START)
      throw this.damaged("there is something other than an attribute in a tag", at);
    while (at < limit && inNames[bytes[at]!] !== PLAIN) at++;
    const nameEnd = at;
    while (at < limit && isSpace(bytes[at])) at++;
    if (at >= limit || bytes[at] !== EQUALS) throw this.damaged("an attribute has no value", at);
    at++;
    while (at < limit && isSpace(bytes[at])) at++;
    const quote = at < limit ? bytes[at] : undefined;
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) throw this.damaged("an attribute has no quotes", at);
    const valueStart = ++at;
    for (; ; at++) {
      while (at < limit && stopsValue[bytes[at]!] === 0) at++;
      if (at >= limit) throw this.damaged("it ends inside an attribute", limit);
      const byte = bytes[at]!;
      if (byte === quote) break;
      if (byte === LESS) throw this.damaged('there is a "<" in an attribute', at);
      if (byte !== DOUBLE_QUOTE && byte !== SINGLE_QUOTE) at = checkSpecial(this.bytes, at, this.#limit);
    }
    const count = this.attributeCount;
    if (count === MAX_ATTRIBUTES) throw this.damaged("a tag has hundreds of attributes", start);
    for (let other = 0; other < count; other++) {
      if (this.#isSameName(start, nameEnd, attributes[4 * other]!, attributes[4 * other + 1]!))
        throw this.damaged("an attribute is repeated", start);
    }
    attributes[4 * count] = start;
    attributes[4 * count + 1] = nameEnd;
    attributes[4 * count + 2] = valueStart;
    attributes[4 * count + 3] = at;
    this.attributeCount = count + 1;
    return at + 1;
  }

  #closingTag(): number {
    const { bytes } = this;
    let at = this.start + 2;
    this.nameStart = at;
    while (at < this.#limit && inNames[bytes[at]!] !== PLAIN) at++;
    this.nameEnd = at;
    while (at < this.#limit && isSpace(bytes[at])) at++;
    if (at >= this.#limit || bytes[at] !== GREATER) throw this.damaged("an end tag does not end", at);
    this.end = at + 1;
    const open = --this.#open;
    if (open < 0 || !this.#isSameName(this.nameStart, this.nameEnd, this.#names[2 * open]!, this.#names[2 * open + 1]!))
      throw this.damaged("an end tag does not match its start tag", this.start);
    this.isEmpty = false;
    this.depth = open;
    return CLOSE;
  }

  #isSameName(start: number, end: number, otherStart: number, otherEnd: number): boolean {
    if (end - start !== otherEnd - otherStart) return false;
    for (let at = 0; at < end - start; at++) if (this.bytes[start + at] !== this.bytes[otherStart + at]) return false;
    return true;
  }

  #nameAt(open: number): string {
    return this.bytes.toString("utf8", this.#names[2 * open], this.#names[2 * open + 1]);
  }

  #declaration(): number {
    const { bytes, start } = this;
    this.depth = this.#open;
    if (isAt(bytes, start, "<!--")) {
      this.end = commentEnd(bytes, start, this.#limit);
      return OTHER;
    }
    if (isAt(bytes, start, "<![CDATA[")) {
      if (this.#open === 0) throw this.damaged("there is text outside the root element", start);
      this.end = cdataEnd(bytes, start, this.#limit);
      return CDATA;
    }
    if (!isAt(bytes, start, "<!DOCTYPE") || this.#hasRoot) throw this.damaged('there is an invalid "<!"', start);
    this.end = documentTypeEnd(bytes, start, this.#limit);
    return OTHER;
  }

  #instruction(): number {
    this.depth = this.#open;
    this.end = instructionEnd(this.bytes, this.start, this.#limit);
    return OTHER;
  }
}
