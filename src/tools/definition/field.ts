// A field of a tool's arguments or result is three things in one: the JSON Schema
// that hosts see, the TypeScript type in the program, and the reader that converts
// what a caller sent into that type. Used by schema.ts, which has the kinds of
// fields, and by call.ts, which reads arguments.
//
// Zod would do the same, but building and converting the schemas of forty tools
// takes 30 ms, about as long as Node itself takes to start, and hosts reject some
// of its output. These are plain objects.
import { Problem } from "../../kernel/kernel.ts";

export interface JsonSchema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  /** Only within a property: hosts drop a tool that has it at the root. */
  readonly oneOf?: readonly JsonSchema[];
}

/**
 * - required, optional, defaulted: as in JSON Schema
 * - requested: listed as required, but the tool works without it
 * - unlisted: optional, and not in the schema
 */
type Presence = "required" | "optional" | "requested" | "unlisted" | "defaulted";

export interface Field<T, P extends Presence = Presence> {
  readonly schema: JsonSchema;
  readonly presence: P;
  /** The sentence for a missing field, if a contract fixes it. */
  readonly missing: string | undefined;
  /** A sample value for calls that would work, if the name does not suggest one. */
  readonly sample?: string | readonly unknown[] | undefined;
  /** Of a list: what it is a list of. */
  readonly item?: Field<unknown>;
  /** Of an object: its own fields. */
  readonly fields?: Fields;
  /** Of an object: which of its fields belong to which value of one of them. */
  readonly variants?: Variants | undefined;
  /** The arguments that it is not needed beside, if it is requested. */
  readonly unless?: readonly string[];
  /** Converts a value for the tool, or throws a Problem that begins with `name`. */
  readonly read: (value: unknown, name: string) => T;
  /** A more lenient reader for a field that is optional. */
  readonly readOptional?: (value: unknown, name: string) => T;
}

export interface Variants {
  /** The field whose value decides. */
  readonly by: string;
  /** The names of the fields of each value; those that no value names belong to all. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

/** The fields that belong to a value of the one that decides. */
export function fieldsOfVariant(fields: Fields, { by, fields: named }: Variants, value: unknown): Fields {
  const own = typeof value === "string" && Object.hasOwn(named, value) ? named[value]! : undefined;
  if (own === undefined) return fields;
  const ofSome = new Set(Object.values(named).flat());
  const belongs = (name: string) => name === by || own.includes(name) || !ofSome.has(name);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => belongs(name)));
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** Fields that may be absent when the tool runs. */
type Absent = "optional" | "requested" | "unlisted";

/** The values of fields: the arguments that a tool receives, or its result. */
export type Values<F extends Fields> = {
  readonly [K in keyof F as F[K]["presence"] extends Absent ? never : K]: ReturnType<F[K]["read"]>;
} & {
  readonly [K in keyof F as F[K]["presence"] extends Absent ? K : never]?: ReturnType<F[K]["read"]> | undefined;
};

export interface Sentences {
  /** The error if the field is missing. */
  readonly missing?: string;
  /** The error if the value does not fit, instead of a generated one. */
  readonly invalid?: string;
  /** A sample value for calls that would work. */
  readonly sample?: string;
}

export function field<T>(
  schema: JsonSchema,
  { missing, invalid, sample }: Sentences,
  read: (value: unknown, fail: (must: string) => never, name: string) => T,
): Field<T, "required"> {
  return {
    schema,
    presence: "required",
    missing,
    sample,
    read: (value, name) =>
      read(
        value,
        (must) => {
          throw new Problem("invalid", invalid ?? `${name} ${must}`);
        },
        name,
      ),
  };
}

/** The JSON Schema of an object with these fields, in the form that hosts accept: no `$schema`, no `$ref`, no closed objects. */
export function schemaOf(fields: Fields): JsonSchema & { readonly type: "object" } {
  const entries = Object.entries(fields).filter(([, { presence }]) => presence !== "unlisted");
  const required = entries
    .filter(([, { presence }]) => presence === "required" || presence === "requested")
    .map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    ...(required.length > 0 && { required }),
  };
}

/** An argument that is missing or does not fit: the sentence, and the name of the argument. */
export class InvalidArgument extends Problem {
  readonly argument: string;

  constructor(argument: string, { code, message, hint }: Problem) {
    super(code, message, hint);
    this.argument = argument;
  }
}

/**
 * Reads the fields in their order, and throws a Problem for the first that does
 * not fit. Unknown arguments are ignored and null counts as absent, because real
 * callers send both.
 */
export function readFields<F extends Fields>(
  fields: F,
  sent: Readonly<Record<string, unknown>>,
  prefix = "",
): Values<F> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    try {
      if (value !== undefined && value !== null) values[name] = field.read(value, prefix + name);
      else if (field.presence === "defaulted") values[name] = field.schema.default;
      else if (field.presence === "required")
        throw new Problem("invalid", field.missing ?? `${prefix}${name} is required`);
    } catch (error) {
      throw error instanceof Problem ? new InvalidArgument(name, error) : error;
    }
  }
  return values as Values<F>;
}

/** Those fields of refused arguments that could be read. */
export function readableFields<F extends Fields>(
  fields: F,
  sent: Readonly<Record<string, unknown>>,
): Partial<Values<F>> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    try {
      Object.assign(values, readFields({ [name]: field }, sent));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return values as Partial<Values<F>>;
}
