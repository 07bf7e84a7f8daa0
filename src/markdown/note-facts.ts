// What the index stores of a note besides its words: headings, tags, properties,
// tasks and links. Used by search/documents/document.ts; links are found by the
// same module as for moves.
import { readProperties } from "./properties/frontmatter.ts";
import { findLinks, type Link, type LinkForm } from "./links/links.ts";
import { type Passage, scanMarkdown, type Span } from "./scanner/scanner.ts";
import { trimWhite } from "./scanner/white-space.ts";
import { nameOfLink } from "./links/move-plan.ts";
import { TokenFinder } from "./scanner/token-finder.ts";

export interface Task {
  readonly text: string;
  readonly done: boolean;
  /** From 1. */
  readonly line: number;
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
  /** The first heading of level 1. */
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
  const { frontmatter, notProse, headings } = scanMarkdown(text);
  const { properties, broken } = readProperties(text);
  const links = findLinks(text, "markdown");
  return {
    title: headings.find(({ level }) => level === 1)?.text.trim(),
    headings: headings.map((heading) => heading.text.trim()),
    tags: unique([
      ...valuesOf(properties, ["tags", "tag"], /[\s,]+/).map((tag) => tag.replace(/^#+/, "")),
      ...inlineTags(text, notProse, links),
    ]),
    aliases: unique(valuesOf(properties, ["aliases", "alias"], /,/)),
    properties,
    ...(broken !== undefined && { propertiesBroken: broken }),
    tasks: tasksIn(text, notProse),
    links: links.map(noteLinkOf),
    bodyStart: frontmatter?.end ?? (text.startsWith("\uFEFF") ? 1 : 0),
  };
}

/** The values of a property that is a list, or one string with separators, under any of these names in any case. */
function valuesOf(properties: NoteFacts["properties"], names: readonly string[], separator: RegExp): string[] {
  return Object.entries(properties)
    .filter(([name]) => names.includes(name.toLowerCase()))
    .flatMap(([, value]) =>
      typeof value === "string" ? value.split(separator) : Array.isArray(value) ? value : [value],
    )
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map((value) => String(value).trim())
    .filter((value) => value !== "");
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

/** What follows `#` in a tag, as in Obsidian; at least one character is not a digit. */
const TAG_NAME = /[^\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\s]+/y;

function inlineTags(text: string, notProse: readonly Passage[], links: readonly Link[]): string[] {
  const tags: string[] = [];
  const passages = new Passages(notProse);
  const inLinks = new Passages(linkRests(text, links));
  for (let at = text.indexOf("#"); at !== -1; at = text.indexOf("#", at + 1)) {
    if (at > 0 && !/[\s\uFEFF]/.test(text.charAt(at - 1))) continue;
    TAG_NAME.lastIndex = at + 1;
    const name = TAG_NAME.exec(text)?.[0].replace(/\/+$/, "");
    if (name === undefined || /^[\d/]*$/.test(name) || passages.contain(at) || inLinks.contain(at)) continue;
    tags.push(name);
  }
  return tags;
}

/** From the target to the end of each link: "[[Note #heading|see #this]]" contains no tag. */
function linkRests(text: string, links: readonly Link[]): Span[] {
  const lineBreaks = new TokenFinder(text, "\n");
  const brackets = new TokenFinder(text, "]]");
  const parentheses = new TokenFinder(text, ")");
  return links.map(({ form, start, end }) => {
    const close = (form === "wiki" ? brackets : parentheses).from(end);
    return { start, end: close < lineBreaks.from(end) ? close : end };
  });
}

const TASK = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([^[\]\r\n])\][ \t]+([^\r\n]*)/gm;

/** List items with a checkbox. Any character but x in it (cancelled, in progress …) counts as not done. */
function tasksIn(text: string, notProse: readonly Passage[]): Task[] {
  if (!text.includes("] ") && !text.includes("]\t")) return [];
  const tasks: Task[] = [];
  const passages = new Passages(notProse);
  let line = 1;
  let counted = 0;
  for (const { index, 0: whole, 1: box, 2: content } of text.matchAll(TASK)) {
    if (passages.contain(index + whole.indexOf("["))) continue;
    for (let at = text.indexOf("\n", counted); at !== -1 && at < index; at = text.indexOf("\n", counted)) {
      line++;
      counted = at + 1;
    }
    tasks.push({ text: trimWhite(content!), done: box === "x" || box === "X", line });
  }
  return tasks;
}

/** Spans in order. Must be asked about increasing positions. */
class Passages {
  readonly #spans: readonly Span[];
  #next = 0;

  constructor(spans: readonly Span[]) {
    this.#spans = spans;
  }

  contain(position: number): boolean {
    while (this.#next < this.#spans.length && this.#spans[this.#next]!.end <= position) this.#next++;
    const span = this.#spans[this.#next];
    return span !== undefined && span.start <= position;
  }
}

/** What is kept of a link. */
export function noteLinkOf(link: Link): NoteLink {
  const { target, subpath, form, isEmbed, start } = link;
  return { name: nameOfLink(link), target, subpath, form, isEmbed, start };
}
