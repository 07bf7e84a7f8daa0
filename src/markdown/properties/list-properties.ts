// Properties that Obsidian takes as lists, also where several values are written as
// one text: tags, aliases and CSS classes. Pure; used where properties are set and
// where those of a template and of a note are united.
import { checkedTag, foldedTag, withoutMarks } from "../tags/tag-name.ts";

/** What separates several values in a text. */
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

/**
 * A value that is to be set, as the property can hold it: a list stays a list. Throws for a tag that could not be one,
 * unless the note has it already.
 */
export function listedValue(name: string, own: unknown, sent: unknown): unknown {
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
