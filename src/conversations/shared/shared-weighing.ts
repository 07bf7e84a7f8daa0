// How well texts of a shared store match some of the words of a query: which texts
// have them and how often comes from the database, then where they are in the few
// that may be the best; search/weighing.ts does the rest. Used by shared-text.ts.
import {
  allOf,
  chosenWords,
  type EqualSpellings,
  equalSpellings,
  type Evidence,
  onceIn,
  type Places,
  promisingTexts,
  type SpelledWord,
  weigh,
  type WeighedCandidate,
  type WeighedWord,
  wordsOfHits,
} from "../../search/search.ts";
import { type BestPage, ofOwners, PAGES_EACH } from "../store/text-index.ts";
import { TITLE_WEIGHT } from "../store/text-rows.ts";
import { anyWord } from "./search-expression.ts";
import { type FoundPlaces, pageOf, type TextHit, type TextQueries } from "./text-queries.ts";

interface Group extends EqualSpellings {
  readonly word: SpelledWord;
  /** Whether its places are wanted, or only which texts have it. */
  readonly isPlaced: boolean;
}

/** By text, the places of a group's words in it. */
type PlacesByText = ReadonlyMap<number, readonly number[]>;

export async function weighShared(
  text: TextQueries,
  words: readonly SpelledWord[],
  limit: number,
): Promise<{
  readonly best: readonly WeighedCandidate<BestPage>[];
  readonly total: number;
  readonly evidence?: Evidence;
}> {
  const { documents, averageLength } = await text.statistics();
  const chosen = chosenWords(words);
  const read = chosen.filter(({ extent }) => extent !== "nothing");
  const unread = chosen.filter(({ extent }) => extent === "nothing");
  const hitting = new Set(
    wordsOfHits(
      read.map((one) => ({ ...one, term: one.word.term })),
      documents,
    ).map(({ word }) => word),
  );
  const query = anyWord([...hitting].flatMap(termsOf));
  if (query.kind === "any" && query.of.length === 0) return { best: [], total: 0 };
  const groups = read.flatMap(({ word, extent }): Group[] =>
    equalSpellings(word).map((equal) => ({ ...equal, word, isPlaced: extent === "places" })),
  );
  /** Which texts have a word is known of those that were found only: not of words that make no hits, nor with a filter. */
  const counted = read.filter(({ word }) => !text.isWhole || !hitting.has(word));
  const [found, counts] = await Promise.all([
    // Few texts have most spellings: counting all of them in each text would take longer.
    Promise.all(
      groups.map(({ word, terms }) => {
        const own = anyWord(terms);
        return text.hits(hitting.has(word) ? own : allOf([own, query]), [own]);
      }),
    ),
    Promise.all(
      counted.map(async ({ word, texts: known }): Promise<[SpelledWord, number]> => [
        word,
        word.spellings.length === 1 ? known : await text.countTexts(anyWord(termsOf(word))),
      ]),
    ).then((all) => new Map(all)),
  ]);
  const hits = joinedHits(found);
  const texts = {
    lengths: Int32Array.from(hits, ({ length }) => length),
    averageLength,
    count: documents,
    weightAt: (at: number) => (hits[at]!.isTitle ? TITLE_WEIGHT : 1),
  };
  const weighed = (places: (group: number) => Places): WeighedWord[] => [
    ...read.map(({ word, texts: known, extent }) => ({
      ...wordOf(word, known),
      isPlaced: extent === "places",
      spellings: groups.flatMap((group, i) => (group.word === word ? [{ share: group.share, places: places(i) }] : [])),
      textsInAll: counts.get(word),
    })),
    ...unread.map(({ word, texts: known }) => ({ ...wordOf(word, known), isPlaced: false, spellings: [] })),
  ];
  const most = PAGES_EACH * limit;
  const placesOf = (group: number, known: PlacesByText) =>
    groups[group]!.isPlaced ? placesIn(hits, group, known) : onceIn(textsWith(hits, group));
  const unplaced = weighed((group) => placesOf(group, new Map()));
  const promising = promisingTexts(
    unplaced.filter(({ spellings }) => spellings.length > 0),
    texts,
    most,
  );
  const wanted = promising.map((at) => hits[at]!);
  // A word alone is near nothing, wherever it is.
  const hasSeveralWords = ({ frequencies }: TextHit) =>
    new Set(groups.flatMap(({ word, isPlaced }, group) => (isPlaced && frequencies[group]! > 0 ? [word] : []))).size >
    1;
  const byName = new Map(promising.map((at) => [nameOf(hits[at]!), at]));
  const [places, frequent] = await Promise.all([
    text.places(query, wanted.filter(hasSeveralWords), ({ frequencies }) =>
      groups.flatMap(({ terms, isPlaced }, group) => (isPlaced && frequencies[group]! > 0 ? terms : [])),
    ),
    Promise.all(
      unread
        .filter(({ texts: known }) => known > 0)
        .map(async ({ word }): Promise<[string, Set<number>]> => {
          const having = await text.among(anyWord(termsOf(word)), wanted);
          return [word.term, new Set(having.flatMap((row) => byName.get(nameOf(row)) ?? []))];
        }),
    ).then((all) => new Map(all)),
  ]);
  const located = placesFound(places, groups, byName);
  const {
    best,
    hits: all,
    evidence,
  } = weigh(
    weighed((group) => placesOf(group, located[group]!)),
    texts,
    most,
    { having: ({ term }) => frequent.get(term) ?? new Set(), allowed: (some) => some },
  );
  return {
    best: conversationsOf(best, hits).slice(0, limit),
    total: new Set(all.map((at) => hits[at]!.conversation)).size,
    evidence: ofOwners(evidence, (at) => hits[at]!.conversation),
  };
}

function wordOf({ term, offset, weight, isCorrected }: SpelledWord, texts: number) {
  return { term, offset, weight, texts, isGuessed: isCorrected };
}

function termsOf({ spellings }: SpelledWord): string[] {
  return spellings.map(({ term }) => term);
}

/** A text, by its key. */
function nameOf({ conversation, page, part }: Readonly<Record<string, unknown>> | TextHit): string {
  return `${String(conversation)} ${String(page)} ${String(part)}`;
}

/** The texts that any group finds, in the order of their keys, and how often each has the words of every group. */
function joinedHits(found: readonly (readonly TextHit[])[]): TextHit[] {
  const joined = new Map<string, TextHit & { readonly frequencies: number[] }>();
  for (const [group, hits] of found.entries())
    for (const hit of hits) {
      const name = nameOf(hit);
      const known = joined.get(name) ?? { ...hit, frequencies: found.map(() => 0) };
      known.frequencies[group] = hit.frequencies[0]!;
      joined.set(name, known);
    }
  return [...joined.values()].sort((a, b) => a.conversation - b.conversation || a.page - b.page || a.part - b.part);
}

/** Per group. */
function placesFound(
  texts: readonly FoundPlaces[],
  groups: readonly Group[],
  byName: ReadonlyMap<string, number>,
): PlacesByText[] {
  const found = groups.map(() => new Map<number, number[]>());
  for (const { text, places } of texts) {
    const at = byName.get(nameOf(text))!;
    for (const [group, { terms }] of groups.entries()) {
      const own = places.filter(({ term }) => terms.includes(term)).flatMap((one) => one.at);
      if (own.length > 0)
        found[group]!.set(
          at,
          own.sort((a, b) => a - b),
        );
    }
  }
  return found;
}

/** Where a group's words are; of a text that was not looked at, only as often as they are there. */
function placesIn(hits: readonly TextHit[], group: number, known: PlacesByText): Places {
  const texts: number[] = [];
  const places: number[] = [];
  for (const [at, { frequencies }] of hits.entries())
    for (const place of known.get(at) ?? Array.from({ length: frequencies[group]! }, () => 0)) {
      texts.push(at);
      places.push(place);
    }
  return { texts: Int32Array.from(texts), places: Int32Array.from(places) };
}

function textsWith(hits: readonly TextHit[], group: number): Int32Array {
  return Int32Array.from([...hits.keys()].filter((at) => hits[at]!.frequencies[group]! > 0));
}

/** A conversation counts by its best text. */
function conversationsOf(
  best: ReturnType<typeof weigh>["best"],
  hits: readonly TextHit[],
): readonly WeighedCandidate<BestPage>[] {
  const found = new Map<number, WeighedCandidate<BestPage>>();
  for (const { text: at, relevance, mayBePhrase } of best) {
    const { conversation: id } = hits[at]!;
    const known = found.get(id);
    if (known === undefined) found.set(id, { id, rank: 0, document: pageOf(hits[at]!), relevance, mayBePhrase });
    else if (mayBePhrase && !known.mayBePhrase) found.set(id, { ...known, mayBePhrase });
  }
  return [...found.values()];
}
