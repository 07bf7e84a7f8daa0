// Hits of a search as they are shown, with their snippets. Pure; used by
// sqlite-note-index.ts.
import { parseFolderPath } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { canvasText, proseOf, readNoteText } from "../../markdown/markdown.ts";
import { beginningOf, type Hit, nameOfDocument, type SearchQuery, termsOf } from "../../search/search.ts";
import type { NoteHit, SearchMethod } from "./note-index.ts";
import { snippetOfNote } from "./note-snippet.ts";
import { snippetOfPages } from "./page-snippet.ts";

export const SNIPPET_LENGTH = 200;
const PASSAGE_LENGTH = 100;

/** The input of a snippet. */
export interface Wanted extends Readonly<Parameters<typeof snippetOfNote>[1]> {
  /** As typed. */
  readonly typed: readonly string[];
}

/** @param found the words that were searched for, with other forms and corrections */
export function wantedOf(query: SearchQuery, found: readonly string[], length: number): Wanted {
  // The function words of a sentence would be found everywhere.
  const words = query.isSentence ? found : [...query.words, ...found];
  return {
    terms: { phrases: query.phrases, words, hasForms: true },
    properties: query.properties,
    length,
    typed: [...query.words, ...query.phrases.flat()],
  };
}

/** The paths that a sent path may refer to: a folder, or a note with or without its extension. */
export function pathsMeant(sent: string): string[] {
  const path = parseFolderPath(sent);
  return path === "" ? [path] : [path, `${path}.md`];
}

export function noteHit(bytes: Buffer, hit: Hit, wanted: Wanted): NoteHit {
  const { path, kind, properties } = hit;
  const shown = shownOf(hit);
  try {
    const source = readNoteText(bytes).text;
    const text = kind === "canvas" ? canvasText(source) : source;
    const { isInText, matched, ...snippet } = snippetOfNote({ text, title: shown.title, properties }, wanted);
    const isInNote = isInText || Object.keys(matched).length > 0;
    return { ...shown, matched, method: methodOf(path, wanted.terms.words, isInNote), snippet };
  } catch (error) {
    if (error instanceof Problem) return unreadHit(hit);
    throw error;
  }
}

/** Returns a hit for a file that exists but cannot be read, from what the index knows of it. */
export function unreadHit(hit: Hit): NoteHit {
  return { ...shownOf(hit), matched: {}, method: "keyword", snippet: { text: "", highlights: [] } };
}

/** @param text with breaks between pages */
export function pdfHit(text: string, hit: Hit, { terms, length, typed }: Wanted): NoteHit {
  const { page, isInText, ...snippet } = snippetOfPages(text, terms, length, typed);
  return {
    ...shownOf(hit),
    title: nameOfDocument(hit.path),
    matched: {},
    method: methodOf(hit.path, terms.words, isInText),
    snippet,
    ...(page !== undefined && { page }),
  };
}

/** A sentence of a related note, without marks. */
export function shownPassage(passage: string): string {
  return beginningOf(proseOf(passage).replace(/\s+/g, " ").trim(), PASSAGE_LENGTH);
}

function shownOf({ path, kind, score, mtime, title, properties, grounds }: Hit) {
  return {
    path,
    kind,
    title: title ?? nameOfDocument(path),
    properties,
    score,
    ...(grounds && { grounds }),
    mtime: Math.round(mtime),
  };
}

function methodOf(path: string, words: readonly string[], isInNote: boolean): SearchMethod {
  const isAsked = (part: string) => words.some((word) => part.startsWith(word));
  if (words.length > 0 && !isInNote) return "fuzzy";
  return termsOf(nameOfDocument(path)).some(isAsked) ? "combined" : "keyword";
}
