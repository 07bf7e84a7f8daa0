// What the index keeps of a document: the words by which it is found, and the
// facts that are looked up. Pure; used by the sweep of notes and by memory.
import { nameIn } from "../../kernel/kernel.ts";
import {
  canvasText,
  type DocumentKind,
  factsOf,
  findLinks,
  linkedTextOf,
  type NoteLink,
  noteLinkOf,
  type Task,
} from "../../markdown/markdown.ts";
import { foldForSearch } from "../words/folding.ts";
import { termsOf } from "../words/terms.ts";

/**
 * - note: Markdown
 * - canvas: found by its name and by what is written on it
 * - copy: what a sync program put beside a note after a conflict; only its links count
 * - base: a file of Obsidian with links in it
 * - file: anything else, to which links may lead
 * - folder: one that cannot be listed
 */
export type { DocumentKind } from "../../markdown/markdown.ts";

/** What distinguishes two states of a file without reading it. */
export interface Version {
  readonly size: number;
  /** Milliseconds, with as many fractions as the disk keeps. */
  readonly mtime: number;
  readonly inode: number;
}

export interface Facts {
  readonly title?: string;
  readonly headings: readonly string[];
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
  readonly tasks: readonly Task[];
  readonly links: readonly NoteLink[];
}

/** The columns of the full text, in their order. */
export interface Fields {
  readonly name: string;
  readonly title: string;
  readonly headings: string;
  readonly tags: string;
  readonly properties: string;
  readonly body: string;
}

export interface IndexedDocument {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly facts: Facts;
  /** Undefined for what no search looks into. */
  readonly fields: Fields | undefined;
  /** Found by its words alone: it has no name of its own. */
  readonly isNameless?: true;
}

/** The words beyond this are left out: a file of this size is a dump, and would hold up everything else. */
const LONGEST_BODY = 4_000_000;

export const NO_FACTS: Facts = { headings: [], tags: [], aliases: [], properties: {}, tasks: [], links: [] };

export function documentOf(path: string, kind: DocumentKind, text: string): IndexedDocument {
  if (kind === "note") return noteOf(path, text);
  const linked = linkedTextOf(path);
  const links = linked === undefined ? [] : findLinks(text, linked);
  return {
    path,
    kind,
    fields: kind === "canvas" ? fieldsOf(path, canvasText(text)) : undefined,
    facts: {
      ...NO_FACTS,
      links: links.map(noteLinkOf),
    },
  };
}

function fieldsOf(path: string, body: string): Fields {
  const name = nameOfDocument(path);
  return { name, title: "", headings: "", tags: "", properties: "", body: body.slice(0, LONGEST_BODY) };
}

/** The kinds that have words to be found by. */
export const SEARCHED_KINDS: readonly DocumentKind[] = ["note", "canvas"];

/** A document of which only the name is known: an attachment, or what cannot be read. */
export function unreadDocument(path: string, kind: DocumentKind): IndexedDocument {
  return { path, kind, facts: NO_FACTS, fields: SEARCHED_KINDS.includes(kind) ? fieldsOf(path, "") : undefined };
}

function noteOf(path: string, text: string): IndexedDocument {
  const { bodyStart, title, headings, tags, aliases, properties, tasks, links } = factsOf(text);
  return {
    path,
    kind: "note",
    facts: { ...(title !== undefined && { title }), headings, tags, aliases, properties, tasks, links },
    fields: {
      name: [nameOfDocument(path), ...aliases].join("\n"),
      title: title ?? "",
      headings: headings.join("\n"),
      tags: tags.join("\n"),
      properties: valuesOf(properties)
        .map(({ value }) => value)
        .join("\n"),
      body: text.slice(bodyStart, bodyStart + LONGEST_BODY),
    },
  };
}

/** The name of a file as people say it: without its folder, and without `.md` or `.canvas`. */
export function nameOfDocument(path: string): string {
  return nameIn(path).replace(/\.(?:md|canvas)$/i, "");
}

/** Everything that a document is called. */
export function namesOf({ path, facts }: Pick<IndexedDocument, "path" | "facts">): string[] {
  return [nameOfDocument(path), ...(facts.title === undefined ? [] : [facts.title]), ...facts.aliases];
}

/** The form in which a name and a query for exactly that name are equal. */
export function comparableName(name: string): string {
  return termsOf(name).join(" ") || foldForSearch(name).trim();
}

export function comparableTag(tag: string): string {
  return foldForSearch(tag).replace(/^#/, "");
}

interface PropertyValue {
  readonly key: string;
  readonly value: string;
}

/** Each value of each property as text; a list has several. */
export function valuesOf(properties: Readonly<Record<string, unknown>>): PropertyValue[] {
  return Object.entries(properties).flatMap(([key, value]) => textsOf(value).map((text) => ({ key, value: text })));
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value === null || value === undefined) return [""];
  return [typeof value === "object" ? JSON.stringify(value) : String(value)];
}
