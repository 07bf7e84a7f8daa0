// What the index in a shared store has of one document: where its words are, and by
// what else it is found. Pure; used by index-change.ts.
import { linkName } from "../../../markdown/markdown.ts";
import {
  COLUMNS,
  foldForSearch,
  type IndexedDocument,
  indexedTerms,
  namesOf,
  placeAt,
  tableRowsOf,
  trigramsOf,
} from "../../../search/search.ts";

/** In bytes; a row of an index takes up to 2,704. Longer words are encoded data, for which nobody searches. */
const LONGEST_WORD = 1_000;
/** In characters of up to four bytes. */
const LONGEST_KEY = 500;
/** No word begins so: a part of a name. */
const TRIGRAM = "^";

export type KeyKind = "name" | "tag" | "property" | "link" | "file";

export interface KeyRow {
  readonly kind: KeyKind;
  readonly key: string;
  readonly value: string;
}

export interface DocumentRows {
  /** By word, its places in ascending order. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** In words. */
  readonly length: number;
  readonly keys: readonly KeyRow[];
}

export function rowsOf(document: IndexedDocument): DocumentRows {
  const { path, facts, fields, isNameless } = document;
  const isNamed = fields !== undefined && !isNameless;
  const places = new Map<string, number[]>();
  let length = 0;
  for (const [column, name] of COLUMNS.entries()) {
    const terms = fields === undefined ? [] : indexedTerms(fields[name]);
    length += terms.length;
    for (const [i, term] of terms.entries()) {
      const known = places.get(term);
      if (known !== undefined) known.push(placeAt(column, i));
      else if (isShort(term)) places.set(term, [placeAt(column, i)]);
    }
  }
  if (isNamed)
    for (const trigram of trigramsOf(foldForSearch(namesOf(document).join("\n")).match(WORD) ?? []))
      places.set(trigramTerm(trigram), []);
  const keys = new Map<string, KeyRow>();
  const add = (kind: KeyKind, key: string, value = "") => {
    const row = { kind, key: keyOf(key), value: storable(value) };
    const name = JSON.stringify(kind === "property" ? row : [kind, row.key]);
    if (!keys.has(name)) keys.set(name, row);
  };
  add("file", linkName(path));
  for (const {
    table,
    keys: [key = "", second],
    value,
  } of tableRowsOf(path, facts, isNamed))
    add(table, key, second ?? value);
  return { places, length, keys: [...keys.values()] };
}

export function trigramTerm(trigram: string): string {
  return `${TRIGRAM}${trigram}`;
}

/** The form in which keys are stored and asked for: a row of an index is of limited length. */
export function keyOf(text: string): string {
  return storable(text.length > LONGEST_KEY ? text.slice(0, LONGEST_KEY) : text);
}

/** No text of the database has a NUL, or half of a character. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function isShort(term: string): boolean {
  return term.length * 3 <= LONGEST_WORD || Buffer.byteLength(term) <= LONGEST_WORD;
}

const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;
