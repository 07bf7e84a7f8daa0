// A change of the index of a space, within a transaction that has locked it: replaces
// what the index has of some files. What a document had before is taken back by its
// words. Used by indexing.ts and pdf-files.ts.
import type { Turns } from "../../../kernel/kernel.ts";
import type { Row, TaggedQuery } from "../../../postgres/postgres.ts";
import {
  BLOCK_SIZE,
  type Entry,
  entryOf,
  fingerprintOf,
  type IndexedDocument,
  NewTexts,
} from "../../../search/search.ts";
import { rowsOf } from "./document-rows.ts";
import { changeBlocks } from "./stored-blocks.ts";
import { addPlaces, changePlaces, type TextChange } from "./stored-places.ts";
import { WordChanges } from "./stored-words.ts";

export interface WrittenDocument {
  readonly file: number;
  readonly modified: number;
  /** Undefined if the file is gone, or none that is indexed. */
  readonly document: IndexedDocument | undefined;
  readonly unread?: string | undefined;
}

export interface IndexState {
  readonly number: number;
  readonly ordinals: number;
}

/** Until the transaction ends nobody else writes the index. */
export async function lockIndex(sql: TaggedQuery, space: number): Promise<IndexState> {
  await sql`INSERT INTO commonplace.note_state (space) VALUES (${space}) ON CONFLICT DO NOTHING`;
  const [row] = await sql`SELECT number, ordinals FROM commonplace.note_state WHERE space = ${space} FOR UPDATE`;
  return { number: Number(row!["number"]), ordinals: Number(row!["ordinals"]) };
}

/** What is written of some files, put together before the database is asked for anything. */
interface Prepared {
  readonly files: readonly number[];
  /** All of them; those that were indexed before also say what changes of their words. */
  readonly changes: readonly TextChange[];
  readonly notes: readonly StoredNote[];
  /** By block. */
  readonly added: ReadonlyMap<number, { readonly texts: NewTexts; readonly isFirst: boolean }>;
}

export class IndexChange {
  readonly #sql: TaggedQuery;
  readonly #space: number;
  readonly #number: number;
  readonly #words = new WordChanges();
  #ordinals: number;
  #texts = 0;
  #length = 0;

  constructor(sql: TaggedQuery, space: number, { number, ordinals }: IndexState) {
    this.#sql = sql;
    this.#space = space;
    this.#number = number + 1;
    this.#ordinals = ordinals;
  }

  /** How many further files are in the same block. */
  get room(): number {
    return BLOCK_SIZE - (this.#ordinals % BLOCK_SIZE);
  }

  /** What the index has of some files, for `prepare`. */
  async known(files: readonly number[]): Promise<ReadonlyMap<number, Row>> {
    const rows = await this.#sql`
      SELECT file, ordinal, length, terms FROM commonplace.note
      WHERE space = ${this.#space} AND file = ANY(${[...files]}::bigint[])`;
    return new Map(rows.map((row) => [Number(row["file"]), row]));
  }

  async prepare(
    documents: Iterable<WrittenDocument>,
    known: ReadonlyMap<number, Row>,
    turns: Turns,
  ): Promise<Prepared> {
    const files: number[] = [];
    const changes: TextChange[] = [];
    const notes: StoredNote[] = [];
    const added = new Map<number, { readonly texts: NewTexts; readonly isFirst: boolean }>();
    for (const { file, modified, document, unread } of documents) {
      files.push(file);
      const before = known.get(file);
      if (before === undefined && document === undefined) continue;
      const rows = document && rowsOf(document);
      const length = document?.fields === undefined ? NO_TEXT : rows!.length;
      const lengthBefore = before === undefined ? NO_TEXT : Number(before["length"]);
      this.#texts += Number(length >= 0) - Number(lengthBefore >= 0);
      this.#length += Math.max(length, 0) - Math.max(lengthBefore, 0);
      let [ordinal, terms, entries] = [0, "", NOTHING];
      if (before === undefined) {
        ordinal = this.#ordinals++;
        const block = Math.floor(ordinal / BLOCK_SIZE);
        const inBlock = added.get(block) ?? { texts: new NewTexts(), isFirst: ordinal % BLOCK_SIZE === 0 };
        added.set(block, inBlock);
        terms = inBlock.texts.add(ordinal % BLOCK_SIZE, rows!.places).join(" ");
      } else {
        ordinal = Number(before["ordinal"]);
        ({ terms, entries } = changedEntries(termsIn(before), rows?.places ?? new Map()));
      }
      changes.push({ ordinal, entries, length, file, modified });
      if (document !== undefined)
        notes.push({
          file,
          ordinal,
          kind: document.kind,
          facts: JSON.stringify(document.facts),
          unread,
          length,
          terms,
          keys: rows!.keys,
        });
      if (turns.isOver()) await turns.next();
    }
    for (const { texts } of added.values())
      for (const word of texts.words()) this.#words.add(word.term, word.texts, word.occurrences);
    return { files, changes, notes, added };
  }

  async write({ files, changes, notes, added }: Prepared, turns: Turns): Promise<void> {
    const [sql, space] = [this.#sql, this.#space];
    const changed = changes.filter(({ entries }) => entries.size > 0);
    await changePlaces(sql, space, changed, this.#words, turns);
    for (const [block, { texts, isFirst }] of added) await addPlaces(sql, space, block, texts, isFirst, turns);
    await changeBlocks(sql, space, this.#number, changes);
    for (const table of TABLES_OF_FILES)
      await sql.run(`DELETE FROM commonplace.${table} WHERE space = $1 AND file = ANY($2::bigint[])`, [space, files]);
    await addNotes(sql, space, this.#number, notes);
  }

  /** After all that is written. */
  async end(): Promise<void> {
    await this.#words.write(this.#sql, this.#space);
    await this.#sql`
      UPDATE commonplace.note_state SET number = ${this.#number}, ordinals = ${this.#ordinals},
        texts = texts + ${this.#texts}, words = words + ${this.#length}
      WHERE space = ${this.#space}`;
  }
}

/** Tables with rows of single files. */
export const TABLES_OF_FILES = ["note", "note_key", "note_vector", "note_pdf"];
const NOTHING: ReadonlyMap<string, Entry | undefined> = new Map();
/** The length of a document that is not found by its words. */
const NO_TEXT = -1;

/** By word, a fingerprint of its places. */
function termsIn(row: Row | undefined): ReadonlyMap<string, string> {
  const stored = row === undefined || row["terms"] === "" ? [] : String(row["terms"]).split(" ");
  const terms = new Map<string, string>();
  for (let i = 0; i < stored.length; i += 2) terms.set(stored[i]!, stored[i + 1]!);
  return terms;
}

/** What is others than before, and all words with their fingerprints. */
function changedEntries(before: ReadonlyMap<string, string>, places: ReadonlyMap<string, readonly number[]>) {
  const entries = new Map<string, Entry | undefined>();
  for (const term of before.keys()) if (!places.has(term)) entries.set(term, undefined);
  const terms: string[] = [];
  for (const [term, at] of places) {
    const entry = entryOf(at);
    const fingerprint = fingerprintOf(entry);
    terms.push(term, fingerprint);
    if (before.get(term) !== fingerprint) entries.set(term, entry);
  }
  return { entries, terms: terms.join(" ") };
}

interface StoredNote extends Pick<WrittenDocument, "file" | "unread"> {
  readonly ordinal: number;
  readonly kind: string;
  /** As JSON. */
  readonly facts: string;
  readonly length: number;
  readonly terms: string;
  readonly keys: ReturnType<typeof rowsOf>["keys"];
}

async function addNotes(sql: TaggedQuery, space: number, number: number, notes: readonly StoredNote[]): Promise<void> {
  const of = <T>(value: (note: StoredNote) => T) => notes.map(value);
  await sql`
    INSERT INTO commonplace.note (space, number, file, ordinal, kind, unread, length, facts, terms)
    SELECT ${space}, ${number}, * FROM unnest(${of(({ file }) => file)}::bigint[], ${of(({ ordinal }) => ordinal)}::int[],
      ${of(({ kind }) => kind)}::text[], ${of(({ unread }) => unread ?? null)}::text[],
      ${of(({ length }) => length)}::int[], ${of(({ facts }) => facts)}::text[],
      ${of(({ terms }) => terms)}::text[])`;
  const keys = notes.flatMap(({ file, keys: all }) => all.map((row) => ({ ...row, file })));
  await sql`
    INSERT INTO commonplace.note_key (space, kind, key, file, value)
    SELECT ${space}, * FROM unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ key }) => key)}::text[],
      ${keys.map(({ file }) => file)}::bigint[], ${keys.map(({ value }) => value)}::text[])`;
}
