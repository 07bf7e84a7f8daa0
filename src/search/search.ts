// The front door of search/: what other rooms may use of it.
export { search, type Found, type Hit, type SearchOptions } from "./documents/document-search.ts";
export {
  keepDocument,
  mergeText,
  putDocuments,
  putInSteps,
  removeDocument,
  removeInSteps,
  removeEverything,
  type Prepared,
  type Storing,
} from "./documents/document-writer.ts";
export {
  NO_FACTS,
  comparableName,
  documentInSteps,
  nameOfDocument,
  pdfDocument,
  unreadDocument,
  type DocumentKind,
  type Facts,
  type Fields,
  type IndexedDocument,
  type Version,
} from "./documents/document.ts";
export { filesNamed } from "./documents/file-search.ts";
export { headingsWith, type FoundHeading } from "./documents/heading-search.ts";
export { filterOf, hasTag, type Filter, type Scope } from "./documents/filters.ts";
export { endUse, fedIndex, keepFed, type FedIndex, type Feeding } from "./fed-index.ts";
export { keepFresh, settledWithin, type Freshness, type SweepOptions } from "./freshness.ts";
export { NOTES, NOTES_KIND, SCHEMA } from "./documents/index-tables.ts";
export { namesLike } from "./documents/similar-names.ts";
export { hintForCut, MAX_FILTERS, parseQuery, type PropertyFilter, type SearchQuery } from "./query.ts";
export {
  readingsOf,
  type Candidate,
  type Matches,
  type Named,
  type TextIndex,
  type WeighedCandidate,
} from "./readings.ts";
export { rarityOf, relevanceOf, type Statistics } from "./relevance.ts";
export { closenessOf, rounded, scoreOf } from "./scores.ts";
export { matchesIn } from "./matches.ts";
export { type Grounds, groundsOf, type HowSure, type Sureness, surenessOf, surest } from "./sureness.ts";
export { snippetOf, type Snippet } from "./snippet.ts";
export { correctionsOf, endOf, lookupsFor, nearestAmong } from "./words/spelling.ts";
export { hintForUnfound, unfoundInAll, unfoundWords } from "./unfound-words.ts";
export { allOf, anyOf, ftsExpression, phrase, prefix, type TextQuery } from "./text-query.ts";
export { foldForSearch, foldWithOffsets, type FoldedText } from "./words/folding.ts";
export { indexText, isPaired, spellingOf, symbolsOf, termsOf, TOKENIZER } from "./words/terms.ts";
export { isStopWord, stemsOf } from "./words/word-forms.ts";
export { integersIn, readTextLengths, versionOfText } from "./documents/text-statistics.ts";
export { type Evidence, weigh, type WeighedWord } from "./weighing.ts";
export { daysOf, type TimeSpan } from "./documents/note-times.ts";
export { documentSets, documentsWith, type DocumentSets } from "./documents/document-sets.ts";
export { OCCURRENCES, placesCache, readWords, type PlacesCache, type SpelledWord } from "./documents/word-places.ts";
export { containingWords, isSoughtInside, spellingsOf } from "./words/spellings.ts";
export { beginningOf, charactersOf, textAround, wholeCharacters } from "./words/graphemes.ts";
export {
  cutsOf,
  isKnownWord,
  meaningOf,
  meantWords,
  nearnessOf,
  passagesOf,
  quantized,
  SCALE,
  type MeantWord,
  type Passage,
  type PassageCut,
} from "./meaning/passages.ts";
export { wordTableIn, type WordTable } from "./meaning/word-table.ts";
