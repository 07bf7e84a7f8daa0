// The texts of pages that snippets are cut from. Unpacking a page takes longer than
// cutting a snippet from it, and questions about one subject find the same pages,
// so the last ones are cached. Used by both stores of recall, and by what else
// reads pages.
import { type IndexDatabase, ReadCache } from "../../sqlite/sqlite.ts";
import { REDACTION } from "../../redaction/redaction.ts";
import { type FoldedText, foldWithOffsets } from "../../search/search.ts";
import { partsIn, type StoredPart } from "./pages.ts";

export interface PagePart extends Pick<StoredPart, "kind"> {
  /** Of what a tool returned: the message before it. */
  readonly id: string;
  readonly end: number;
}

export interface PageText {
  /** Its parts, with an empty line between them. */
  readonly text: string;
  /** The same as searches compare it. */
  readonly folded: FoldedText;
  /** True if redaction finds no secret in it. */
  readonly isClean: boolean;
  /** The message of each part, what it is, and where in the text the next part begins. */
  readonly messages: readonly PagePart[];
}

const SEPARATOR = "\n\n";
/** Characters, of all cached texts together. */
const MAX_TEXT = 3_000_000;

/** By the id of the page. A text is made from the page's content as it is stored. */
export type PageTextCache = ReadCache<number, Content, PageText>;

interface Content {
  readonly parts: unknown;
  /** See tables.ts. */
  readonly clean: unknown;
}

export function pageTextCache(database: IndexDatabase): PageTextCache {
  return new ReadCache(database, {
    read: (pages: readonly number[]) => readContents(database, pages),
    make: unpacked,
    isSame: isSameContent,
    sizeOf: ({ text }) => text.length,
    most: MAX_TEXT,
  });
}

function readContents(database: IndexDatabase, pages: readonly number[]): [page: number, content: Content][] {
  const wanted = JSON.stringify(pages);
  const rows = database.all(
    `SELECT page, parts, clean FROM content WHERE page IN (SELECT value FROM json_each(?))
     UNION ALL SELECT page, parts, NULL FROM waiting WHERE page IN (SELECT value FROM json_each(?))`,
    wanted,
    wanted,
  );
  return rows.map(({ page, parts, clean }) => [Number(page), { parts, clean }]);
}

/** The text of a page, of the texts of its parts. */
export function textOfParts(texts: readonly string[]): string {
  return texts.join(SEPARATOR);
}

function unpacked({ parts: content, clean }: Content): PageText {
  return pageTextOf(content, clean === REDACTION);
}

/** @param isClean whether redaction is known to find no secret in it */
export function pageTextOf(content: unknown, isClean = false): PageText {
  const parts = partsIn(content);
  const whole = textOfParts(parts.map(({ text }) => text));
  let end = 0;
  let id = "";
  return {
    text: whole,
    folded: foldWithOffsets(whole),
    isClean,
    messages: parts.map(({ message, kind, text }) => {
      id = message || id;
      return { id, kind, end: (end += text.length + SEPARATOR.length) };
    }),
  };
}

function isSameContent({ parts: a, clean }: Content, { parts: b, clean: other }: Content): boolean {
  if (clean !== other) return false;
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;
}
