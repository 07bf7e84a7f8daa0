// Edits of a note's text: append, prepend, replace, delete. Pure; used by the
// content tools, which read and write the file.
//
// Each function takes the text without its byte order mark, and returns the new
// text with what the tool reports. Inserted text gets the note's line endings, and
// is otherwise inserted literally.
import { frontmatterRange } from "../properties/frontmatter.ts";
import { lineEndingOf, lineNumberAt, lineStartsOf, withLineEndingsOf } from "../note-text.ts";
import { escapePattern, Problem } from "../../kernel/kernel.ts";
import { findSection, headingsOf, type Section } from "../sections.ts";
import { occurrences } from "./occurrences.ts";
import { firstDifference } from "./same-words.ts";
import { MAX_CHARACTERS, mostSimilar, type Match } from "./similar-text.ts";

/** The similarity of a text that is quoted with a misspelling or other punctuation. */
const QUOTED_FROM_MEMORY = 0.95;

/** Appends on a line of its own. Adds nothing else, so that the reported length is that of the content. */
export function appendText(text: string, content: string): { text: string; appendedLength: number } {
  if (content === "") return { text, appendedLength: 0 };
  return { text: text + separator(text, text, content) + adapted(text, content), appendedLength: content.length };
}

/** Inserts at the top of the note, below its frontmatter. */
export function prependText(text: string, content: string): { text: string; prependedLength: number } {
  return { text: withLinesAt(text, frontmatterRange(text)?.end ?? 0, content), prependedLength: content.length };
}

/** Inserts at the end of a section, before the blank lines that separate it from the next. */
export function appendToSection(
  text: string,
  heading: string,
  content: string,
): { text: string; appendedLength: number } {
  const section = findSection(text, heading);
  refuseSecondHeading(section, content);
  return { text: withLinesAt(text, section.contentEnd, content), appendedLength: content.length };
}

/** Inserts directly below a heading. */
export function prependToSection(
  text: string,
  heading: string,
  content: string,
): { text: string; prependedLength: number } {
  const section = findSection(text, heading);
  refuseSecondHeading(section, content);
  return { text: withLinesAt(text, section.contentStart, content), prependedLength: content.length };
}

/**
 * Replaces whole lines, numbered from 1, including both ends. Empty content
 * removes them. A newline at the end of the content makes no difference.
 */
export function replaceLines(
  text: string,
  startLine: number,
  endLine: number,
  newContent: string,
): { text: string; replacedText: string } {
  const starts = lineStartsOf(text);
  const areLines = Number.isInteger(startLine) && Number.isInteger(endLine);
  if (!areLines || startLine < 1 || endLine < startLine || endLine > starts.length) {
    const lines = starts.length === 1 ? "1 line" : `${starts.length} lines`;
    throw new Problem(
      "invalid",
      `The note has ${lines}: startLine and endLine must be whole numbers from 1 to ${starts.length}, startLine not above endLine (sent: ${startLine} and ${endLine}).`,
    );
  }
  const start = starts[startLine - 1]!;
  const end = starts[endLine] ?? text.length;
  const replacedText = text.slice(start, end);
  const rest = text.slice(end);
  if (newContent === "") {
    const isOpenEnded = rest === "" && !text.endsWith("\n");
    const before = text.slice(0, start);
    return { text: (isOpenEnded ? before.replace(/\r?\n$/, "") : before) + rest, replacedText };
  }
  const lastBreak = /\r?\n$/.exec(replacedText)?.[0] ?? "";
  const lines = adapted(text, newContent).replace(/\r?\n$/, "");
  return { text: text.slice(0, start) + lines + lastBreak + rest, replacedText };
}

/**
 * Replaces the whole text. Lines at its beginning and end that stay as they are keep their line endings, and those
 * between them get that of most lines: editors know only one.
 */
export function rewriteText(text: string, newText: string): string {
  const before = text.split(/(?<=\n)/);
  const after = newText.split(/(?<=\n)/);
  const most = Math.min(before.length, after.length);
  let first = 0;
  while (first < most && isSameLine(before[first]!, after[first]!)) first++;
  let last = 0;
  while (last < most - first && isSameLine(before.at(-1 - last)!, after.at(-1 - last)!)) last++;
  const middle = adapted(text, after.slice(first, after.length - last).join(""));
  return before.slice(0, first).join("") + middle + before.slice(before.length - last).join("");
}

function isSameLine(a: string, b: string): boolean {
  return a.replace(/\r\n$/, "\n") === b.replace(/\r\n$/, "\n");
}

/**
 * Replaces the only occurrence of the old content. Prefers an identical one
 * (ignoring line endings), else the most similar, if it reaches the threshold and
 * no other is equally similar. From the default threshold on it must also say the
 * same: in a long sentence, a number that somebody else has just changed is 0.99
 * similar.
 */
export function replaceOnce(
  text: string,
  oldContent: string,
  newContent: string,
  similarityThreshold = QUOTED_FROM_MEMORY,
): { text: string; replacedText: string; line: number; similarity: number } {
  if (oldContent === "")
    throw new Problem("invalid", "The text to replace is empty. Send the text as it is in the note.");
  if (!(similarityThreshold >= 0 && similarityThreshold <= 1)) {
    throw new Problem("invalid", "similarityThreshold must be between 0 and 1, where 1 means identical.");
  }
  const exact = identicalMatches(text, oldContent);
  const found =
    exact.length > 0 || similarityThreshold === 1 ? exact : mostSimilar(text, oldContent, similarityThreshold);
  const match = onlyMatch(text, found, () => nothingSimilar(text, oldContent, similarityThreshold));
  if (similarityThreshold >= QUOTED_FROM_MEMORY) refuseOtherWords(text, match, oldContent);
  return {
    text: text.slice(0, match.start) + adapted(text, newContent) + text.slice(match.end),
    replacedText: text.slice(match.start, match.end),
    line: lineNumberAt(text, match.start),
    similarity: match.similarity,
  };
}

/** Replaces every occurrence of the old content, which is there to the letter (ignoring line endings), from its beginning on. */
export function replaceAllOf(text: string, oldContent: string, newContent: string): { text: string; count: number } {
  if (oldContent === "")
    throw new Problem("invalid", "The text to replace is empty. Send the text as it is in the note.");
  const made = adapted(text, newContent);
  const parts: string[] = [];
  let end = 0;
  for (const match of identicalMatches(text, oldContent, Number.POSITIVE_INFINITY)) {
    if (match.start < end) continue;
    parts.push(text.slice(end, match.start), made);
    end = match.end;
  }
  if (parts.length === 0) throw nothingSimilar(text, oldContent, 1);
  return { text: parts.join("") + text.slice(end), count: parts.length / 2 };
}

/**
 * Deletes the only occurrence of the content, ignoring line endings. Whole lines
 * are deleted with their line break, and with the blank lines below them if there
 * are blank lines above.
 */
export function deleteOnce(text: string, content: string): { text: string; deletedText: string; line: number } {
  if (content === "") throw new Problem("invalid", "The text to delete is empty. Send the text as it is in the note.");
  const match = onlyMatch(text, identicalMatches(text, content), () => nothingSimilar(text, content, 1));
  const deleted = { deletedText: text.slice(match.start, match.end), line: lineNumberAt(text, match.start) };
  const before = text.slice(0, match.start);
  const after = text.slice(match.end);
  const startsLine = before === "" || before.endsWith("\n");
  const endsLine = after === "" || /^\r?\n/.test(after) || deleted.deletedText.endsWith("\n");
  if (!startsLine || !endsLine) return { text: before + after, ...deleted };

  const rest = deleted.deletedText.endsWith("\n") ? after : after.replace(/^\r?\n/, "");
  const isBelowBlank = before.slice(before.lastIndexOf("\n", before.length - 2) + 1).trim() === "";
  const joined = isBelowBlank ? rest.replace(/^(?:[ \t]*\r?\n)+/, "") : rest;
  if (joined !== "") return { text: before + joined, ...deleted };
  // At the end of the note: leave no blank lines, and a final newline only if there was one.
  const filled = before.trimEnd().length;
  const kept = isBelowBlank ? before.slice(0, filled === 0 ? 0 : before.indexOf("\n", filled) + 1) : before;
  return { text: text.endsWith("\n") ? kept : kept.replace(/\r?\n$/, ""), ...deleted };
}

export interface FindAndReplace {
  readonly findText: string;
  readonly replaceText: string;
  readonly replaceAll: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

/** It becomes a regular expression, whose length is limited. */
const MAX_FIND_LENGTH = 5_000;

const WORD = String.raw`[\p{L}\p{M}\p{N}\p{Pc}]`;

/**
 * Replaces the first or all occurrences of a text, and counts them. Case is folded
 * per character, as by the Unicode flag of regular expressions: ß matches ẞ but
 * never ss. A word ends before anything but a letter, mark, digit or underscore.
 */
export function findAndReplace(text: string, request: FindAndReplace): { text: string; count: number } {
  const { findText, replaceText, replaceAll, caseSensitive, wholeWord } = request;
  if (findText === "") throw new Problem("invalid", "The text to find is empty.");
  if (findText.length > MAX_FIND_LENGTH) {
    throw new Problem(
      "invalid",
      `The text to find is longer than ${MAX_FIND_LENGTH} characters: use replaceContent for passages.`,
    );
  }
  const literal = escapePattern(findText).replace(/\r?\n/g, String.raw`\r?\n`);
  // "C++" does not end in a letter, so anything may follow it.
  const startsWord = wholeWord && new RegExp(`^${WORD}`, "u").test(findText);
  const endsWord = wholeWord && new RegExp(`${WORD}$`, "u").test(findText);
  const source = `${startsWord ? `(?<!${WORD})` : ""}${literal}${endsWord ? `(?!${WORD})` : ""}`;
  const pattern = new RegExp(source, `u${caseSensitive ? "" : "i"}${replaceAll ? "g" : ""}`);
  const replacement = adapted(text, replaceText);
  let count = 0;
  const replaced = text.replace(pattern, () => {
    count++;
    return replacement;
  });
  return { text: replaced, count };
}

function adapted(text: string, content: string): string {
  return withLineEndingsOf({ lineEnding: lineEndingOf(text) }, content);
}

/** The line break needed between a part of the note and content on a line of its own. */
function separator(text: string, before: string, content: string): string {
  if (before === "" || before.endsWith("\n")) return "";
  return lineEndingOf(text) ?? lineEndingOf(content) ?? "\n";
}

/** Inserts the content as lines of their own. A note that ends in a newline still does. */
function withLinesAt(text: string, at: number, content: string): string {
  if (content === "") return text;
  const before = text.slice(0, at);
  const after = text.slice(at);
  const lines = adapted(text, content);
  const needsEnd = after !== "" || text.endsWith("\n");
  const end = needsEnd ? separator(text, lines, content) : "";
  // A line directly above an underline would become part of the heading.
  const lastLine = lines
    .replace(/\r?\n$/, "")
    .split("\n")
    .at(-1)!;
  const isUnderline = /^ {0,3}(?:=+|-+)[ \t]*(?:\r?\n|$)/.test(after);
  const isUnderlined = headingsOf(text).some(({ start, isUnderlined: isHere }) => start === at && isHere);
  const blank = lastLine.trim() !== "" && (isUnderline || isUnderlined) ? (lineEndingOf(text) ?? "\n") : "";
  return before + separator(text, before, content) + lines + end + blank + after;
}

/** Throws if the content repeats the heading, which would then be there twice. */
function refuseSecondHeading({ heading }: Section, content: string): void {
  const first = headingsOf(content)[0];
  if (first === undefined || first.text !== heading.text || content.slice(0, first.start).trim() !== "") return;
  throw new Problem(
    "invalid",
    `The content begins with the heading "${heading.text}", which is in the note already. Send only what goes below it.`,
  );
}

/** Limits the characters compared: in a note that repeats itself there may be a match at every character. */
const MAX_COMPARED = 2_000_000;

/** All occurrences of the text, overlapping ones included, ignoring line endings. */
function identicalMatches(text: string, wanted: string, most = 8): readonly Match[] {
  const returns: number[] = [];
  const lined = text.includes("\r\n")
    ? text.replace(/\r\n/g, (_, at: number) => {
        returns.push(at - returns.length);
        return "\n";
      })
    : text;
  const key = wanted.replaceAll("\r\n", "\n");
  const matches: Match[] = [];
  let passed = 0;
  const isEnough = () => matches.length > most && matches.length * key.length > MAX_COMPARED;
  for (const at of occurrences(lined, key)) {
    if (isEnough()) break;
    while (passed < returns.length && returns[passed]! < at) passed++;
    let inside = passed;
    while (inside < returns.length && returns[inside]! < at + key.length) inside++;
    matches.push({ start: at + passed, end: at + key.length + inside, similarity: 1 });
  }
  return matches;
}

const MAX_LISTED = 8;
const MAX_EXCERPT_LENGTH = 60;

function onlyMatch(text: string, found: readonly Match[], none: () => Problem): Match {
  const [first, ...others] = found;
  if (first === undefined) throw none();
  if (others.length === 0) return first;
  const matches = found.slice(0, MAX_LISTED).map((match) => excerpt(text, match));
  const more = found.length > MAX_LISTED ? `; and ${found.length - MAX_LISTED} more` : "";
  throw new Problem(
    "invalid",
    `The text fits ${found.length} places in the note equally well: ${matches.join("; ")}${more}. Send more of what is around the one that you mean.`,
  );
}

/** The error for a text that was not found; names the most similar one from 0.6 on. */
function nothingSimilar(text: string, wanted: string, threshold: number): Problem {
  const nearest = mostSimilar(text, wanted, 0.6)[0];
  const asked =
    threshold === 1
      ? "This text is not in the note."
      : `This text is not in the note, nor one that is at least ${threshold} similar.`;
  if (nearest !== undefined) {
    const similarity = Math.floor(nearest.similarity * 1000) / 1000;
    return new Problem(
      "not_found",
      `${asked} The nearest is ${similarity} similar: ${excerpt(text, nearest)}. Read the note and send the text as it is there.`,
    );
  }
  const limit = text.length > MAX_CHARACTERS ? " A note of this size is searched for identical text only." : "";
  return new Problem("not_found", `${asked}${limit} Read the note and send the text as it is there.`);
}

function refuseOtherWords(text: string, match: Match, wanted: string): void {
  const difference = match.similarity < 1 ? firstDifference(text.slice(match.start, match.end), wanted) : undefined;
  if (difference === undefined) return;
  const [inNote, sent] = [difference.inNote, difference.sent].map((word) => (word === "" ? "nothing" : `"${word}"`));
  throw new Problem(
    "not_found",
    `This text is not in the note. The nearest has ${inNote} where this has ${sent}: ${excerpt(text, match)}. It may have changed since you read it: read the note and send the text as it is there.`,
  );
}

/** The first line of a match that is not blank, with its number. */
function excerpt(text: string, { start, end }: Match): string {
  const lead = text.slice(start, end);
  const at = start + lead.length - lead.trimStart().length;
  const from = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const line = text
    .slice(from, from + 10 * MAX_EXCERPT_LENGTH)
    .trim()
    .split("\n")[0]!
    .trim();
  const shown = line.length > MAX_EXCERPT_LENGTH ? `${line.slice(0, MAX_EXCERPT_LENGTH)}…` : line;
  return `line ${lineNumberAt(text, at)} (${JSON.stringify(shown.toWellFormed())})`;
}
