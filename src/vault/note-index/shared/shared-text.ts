// The full text of the notes of a space, searched by search/readings.ts as that of a
// folder is (search/documents/document-search.ts): the same words, and the same ranking,
// computed here from where the database has them. Used by shared-search.ts, within one
// transaction.
import type { TaggedQuery } from "../../../postgres/postgres.ts";
import {
  ALL_COLUMNS,
  allOf,
  anyOf,
  type Candidate,
  closenessOfName,
  columnAt,
  comparableName,
  endOf,
  equalSpellings,
  evaluate,
  type Evaluated,
  type Facts,
  isInformative,
  likeAmong,
  lookupsFor,
  type Matches,
  MOST_CANDIDATES,
  MOST_COMPARED,
  chosenWords,
  type Named,
  nameOfDocument,
  namesOf,
  nearestAmong,
  onlyColumns,
  phrase,
  ranksOf,
  rarestTrigrams,
  rarityOf,
  readWords,
  type RemoteTextIndex,
  type SpelledWord,
  spellingsAmong,
  type Statistics,
  type StoredWords,
  termsToLookUp,
  type TermsHits,
  type TextQuery,
  trigramsOf,
  weigh,
  type WeighedCandidate,
  wordsIn,
} from "../../../search/search.ts";
import { keyOf, trigramTerm } from "./document-rows.ts";
import type { NoteFilter } from "./shared-filter.ts";
import { knownWords } from "./space-cache.ts";
import type { StoredDocuments } from "./stored-blocks.ts";

/** What a search works on. */
export interface SearchedSpace {
  readonly sql: TaggedQuery;
  readonly space: number;
  readonly words: StoredWords;
  readonly documents: StoredDocuments;
  readonly statistics: Statistics;
}

export class SharedText implements RemoteTextIndex<undefined> {
  readonly #searched: SearchedSpace;
  readonly #filter: NoteFilter;

  constructor(searched: SearchedSpace, filter: NoteFilter) {
    this.#searched = searched;
    this.#filter = filter;
  }

  async named(plain: string): Promise<Named<undefined>[]> {
    const { sql, space } = this.#searched;
    const name = comparableName(plain);
    const rows = await sql`
      SELECT ordinal, path, facts FROM commonplace.note_key AS named
      JOIN commonplace.note ON note.space = named.space AND note.file = named.file
      JOIN commonplace.file ON file.space = note.space AND file.id = note.file
      WHERE named.space = ${space} AND named.kind = 'name' AND named.key = ${keyOf(name)} ORDER BY modified DESC, path`;
    return rows
      .filter(({ ordinal }) => this.#filter.allows(Number(ordinal)))
      .map(({ ordinal, path, facts }) => {
        const { title = null } = JSON.parse(String(facts)) as Facts;
        return { ...candidate(Number(ordinal), 0), closeness: closenessOfName({ path, title }, name) };
      });
  }

  async titled(terms: readonly string[], limit: number): Promise<readonly Candidate<undefined>[]> {
    return this.#inColumns(allOf(terms.map((term) => phrase([term]))), onlyColumns("name", "title"), limit);
  }

  async headed(terms: readonly string[], limit: number): Promise<readonly Candidate<undefined>[]> {
    return this.#inColumns(phrase(terms), onlyColumns("headings"), limit);
  }

  async #inColumns(query: TextQuery, columns: readonly number[], limit: number) {
    const { texts, parts } = await evaluate(this.#searched.words, query, columns);
    return this.#best(texts, parts, limit);
  }

  async match(query: TextQuery, limit: number): Promise<Matches<undefined>> {
    const { texts, parts } = await evaluate(this.#searched.words, query);
    const found = this.#allowed(texts);
    return { best: this.#best(found, this.#informative(query, parts), limit), total: found.length };
  }

  /** As in document-search.ts: words that most notes have change almost nothing. */
  #informative(query: TextQuery, parts: Evaluated["parts"]): readonly TermsHits[] {
    if (wordsIn(query).length < 2) return parts;
    const informative = parts.filter(({ texts }) => isInformative(texts.length, this.#searched.statistics));
    return informative.length === 0 ? parts : informative;
  }

  #allowed(texts: Int32Array): Int32Array {
    return this.#filter.isWhole ? texts : texts.filter((text) => this.#filter.allows(text));
  }

  /** Of equally good ones, the newest first. */
  #best(found: Int32Array, parts: readonly TermsHits[], limit: number): readonly Candidate<undefined>[] {
    const { statistics, documents } = this.#searched;
    const texts = this.#allowed(found);
    const ranks = ranksOf(texts, parts, statistics, (text) => documents.lengths[text]!);
    const last = texts.length > limit ? ranks.toSorted()[limit - 1]! : 0;
    const best: Candidate<undefined>[] = [];
    for (const [i, rank] of ranks.entries())
      if (texts.length <= limit || rank <= last) best.push(candidate(texts[i]!, rank));
    return best
      .sort((a, b) => a.rank - b.rank || documents.times[b.id]! - documents.times[a.id]! || a.id - b.id)
      .slice(0, limit);
  }

  async having(query: TextQuery, among: readonly { readonly id: number }[]): Promise<Set<number>> {
    if (among.length === 0) return new Set();
    const { texts } = await evaluate(this.#searched.words, query);
    const having = new Set(texts);
    return new Set(among.map(({ id }) => id).filter((id) => having.has(id)));
  }

  async weigh(words: readonly SpelledWord[], limit: number) {
    const { words: stored, documents, statistics } = this.#searched;
    const chosen = chosenWords(words);
    const placed = chosen.flatMap(({ word, extent }) => (extent === "places" ? termsOf(word) : []));
    const places = await stored.places(placed);
    const having = new Map<string, Int32Array>();
    for (const { word, extent } of chosen) {
      const lists = extent === "texts" ? equalSpellings(word).map(({ terms }) => terms) : [termsOf(word)];
      for (const terms of extent === "places" ? [] : lists)
        having.set(keyOfTerms(terms), (await evaluate(stored, anyOf(terms.map((term) => phrase([term]))))).texts);
    }
    const textsWith = (terms: readonly string[]) => having.get(keyOfTerms(terms)) ?? new Int32Array();
    const read = readWords(
      {
        places: (terms) => new Map(terms.flatMap((term) => withPlaces(term, places))),
        texts: textsWith,
      },
      words,
    );
    const spellings = new Map(words.map((word) => [word.term, termsOf(word)]));
    const texts = {
      lengths: documents.lengths,
      averageLength: statistics.averageLength,
      count: statistics.documents,
      weightAt: (_: number, place: number) => ALL_COLUMNS[columnAt(place)]!,
    };
    const { best, hits } = weigh(read, texts, limit, {
      having: ({ term }) => new Set(textsWith(spellings.get(term)!)),
      allowed: (some) => (this.#filter.isWhole ? some : some.filter((text) => this.#filter.allows(text))),
    });
    return {
      best: best.map(({ text, relevance, mayBePhrase }): WeighedCandidate<undefined> => ({
        ...candidate(text, 0),
        relevance,
        mayBePhrase,
      })),
      total: hits.length,
    };
  }

  async spellings(term: string, isBegun: boolean) {
    const { sql, space } = this.#searched;
    const { terms, stem } = termsToLookUp(term, isBegun);
    return spellingsAmong(await knownWords(sql, space, terms, stem), term);
  }

  async corrections(term: string, isQuick: boolean): Promise<string[]> {
    const { sql, space } = this.#searched;
    for (const { beginnings, shortest, longest } of lookupsFor(term, isQuick)) {
      const rows = await sql`
        SELECT term, texts FROM unnest(${[...beginnings]}::text[], ${beginnings.map(endOf)}::text[]) AS beginning (first, beyond)
        JOIN commonplace.note_word ON term >= first AND term < beyond
        WHERE space = ${space} AND length(term) BETWEEN ${shortest} AND ${longest}
        ORDER BY texts DESC, term LIMIT ${MOST_COMPARED}`;
      const near = nearestAmong(
        rows.map((row) => ({ term: String(row["term"]), documents: Number(row["texts"]) })),
        term,
      );
      if (near.length > 0) return near;
    }
    return [];
  }

  async namedLike(terms: readonly string[]): Promise<(Candidate<undefined> & { readonly likeness: number })[]> {
    const found = await notesNamedLike(this.#searched, terms);
    return found
      .filter(({ id }) => this.#filter.allows(id))
      .map(({ id, likeness }) => ({ ...candidate(id, 0), likeness }));
  }
}

/** The notes with a name like these words, by their ordinals. */
export async function notesNamedLike(
  { sql, space, words, statistics }: SearchedSpace,
  terms: readonly string[],
): Promise<{ readonly id: number; readonly likeness: number; readonly path: string }[]> {
  const trigrams = trigramsOf(terms).map(trigramTerm);
  const counts = await words.counts(trigrams);
  const rarest = rarestTrigrams(new Map([...counts].map(([trigram, { texts }]) => [trigram, texts.length])));
  const rarities = new Map<number, number>();
  for (const trigram of rarest) {
    const { texts } = counts.get(trigram)!;
    const rarity = rarityOf(texts.length, statistics.documents);
    for (const text of texts) rarities.set(text, (rarities.get(text) ?? 0) + rarity);
  }
  const candidates = [...rarities]
    .sort(([one, a], [other, b]) => b - a || one - other)
    .slice(0, MOST_CANDIDATES)
    .map(([ordinal]) => ordinal);
  if (candidates.length === 0) return [];
  const rows = await sql`
    SELECT ordinal, path, facts FROM commonplace.note JOIN commonplace.file ON file.space = note.space AND file.id = note.file
    WHERE note.space = ${space} AND ordinal = ANY(${candidates})`;
  const paths = new Map(rows.map((row) => [Number(row["ordinal"]), String(row["path"])]));
  const named = rows.map(({ ordinal, path, facts }) => ({
    id: Number(ordinal),
    names: namesOf({ path: String(path), facts: JSON.parse(String(facts)) as Facts }),
  }));
  return likeAmong(named, terms).map((match) => ({ ...match, path: paths.get(match.id)! }));
}

function withPlaces<T>(term: string, places: ReadonlyMap<string, T>): [string, T][] {
  const known = places.get(term);
  return known === undefined ? [] : [[term, known]];
}

function keyOfTerms(terms: readonly string[]): string {
  return terms.join(" ");
}

function termsOf({ spellings }: SpelledWord): string[] {
  return spellings.map(({ term }) => term);
}

function candidate(id: number, rank: number): Candidate<undefined> {
  return { id, rank, document: undefined };
}

/** What a document is called in a list. */
export function titleOf(path: string, { title }: Facts): string {
  return title ?? nameOfDocument(path);
}
