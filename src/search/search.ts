// The front door of search/: what other rooms may use of it.
export {
  closenessOfName,
  search,
  wordsIn,
  type Found,
  type Hit,
  type SearchOptions,
} from "./documents/document-search.ts";
export {
  keepDocument,
  mergeText,
  putDocuments,
  removeDocument,
  removeEverything,
  tableRowsOf,
  type Prepared,
  type Storing,
} from "./documents/document-writer.ts";
export {
  NO_FACTS,
  comparableName,
  comparableTag,
  documentOf,
  nameOfDocument,
  namesOf,
  pdfDocument,
  SEARCHED_KINDS,
  unreadDocument,
  type DocumentKind,
  type Facts,
  type Fields,
  type IndexedDocument,
  type Version,
} from "./documents/document.ts";
export { filesNamed, MOST_LOOKED_AT, shortestNamed } from "./documents/file-search.ts";
export { hasAll, headingsAmong, headingsWith, MOST_HEADED, type FoundHeading } from "./documents/heading-search.ts";
export { checkPlaces, filterOf, hasTag, type Filter, type Filters, type Scope } from "./documents/filters.ts";
export { keepFresh, settledWithin, type Freshness, type SweepOptions } from "./freshness.ts";
export { NOTES, NOTES_KIND, SCHEMA } from "./documents/index-tables.ts";
export { likeAmong, MOST_CANDIDATES, namesLike, rarestTrigrams, trigramsOf } from "./documents/similar-names.ts";
export { hintForCut, MOST_FILTERS, MOST_WORDS, parseQuery, type PropertyFilter, type SearchQuery } from "./query.ts";
export {
  type FirstQuestions,
  firstQuestionsOf,
  readingsFrom,
  readingsOf,
  type Candidate,
  type Matches,
  type Named,
  type RemoteTextIndex,
  type Scored,
  type TextIndex,
  type WeighedCandidate,
} from "./readings.ts";
export {
  BLOCK_SIZE,
  COLUMNS,
  countsIn,
  entryOf,
  fingerprintOf,
  mergedCounts,
  mergedPlaces,
  occurrencesIn,
  packBlock,
  placeAt,
  placesIn,
  unpackBlock,
  type Entry,
  type WordCounts,
} from "./postings/postings.ts";
export { NewTexts } from "./postings/new-texts.ts";
export {
  ALL_COLUMNS,
  evaluate,
  onlyColumns,
  ranksOf,
  type Evaluated,
  type StoredWords,
  type TermsHits,
} from "./postings/posting-search.ts";
export { isInformative, rarityOf, relevanceOf, type Statistics } from "./relevance.ts";
export { closenessOf, rounded, scoreOf } from "./scores.ts";
export { matchesIn } from "./matches.ts";
export { snippetOf, type Snippet } from "./snippet.ts";
export { correctionsOf, endOf, lookupsFor, MOST_COMPARED, nearestAmong } from "./words/spelling.ts";
export { allOf, anyOf, ftsExpression, phrase, prefix, type TextQuery } from "./text-query.ts";
export { foldForSearch, foldWithOffsets, type FoldedText } from "./words/folding.ts";
export { indexedTerms, indexText, isPaired, spellingOf, symbolsOf, termsOf } from "./words/terms.ts";
export { isStopWord, stemsOf } from "./words/word-forms.ts";
export { integersIn, readTextLengths, versionOfText } from "./documents/text-statistics.ts";
export { promisingTexts, weigh, wordsOfHits, type Places, type WeighedWord } from "./weighing.ts";
export { DATED_PROPERTIES, daysOf, isOfTime, type Days, type TimeSpan } from "./documents/note-times.ts";
export { documentSets, documentsWith, type DocumentSets } from "./documents/document-sets.ts";
export {
  chosenWords,
  type EqualSpellings,
  equalSpellings,
  OCCURRENCES,
  onceIn,
  placesCache,
  readWords,
  type PlacesCache,
  columnAt,
  type SpelledWord,
} from "./documents/word-places.ts";
export { MOST_BEGINNING, spellingsAmong, spellingsOf, termsToLookUp, type Known } from "./words/spellings.ts";
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
export { wordTableBytes, wordTableIn, type WordTable } from "./meaning/word-table.ts";
