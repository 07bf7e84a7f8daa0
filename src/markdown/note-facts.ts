// The facts that the index stores of a note besides its words: headings, tags, properties,
// tasks and links. Links are found by the same module as for moves. Used by
// search/documents/document.ts.
import { stretchHasher } from "./stretch-hash.ts";
import { finished, type Steps } from "../kernel/kernel.ts";
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
  /** Offset of the text below the frontmatter. */
  readonly bodyStart: number;
}

export function factsOf(text: string): NoteFacts {
  return finished(factsInSteps(text));
}

/** The same in steps: each takes up to 100 ms for a megabyte of links, tags or tasks. */
export function* factsInSteps(text: string): Steps<NoteFacts> {
  const { frontmatter, notProse, headings, checkBoxes } = scanMarkdown(text);
  yield;
  const { properties, broken } = readProperties(text);
  yield;
  const links = findLinks(text, "markdown");
  yield;
  const inText = inlineTags(text, { notProse, links });
  yield;
  const tasks = yield* tasksIn(text, checkBoxes, headings);
  yield;
  const bodyStart = frontmatter?.end ?? (text.startsWith("\uFEFF") ? 1 : 0);
  return {
    title: titleIn(text, bodyStart, headings),
    headings: headings.map((heading) => heading.text.trim()),
    tags: unique([...propertyTags(properties), ...inText.map(({ name }) => name)]),
    aliases: unique(listedValues(properties, ["aliases", "alias"], /,/)),
    properties,
    ...(broken !== undefined && { propertiesBroken: broken }),
    tasks,
    links: links.map(noteLinkOf),
    bodyStart,
  };
}

/** Characters that may stand above a title: tags, links to other notes, badges. */
const MAX_ABOVE_TITLE = 500;

/** A heading deep in the note, or the first of several with text above them, is that of a section. */
function titleIn(text: string, bodyStart: number, headings: readonly Heading[]): string | undefined {
  const [first, ...others] = headings;
  if (first?.level !== 1) return undefined;
  const above = text.slice(bodyStart, first.start).trim();
  const isTitle = above === "" || (above.length <= MAX_ABOVE_TITLE && others.every(({ level }) => level > 1));
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
  const tasks = finished(tasksIn(text, checkBoxes, headings));
  return checkBoxes.map((box, i) => ({ box, task: tasks[i]! }));
}

function* tasksIn(text: string, boxes: readonly CheckBox[], headings: readonly Heading[]): Steps<Task[]> {
  let line = 1;
  let counted = 0;
  const tasks = boxes.map(({ start, status, text: from, textEnd, headings: above }): Task => {
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
  yield;
  const isSeveral = repeated(tasks.map((task) => `${task.status} ${task.text}`));
  const equal = [...tasks.keys()].filter(isSeveral);
  if (equal.length === 0) return tasks;
  yield;
  const nested = nestedHashes(
    text,
    equal.map((i) => boxes[i]!),
  );
  yield;
  for (const [at, i] of equal.entries()) tasks[i] = { ...tasks[i]!, nested: nested[at]! };
  return tasks;
}

function repeated(keys: readonly string[]): (index: number) => boolean {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return (index) => counts.get(keys[index]!)! > 1;
}

/**
 * Hashes of the lines directly below each box that are indented or quoted more. In a
 * deep list a line is nested in all boxes above it, so no line is read once per box.
 */
function nestedHashes(text: string, boxes: readonly CheckBox[]): string[] {
  const ends = nestedEnds(text, boxes);
  const hashOf = stretchHasher(text);
  return boxes.map((box, i) => {
    const lineBreak = text.indexOf("\n", box.end);
    const end = ends[i]!;
    return hashOf(lineBreak === -1 ? end : Math.min(lineBreak + 1, end), end);
  });
}

/** Returns the end of the lines nested below each box. */
function nestedEnds(text: string, boxes: readonly CheckBox[]): Int32Array {
  const ends = new Int32Array(boxes.length);
  /** The boxes that the current line may be nested in, from the outermost. */
  const open: { readonly box: number; readonly indent: number }[] = [];
  for (let next = 0, line = 0; next < boxes.length || open.length > 0;) {
    if (open.length === 0) line = boxes[next]!.start;
    const lineBreak = text.indexOf("\n", line);
    const end = lineBreak === -1 ? text.length : lineBreak;
    const indent = line < text.length ? indentOf(text, line, end) : -1;
    while (open.length > 0 && open.at(-1)!.indent >= indent) ends[open.pop()!.box] = line;
    if (boxes[next]?.start === line) open.push({ box: next++, indent });
    line = Math.min(end + 1, text.length);
  }
  return ends;
}

/** The length of the white space and quotes at the beginning of a line; -1 for a blank line. */
function indentOf(text: string, start: number, end: number): number {
  let isQuoted = false;
  let at = start;
  for (; at < end && " \t>".includes(text.charAt(at)); at++) isQuoted ||= text.charAt(at) === ">";
  return !isQuoted && text.slice(at, end).trim() === "" ? -1 : at - start;
}

/** Reduces a link to what is stored of it. */
export function noteLinkOf(link: Link): NoteLink {
  const { target, subpath, form, isEmbed, start } = link;
  return { name: nameOfLink(link), target, subpath, form, isEmbed, start };
}
