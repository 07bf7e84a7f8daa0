// A search of the notes of a space, best first: as search/documents/document-search.ts
// searches a folder. Used by shared-note-index.ts, within one transaction.
import type { Row } from "../../../postgres/postgres.ts";
import {
  anyOf,
  evaluate,
  type Facts,
  type Found,
  type Hit,
  phrase,
  readingsFrom,
  rounded,
  type Scored,
  scoreOf,
  SEARCHED_KINDS,
  type SearchOptions,
  type SearchQuery,
} from "../../../search/search.ts";
import { EVERY_NOTE, filterFor, type NoteFilter, notesListed } from "./shared-filter.ts";
import { type SearchedSpace, SharedText } from "./shared-text.ts";

/** A hit, and the number of its file. */
export interface SharedHit extends Hit {
  readonly file: number;
}

export interface SharedFound extends Found {
  readonly hits: readonly SharedHit[];
}

type Hiding = ((path: string) => boolean) | undefined;

/** Which notes may be found, with all that the query excludes. */
export async function filterOfQuery(
  searched: SearchedSpace,
  isHidden: Hiding,
  query: SearchQuery,
  scope: SearchOptions | object,
): Promise<NoteFilter> {
  const filter = await filterFor({ ...searched, isHidden }, query, scope);
  const excluded = [...query.withoutWords.map((word) => [word]), ...query.withoutPhrases];
  if (excluded.length === 0) return filter;
  const without = new Set((await evaluate(searched.words, anyOf(excluded.map(phrase)))).texts);
  return { allows: (ordinal) => filter.allows(ordinal) && !without.has(ordinal), isWhole: false };
}

export async function searchShared(
  searched: SearchedSpace,
  isHidden: Hiding,
  query: SearchQuery,
  options: SearchOptions,
): Promise<SharedFound> {
  const { offset = 0, limit } = options;
  if (query.isEmpty && options.during === undefined) return { hits: [], total: 0, words: [] };
  const filter = await filterOfQuery(searched, isHidden, query, options);
  if (query.words.length === 0 && query.phrases.length === 0)
    return listing(searched, isHidden, query, options, filter);
  const text = new SharedText(searched, filter);
  const { found, total, words, corrections } = await readingsFrom(text, query, offset + limit);
  const page = (await newestFirst(searched, found)).slice(offset, offset + limit);
  return { hits: await hitsOf(searched, page), total, words: [...new Set(words)], corrections };
}

/** The documents for a query of filters only, newest first. */
async function listing(
  searched: SearchedSpace,
  isHidden: Hiding,
  query: SearchQuery,
  options: SearchOptions,
  filter: NoteFilter = EVERY_NOTE,
): Promise<SharedFound> {
  const { offset = 0, limit, kinds = SEARCHED_KINDS } = options;
  const rows = await notesListed({ ...searched, isHidden }, query, { ...options, kinds });
  const listed = rows.map((row) => Number(row["ordinal"])).filter((ordinal) => filter.allows(ordinal));
  const score = scoreOf("allWords", 0);
  const page = listed.slice(offset, offset + limit).map((id) => ({ id, score }));
  return { hits: await hitsOf(searched, page, (given) => given), total: listed.length, words: [] };
}

/** Of hits with the same score the newest first, then by path. */
async function newestFirst(
  { sql, space, documents }: SearchedSpace,
  found: readonly Scored<undefined>[],
): Promise<readonly Scored<undefined>[]> {
  const isTied = ({ score }: Scored<undefined>, i: number) =>
    score === found[i - 1]?.score || score === found[i + 1]?.score;
  const tied = found.filter(isTied).map(({ id }) => id);
  if (tied.length === 0) return found;
  const rows = await sql`
    SELECT ordinal, path FROM commonplace.note JOIN commonplace.file ON file.space = note.space AND file.id = note.file
    WHERE note.space = ${space} AND ordinal = ANY(${tied})`;
  const paths = new Map(rows.map((row) => [Number(row["ordinal"]), String(row["path"])]));
  return found.toSorted(
    (a, b) =>
      b.score - a.score ||
      documents.times[b.id]! - documents.times[a.id]! ||
      ((paths.get(a.id) ?? "") < (paths.get(b.id) ?? "") ? -1 : 1),
  );
}

/** What is shown of notes; those that are gone are left out. */
async function hitsOf(
  { sql, space }: SearchedSpace,
  page: readonly { readonly id: number; readonly score: number }[],
  shownScore = rounded,
): Promise<SharedHit[]> {
  if (page.length === 0) return [];
  const rows = await sql`
    SELECT ordinal, note.file, path, note.kind, modified, facts FROM commonplace.note
    JOIN commonplace.file ON file.space = note.space AND file.id = note.file
    WHERE note.space = ${space} AND ordinal = ANY(${page.map(({ id }) => id)})`;
  const documents = new Map(rows.map((row) => [Number(row["ordinal"]), hitIn(row)]));
  return page.flatMap(({ id, score }) => {
    const document = documents.get(id);
    return document === undefined ? [] : [{ ...document, score: shownScore(score) }];
  });
}

function hitIn({ file, path, kind, modified, facts }: Row): Omit<SharedHit, "score"> {
  const { title, properties } = JSON.parse(String(facts)) as Facts;
  return { file: Number(file), path: String(path), kind: String(kind), mtime: Number(modified), title, properties };
}
