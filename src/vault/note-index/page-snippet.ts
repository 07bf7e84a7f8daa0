// The snippet of a text in pages, and the page that it is from. Used by the note
// index, for PDF files.
import { escapePattern } from "../../kernel/kernel.ts";
import { type Snippet, snippetOf, spellingOf } from "../../search/search.ts";
import { PAGE_BREAK } from "./pdf-texts.ts";

type Terms = Parameters<typeof snippetOf>[1];

interface PageSnippet extends Pick<Snippet, "text" | "highlights"> {
  /** From 1; undefined if none of the words is in the text. */
  readonly page: number | undefined;
  readonly isInText: boolean;
}

/** How many pages are looked at closely: of a book of 1,000 pages all of them would take 300 ms, these take 20. */
const MAX_PAGES = 12;
/** Of other forms of a word no more than its beginning is the same. */
const BEGINNING = 4;

/** @param asked the words as they were asked for; those of the terms have other forms among them */
export function snippetOfPages(text: string, terms: Terms, length: number, asked: readonly string[]): PageSnippet {
  const typed = asked.map(spellingOf);
  const pages = text.split(PAGE_BREAK);
  const snippets = likelyPages(pages, terms, typed).map((page) => ({
    page,
    ...snippetOf(pages[page - 1]!, terms, length),
  }));
  const best = snippets.reduce((most, next) => (worthOf(next, typed) > worthOf(most, typed) ? next : most));
  const isInText = best.highlights.length > 0;
  return { text: best.text, highlights: best.highlights, page: isInText ? best.page : undefined, isInText };
}

/** Different words count, most of all as they were typed; then how often there are any. */
function worthOf({ text, highlights }: Snippet, typed: readonly string[]): number {
  const words = highlights.map(([from, to]) => text.slice(from, to).toLowerCase());
  // If the text has a longer word, only its beginning is highlighted.
  const whole = new Set(words.filter((_, i) => !/^[\p{L}\p{N}]/u.test(text.slice(highlights[i]![1]))));
  const inAnyForm = typed.filter((word) => words.some((found) => found.startsWith(beginningOf(word))));
  return inAnyForm.length + typed.filter((word) => whole.has(word)).length + Math.min(words.length, 99) / 100;
}

/** The pages with the most of the words, as far as a plain comparison shows; if it shows none, all pages. */
function likelyPages(pages: readonly string[], { words, phrases }: Terms, typed: readonly string[]): number[] {
  const asked = [...new Set([...words, ...phrases.flat()])].map(spellingOf);
  // Words are letters, marks and digits; only names such as C++ have signs.
  const wholeWords = typed.map(
    (word) => new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(word)}(?![\\p{L}\\p{N}])`, "u"),
  );
  const counted = pages.map((text, i) => {
    const lower = text.toLowerCase();
    const found = new Set(asked.filter((word) => lower.includes(word)).map(beginningOf));
    const exact = found.size === 0 ? [] : wholeWords.filter((word) => word.test(lower));
    const whole = phrases.filter((phrase) => lower.includes(phrase.join(" ")));
    return { page: i + 1, count: found.size + exact.length + 2 * whole.length };
  });
  const likely = counted.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count || a.page - b.page);
  return (likely.length === 0 ? counted : likely.slice(0, MAX_PAGES)).map(({ page }) => page);
}

function beginningOf(word: string): string {
  return word.slice(0, BEGINNING);
}
