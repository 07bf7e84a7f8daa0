// Properties that Obsidian takes as lists, also where several values are written as
// one text: tags, aliases and CSS classes. Pure; used where properties are set and
// where those of a template and of a note are united.
import { isDeepStrictEqual } from "node:util";
import { Problem } from "../../kernel/kernel.ts";
import { checkedTag, foldedTag, withoutMarks } from "../tags/tag-name.ts";

/** Separates several values in a text. */
const LISTS: Readonly<Record<string, RegExp>> = {
  tags: /[\s,]+/,
  tag: /[\s,]+/,
  aliases: /,/,
  alias: /,/,
  cssclasses: /[\s,]+/,
  cssclass: /[\s,]+/,
};

export function isListProperty(name: string): boolean {
  return Object.hasOwn(LISTS, name.toLowerCase());
}

/** The values of a property; one value is a list of one. */
export function itemsOf(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string" || !isListProperty(name)) return [value];
  return value.split(LISTS[name.toLowerCase()]!).flatMap((item) => item.trim() || []);
}

/** A change of properties as it is asked for. */
export interface PropertyChange {
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  /** Values that lists shall have as well. */
  readonly add?: Readonly<Record<string, unknown>> | undefined;
  /** Values that lists shall lose. */
  readonly remove?: Readonly<Record<string, unknown>> | undefined;
  readonly unset?: readonly string[] | undefined;
}

/** The change as new values, which is what an edit of the frontmatter takes. */
export interface NewValues {
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
  /** Values of lists that `set` replaces without repeating them. */
  readonly dropped: Readonly<Record<string, readonly unknown[]>>;
}

/** Throws if two parts of the change are about one property, or if `add` or `remove` is about one that is no list. */
export function newValues(properties: Readonly<Record<string, unknown>>, change: PropertyChange): NewValues {
  const own = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  const values = new Map<string, unknown>();
  const dropped: Record<string, readonly unknown[]> = {};
  const sentAs = new Map<string, string>();
  const meant = (sent: string, part: string): string => {
    const name = meantName(properties, sent);
    const before = sentAs.get(name);
    if (before !== undefined)
      throw new Problem("invalid", `${before} and ${part}.${sent} are the same property. Choose one.`);
    sentAs.set(name, `${part}.${sent}`);
    return name;
  };
  for (const [sent, value] of Object.entries(change.set ?? {})) {
    const name = meant(sent, "set");
    const wanted = listedValue(name, own(name), value);
    values.set(name, wanted);
    const lost = lostItems(name, own(name), wanted);
    if (lost.length > 0) dropped[name] = lost;
  }
  const changed = new Map<string, { readonly added: unknown[]; readonly removed: unknown[] }>();
  for (const part of ["add", "remove"] as const)
    for (const [sent, value] of Object.entries(change[part] ?? {})) {
      const name = meantName(properties, sent);
      const lists = changed.get(name) ?? { added: [], removed: [] };
      if (!changed.has(name)) meant(sent, part);
      lists[part === "add" ? "added" : "removed"].push(...itemsOf(name, value));
      changed.set(name, lists);
    }
  for (const [name, { added, removed }] of changed) {
    const wanted = changedList(name, own(name), added, removed);
    if (wanted !== undefined) values.set(name, wanted);
  }
  const unset = (change.unset ?? []).map((sent) => meant(sent, "unset"));
  return { set: Object.fromEntries(values), unset, dropped };
}

/** `tag` and `alias` mean `tags` and `aliases`, unless the note has that spelling alone. */
function meantName(properties: Readonly<Record<string, unknown>>, sent: string): string {
  const plural = { tag: "tags", alias: "aliases" }[sent.toLowerCase()];
  if (plural === undefined) return sent;
  return Object.hasOwn(properties, sent) && !Object.hasOwn(properties, plural) ? sent : plural;
}

/** Returns the values that a list loses by a new value. */
function lostItems(name: string, own: unknown, wanted: unknown): unknown[] {
  if (!Array.isArray(own) && !isListProperty(name)) return [];
  const kept = itemsOf(name, wanted);
  return itemsOf(name, own).filter((item) => isValue(item) && !kept.some((one) => isSameItem(name, one, item)));
}

/** Undefined if nothing changes. */
function changedList(
  name: string,
  own: unknown,
  added: readonly unknown[],
  removed: readonly unknown[],
): unknown[] | undefined {
  if (typeof own === "object" && own !== null && !Array.isArray(own))
    throw new Problem("invalid", `"${name}" is not a list.`, `Send its new value in set.`);
  const before = itemsOf(name, own).filter(isValue);
  const kept = before.filter((item) => !removed.some((one) => isSameItem(name, one, item)));
  const wanted = listedValue(name, own, added) as unknown[];
  const fresh = wanted.filter(
    (item, i) => ![...kept, ...wanted.slice(0, i)].some((one) => isSameItem(name, one, item)),
  );
  return fresh.length === 0 && kept.length === before.length ? undefined : [...kept, ...fresh];
}

function isValue(item: unknown): boolean {
  return item !== undefined && item !== null && item !== "";
}

function isSameItem(name: string, a: unknown, b: unknown): boolean {
  if (!/^tags?$/i.test(name)) return isDeepStrictEqual(a, b);
  return foldedTag(withoutMarks(String(a))) === foldedTag(withoutMarks(String(b)));
}

/**
 * A value that is to be set, as the property can hold it: a list stays a list. Throws for a tag that could not be one,
 * unless the note has it already.
 */
function listedValue(name: string, own: unknown, sent: unknown): unknown {
  if (!isListProperty(name) || sent === null || sent === undefined) return sent;
  const isList = Array.isArray(own) || Array.isArray(sent);
  if (!/^tags?$/i.test(name)) return isList ? itemsOf(name, sent) : sent;
  const known = new Set(itemsOf(name, own).map((tag) => foldedTag(withoutMarks(String(tag)))));
  const tags = itemsOf(name, sent).map((tag) => {
    const text = String(tag);
    return known.has(foldedTag(withoutMarks(text))) ? tag : checkedTag(text);
  });
  return isList || tags.length > 1 ? tags : (tags[0] ?? sent);
}
