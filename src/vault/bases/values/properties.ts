// Turns the properties of a note, as YAML has them, into values: links and dates
// are strings there. Used by file-functions.ts and by query/.
import { parseDate } from "./dates.ts";
import { LinkValue, ObjectValue, TagValue, type Value } from "./value.ts";
import type { FileFacts, World } from "./world.ts";

export function propertyOf(world: World, facts: FileFacts, name: string): Value {
  const value = facts.properties[name];
  if (value === undefined) return null;
  // Only what every object inherits needs the question, which takes longer than all the rest.
  const isInherited = (typeof value === "function" || name === "__proto__") && !Object.hasOwn(facts.properties, name);
  return isInherited ? null : valueOf(world, facts.path, value, name);
}

export function propertiesOf(world: World, facts: FileFacts): ObjectValue {
  return new ObjectValue(facts.properties, (value, key) => valueOf(world, facts.path, value, key));
}

function valueOf(world: World, from: string, value: unknown, key: string): Value {
  switch (typeof value) {
    case "string":
      if (key === "tags") return new TagValue(value);
      return parseLink(world, from, value) ?? parseDate(value) ?? value;
    case "number":
    case "boolean":
      return value;
    case "object":
      if (value === null) return null;
      if (Array.isArray(value)) return listOf(world, from, value, key);
      return new ObjectValue(value as Record<string, unknown>, (inner, name) => valueOf(world, from, inner, name));
    default:
      return null;
  }
}

function listOf(world: World, from: string, list: readonly unknown[], key: string): Value {
  // `[[Note]]` without quotes is a list in a list in YAML, but was meant as a link.
  const [inner] = list;
  if (list.length === 1 && Array.isArray(inner) && inner.length === 1 && typeof inner[0] === "string")
    return parseLink(world, from, `[[${inner[0]}]]`);
  return list.map((item) => valueOf(world, from, item, key));
}

const MARKDOWN_LINK = /^!?\[([^\]]*)\]\(<?([^()<>]+)>?\)$/;

/** A text that is one link and nothing else; null if it is not. */
export function parseLink(world: World, from: string, text: string): LinkValue | null {
  const first = text.charCodeAt(0);
  // "[" and "!"
  if (first !== 91 && first !== 33) return null;
  const start = first === 33 ? 3 : 2;
  const end = text.length - 2;
  // Half as long as a regular expression takes, for each link of each note.
  if (text.startsWith("[[", start - 2) && end > start && text.endsWith("]]")) {
    const isOne = text.indexOf("]", start) === end && text.indexOf("[", start) === -1;
    if (isOne) return linkOf(world, from, text.slice(start, end));
  }
  const markdown = MARKDOWN_LINK.exec(text);
  return markdown && linkOf(world, from, decoded(markdown[2]!), markdown[1]);
}

/** `target#heading|display`. */
export function linkOf(world: World, from: string, inner: string, display?: string): LinkValue {
  const bar = inner.indexOf("|");
  const whole = bar === -1 ? inner : inner.slice(0, bar);
  const hash = whole.indexOf("#");
  const target = (hash === -1 ? whole : whole.slice(0, hash)).trim();
  const shown = display ?? (bar === -1 ? undefined : inner.slice(bar + 1).trim());
  return new LinkValue(world, from, target, hash === -1 ? "" : whole.slice(hash).trim(), shown);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
