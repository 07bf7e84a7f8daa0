// Parses a query as a person types it. Used by every search. What is not an operator
// is a word. Of a long text, such as a pasted page, the first words are searched for:
// each word costs time in which the server answers nobody else. Filters are
// never left out, which would find more than was asked for: too many are a Problem.
//
//   "exact phrase"  -without  -"without phrase"  tag:#x  tag:x  #x
//   +"exact phrase" (required, in a sentence too)
//   path:folder  path:"folder with spaces"  prop:status=open  prop:status
//   prop:rating>=7  prop:due<2026-12-01  prop:status!=done
//
// Emoji and signs are words wherever they stand, in quotes too.
// A minus before a filter negates it. An operator without a value is a word, and a
// quote that is never closed is ignored. Words of several terms (node.js, user@host,
// e-mail) are those terms; numbers joined by punctuation (2026-11-15, v1.2.3) are a
// phrase, since their parts have no meaning alone.
import { Problem } from "../kernel/kernel.ts";
import { symbolsOf, termsOf } from "./words/terms.ts";
import { isStopWord } from "./words/word-forms.ts";

export interface PropertyFilter {
  readonly name: string;
  /** Undefined: the property must exist, with any value. */
  readonly value?: string;
  /** Undefined: equal to the value. */
  readonly comparison?: Comparison;
}

export type Comparison = ">" | ">=" | "<" | "<=";

/**
 * Words and phrases are terms of the index (see termsOf). Tags, paths and properties
 * are as typed: code that compares them folds both sides.
 */
export interface SearchQuery {
  /** With emoji and signs, after all others. */
  readonly words: readonly string[];
  /** Without them: the words that stand next to each other in a text that has the query. */
  readonly orderedWords: readonly string[];
  /** True if the last word may be incomplete, since the query ends with it. */
  readonly lastIsPartial: boolean;
  readonly phrases: readonly (readonly string[])[];
  /** Of a sentence, quotes only weigh, unless one has a plus before it. */
  readonly requiresPhrases: boolean;
  readonly withoutWords: readonly string[];
  readonly withoutPhrases: readonly (readonly string[])[];
  /** Without `#`. */
  readonly tags: readonly string[];
  readonly withoutTags: readonly string[];
  /** With slashes between folders, without leading and trailing ones. */
  readonly paths: readonly string[];
  readonly withoutPaths: readonly string[];
  readonly properties: readonly PropertyFilter[];
  readonly withoutProperties: readonly PropertyFilter[];
  /** Words that are written like a name: capitalised, and not the first word. */
  readonly names: readonly string[];
  /** A question, or so many words that no text needs to have all of them. */
  readonly isSentence: boolean;
  /** The words and phrases as typed, without operators: for titles, names and messages. */
  readonly plain: string;
  /** There were more words than are searched for. */
  readonly isCut: boolean;
  /** There are no words and no filters; `plain` may still contain punctuation. */
  readonly isEmpty: boolean;
}

/** Words that are searched for, with those of phrases: without function words, and with them. */
export const MAX_WORDS = 64;
const MAX_TERMS = 4 * MAX_WORDS;
/** Filters and exclusions. */
export const MAX_FILTERS = 64;

/** The last text: a search over everything asks for it at several places, and a pasted page takes a while to read. */
let last: { readonly text: string; readonly query: SearchQuery } | undefined;

export function parseQuery(text: string): SearchQuery {
  if (last?.text !== text) last = { text, query: new QueryReader(text).read() };
  return last.query;
}

/** Words the hint for a query of which only the first words were searched for. */
export function hintForCut({ isCut }: Pick<SearchQuery, "isCut">): string | undefined {
  return isCut ? `The query is long: only its first ${MAX_WORDS} words were searched for.` : undefined;
}

const SPACE = /\s*/y;
const REQUIRED = /^\+["“”„‟«»＂]/;
const CHUNK = /\S+/y;
/** Brackets before a quote are ignored. */
const PHRASE = /[([{]*["“”„‟«»＂]([^"“”„‟«»＂]*)["“”„‟«»＂][)\]}]*/y;
const OPERATOR = /(tag|path|prop):/iy;
/** The value of an operator: bare, quoted, or a name and its value with either of them quoted. */
const VALUE = /(?:["“”„]([^"“”„]*)["“”„]|([^\s"“”„=]+))(?:=(?:["“”„]([^"“”„]*)["“”„]|(\S*)))?/y;
/** The value of `prop:`, the same with more marks between name and value. */
const PROPERTY =
  /(?:["“”„]([^"“”„]*)["“”„]|([^\s"“”„=<>!]+(?:!(?!=)[^\s"“”„=<>!]*)*))(?:(==?|!=|[<>]=?|\s+(?:!=|[<>]=?)\s+)(?:["“”„]([^"“”„]*)["“”„]|(\S*)))?/y;
/** Name, mark and value that are quoted together: prop:"due date=today". */
const QUOTED_PROPERTY = /^([^=<>!]+)(==?|!=|[<>]=?)(.*)$/s;
/** As in Obsidian: any characters but punctuation and spaces, and not only digits. */
const TAG =
  /#((?![\d/]+(?:[\s,.;:!?)]|$))[^\u2000-\u206F\u2E00-\u2E7F'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\s]+)[,.;:!?)]*(?=\s|$)/y;

class QueryReader {
  readonly #text: string;
  #position = 0;
  readonly #words: string[] = [];
  readonly #symbols = new Set<string>();
  #lastIsPartial = false;
  #requiresPhrases = false;
  readonly #phrases: string[][] = [];
  readonly #withoutWords: string[] = [];
  readonly #withoutPhrases: string[][] = [];
  readonly #tags: string[] = [];
  readonly #withoutTags: string[] = [];
  readonly #paths: string[] = [];
  readonly #withoutPaths: string[] = [];
  readonly #properties: PropertyFilter[] = [];
  readonly #withoutProperties: PropertyFilter[] = [];
  readonly #plain: string[] = [];
  readonly #names: string[] = [];
  #wordsLeft = MAX_WORDS;
  #termsLeft = MAX_TERMS;
  #isCut = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): SearchQuery {
    for (;;) {
      this.#read(SPACE);
      if (this.#position >= this.#text.length) break;
      this.#readItem();
    }
    this.#refuseTooManyFilters();
    const words = [...this.#words, ...this.#symbols];
    const looked = [words, this.#phrases, this.#withoutWords, this.#withoutPhrases];
    const filters = [this.#tags, this.#withoutTags, this.#paths, this.#withoutPaths];
    const properties = [this.#properties, this.#withoutProperties];
    return {
      words,
      orderedWords: this.#words,
      lastIsPartial: this.#lastIsPartial,
      phrases: this.#phrases,
      requiresPhrases: this.#requiresPhrases || !isSentence(this.#words, this.#plain.at(-1) ?? ""),
      withoutWords: this.#withoutWords,
      withoutPhrases: this.#withoutPhrases,
      tags: this.#tags,
      withoutTags: this.#withoutTags,
      paths: this.#paths,
      withoutPaths: this.#withoutPaths,
      properties: this.#properties,
      withoutProperties: this.#withoutProperties,
      names: this.#names,
      isSentence: isSentence(this.#words, this.#plain.at(-1) ?? ""),
      plain: this.#plain.join(" "),
      isCut: this.#isCut,
      isEmpty: [...looked, ...filters, ...properties].every((list) => list.length === 0),
    };
  }

  #readItem(): void {
    const start = this.#position;
    // "--option" and a single dash are not exclusions.
    const isWithout = this.#text[start] === "-" && /[^\s-]/.test(this.#text.charAt(start + 1));
    if (isWithout) this.#position++;
    else if (REQUIRED.test(this.#text.slice(start, start + 2))) {
      this.#requiresPhrases = true;
      this.#position++;
    }
    this.#lastIsPartial = false;
    if (this.#readPhrase(isWithout) || this.#readFilter(isWithout)) return;
    this.#readWords(isWithout);
  }

  #readPhrase(isWithout: boolean): boolean {
    const phrase = this.#read(PHRASE)?.[1];
    if (phrase === undefined) return false;
    const terms = isWithout ? termsOf(phrase) : this.#withRoom(termsOf(phrase));
    if (!isWithout && !this.#isCut && phrase.trim() !== "") this.#plain.push(phrase.trim());
    if (terms.length > 0 && isWithout) this.#withoutPhrases.push(terms);
    else if (terms.length > 0) this.#addPhrase(terms);
    if (terms.length === 0) this.#addSymbols(phrase, isWithout);
    // A quoted symbol is required, but need not stand beside its words: the index keeps symbols apart.
    else if (!isWithout) for (const symbol of this.#withRoom(symbolsOf(phrase))) this.#addPhrase([symbol]);
    return true;
  }

  /** Once each: bm25 compares every place of a phrase with all phrases, 6 s for 100 equal ones in a note of 150 kB. */
  #addPhrase(terms: readonly string[]): void {
    const isKnown = this.#phrases.some((known) => known.join(" ") === terms.join(" "));
    if (!isKnown) this.#phrases.push([...terms]);
  }

  #readFilter(isWithout: boolean): boolean {
    const start = this.#position;
    const tag = this.#read(TAG)?.[1];
    if (tag !== undefined) {
      (isWithout ? this.#withoutTags : this.#tags).push(trimmed(tag, "/"));
      return true;
    }
    const operator = this.#read(OPERATOR)?.[1]?.toLowerCase();
    const isAdded =
      operator === "prop"
        ? this.#addProperty(this.#read(PROPERTY), isWithout)
        : operator !== undefined && this.#addFilter(operator, this.#read(VALUE), isWithout);
    if (!isAdded) {
      this.#position = start;
      return false;
    }
    return true;
  }

  #addProperty(read: RegExpExecArray | undefined, isWithout: boolean): boolean {
    if (read === undefined) return false;
    const [, quoted, bare = "", mark, quotedValue, bareValue = ""] = read;
    const together = mark === undefined && quoted !== undefined ? QUOTED_PROPERTY.exec(quoted) : null;
    const name = (together?.[1] ?? quoted ?? bare).trim();
    const value = (together?.[3] ?? quotedValue ?? bareValue).trim();
    const sign = (together?.[2] ?? mark ?? "").trim();
    if (name === "") return false;
    if (sign === "!=" && value !== "") {
      // Another value than this: the property must exist.
      if (!isWithout) this.#properties.push({ name });
      (isWithout ? this.#properties : this.#withoutProperties).push({ name, value });
      return true;
    }
    (isWithout ? this.#withoutProperties : this.#properties).push({
      name,
      ...(value !== "" && { value }),
      ...(value !== "" && /[<>]/.test(sign) && { comparison: sign as Comparison }),
    });
    return true;
  }

  #addFilter(operator: string, value: RegExpExecArray | undefined, isWithout: boolean): boolean {
    if (value === undefined) return false;
    const first = (value[1] ?? value[2] ?? "").trim();
    // An equals sign has no meaning here: it is part of the name.
    const whole = value[0].includes("=") && value[1] === undefined ? value[0] : first;
    const name = operator === "tag" ? trimmed(whole.replace(/^#+|(?<![,;])[,;]+$/g, ""), "/") : pathOf(whole);
    if (name === "") return false;
    if (operator === "tag") (isWithout ? this.#withoutTags : this.#tags).push(name);
    else (isWithout ? this.#withoutPaths : this.#paths).push(name);
    return true;
  }

  #readWords(isWithout: boolean): void {
    const chunk = this.#read(CHUNK)![0];
    const typed = termsOf(chunk.replace(/^https?:\/\/(?:www\.)?(?=\S)/i, ""));
    const terms = isWithout ? typed : this.#withRoom(typed);
    // Of "-x→y" the words are excluded together, not every text with an arrow.
    if (!isWithout || typed.length === 0) this.#addSymbols(chunk, isWithout);
    const isNumber = terms.length > 1 && terms.every((term) => /\p{N}/u.test(term));
    if (isWithout) {
      if (terms.length === 1) this.#withoutWords.push(terms[0]!);
      else if (terms.length > 1) this.#withoutPhrases.push(terms);
      return;
    }
    if (this.#plain.length > 0 && NAME.test(chunk)) this.#names.push(...terms);
    if (!this.#isCut) this.#plain.push(chunk);
    if (isNumber) this.#addPhrase(terms);
    else for (const term of terms) this.#words.push(term);
    this.#lastIsPartial =
      !isNumber &&
      terms.length > 0 &&
      !this.#isCut &&
      this.#position === this.#text.length &&
      /[\p{L}\p{M}\p{N}]$/u.test(chunk);
  }

  #addSymbols(text: string, isWithout: boolean): void {
    const symbols = symbolsOf(text);
    if (isWithout) this.#withoutWords.push(...symbols);
    else for (const symbol of this.#withRoom(symbols)) this.#symbols.add(symbol);
  }

  /** Those of the terms that are still searched for. */
  #withRoom(terms: readonly string[]): string[] {
    const kept: string[] = [];
    for (const term of terms) {
      if (this.#wordsLeft === 0 || this.#termsLeft === 0) this.#isCut = true;
      if (this.#isCut) break;
      kept.push(term);
      this.#termsLeft--;
      if (!isStopWord(term)) this.#wordsLeft--;
    }
    return kept;
  }

  #refuseTooManyFilters(): void {
    const filters = [this.#tags, this.#withoutTags, this.#paths, this.#withoutPaths, this.#withoutWords];
    const count = [...filters, this.#properties, this.#withoutProperties, this.#withoutPhrases.flat()].reduce(
      (sum, { length }) => sum + length,
      0,
    );
    if (count > MAX_FILTERS)
      throw new Problem(
        "invalid",
        `The query has ${count} filters and excluded words; a search takes up to ${MAX_FILTERS}.`,
        "Leave some out, or search several times.",
      );
  }

  #read(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#position += found[0].length;
    return found;
  }
}

/** Not a word in capitals, which may be an abbreviation or shouted. */
const NAME = /^[^\p{L}]*\p{Lu}\p{Ll}/u;
const QUESTION_MARK = /[?？؟]["'”’)\]]*$/u;
/** With function words between them, or this many others, words are a sentence rather than keywords. */
const SENTENCE = 4;
const MANY_KEYWORDS = 5;

function isSentence(words: readonly string[], last: string): boolean {
  if (words.length > 1 && QUESTION_MARK.test(last)) return true;
  const informative = words.filter((word) => !isStopWord(word)).length;
  return informative >= MANY_KEYWORDS || (words.length >= SENTENCE && informative > 0 && informative < words.length);
}

/** A vault path, from any spelling: with backslashes, `./` or slashes around it. */
function pathOf(typed: string): string {
  return trimmed(typed.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""), "/");
}

function trimmed(text: string, mark: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === mark) start++;
  while (end > start && text[end - 1] === mark) end--;
  return text.slice(start, end);
}
