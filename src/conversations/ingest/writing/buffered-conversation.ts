// A conversation and its pages in memory while its transcripts are ingested: its
// row, and the changes to be written. Used by store-writer.ts and what it uses.
import { redact } from "../../../redaction/redaction.ts";
import type { SourceName, Usage } from "../../sources/source.ts";
import type { StoredPart } from "../../store/pages.ts";
import { sumOf } from "../reading/part-preparation.ts";

export interface BufferedConversation {
  readonly id: number;
  readonly source: SourceName;
  /** The program's own id. */
  readonly key: string;
  /** Created in this transaction, and not written yet. */
  isNew: boolean;
  /** With the changes, which are still to be written. */
  readonly row: Row;
  readonly changes: Partial<Row>;
  readonly files: Map<string, number>;
  /** Tokens that are still to be written, by the transcript and the session that counted them. */
  readonly usages: Map<string, BufferedUsage>;
  /** By transcript, the pages that take further parts. */
  readonly openPages: { readonly prose: Map<number, BufferedPage>; readonly nonProse: Map<number, BufferedPage> };
  isRetitled: boolean;
}

interface BufferedUsage {
  readonly transcript: number;
  readonly usage: Usage;
}

export interface BufferedPage {
  readonly id: number;
  readonly conversation: BufferedConversation;
  readonly transcript: number;
  readonly isNonProse: boolean;
  readonly parts: StoredPart[];
  size: number;
  isNew: boolean;
  isChanged: boolean;
}

export interface Row {
  title: string | null;
  /** `opening`: derived from a prompt that says little; a later prompt replaces it. */
  title_by: "user" | "program" | "prompt" | "opening" | null;
  /** The row of the title in the full text. */
  title_row: number | null;
  folder: string | null;
  workspace: string | null;
  branch: string | null;
  created: number | null;
  created_known: string | null;
  updated: number | null;
  updated_known: string | null;
  messages: number;
  type: string | null;
  keywords: string | null;
  continues: number | null;
  first_page: number | null;
  opening: string | null;
  /** A conversation without prose is an empty draft and not listed, unless only its title can be read. */
  is_listed: 0 | 1;
  unavailable: string | null;
  /** Non-prose parts before this order repeat another conversation. */
  repeats_until: number | null;
  model: string | null;
  copied_at: number | null;
  continues_key: string | null;
  shared_until: number | null;
}

/** The defaults of the table. */
export function newRow(): Row {
  return {
    title: null,
    title_by: null,
    title_row: null,
    folder: null,
    workspace: null,
    branch: null,
    created: null,
    created_known: null,
    updated: null,
    updated_known: null,
    messages: 0,
    type: null,
    keywords: null,
    continues: null,
    first_page: null,
    opening: null,
    is_listed: 0,
    unavailable: null,
    repeats_until: null,
    model: null,
    copied_at: null,
    continues_key: null,
    shared_until: null,
  };
}

export const COLUMNS = Object.keys(newRow()).join(", ");

/** As long as the last prose was a repetition: everything before the first new prose repeats too. */
const STILL_REPEATING = Number.MAX_SAFE_INTEGER;

/** Returns whether the last prose belongs to another conversation, which this one repeats. */
export function isRepeating({ row }: BufferedConversation): boolean {
  return row.repeats_until === STILL_REPEATING;
}

/** Returns whether a non-prose part of this order comes before the first new prose. */
export function isRepeated({ row }: BufferedConversation, order: number): boolean {
  return row.repeats_until !== null && order < row.repeats_until;
}

/** Returns whether a non-prose part of this time was copied from a conversation that is stored, and has it too. */
export function isCopied({ row }: BufferedConversation, time: number | undefined): boolean {
  return row.copied_at !== null && row.continues !== null && time !== undefined && time < row.copied_at;
}

export function beginRepetition(conversation: BufferedConversation, original: number, order: number): void {
  const { row } = conversation;
  // A fork of a fork repeats messages of both: it continues the one that has the last of them.
  if (row.continues === null || order > (row.shared_until ?? order)) change(conversation, "continues", original);
  change(conversation, "shared_until", Math.max(order, row.shared_until ?? order));
  change(conversation, "repeats_until", STILL_REPEATING);
}

export function endRepetition(conversation: BufferedConversation, order: number): void {
  if (isRepeating(conversation)) change(conversation, "repeats_until", order);
}

export function change<K extends keyof Row>(conversation: BufferedConversation, name: K, value: Row[K]): void {
  if (conversation.row[name] === value) return;
  conversation.row[name] = value;
  conversation.changes[name] = value;
}

/** Times of messages replace those of files. */
export function extendTimes(conversation: BufferedConversation, time: number): void {
  const { row } = conversation;
  if (row.created === null || row.created_known === "file" || time < row.created) {
    change(conversation, "created", time);
    change(conversation, "created_known", "stored");
  }
  if (row.updated === null || row.updated_known === "file" || time > row.updated) {
    change(conversation, "updated", time);
    change(conversation, "updated_known", "stored");
  }
}

export function addFile({ files }: BufferedConversation, path: string, times = 1): void {
  files.set(path, (files.get(path) ?? 0) + times);
}

/** Most conversations count the tokens of every answer: one row is written for all of them. */
export function addUsage({ usages }: BufferedConversation, transcript: number, usage: Usage): void {
  const key = `${transcript} ${usage.session ?? ""}`;
  const before = usage.isTotal ? undefined : usages.get(key)?.usage;
  const sum = before === undefined ? usage : { ...before, tokens: sumOf(before.tokens, usage.tokens) };
  usages.set(key, { transcript, usage: sum });
}

export function retitle(conversation: BufferedConversation, title: string, by: NonNullable<Row["title_by"]>): void {
  // Without secrets: a title is searched, and a search that finds something
  // confirms a guess.
  const plain = redact(title.replace(/\s+/g, " ").trim());
  change(conversation, "title_by", by);
  if (plain === conversation.row.title) return;
  change(conversation, "title", plain);
  conversation.isRetitled = true;
}

/** A title that the program gave to one of its messages. */
export function retitleByProgram(conversation: BufferedConversation, title: string): void {
  if (conversation.row.title_by !== "user" && conversation.row.title_by !== "program")
    retitle(conversation, title, "program");
}
