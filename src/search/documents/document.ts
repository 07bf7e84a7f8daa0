// Describes a document for the index: the words by which it is found, and facts
// such as tags and links. Pure; used by the sweep of notes and by memory.
import { finished, nameIn, type Steps } from "../../kernel/kernel.ts";
import {
  canvasText,
  type DocumentKind,
  factsInSteps,
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
 * - canvas: found by its name and its text
 * - copy: made by a sync program after a conflict; only its links count
 * - base: a file of Obsidian that contains links
 * - pdf: found by its name, and by its text once that was read
 * - file: anything else that links may lead to
 * - folder: one that cannot be listed
 */
export type { DocumentKind } from "../../markdown/markdown.ts";

/** Distinguishes two states of a file without reading it. */
export interface Version {
  readonly size: number;
  /** Milliseconds, with the fractions that the disk stores. */
  readonly mtime: number;
  readonly inode: number;
  /** Milliseconds; by default the same as `mtime`. Stored, but never compared: a copy has another one. */
  readonly created?: number;
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
  /** Undefined for a document that is not searched. */
  readonly fields: Fields | undefined;
  /** It has no name of its own, and is found by its words only. */
  readonly isNameless?: true;
}

/** Characters; the rest is not indexed: a file of this size is a dump, and would delay all others. */
export const MAX_BODY_LENGTH = 4_000_000;

export const NO_FACTS: Facts = { headings: [], tags: [], aliases: [], properties: {}, tasks: [], links: [] };

export function documentOf(path: string, kind: DocumentKind, text: string): IndexedDocument {
  return finished(documentInSteps(path, kind, text));
}

/** The same in steps, for a file that is large. */
export function* documentInSteps(path: string, kind: DocumentKind, text: string): Steps<IndexedDocument> {
  if (kind === "note") return yield* noteOf(path, text);
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
  return { name, title: "", headings: "", tags: "", properties: "", body: body.slice(0, MAX_BODY_LENGTH) };
}

/** The kinds whose text is searched. */
export const SEARCHED_KINDS: readonly DocumentKind[] = ["note", "canvas", "pdf"];

/** A document of which only the name is known: an attachment, or a file that cannot be read. */
export function unreadDocument(path: string, kind: DocumentKind): IndexedDocument {
  return { path, kind, facts: NO_FACTS, fields: SEARCHED_KINDS.includes(kind) ? fieldsOf(path, "") : undefined };
}

export function pdfDocument(path: string, text: string): IndexedDocument {
  return { path, kind: "pdf", facts: NO_FACTS, fields: fieldsOf(path, text) };
}

function* noteOf(path: string, text: string): Steps<IndexedDocument> {
  const { bodyStart, title, headings, tags, aliases, properties, tasks, links } = yield* factsInSteps(text);
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
      body: text.slice(bodyStart, bodyStart + MAX_BODY_LENGTH),
    },
  };
}

/** The name of a file without its folder, `.md` and `.canvas`. */
export function nameOfDocument(path: string): string {
  return nameIn(path).replace(/\.(?:md|canvas)$/i, "");
}

/** All names of a document: file name, title, aliases. */
export function namesOf({ path, facts }: Pick<IndexedDocument, "path" | "facts">): string[] {
  return [nameOfDocument(path), ...(facts.title === undefined ? [] : [facts.title]), ...facts.aliases];
}

/** The form in which a name is compared with a query for it. */
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
