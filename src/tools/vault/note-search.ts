// Searches the notes of every vault that a call is about, or of the first one, and what the tools that do so
// share: the argument, the fields of results, and related notes. Used by searches.ts,
// every/search.ts and every/searchers.ts.
import { Problem } from "../../kernel/kernel.ts";
import type { NoteAnswer, NoteHit, NoteIndex } from "../../vault/vault.ts";
import type { Services } from "../definition/define-tool.ts";
import { integer, list, number, object, optional, resultObject, text, unlisted } from "../definition/schema.ts";
import { UNFOUND } from "../definition/unfound-words.ts";
import { askEveryVault, best, type InVault, UNAVAILABLE } from "./every-vault.ts";
import { FRESHNESS } from "./fields.ts";

export const QUERY_SYNTAX = 'Words; "a phrase", -without, tag:#x, path:folder, prop:status=open';
export const NO_QUERY = "Query parameter is required and cannot be empty";
export const QUERY = text(QUERY_SYNTAX, { missing: NO_QUERY, notEmpty: true });

/** Searches also name files that could not be read, if the answer may concern them. */
export const SEARCH_FRESHNESS = {
  ...FRESHNESS,
  /** PDF files that are still to be read: search again in a moment. */
  waitingPdfs: unlisted(integer()),
  unreadable: unlisted(list(resultObject<NoteAnswer["unread"][number] & InVault>())),
  /** Names places that do not exist, says that the query was cut, or why the embeddings endpoint was not used. */
  hint: unlisted(text()),
  ...UNFOUND,
  ...UNAVAILABLE,
};

/** Notes near in meaning, beside the results: never mixed into them. */
export const RELATED = optional(
  list(object({ filePath: text(), vault: optional(text()), nearness: number(), passage: text() })),
);
export const MAX_RELATED = 3;

/** The related notes that are not listed. Two vaults may have notes of the same path. */
export function withoutListed<N extends { readonly path: string } & InVault>(
  related: readonly N[],
  listed: readonly ({ readonly path: string } & InVault)[],
): N[] {
  return related.filter((note) => !listed.some(({ path, vault }) => path === note.path && vault === note.vault));
}

/** Returns the field for related notes, if there are any. */
export function relatedOf({ related }: { readonly related: readonly (NoteAnswer["related"][number] & InVault)[] }) {
  if (related.length === 0) return {};
  return {
    related: related.map(({ path, vault, nearness, passage }) => ({
      filePath: path,
      ...(vault !== undefined && { vault }),
      nearness,
      passage,
    })),
  };
}

/** Of places that do not exist: for more there is a tool that lists folders. */
const MAX_HINTS = 3;

/** Searches the notes of every vault that the call is about, in one ranking. @param paths as they were sent */
export async function searchNotes(
  services: Services,
  query: string,
  paths: readonly string[] | undefined,
  options: Omit<Parameters<NoteIndex["search"]>[1], "paths" | "files">,
) {
  const { searchedPlace } = await import("../../vault/vault.ts");
  const { hintForCut, parseQuery, surest, unfoundInAll } = await import("../../search/search.ts");
  const cut = hintForCut(parseQuery(query));
  const { offset = 0, limit } = options;
  // If there are several vaults, only the best of all their hits are listed.
  const relatesHits = options.relatesHits === true || services.askedVaults.length > 1;
  // Any one of several vaults may have all of the best hits.
  const page = services.askedVaults.length === 1 ? { offset, limit } : { offset: 0, limit: offset + limit };
  const { answers, missing } = await askEveryVault(services, async (vault) => {
    const places = await Promise.all((paths ?? []).map((path) => searchedPlace(vault, path)));
    const within = paths && places.flatMap(({ path, files }) => (files === undefined ? [path] : []));
    const files = places.flatMap((place) => place.files ?? []);
    const found = await vault.index.search(query, { ...options, ...page, paths: within, files, relatesHits });
    const missing = new Map(places.flatMap(({ path, missing }) => (missing === undefined ? [] : [[path, missing]])));
    return { ...found, missingPlaces: missing, searched: { vault, paths: within, files } };
  });
  const hints = [...answers[0]!.answer.missingPlaces]
    .filter(([path]) => answers.every(({ answer }) => answer.missingPlaces.has(path)))
    .map(([, hint]) => hint);
  const hits = best(
    answers.map((each) => each.answer.hits.map((hit): NoteHit & InVault => ({ ...hit, ...each.in }))),
    page.limit,
  ).slice(offset - page.offset);
  const total = answers.reduce((sum, { answer }) => sum + answer.total, 0);
  const isWhole =
    missing.unavailable === undefined && answers.every(({ answer }) => !answer.indexing && answer.waitingPdfs === 0);
  const near = answers
    .flatMap((each) => each.answer.related.map((found) => ({ ...found, ...each.in })))
    .toSorted((a, b) => b.nearness - a.nearness);
  return {
    hits,
    total,
    /** How many there are in each vault, if there are several. */
    totals: Object.fromEntries(
      answers.flatMap(({ answer, in: { vault } }) => (vault === undefined ? [] : [[vault, answer.total]])),
    ),
    /** Terms that no note has; none while some notes cannot be asked. */
    unfound: isWhole ? unfoundInAll(answers.map(({ answer }) => answer.unfound)) : [],
    /** Of a question; undefined while some notes cannot be asked. */
    known: isWhole ? surest(answers.map(({ answer }) => answer.known)) : undefined,
    related: options.relatesHits === true ? near : withoutListed(near, hits).slice(0, MAX_RELATED),
    facts: {
      ...freshnessOf({
        stale: answers.some(({ answer }) => answer.stale),
        indexing: answers.find(({ answer }) => answer.indexing)?.answer.indexing,
        unread: concerned(
          answers.flatMap((each) => each.answer.unread.map((file) => ({ ...file, ...each.in }))),
          hits,
        ),
        waitingPdfs: answers.reduce((sum, { answer }) => sum + answer.waitingPdfs, 0),
      }),
      ...hintOf([...(cut === undefined ? [] : [cut]), ...hints.slice(0, MAX_HINTS)], answers),
      ...missing,
    },
    /** Asked only if nothing else is listed either. */
    whyNothing: async () => {
      // A place that does not exist is reason enough.
      if (total > 0 || hints.length > 0) return undefined;
      const { whyNothing } = await import("../../vault/vault.ts");
      const { offset: _, limit: __, related: ___, ...within } = options;
      return whyNothing(
        query,
        answers.map(({ answer: { searched } }) => ({
          vault: searched.vault,
          within: { ...within, paths: searched.paths, files: searched.files },
        })),
      );
    },
  };
}

/**
 * Searches the notes of the first vault that the call is about, as a contract whose rows have no vault wants it.
 * @returns also how many hits each of the others has
 */
export async function searchFirstVault(
  services: Services,
  query: string,
  paths: readonly string[] | undefined,
  options: Omit<Parameters<NoteIndex["search"]>[1], "paths" | "files">,
) {
  const [first, ...others] = services.askedVaults;
  const found = await searchNotes({ ...services, askedVaults: [first!] }, query, paths, options);
  if (others.length === 0) return { ...found, totals: undefined, elsewhere: undefined };
  const counted = await searchNotes({ ...services, askedVaults: others }, query, paths, {
    ...options,
    offset: 0,
    limit: 1,
    related: 0,
  }).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  const { unfoundInAll } = await import("../../search/search.ts");
  const hits = Object.entries(counted?.totals ?? {}).filter(([, total]) => total > 0);
  return {
    ...found,
    totals: { ...found.totals, ...counted?.totals },
    unfound: counted === undefined ? [] : unfoundInAll([found.unfound, counted.unfound]),
    /** A sentence: the rows are not all that there is. */
    elsewhere: `Searched in ${first!.name} alone${hits
      .map(([vault, total]) => `; ${vault} has ${total}: send vault: "${vault}"`)
      .join("")}.`,
  };
}

/** The files that could not be read and that an answer is about: its hits, or perhaps what was not found. */
function concerned<F extends { readonly path: string } & InVault>(
  unread: readonly F[],
  hits: readonly ({ readonly path: string } & InVault)[],
): readonly F[] {
  if (hits.length === 0) return unread;
  return unread.filter((file) => hits.some(({ path, vault }) => path === file.path && vault === file.vault));
}

/** Characters of a query that an answer repeats. */
const MAX_ECHO_LENGTH = 200;

/** The query as an answer repeats it: a pasted page is cut. */
export function repeated(query: string): string {
  return query.length <= MAX_ECHO_LENGTH ? query : `${query.slice(0, MAX_ECHO_LENGTH).toWellFormed()}…`;
}

/** The message of the contract. */
export function nothingFound(query: string): string {
  return `No results found for query: ${repeated(query)}`;
}

/** Hints one after the other, if there are any. */
export function hintsOf(...hints: readonly (string | undefined)[]) {
  const said = hints.filter((hint) => hint !== undefined);
  return said.length > 0 && { hint: said.join(" ") };
}

/** Words the hint about parts of the question that were left out, and about an endpoint that was not used. */
function hintOf(leftOut: readonly string[], answers: readonly { readonly answer: Pick<NoteAnswer, "relatedFault"> }[]) {
  const fault = answers.find(({ answer }) => answer.relatedFault !== undefined)?.answer.relatedFault;
  const hints = fault === undefined ? leftOut : [...leftOut, `${fault} Related notes are from the built-in table.`];
  return hints.length > 0 && { hint: hints.join(" ") };
}

/** Returns the notes of an answer that may be incomplete. */
function freshnessOf({
  stale,
  indexing,
  unread,
  waitingPdfs,
}: Pick<NoteAnswer, "stale" | "waitingPdfs"> & {
  readonly indexing: NoteAnswer["indexing"] | undefined;
  readonly unread: readonly (NoteAnswer["unread"][number] & InVault)[];
}) {
  return {
    ...(stale && { stale: true }),
    ...(indexing && {
      indexing: {
        ...indexing,
        hint: "The vault is being indexed for the first time: search again in a moment for more.",
      },
    }),
    ...(waitingPdfs > 0 && { waitingPdfs }),
    ...(unread.length > 0 && { unreadable: unread.slice(0, 20) }),
  };
}

/** Results are in order: more digits say nothing. */
export function shortScore(score: number): number {
  return Math.max(0.01, Math.round(score * 100) / 100);
}
