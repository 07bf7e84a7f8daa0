// Why a search of notes has found nothing: a filter that no note passes, with what may
// have been meant, filters that exclude each other, signs instead of words. Only asked
// then, since it takes a query for each filter. Used by the tools that search.
import { nameIn, nearest, shortened } from "../kernel/kernel.ts";
import { parseQuery, type PropertyFilter, type SearchQuery } from "../search/search.ts";
import type { NoteSearch } from "./note-index/note-index.ts";
import type { Vault } from "./vault.ts";

/** Filters that are tried one by one. */
const MAX_TRIED = 8;
/** Names that are compared with a mistyped one. */
const MAX_COMPARED = 2_000;

type Within = Omit<NoteSearch, "limit" | "related" | "offset">;

interface NamedFilter {
  /** As it is sent. */
  readonly written: string;
  readonly none: string;
  /** The name that is meant, if a note has one that is nearly the same. */
  readonly meant: (vault: Vault) => Promise<string | undefined>;
}

/** A vault that was searched, and what the call itself restricts the search to. */
interface Searched {
  readonly vault: Vault;
  readonly within: Within;
}

/** Undefined if there is no more to say. */
export async function whyNothing(text: string, searched: readonly Searched[]): Promise<string | undefined> {
  const query = parseQuery(text);
  const isQuoted = QUOTES.test(text);
  return whyNothingIn(text) ?? (await whyNonePasses(query, searched)) ?? (isQuoted ? WORD_FOR_WORD : undefined);
}

const QUOTES = /["“”„«»].*["“”„«»]/s;
const WORD_FOR_WORD = "What is in quotes is found word for word only: leave the quotes out to find more.";

/** The same for what has no notes: what is wrong with the query itself. */
export function whyNothingIn(text: string): string | undefined {
  const operator = /(?:^|\s)-?(tag|path|prop):[#/]*(?=\s|$)/i.exec(text.replace(/"[^"]*"/g, '""'))?.[1]?.toLowerCase();
  if (operator !== undefined)
    return `${operator}: has no value, so it was searched for as a word: write ${EXAMPLES[operator]!}.`;
  return parseQuery(text).isEmpty ? "The query has no words: punctuation is not searched for." : undefined;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  tag: "tag:#name",
  path: "path:folder",
  prop: "prop:name=value",
};

async function whyNonePasses(query: SearchQuery, searched: readonly Searched[]): Promise<string | undefined> {
  const filters = filtersIn(query);
  if (filters.length === 0) return whyAllAreLeftOut(query, searched);
  const count = (asked: string) => countOf(asked, searched);
  const isEither = /\sOR\s/.test(query.plain) || query.plain === "OR";
  const counted: string[] = [];
  for (const { written, none, meant } of filters.slice(0, MAX_TRIED)) {
    const passing = await count(written);
    counted.push(`${shortened(written)} (${notesIn(passing)})`);
    if (passing > 0) continue;
    const names = await Promise.all(searched.map(({ vault }) => meant(vault)));
    const name = names.find((each) => each !== undefined);
    return [none, ...(name === undefined ? [] : [`Did you mean ${name}?`]), ...(isEither ? [NO_OR] : [])].join(" ");
  }
  const all = await countOf([...filters.map(({ written }) => written), ...excludedIn(query)].join(" "), searched, true);
  if (all === 0)
    return [`No note passes all filters at once: ${counted.join(", ")}.`, ...(isEither ? [NO_OR] : [])].join(" ");
  if (query.words.length + query.phrases.length === 0) return undefined;
  return `${notesIn(all)} ${all === 1 ? "passes" : "pass"} the filters, without these words.`;
}

const NO_OR = "OR is a word like any other: search for each filter by itself.";

/** If notes have the words, and the query excludes them or the call is about other places or times. */
async function whyAllAreLeftOut(query: SearchQuery, searched: readonly Searched[]): Promise<string | undefined> {
  const isLimited = searched.some(({ within: { paths, during } }) => paths !== undefined || during !== undefined);
  const words = [...query.words, ...query.phrases.map((terms) => `"${terms.join(" ")}"`)];
  if (words.length === 0 || (!isLimited && excludedIn(query).length === 0)) return undefined;
  const having = await countOf(words.join(" "), searched);
  if (having === 0) return undefined;
  return `${notesIn(having)} ${having === 1 ? "has" : "have"} the words, but none passes the exclusions, places and times of the search.`;
}

async function countOf(asked: string, searched: readonly Searched[], isWithin = false): Promise<number> {
  const found = await Promise.all(
    searched.map(({ vault, within }) => vault.index.search(asked, { ...(isWithin && within), limit: 0 })),
  );
  return found.reduce((sum, { total }) => sum + total, 0);
}

function notesIn(count: number): string {
  return `${count} ${count === 1 ? "note" : "notes"}`;
}

function filtersIn({ tags, paths, properties }: SearchQuery): NamedFilter[] {
  return [
    ...tags.map((tag) => ({
      written: `tag:"${tag}"`,
      none: `No note has the tag #${shortened(tag)}.`,
      meant: async ({ index }: Vault) => {
        const known = (await index.tags()).answer.slice(0, MAX_COMPARED).map((each) => each.tag);
        const near = nearest(tag, known) ?? known.find((each) => nameIn(each).toLowerCase() === tag.toLowerCase());
        return near && `#${shortened(near)}`;
      },
    })),
    ...paths.map((path) => ({
      written: `path:"${path}"`,
      none: `No note has ${JSON.stringify(shortened(path))} in its path${path.includes("*") ? ", which has no wildcards" : ""}.`,
      meant: async ({ index }: Vault) => {
        const folders = new Set((await index.paths()).answer.flatMap((each) => each.split("/").slice(0, -1)));
        const near = nearest(nameIn(path), [...folders].slice(0, MAX_COMPARED));
        return near && `path:${JSON.stringify(shortened(near))}`;
      },
    })),
    ...properties.map((property) => ({
      written: `prop:${writtenProperty(property)}`,
      none:
        property.value === undefined
          ? `No note has the property ${shortened(property.name)}.${property.name.includes(":") ? " A value is written as prop:name=value." : ""}`
          : `No note has the property ${shortened(property.name)} with ${property.comparison ?? "the value"} ${shortened(property.value)}.`,
      meant: async () => undefined,
    })),
  ];
}

function writtenProperty({ name, value, comparison }: PropertyFilter): string {
  return value === undefined ? `"${name}"` : `"${name}"${comparison ?? "="}"${value}"`;
}

function excludedIn(query: SearchQuery): string[] {
  return [
    ...query.withoutTags.map((tag) => `-tag:"${tag}"`),
    ...query.withoutPaths.map((path) => `-path:"${path}"`),
    ...query.withoutProperties.map((property) => `-prop:${writtenProperty(property)}`),
    ...[...query.withoutWords.map((word) => [word]), ...query.withoutPhrases].map((terms) => `-"${terms.join(" ")}"`),
  ];
}
