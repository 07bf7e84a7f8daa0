// The values of expressions: strings, numbers, booleans, null and lists are
// JavaScript's own, all others are classes. Used by everything in bases/.
import type { DateValue, Duration } from "./dates.ts";
import type { FileFacts, World } from "./world.ts";
import type { Pattern } from "../patterns/pattern.ts";

export type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | DateValue
  | Duration
  | LinkValue
  | FileValue
  | TagValue
  | ObjectValue
  | Pattern;

export type TypeName =
  | "string"
  | "number"
  | "boolean"
  | "null"
  | "list"
  | "date"
  | "duration"
  | "link"
  | "file"
  | "tag"
  | "object"
  | "regexp";

/** A file of the vault. `this` is one too, whose members are the properties of its note. */
export class FileValue {
  readonly type = "file";
  readonly facts: FileFacts;
  readonly isThis: boolean;

  constructor(facts: FileFacts, isThis = false) {
    this.facts = facts;
    this.isThis = isThis;
  }
}

/** A link, in a note or made by `link()`. */
export class LinkValue {
  readonly type = "link";
  readonly target: string;
  /** `#heading`; empty if there is none. */
  readonly subpath: string;
  readonly display: string | undefined;
  /** The note that the link is in, on which its meaning may depend. */
  readonly from: string;
  readonly world: World;

  constructor(world: World, from: string, target: string, subpath = "", display?: string) {
    this.world = world;
    this.from = from;
    this.target = target;
    this.subpath = subpath;
    this.display = display;
  }

  /** The path of the file that it leads to; undefined if there is none. */
  resolve(): string | undefined {
    return this.world.resolve(this.target, this.from);
  }
}

/** A tag, which equals a string with or without `#`, in any case. */
export class TagValue {
  readonly type = "tag";
  readonly written: string;

  constructor(written: string) {
    this.written = written;
  }

  get name(): string {
    return bareTag(this.written);
  }
}

/** Keys and values; values are converted when they are used. */
export class ObjectValue {
  readonly type = "object";
  readonly entries: Readonly<Record<string, unknown>>;
  readonly convert: (value: unknown, key: string) => Value;

  constructor(
    entries: Readonly<Record<string, unknown>>,
    convert: (value: unknown, key: string) => Value = (value) => value as Value,
  ) {
    this.entries = entries;
    this.convert = convert;
  }

  get(key: string): Value {
    return Object.hasOwn(this.entries, key) ? this.convert(this.entries[key], key) : null;
  }
}

export function typeOf(value: Value): TypeName {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return typeof value as "string" | "number" | "boolean";
    default:
      if (value === null) return "null";
      return isList(value)
        ? "list"
        : (value as Exclude<Value, string | number | boolean | null | readonly Value[]>).type;
  }
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** As in JavaScript, but empty lists and empty objects are false: a property without a value is not there. */
export function isTruthy(value: Value): boolean {
  if (typeof value !== "object" || value === null) return Boolean(value);
  if (isList(value)) return value.length > 0;
  if (value instanceof ObjectValue) return Object.keys(value.entries).length > 0;
  return true;
}

export function isEmpty(value: Value): boolean {
  if (value === null) return true;
  if (typeof value === "string" || isList(value)) return value.length === 0;
  if (value instanceof ObjectValue) return Object.keys(value.entries).length === 0;
  return typeof value === "number" && Number.isNaN(value);
}

/** The text of a value, as `toString()` returns it. */
export function textOf(value: Value): string {
  if (value === null) return "";
  if (typeof value !== "object") return String(value);
  if (isList(value)) return value.map(textOf).join(", ");
  if (value instanceof LinkValue) return linkText(value);
  if (value instanceof FileValue) return value.facts.path;
  if (value instanceof TagValue) return value.written;
  if (value instanceof ObjectValue) return JSON.stringify(plain(value));
  return value.toString();
}

function linkText({ target, subpath, display }: LinkValue): string {
  return `[[${target}${subpath}${display === undefined ? "" : `|${display}`}]]`;
}

/** A value as JSON. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

export function plain(value: Value): Plain {
  // A division by zero has no JSON.
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(plain);
  if (value instanceof ObjectValue)
    return Object.fromEntries(Object.keys(value.entries).map((key) => [key, plain(value.get(key))]));
  return value.type === "date" ? value.toJSON() : textOf(value);
}

const HASH = 35;

export function bareTag(tag: string): string {
  // Most have none, and a query asks for those of every note.
  return (tag.charCodeAt(0) === HASH ? tag.replace(/^#+/, "") : tag).toLowerCase();
}
