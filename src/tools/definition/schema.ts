// The kinds of fields that the arguments and results of tools are made of, and
// whether a field may be absent. Used by the definitions of tools.
import { isRecord, parseJson, Problem } from "../../kernel/kernel.ts";
import {
  field,
  readFields,
  schemaOf,
  type Field,
  type Fields,
  type JsonSchema,
  type Sentences,
  type Values,
  type Variants,
} from "./field.ts";

interface TextRules extends Sentences {
  /** A blank text counts as missing. */
  readonly notEmpty?: true;
  /** In UTF-16 units, blanks included. */
  readonly minLength?: number;
}

interface Bounds extends Sentences {
  readonly minimum?: number;
  readonly maximum?: number;
  /** Out of range is an error even if the number is optional; otherwise it is clamped. */
  readonly isStrict?: true;
  /** Not in the schema: a caller that sends more gets as much as there is. */
  readonly isUnlisted?: true;
}

export function text(description = "", rules: TextRules = {}): Field<string, "required"> {
  const { minLength } = rules;
  const schema = { type: "string" as const, ...(minLength !== undefined && { minLength }), ...described(description) };
  return field(schema, rules, (value, fail, name) => {
    if (typeof value !== "string") return fail("must be a string");
    // A lone surrogate cannot be stored in a file: it would be read back as another character.
    if (!value.isWellFormed()) return fail("must be well-formed Unicode");
    if (minLength !== undefined && value.length < minLength)
      return fail(minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`);
    if (rules.notEmpty && value.trim() === "")
      throw new Problem("invalid", rules.missing ?? `${name} must not be empty`);
    return value;
  });
}

export function integer(description = "", bounds: Bounds = {}): Field<number, "required"> {
  return numeric("integer", description, bounds);
}

export function number(description = "", bounds: Bounds = {}): Field<number, "required"> {
  return numeric("number", description, bounds);
}

export function flag(description = ""): Field<boolean, "required"> {
  return field({ type: "boolean", ...described(description) }, {}, (value, fail) => {
    if (typeof value === "boolean") return value;
    const word = typeof value === "string" ? value.trim().toLowerCase() : undefined;
    if (word === "true" || word === "yes" || value === 1 || word === "1") return true;
    if (word === "false" || word === "no" || value === 0 || word === "0") return false;
    return fail("must be true or false");
  });
}

/** A yes that nobody can have given by mistake: `true` or `"true"`. Anything else is no yes, and no error. */
export function confirmation(description = ""): Field<boolean, "required"> {
  return field({ type: "boolean", ...described(description) }, {}, (value) => value === true || value === "true");
}

export function choice<const T extends string>(values: readonly T[], description = ""): Field<T, "required"> {
  return field({ type: "string", enum: values, ...described(description) }, {}, (value, fail) => {
    const found = values.find((candidate) => candidate === value) ?? sameWord(values, value);
    return found ?? fail(`must be one of ${values.join(", ")}`);
  });
}

/** The only one of the values that differs in case, separators or a plural s alone: `notes`, `Claude Code`. */
function sameWord<T extends string>(values: readonly T[], sent: unknown): T | undefined {
  if (typeof sent !== "string" || sent.length > MAX_WORD_LENGTH) return undefined;
  const found = values.filter((value) => plainWord(value) === plainWord(sent));
  return found.length === 1 ? found[0] : undefined;
}

const MAX_WORD_LENGTH = 100;

function plainWord(word: string): string {
  return word
    .toLowerCase()
    .replace(/[\s_.-]+/g, "")
    .replace(/s$/, "");
}

export function list<T>(item: Field<T>, description = "", maxItems?: number): Field<readonly T[], "required"> {
  const schema = {
    type: "array" as const,
    items: item.schema,
    ...described(description),
    ...(maxItems !== undefined && { maxItems }),
  };
  const read = field(schema, {}, (value, fail, name) => {
    const sent = typeof value === "string" ? parseJson(value) : value;
    // Models send words without their brackets.
    const isWord = typeof value === "string" && !Array.isArray(sent) && item.schema.type === "string";
    const isItem = isRecord(sent) && item.schema.type === "object";
    const array = isWord ? wordsIn(value, item.schema) : isItem ? [sent] : sent;
    if (!Array.isArray(array)) return fail("must be a list");
    if (maxItems !== undefined && array.length > maxItems) return fail(`must have at most ${maxItems} items`);
    return array.map((element, i) => item.read(element, `${name}[${i}]`));
  });
  return { ...read, item };
}

/** A list of words that have no commas: some callers send one text with commas between them. */
export function words(description: string, maxItems?: number): Field<readonly string[], "required"> {
  const { read, ...items } = list(text(), description, maxItems);
  return { ...items, read: (value, name) => read(parted(value), name) };
}

function parted(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap(parted);
  const isText = typeof value === "string" && !Array.isArray(parseJson(value));
  return isText && value.includes(",") ? wordsBetweenCommas(value) : value;
}

function wordsBetweenCommas(sent: string): readonly string[] {
  return sent
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
}

/** A single word, or several choices with commas between them. */
function wordsIn(value: string, { enum: choices }: JsonSchema): readonly string[] {
  return choices === undefined ? [value] : wordsBetweenCommas(value);
}

export function object<F extends Fields>(
  fields: F,
  description = "",
  { variants, ...sentences }: Sentences & { readonly variants?: Variants } = {},
): Field<Values<F>, "required"> {
  const read = field({ ...schemaOf(fields), ...described(description) }, sentences, (value, fail, name) => {
    const record = typeof value === "string" ? parseJson(value) : value;
    if (!isRecord(record)) return fail("must be an object");
    try {
      return readFields(fields, record, `${name}.`);
    } catch (error) {
      // The sentence for the whole object comes first, then the exact fault.
      if (sentences.invalid === undefined || !(error instanceof Problem)) throw error;
      throw new Problem("invalid", `${sentences.invalid} (${error.message})`);
    }
  });
  return { ...read, fields, variants };
}

/** Any object, unchanged. */
export function record(description = ""): Field<Readonly<Record<string, unknown>>, "required"> {
  return field({ type: "object", ...described(description) }, {}, (value, fail) => {
    const sent = typeof value === "string" ? parseJson(value) : value;
    return isRecord(sent) ? sent : fail("must be an object");
  });
}

/**
 * A field of a result whose type says more than its schema: every conversation
 * pays for every word of a schema.
 */
export function result<T>(schema: JsonSchema): Field<T, "required"> {
  return { schema, presence: "required", missing: undefined, read: neverRead };
}

/** The object that a function returns, of which the schema has these fields only. */
export function returnedBy<const F extends Fields, T extends Values<F>>(
  _make: (...given: never[]) => T,
  fields: F,
): Field<T, "required"> {
  return result<T>(schemaOf(fields));
}

function neverRead(): never {
  throw new Error("Fields of results are never read.");
}

/** An object of a result, by its type alone. */
export function resultObject<T extends object>(): Field<T, "required"> {
  return result<T>({ type: "object" });
}

/**
 * Any value, unchanged. It is declared as a string because hosts require a type;
 * models therefore send other values as JSON text.
 */
export function anything(description = ""): Field<unknown, "required"> {
  return field({ type: "string", ...described(description) }, {}, (value) => value);
}

/** A text or something else: a string is always the text, never JSON of the other. */
export function textOr<T>(
  words: Field<string, "required">,
  other: Field<T, "required">,
  description = "",
  sentences: Sentences = {},
): Field<string | T, "required"> {
  return field({ oneOf: [words.schema, other.schema], ...described(description) }, sentences, (value, _fail, name) => {
    if (typeof value !== "string") return other.read(value, name);
    const isList = other.schema.type === "array" && /^\s*\[\s*"/.test(value) && Array.isArray(parseJson(value));
    return isList ? other.read(value, name) : words.read(value, name);
  });
}

export function optional<T>(inner: Field<T, "required">): Field<T, "optional"> {
  return { ...inner, read: inner.readOptional ?? inner.read, presence: "optional" };
}

/** Listed as required so that callers send it, but not enforced. @param unless the arguments that it is not needed beside */
export function requested<T>(inner: Field<T, "required">, unless: readonly string[] = []): Field<T, "requested"> {
  return { ...inner, presence: "requested", unless };
}

/** Accepted, but not in the schema: every conversation pays for every word of a schema. */
export function unlisted<T>(inner: Field<T, "required">): Field<T, "unlisted"> {
  return { ...inner, presence: "unlisted" };
}

export function withDefault<T>(inner: Field<T, "required">, value: T): Field<T, "defaulted"> {
  const schema = { ...inner.schema, default: value };
  return { ...inner, read: inner.readOptional ?? inner.read, presence: "defaulted", schema };
}

/** Optional, with a default in the schema: for a tool that has to know whether the argument was sent. */
export function withShownDefault<T>(inner: Field<T, "required">, value: T): Field<T, "optional"> {
  const field = optional(inner);
  return { ...field, schema: { ...field.schema, default: value } };
}

/** Every conversation pays for every word of a schema, so an empty description is left out. */
function described(description: string): { description?: string } {
  return description === "" ? {} : { description };
}

function numeric(type: "integer" | "number", description: string, bounds: Bounds): Field<number, "required"> {
  const { minimum, maximum, isStrict = bounds.invalid !== undefined, isUnlisted } = bounds;
  const limits = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  const schema = { type, ...(!isUnlisted && limits), ...described(description) };
  const written = (value: unknown, fail: (must: string) => never): number => {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number)) return fail("must be a number");
    return type === "integer" && !Number.isInteger(number) ? fail("must be a whole number") : number;
  };
  const nearest = field(schema, bounds, (value, fail) =>
    Math.min(Math.max(written(value, fail), minimum ?? Number.NEGATIVE_INFINITY), maximum ?? Number.POSITIVE_INFINITY),
  );
  const strict = field(schema, bounds, (value, fail) => {
    const number = written(value, fail);
    if (minimum !== undefined && maximum !== undefined && (number < minimum || number > maximum)) {
      return fail(`must be between ${minimum} and ${maximum}`);
    }
    if (minimum !== undefined && number < minimum) return fail(`must be at least ${minimum}`);
    if (maximum !== undefined && number > maximum) return fail(`must be at most ${maximum}`);
    return number;
  });
  return isStrict ? strict : { ...strict, readOptional: nearest.read };
}
