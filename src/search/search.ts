// The front door of search/: what other rooms may use of it.
export { search, type Found, type Hit, type SearchOptions } from "./document-search.ts";
export {
  keepDocument,
  mergeText,
  putDocuments,
  removeDocument,
  removeEverything,
  type Prepared,
  type Storing,
} from "./document-writer.ts";
export {
  NO_FACTS,
  comparableName,
  documentOf,
  nameOfDocument,
  unreadDocument,
  type DocumentKind,
  type Facts,
  type Fields,
  type IndexedDocument,
  type Version,
} from "./document.ts";
export type { Filter } from "./filters.ts";
export { keepFresh, type Freshness, type SweepOptions } from "./freshness.ts";
export { NOTES, NOTES_KIND, SCHEMA } from "./index-tables.ts";
export { namesLike } from "./names.ts";
export { parseQuery, type SearchQuery } from "./query.ts";
export { readingsOf, type Candidate, type Matches, type Named, type TextIndex } from "./readings.ts";
export { rarityOf, relevanceOf, type Statistics } from "./relevance.ts";
export { closenessOf, rounded, scoreOf } from "./scores.ts";
export { matchesIn, snippetOf, type Snippet } from "./snippet.ts";
export { correctionsOf, endOf } from "./spelling.ts";
export { allOf, anyOf, ftsExpression, phrase, prefix, type TextQuery } from "./text-query.ts";
export { foldForSearch, foldWithOffsets, indexText, isPaired, isStopWord, termsOf, type FoldedText } from "./terms.ts";
export { statisticsOf, versionOfText } from "./text-statistics.ts";
export { settledWithin } from "./waiting.ts";
export { beginningOf, charactersOf, segmentsOf, textAround, wholeCharacters } from "./graphemes.ts";
