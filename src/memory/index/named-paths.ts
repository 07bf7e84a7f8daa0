// Finds out if a text names a hidden file or folder, however it spells the path: as a link,
// with backslashes or escapes, in quotes, in a query, in a sentence. Pure; used by
// visible-index.ts, which decides when memory is read: what is hidden may change.
import { posix } from "node:path";

export type IsHidden = (path: string) => boolean;

/** Words of a sentence that may belong to a path with spaces, on each side of the word that shows that there is one. */
const MAX_WORDS = 5;
/** A trace has short texts; of a longer one its beginning is looked at. */
const MAX_LENGTH = 4_000;
const MAX_DECODED = 3;
/** Of a text that looks like more paths than this, nobody can say quickly what it names: it is left out. */
const MAX_CANDIDATES = 1_000;

/** Ends a path in any text. */
const ENDS = /["`“”„«»‹›()[\]{}<>|;?&=#^\n…]|:\s/;
/** Ends a path unless it is part of its name. */
const MAY_END = /["`“”„«»‹›()[\]{}<>|;?&=#^\n…'’,:]/;
const HAS_SEPARATOR = /\/|\.[A-Za-z\d]{1,8}$/;

/** A path that has one spelling. */
const PLAIN = /^(?:[\w -]+\/)*[\w -]+(?:\.\w{1,8})?$/;

/** A text that is a path, as it was sent. */
export function isHiddenPath(sent: string, isHidden: IsHidden): boolean {
  if (isHidden(sent) || PLAIN.test(sent)) return isHidden(sent) || isHidden(`${sent}.md`);
  return readingsOf(sent).some((text) => isCandidateHidden(text, isHidden)) || namesHidden(sent, isHidden);
}

/** A text that may name paths among other words. */
export function namesHidden(sent: string, isHiddenAt: IsHidden): boolean {
  const asked = new Map<string, boolean>();
  const isHidden = (path: string): boolean => {
    const known = asked.get(path) ?? (asked.size >= MAX_CANDIDATES || isHiddenAt(path));
    asked.set(path, known);
    return known;
  };
  for (const text of readingsOf(sent))
    for (const pieces of [text.split(ENDS), text.split(MAY_END)]) {
      for (const piece of pieces) {
        // A text of words alone names nothing; a piece of one that is set apart may.
        if (pieces.length > 1 && isCandidateHidden(piece, isHidden)) return true;
        if (hasHiddenWords(piece, isHidden)) return true;
      }
    }
  return false;
}

/** The words around each that looks like a path. */
function hasHiddenWords(piece: string, isHidden: IsHidden): boolean {
  const words = piece.split(/\s+/).filter((word) => word !== "");
  return words.some((word, at) => {
    const asked = /^-?(?:path|folder|file|in):(.+)$/i.exec(word)?.[1];
    if (asked !== undefined && isCandidateHidden(asked, isHidden)) return true;
    if (!HAS_SEPARATOR.test(withoutEnd(word))) return false;
    for (let from = at; from >= 0 && at - from <= MAX_WORDS; from--)
      for (let to = at; to < words.length && to - at <= MAX_WORDS; to++)
        if (isCandidateHidden(words.slice(from, to + 1).join(" "), isHidden)) return true;
    return false;
  });
}

function isCandidateHidden(text: string, isHidden: IsHidden): boolean {
  const [, scheme, path = ""] = /^(\/|[A-Za-z]:\/|[a-z]{2,12}:\/\/|~\/)?(.*)$/s.exec(withoutEnd(text.trim()))!;
  const plain = posix.normalize(path).replace(/^\.\/+/, "");
  if (plain === "." || plain === "" || plain.startsWith("..")) return false;
  const paths = [plain];
  // The start of the vault within an absolute path is not known here.
  if (scheme !== undefined)
    for (let slash = plain.indexOf("/"); slash >= 0; slash = plain.indexOf("/", slash + 1))
      paths.push(plain.slice(slash + 1));
  return paths.some((each) => isHidden(each) || isHidden(`${each}.md`));
}

/** Without the end of a sentence. */
function withoutEnd(word: string): string {
  return word.replace(/(?<![.,:;!?])[.,:;!?]+$/, "");
}

/** The text with what its escapes stand for; in an address a plus is a space. */
function readingsOf(sent: string): string[] {
  let text = sent.slice(0, MAX_LENGTH);
  for (let round = 0; round < MAX_DECODED && /%[\dA-Fa-f]{2}|\\u[\dA-Fa-f]{4}/.test(text); round++)
    text = text
      .replace(/(?:%[\dA-Fa-f]{2})+/g, decoded)
      .replace(/\\u([\dA-Fa-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  text = text.replace(/(?<!\\)\\+(?=["'`])/g, "").replace(/\\+/g, "/");
  return text.includes("+") ? [text, text.replaceAll("+", " ")] : [text];
}

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
