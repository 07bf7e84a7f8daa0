// Merges the properties of a new note's content into those of its template. Pure.
// Used by templates.ts.
import {
  frontmatterRange,
  isListProperty,
  itemsOf,
  readProperties,
  updateProperties,
} from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";
import { brokenTemplate } from "./filled-properties.ts";

/** The content without its frontmatter. */
export function bodyOf(content: string): string {
  return content.slice(frontmatterRange(content)?.end ?? 0);
}

/**
 * The note with the properties of `content` too. Those win over the note's own;
 * lists are united; an empty value says nothing. What the note has keeps its form.
 */
export function withPropertiesOf(content: string, note: string): string {
  const range = frontmatterRange(content);
  if (range === undefined) return note;
  const { properties, broken } = readProperties(content);
  if (broken !== undefined) throw new Problem("invalid", `${broken} It is that of content: nothing was created.`);
  if (frontmatterRange(note) === undefined) return content.slice(0, range.end) + note;
  const own = readProperties(note);
  if (own.broken !== undefined) throw brokenTemplate(own.broken);
  const set = Object.entries(properties).map(([name, value]) => [name, merged(name, own.properties[name], value)]);
  return updateProperties(note, Object.fromEntries(set), []).text;
}

function merged(name: string, own: unknown, sent: unknown): unknown {
  if (sent === null || sent === undefined) return own ?? null;
  if (own === null || own === undefined) return sent;
  if (!isListProperty(name) && !Array.isArray(own)) return sent;
  const all = [own, sent].flatMap((value) => itemsOf(name, value));
  const keys = all.map((item) => JSON.stringify(item));
  return all.filter((_, i) => keys.indexOf(keys[i]!) === i);
}
