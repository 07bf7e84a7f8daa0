// What the index stores of a note besides its words: headings, tags, properties,
// tasks and links. Links are found by the same module as for moves. Used by
// search/documents/document.ts.
import { quickHash } from "../kernel/kernel.ts";
import { readProperties } from "./properties/frontmatter.ts";
import { findLinks, type Link, type LinkForm } from "./links/links.ts";
import { type CheckBox, type Heading, scanMarkdown } from "./scanner/scanner.ts";
import { nameOfLink } from "./links/move-plan.ts";
import { listedValues } from "./properties/listed-values.ts";
import { inlineTags } from "./tags/inline-tags.ts";
import { propertyTags } from "./tags/property-tags.ts";

export interface Task {
  /** The character in its box. */
  readonly status: string;
  /** Its first line after the box. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** The nearest one above it, outside quotes and lists. */
  readonly heading?: string;
  /** A hash of the lines below it that are indented more, if another task of the note has the same words. */
  readonly nested?: string;
}

export interface NoteLink {
  /** The name by which a move finds the link (see nameOfLink). */
  readonly name: string;
  readonly target: string;
  /** `#heading`, `#^block`; empty if there is none. */
  readonly subpath: string;
  readonly form: LinkForm;
  readonly isEmbed: boolean;
  /** The offset of the target in the text. */
  readonly start: number;
}

export interface NoteFacts {
  /** The heading of level 1 at the top. */
  readonly title: string | undefined;
  readonly headings: readonly string[];
  /** Without `#`, each once whatever its case; nested ones as they are. */
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  /** A sentence if the frontmatter cannot be read. */
  readonly propertiesBroken?: string;
  readonly tasks: readonly Task[];
  readonly links: readonly NoteLink[];
  /** Where the text below the frontmatter begins. */
  readonly bodyStart: number;
}

export function factsOf(text: string): NoteFacts {
  const { frontmatter, notProse, headings, checkBoxes } = scanMarkdown(text);
  const { properties, broken } = readProperties(text);
  const links = findLinks(text, "markdown");
  const bodyStart = frontmatter?.end ?? (text.startsWith("\uFEFF") ? 1 : 0);
  return {
    title: titleIn(text, bodyStart, headings),
    headings: headings.map((heading) => heading.text.trim()),
    tags: unique([...propertyTags(properties), ...inlineTags(text, { notProse, links }).map(({ name }) => name)]),
    aliases: unique(listedValues(properties, ["aliases", "alias"], /,/)),
    properties,
    ...(broken !== undefined && { propertiesBroken: broken }),
    tasks: tasksIn(text, checkBoxes, headings),
    links: links.map(noteLinkOf),
    bodyStart,
  };
}

/** Characters that may stand above a title: tags, links to other notes, badges. */
const MOST_ABOVE_TITLE = 500;

/** A heading deep in the note, or the first of several with text above them, is that of a section. */
function titleIn(text: string, bodyStart: number, headings: readonly Heading[]): string | undefined {
  const [first, ...others] = headings;
  if (first?.level !== 1) return undefined;
  const above = text.slice(bodyStart, first.start).trim();
  const isTitle = above === "" || (above.length <= MOST_ABOVE_TITLE && others.every(({ level }) => level > 1));
  return isTitle ? first.text.trim() : undefined;
}

/** Removes repeated values, ignoring case; keeps the first spelling. */
function unique(values: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const value of values) {
    const key = value.toLowerCase();
    if (value !== "" && !first.has(key)) first.set(key, value);
  }
  return [...first.values()];
}

/** The tasks of a note, each with the place of its box. */
export function taskBoxes(text: string): { readonly task: Task; readonly box: CheckBox }[] {
  const { checkBoxes, headings } = scanMarkdown(text);
  const tasks = tasksIn(text, checkBoxes, headings);
  return checkBoxes.map((box, i) => ({ box, task: tasks[i]! }));
}

function tasksIn(text: string, boxes: readonly CheckBox[], headings: readonly Heading[]): Task[] {
  let line = 1;
  let counted = 0;
  const tasks = boxes.map(({ start, status, text: from, textEnd, headings: above }) => {
    for (let at = text.indexOf("\n", counted); at !== -1 && at < start; at = text.indexOf("\n", counted)) {
      line++;
      counted = at + 1;
    }
    const heading = headings[above - 1]?.text.trim();
    return {
      status: String.fromCodePoint(text.codePointAt(status)!),
      text: text.slice(from, textEnd),
      line,
      ...(heading !== undefined && { heading }),
    };
  });
  const isSeveral = repeated(tasks.map((task) => `${task.status} ${task.text}`));
  return tasks.map((task, i) => (isSeveral(i) ? { ...task, nested: quickHash(nestedIn(text, boxes[i]!)) } : task));
}

function repeated(keys: readonly string[]): (index: number) => boolean {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return (index) => counts.get(keys[index]!)! > 1;
}

/** The lines directly below a box that are indented or quoted more. */
function nestedIn(text: string, { start, end }: CheckBox): string {
  const own = indentOf(text.slice(start, end));
  const first = text.indexOf("\n", end) + 1;
  let last = first;
  while (last > 0 && last < text.length) {
    const lineBreak = text.indexOf("\n", last);
    const line = text.slice(last, lineBreak === -1 ? text.length : lineBreak);
    if (line.trim() === "" || indentOf(line) <= own) break;
    last = lineBreak === -1 ? text.length : lineBreak + 1;
  }
  return text.slice(first, last).trimEnd();
}

function indentOf(line: string): number {
  return /^[ \t>]*/.exec(line)![0].length;
}

/** What is kept of a link. */
export function noteLinkOf(link: Link): NoteLink {
  const { target, subpath, form, isEmbed, start } = link;
  return { name: nameOfLink(link), target, subpath, form, isEmbed, start };
}
