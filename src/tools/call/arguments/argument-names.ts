// The names of arguments as models really send them: other names of a tool's own
// arguments are taken, and unknown ones are reported instead of silently dropped.
// Pure; used by call.ts.
import { editDistance, isRecord, parseJson, Problem } from "../../../kernel/kernel.ts";
import type { Tool } from "../../definition/define-tool.ts";
import { fieldsOfVariant, type Fields } from "../../definition/field.ts";
import { placeHint } from "./argument-places.ts";
import { isAmong, plain } from "./argument-spelling.ts";
import { EXPANSIONS, PAIRS, SYNONYMS, WRAPPERS, type Synonyms } from "./argument-synonyms.ts";

type Values = Readonly<Record<string, unknown>>;

/** Many callers send it with every call, to every tool. */
const SENT_EVERYWHERE = "context";

export interface NamedArguments {
  /** Under the names that the tool knows. */
  readonly values: Values;
  /** The arguments that the tool does not know, as they were sent. */
  readonly unknown: Values;
}

type Effects = Pick<Tool["effects"], "readOnly">;

/** Names the arguments that were sent as the tool does. */
export function namedArguments(fields: Fields, sent: Values, effects: Effects): NamedArguments {
  const values: Record<string, unknown> = {};
  const others: [string, unknown][] = [];
  for (const [name, value] of unwrapped(fields, sent)) {
    const field = Object.hasOwn(fields, name) ? name : fieldSpelled(fields, name);
    if (field !== undefined && (values[field] ?? undefined) === undefined)
      values[field] = withItemsNamed(fields[field]!, value, effects);
    else others.push([name, value]);
  }
  const left = withoutPairs(fields, values, others).filter(([name, value]) => {
    const taken = meaningOf(fields, values, { name, value }, effects);
    Object.assign(values, taken);
    return taken === undefined && name !== SENT_EVERYWHERE;
  });
  const parts = contextParts(fields, values);
  const context = left.filter(([name]) => parts.includes(name));
  return {
    values: context.length === 0 ? values : { ...values, [SENT_EVERYWHERE]: Object.fromEntries(context) },
    unknown: Object.fromEntries(left.filter((entry) => !context.includes(entry))),
  };
}

/** The items of a list of objects, named in the same way. */
function withItemsNamed({ item }: Fields[string], sent: unknown, effects: Effects): unknown {
  const { fields, variants } = item ?? {};
  const value = typeof sent === "string" && fields !== undefined ? parseJson(sent) : sent;
  if (fields === undefined || !Array.isArray(value)) return sent;
  return value.map((one: unknown) => {
    if (!isRecord(one)) return one;
    const by = variants && { [variants.by]: fields[variants.by]! };
    const own = by ? fieldsOfVariant(fields, variants, namedArguments(by, one, effects).values[variants.by]) : fields;
    const { values, unknown } = namedArguments(own, one, effects);
    return { ...unknown, ...values };
  });
}

/** Takes a name and its value that were sent apart. @returns the others */
function withoutPairs(fields: Fields, values: Record<string, unknown>, sent: readonly [string, unknown][]) {
  let left = sent;
  for (const pair of PAIRS) {
    if (!Object.hasOwn(fields, pair.field) || (values[pair.field] ?? undefined) !== undefined) continue;
    const key = left.find(([name, value]) => isAmong(pair.names, name) && typeof value === "string" && value !== "");
    const own = left.find(([name, value]) => isAmong(pair.values, name) && (value ?? undefined) !== undefined);
    if (key === undefined || own === undefined) continue;
    values[pair.field] = Object.fromEntries([[key[1], own[1]]]);
    left = left.filter((each) => each !== key && each !== own);
  }
  return left;
}

/** Returns the sent arguments, including those within an object, or its JSON, that holds all of them: these come last. */
function unwrapped(fields: Fields, sent: Values): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(sent).map(([name, value]) => {
    const inner = isAmong(WRAPPERS, name) && typeof value === "string" ? parseJson(value) : value;
    const isWrapper = isAmong(WRAPPERS, name) && !Object.hasOwn(fields, name) && isRecord(inner);
    return { own: [name, value] as const, inner: isWrapper ? Object.entries(inner) : undefined };
  });
  return [
    ...entries.filter(({ inner }) => inner === undefined).map(({ own }) => own),
    ...entries.flatMap(({ inner = [] }) => inner),
  ];
}

function fieldSpelled(fields: Fields, name: string): string | undefined {
  return Object.keys(fields).find((field) => plain(field) === plain(name));
}

interface Sent {
  readonly name: string;
  readonly value: unknown;
}

/** The tool's own arguments for what was sent under another name; undefined if it means none, or one that was sent too. */
function meaningOf(fields: Fields, values: Values, sent: Sent, { readOnly }: Effects): Values | undefined {
  const isFree = (field: string) => Object.hasOwn(fields, field) && (values[field] ?? undefined) === undefined;
  const candidates: readonly Values[] = [
    ...synonymsOf(sent.name)
      .filter(
        ({ beside, isForReading }) => (beside?.some((field) => field in fields) ?? true) && (readOnly || !isForReading),
      )
      .flatMap(({ fields: names, meaning }) =>
        names.map((field) => ({ [field]: meaning === undefined ? sent.value : meaning(sent.value) })),
      ),
    ...EXPANSIONS.filter(({ names }) => isAmong(names, sent.name)).flatMap((one): Values[] => [
      one.arguments(sent.value) ?? {},
    ]),
  ]
    .filter((candidate) => Object.keys(candidate).length > 0)
    .filter((candidate) => Object.keys(candidate).every(isFree));
  const fitting = candidates.find((candidate) => fits(fields, candidate));
  if (fitting !== undefined || !isGiven(sent.value)) return fitting;
  // A value that does not fit is an error of the argument that is meant, if that is certain, or something would be written.
  const isCertain = synonymsOf(sent.name).some((row) => row.fields.some((field) => plain(field) === plain(sent.name)));
  return isCertain || !readOnly ? candidates[0] : undefined;
}

/** The rows of each name: a call may have very many. */
const rows = new Map<string, Synonyms[]>();

function synonymsOf(name: string): readonly Synonyms[] {
  if (rows.size === 0)
    for (const row of SYNONYMS)
      for (const one of new Set([...row.fields, ...row.names.split(" ")].map(plain)))
        rows.set(one, [...(rows.get(one) ?? []), row]);
  return (plain(name) !== "" && rows.get(plain(name))) || [];
}

function fits(fields: Fields, values: Values): boolean {
  try {
    for (const [name, value] of Object.entries(values)) fields[name]!.read(value, name);
    return Object.values(values).every((value) => value !== undefined && value !== null);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** Some callers fill in every argument that they know of. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== false;
}

/** The fields of a context that was not sent: some models send them beside the other arguments. */
function contextParts(fields: Fields, values: Values): readonly string[] {
  return values[SENT_EVERYWHERE] === undefined ? Object.keys(fields[SENT_EVERYWHERE]?.schema.properties ?? {}) : [];
}

const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 40;

function cut(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).toWellFormed();
}

/** Lists the arguments of a tool in a sentence. */
export function takes(fields: Fields): string {
  const listed = Object.keys(fields).filter((name) => fields[name]!.presence !== "unlisted");
  return `This tool takes ${listed.join(", ") || "no arguments"}.`;
}

/** Words the note of a result about arguments that were ignored. */
export function ignoredNote(
  fields: Fields,
  { unknown, values }: NamedArguments,
  hint: unknown,
): { readonly ignored?: readonly string[]; readonly hint?: string } {
  const ignored = Object.keys(unknown);
  if (ignored.length === 0) return {};
  const names = ignored.slice(0, MAX_NAMED).map(cut);
  const meant = names.flatMap((name) => {
    const place = placeHint(name, unknown[name], values);
    if (place !== undefined) return [place];
    const field = closest(Object.keys(fields), name);
    return field === undefined ? [] : [`${name}: did you mean ${field}?`];
  });
  const sentence = meant.length > 0 ? meant.join(" ") : takes(fields);
  return { ignored: names, hint: [hint, `Ignored ${names.join(", ")}. ${sentence}`].filter(Boolean).join(" ") };
}

/** At most a third of a name may be mistyped. */
function closest(fields: readonly string[], name: string): string | undefined {
  const synonym = synonymsOf(name)
    .flatMap((row) => row.fields)
    .find((field) => fields.includes(field));
  if (synonym !== undefined) return synonym;
  const near = fields
    .map((field) => ({ field, distance: distanceOf(plain(field), plain(name)) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return near === undefined || near.distance > name.length / 3 ? undefined : near.field;
}

function distanceOf(field: string, name: string): number {
  // One name is a longer form of the other.
  if (name.length >= 4 && field.length >= 4 && (name.includes(field) || field.includes(name))) return 0;
  return editDistance(field, name, name.length);
}
