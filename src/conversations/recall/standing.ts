// Finds out whether the edits of a conversation to a file still stand: compares the lines that
// they wrote and took away with the text that is there now. Says nothing where the text
// proves neither. Pure; used by conversation-library.ts and file-authors.ts.
import { MARK } from "../../redaction/redaction.ts";
import type { FileEdit } from "./file-edits.ts";

export type Edit = Omit<FileEdit, "file">;

export interface Standing {
  /** `part`: some of its lines are gone, and some are there. `taken back`: what it replaced is there again. */
  readonly verdict: "holds" | "part" | "changed" | "taken back";
  /** Lines that it wrote, and how many of them are there. Without those that are too short to tell. */
  readonly written: number;
  readonly left: number;
  /** Lines of the present text that prove it, counted from 1. */
  readonly lines: readonly number[];
  /** Lines that it wrote and that are gone: who removed them has changed it. */
  readonly gone: readonly string[];
}

/** Letters and digits of a line that tells: shorter ones are in every file. */
const TELLING = 4;
/** Letters and digits of lines that prove together that they are the ones that were written. */
const PROVING = 24;
/** The same of lines that stand beside others than they did: they moved. */
const PROVING_APART = 60;
/** Of a line that proves alone that a part of an edit is left. */
const PROVING_ALONE = 14;
/** Characters of a text, and edits of a passage, that are compared. */
const MAX_TEXT = 2_000_000;
const MAX_EDITS = 200;

/** @param edits of one passage to one file, in their order; undefined if nothing is certain */
export function standingOf(text: string, edits: readonly Edit[]): Standing | undefined {
  if (text.length > MAX_TEXT || edits.length > MAX_EDITS) return undefined;
  // A secret is stored redacted, and the file has it as it is: they cannot be compared.
  if (edits.some(({ removed, added }) => `${removed}\n${added}`.search(MARK) !== -1)) return undefined;
  const now = new PresentText(text);
  const changes = changesOf(edits);
  if (changes.length === 0) return undefined;
  const written = changes.flatMap((change) => change.written);
  const removed = changes.flatMap((change) => change.removed);
  if (written.length === 0) return ofDeletion(now, changes, removed);
  const there = written.filter((line) => now.hasLike(line));
  const gone = written.filter((line) => !now.hasLike(line));
  const facts = { written: written.length, left: there.length, gone, lines: [] };
  if (there.length === 0) return { ...facts, verdict: isRestored(now, changes, removed) ? "taken back" : "changed" };
  if (gone.length > 0) {
    const left = there.filter((line) => weightOf(line) >= PROVING_ALONE && now.linesOf(line).length === 1);
    const lost = gone.filter((line) => weightOf(line) >= TELLING);
    if (left.length === 0 || lost.length === 0) return undefined;
    return { ...facts, verdict: "part", lines: left.flatMap((line) => now.linesOf(line)) };
  }
  if (removed.some((line) => weightOf(line) >= PROVING_ALONE && now.linesOf(line).length > 0)) return undefined;
  const places = changes.map((change) => now.placeOf(change));
  if (places.includes(undefined)) return undefined;
  return { ...facts, verdict: "holds", lines: places.flatMap((place) => place!) };
}

/** Returns whether an edit took away one of these lines. */
export function takesAway({ removed, added, isWhole }: Edit, gone: readonly string[]): boolean {
  const lost = new Set(gone.map((line) => line.trim()).filter((line) => line !== ""));
  const kept = new Set(added.split("\n").map((line) => line.trim()));
  if (isWhole) return [...lost].every((line) => !kept.has(line));
  return removed.split("\n").some((line) => lost.has(line.trim()) && !kept.has(line.trim()));
}

/** The letters and digits of a text. */
function weightOf(text: string): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "").length;
}

/** An edit without what another one of the same passage has replaced again. */
interface Change {
  /** With its context. */
  readonly block: string;
  readonly before: string;
  readonly isWhole: boolean;
  /** Telling lines, as they were sent: the first and the last may be parts of lines. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Another one of the passage has changed a part of it again. */
  readonly isSuperseded: boolean;
  /** It moved lines that it kept: only the whole block proves it. */
  readonly isReordered: boolean;
}

function changesOf(edits: readonly Edit[]): Change[] {
  const whole = edits.findLastIndex(({ isWhole }) => isWhole);
  const counted = edits.slice(Math.max(0, whole)).map(plain);
  return counted
    .map((edit, i): Change => {
      const later = counted.slice(i + 1);
      const earlier = counted.slice(0, i);
      const [written, removed] = differing(edit);
      const isReplaced = (line: string) => later.some((other) => other.removed.includes(line.trim()));
      return {
        block: edit.added,
        before: edit.removed,
        isWhole: edit.isWhole,
        written: written.filter((line) => !isReplaced(line)),
        // Lines that the passage wrote itself did not stand there before, and lines that it moved are not gone.
        removed: removed.filter(
          (line) =>
            !earlier.some((other) => other.added.includes(line.trim())) &&
            !later.some((other) => other.added.includes(line.trim())),
        ),
        isReordered: !edit.isWhole && keptBy(edit.added, written) !== keptBy(edit.removed, removed),
        isSuperseded: later.some((other) => edit.added.includes(other.removed) && other.removed !== ""),
      };
    })
    .filter(({ written, removed }) => written.length + removed.length > 0);
}

function plain({ removed, added, isWhole }: Edit): Edit {
  return { removed: removed.replaceAll("\r\n", "\n"), added: added.replaceAll("\r\n", "\n"), isWhole };
}

/** The telling lines of a text but for those that were changed. */
function keptBy(text: string, changed: readonly string[]): string {
  const left = Map.groupBy(changed, (line) => line.trim());
  return text
    .split("\n")
    .filter((line) => isTelling(line) && (left.get(line.trim()) ?? []).pop() === undefined)
    .map((line) => line.trim())
    .join("\n");
}

/** The telling lines of either text that the other has not as often. */
function differing({ removed, added }: Edit): [written: string[], removed: string[]] {
  return [tellingBeyond(added, removed), tellingBeyond(removed, added)];
}

function tellingBeyond(text: string, other: string): string[] {
  const counts = new Map<string, number>();
  for (const line of other.split("\n")) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return text.split("\n").filter((line) => {
    const left = counts.get(line.trim()) ?? 0;
    counts.set(line.trim(), left - 1);
    return left <= 0 && weightOf(line) >= TELLING;
  });
}

/** Of edits that only took something away. */
function ofDeletion(now: PresentText, changes: readonly Change[], removed: readonly string[]): Standing | undefined {
  if (removed.length === 0) return undefined;
  const facts = { written: 0, left: 0, lines: [], gone: [] };
  if (isRestored(now, changes, removed)) return { ...facts, verdict: "taken back" };
  const isGone = removed.every((line) => !now.hasLike(line));
  // The lines that it left must be there as well, or somebody has changed more.
  const isLeft = changes.every(({ block }) => !block.split("\n").some(isTelling) || now.countOf(block.trim()) === 1);
  return isGone && isLeft && weightOf(removed.join("")) >= PROVING ? { ...facts, verdict: "holds" } : undefined;
}

/** Returns whether all that was replaced is there again, as it was. */
function isRestored(now: PresentText, changes: readonly Change[], removed: readonly string[]): boolean {
  return (
    removed.length > 0 &&
    weightOf(changes.map(({ before }) => before).join("")) >= PROVING &&
    changes.every(
      ({ before, isWhole, removed: lines }) => lines.length === 0 || (!isWhole && now.countOf(before.trim()) === 1),
    )
  );
}

class PresentText {
  readonly #text: string;
  readonly #lines: readonly string[];
  readonly #places = new Map<string, number[]>();
  readonly #packed: string;

  constructor(text: string) {
    this.#text = text.replaceAll("\r\n", "\n");
    this.#lines = this.#text.split("\n");
    for (const [i, line] of this.#lines.entries()) {
      const key = line.trim();
      const places = this.#places.get(key);
      if (places === undefined) this.#places.set(key, [i + 1]);
      else places.push(i + 1);
    }
    this.#packed = packed(this.#text);
  }

  /** Returns whether the text has a line, or a part of one, in any white space. */
  hasLike(line: string): boolean {
    return this.#packed.includes(packed(line));
  }

  /** The lines that are this one, whatever they are indented by. */
  linesOf(line: string): readonly number[] {
    return this.#places.get(line.trim()) ?? [];
  }

  /** How often a text occurs; 2 for more. */
  countOf(block: string): number {
    if (block === "") return 0;
    const at = this.#text.indexOf(block);
    if (at === -1) return 0;
    return this.#text.indexOf(block, at + 1) === -1 ? 1 : 2;
  }

  /** The lines that a change wrote, if they are certain to be those: each stretch of them is there once, beside what it stood beside. */
  placeOf({ block, written, isReordered, isSuperseded }: Change): readonly number[] | undefined {
    if (isReordered && (isSuperseded || this.countOf(block.trim()) !== 1)) return undefined;
    if (written.length === 0) return [];
    const sent = block.split("\n");
    const left = Map.groupBy(written, (line) => line.trim());
    const isWritten = sent.map((line) => (left.get(line.trim()) ?? []).pop() !== undefined);
    const places: number[] = [];
    for (const [from, until] of stretches(isWritten)) {
      const at = this.#stretch(sent, from, until);
      if (at === undefined) return undefined;
      for (let i = from; i < until; i++) if (isWritten[i]) places.push(at + i - from + 1);
    }
    return places;
  }

  /** The only place of some lines, of which the first and the last may be parts of lines; undefined if it is not certain. */
  #stretch(sent: readonly string[], from: number, until: number): number | undefined {
    const wanted = sent.slice(from, until).map((line) => line.trim());
    const isAt = (place: number) =>
      wanted.every((line, i) => {
        const there = (this.#lines[place + i] ?? "").trim();
        if (there === line) return true;
        const at = there.indexOf(line);
        const isFirst = from + i === 0;
        const isLast = from + i === sent.length - 1;
        if (at === -1 || isCutOff(there, at, line)) return false;
        return (isFirst || at === 0) && (isLast || at + line.length === there.length);
      });
    const found: number[] = [];
    for (let place = 0; place + wanted.length <= this.#lines.length && found.length < 2; place++)
      if (isAt(place)) found.push(place);
    const [place] = found;
    if (place === undefined || found.length > 1) return undefined;
    const before = sent.slice(0, from).findLast(isTelling)?.trim();
    const after = sent.slice(until).find(isTelling)?.trim();
    const isBeside =
      (before !== undefined && before === this.#lines.slice(0, place).findLast(isTelling)?.trim()) ||
      (after !== undefined &&
        after ===
          this.#lines
            .slice(place + wanted.length)
            .find(isTelling)
            ?.trim());
    const weight = weightOf(wanted.join(""));
    return weight >= (isBeside ? PROVING : PROVING_APART) ? place : undefined;
  }
}

function isTelling(line: string): boolean {
  return weightOf(line) >= TELLING;
}

/** Returns the ranges in which the flags are true without a break. */
function stretches(flags: readonly boolean[]): [from: number, until: number][] {
  const found: [number, number][] = [];
  for (const [i, flag] of flags.entries()) {
    if (!flag) continue;
    const last = found.at(-1);
    if (last !== undefined && last[1] === i) last[1] = i + 1;
    else found.push([i, i + 1]);
  }
  return found;
}

/** Returns whether a word goes on beyond the text. */
function isCutOff(text: string, at: number, part: string): boolean {
  const end = at + part.length;
  return (isWord(text[at - 1]) && isWord(part[0])) || (isWord(part.at(-1)) && isWord(text[end]));
}

function isWord(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
}

function packed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
