// Joins all statements about one workspace, session or state into a record.
// Pure; used by the ingest and by everything that reads records.
//
// Each field has the value of the statement with the highest precedence: said on
// purpose before assumed before found elsewhere, then the later, then the greater
// id. So the same statements give the same record in any order, in any parts, and
// however often: `joined` is commutative, associative and idempotent. Each tag is
// a field (`#tag`, true or false), so that two devices can add different tags.
import type { RecordKind, Statement, Value, Values, Weight } from "../log/event.ts";

/** A value, and which statement set it. As an array it is a third shorter in the cache. */
export type Claim = readonly [value: Value, weight: number, at: number, id: string];

export interface MemoryRecord {
  /** When it was first mentioned, and when it was last used. */
  readonly created: number;
  readonly used: number;
  readonly claims: Readonly<Record<string, Claim>>;
}

const WEIGHTS: Readonly<Record<Weight, number>> = { found: 0, assumed: 1, said: 2 };

/** The fields of each kind of record. Fields of later releases stay in the log. */
const FIELDS: Readonly<Record<RecordKind, ReadonlySet<string>>> = {
  workspace: setOf("name description rootFolder purpose currentGoal workflows keyFiles preferences isActive isDeleted"),
  session: setOf("name description goal workspace continues isActive isDeleted"),
  state: setOf(
    "name description session workspace conversationContext activeTask activeFiles nextSteps reasoning isDeleted",
  ),
};

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

/** The record with one more statement. */
export function stated(record: MemoryRecord | undefined, { type, set, weight, at, id }: Statement): MemoryRecord {
  const claims = Object.entries(set)
    .filter(([name]) => FIELDS[type].has(name) || (name.startsWith("#") && type !== "workspace"))
    .map(([name, value]): [string, Claim] => [name, [value, WEIGHTS[weight], at, id]]);
  return joined(mentioned(record, at), { created: at, used: at, claims: Object.fromEntries(claims) });
}

/** The record with one more use, at this time. */
export function mentioned(record: MemoryRecord | undefined, at: number): MemoryRecord {
  const mention = { created: at, used: at, claims: {} };
  return record === undefined ? mention : joined(record, mention);
}

export function joined(a: MemoryRecord, b: MemoryRecord): MemoryRecord {
  const claims = { ...a.claims };
  for (const [name, claim] of Object.entries(b.claims)) {
    const other = claims[name];
    if (other === undefined || countsMore(claim, other)) claims[name] = claim;
  }
  return { created: Math.min(a.created, b.created), used: Math.max(a.used, b.used), claims };
}

function countsMore(a: Claim, b: Claim): boolean {
  if (a[1] !== b[1]) return a[1] > b[1];
  if (a[2] !== b[2]) return a[2] > b[2];
  if (a[3] !== b[3]) return a[3] > b[3];
  // One id with two values is a damaged line; any fixed order will do.
  return JSON.stringify(a[0]) > JSON.stringify(b[0]);
}

/** The time of its latest statement. */
export function lastStated({ claims }: MemoryRecord): number {
  return Math.max(0, ...Object.values(claims).map(([, , at]) => at));
}

/** Returns whether only calls mentioned it: then it was not created, and its id may be the name of another. */
export function isOnlyMentioned({ claims }: MemoryRecord): boolean {
  return Object.values(claims).every(([, weight]) => weight === WEIGHTS.assumed);
}

export function valueOf(record: MemoryRecord | undefined, name: string): Value | undefined {
  return record?.claims[name]?.[0] ?? undefined;
}

/** The text of a field; undefined if there is none. */
export function textOf(record: MemoryRecord | undefined, name: string): string | undefined {
  const value = valueOf(record, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOf(record: MemoryRecord | undefined, name: string): readonly Value[] {
  const value = valueOf(record, name);
  return Array.isArray(value) ? value : [];
}

export function textsOf(record: MemoryRecord | undefined, name: string): string[] {
  return listOf(record, name).filter((value) => typeof value === "string");
}

export function tagsOf(record: MemoryRecord): string[] {
  return Object.entries(record.claims)
    .flatMap(([name, [value]]) => (name.startsWith("#") && value === true ? [name.slice(1)] : []))
    .toSorted();
}

/** The fields that add and remove these tags. */
export function tagFields(added: readonly string[] = [], removed: readonly string[] = []): Values {
  const fields = [...added.map((tag) => [tag, true] as const), ...removed.map((tag) => [tag, false] as const)];
  return Object.fromEntries(
    fields.map(([tag, value]) => [`#${tag.replace(/^#/, "").trim()}`, value]).filter(([name]) => name !== "#"),
  );
}

/**
 * The new part of what a call assumes about its session. A session keeps its
 * first description; its goal may change, unless it was set on purpose.
 */
export function newAssumptions(record: MemoryRecord | undefined, assumed: Values): Values {
  const isNew = ([name, value]: readonly [string, Value]) => {
    const known = record?.claims[name];
    if (value === "") return false;
    return known === undefined || (name === "goal" && known[1] < WEIGHTS.said && known[0] !== value);
  };
  return Object.fromEntries(Object.entries(assumed).filter(isNew));
}
