// How a page is encoded: consecutive parts of a conversation, packed into some
// kilobytes that compress well together. Ingest decides what goes into one. Pure;
// used to write and to read the store.
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { MARK, redact } from "../../redaction/redaction.ts";
import { indexText } from "../../search/search.ts";
import type { MessageKind, MessagePart, Role } from "../sources/source.ts";
import type { PartHash } from "./part-hash.ts";

/** The place of the whole text of a part: see tool-texts.ts. */
export interface WholeText {
  readonly block: number;
  /** Within the block. */
  readonly index: number;
}

/** A part as a page holds it. */
export interface StoredPart extends Pick<MessagePart, "order" | "role" | "kind" | "text" | "time" | "tool"> {
  /** Empty for parts that the source emits only once. */
  readonly hash: PartHash;
  /** The id of the message, by which parts of prose are merged. Empty for what tools returned. */
  readonly message: string;
  /** Of a prompt: the message that it follows. */
  readonly follows?: PartHash | undefined;
  /** A prompt that was edited later: another one follows the same message. */
  readonly isEdited?: true | undefined;
  /** If `text` is only the beginning. */
  readonly whole?: WholeText | undefined;
  /** Of the whole text as the source emits it, if it may be emitted again. */
  readonly digest?: string | undefined;
}

/** In characters. Longer pages compress better; shorter ones locate a word better, and are rewritten faster. */
export const PAGE_SIZES = { prose: 6_000, nonProse: 16_000 } as const;

const ROLES: readonly Role[] = ["user", "assistant"];
const KINDS: readonly MessageKind[] = ["prose", "tool", "thinking", "subagent", "summary"];
const DEFLATE = { level: 2 };

/** Orders are stored as differences, missing values as 0. */
type Packed = [
  hash: PartHash,
  message: string | 0,
  order: number,
  time: number | 0 | null,
  role: number,
  kind: number,
  text: string,
  tool?: string | 0,
  follows?: PartHash | 0,
  isEdited?: 1 | 0,
  /** The difference to the block of the part before. */
  block?: number,
  index?: number,
  digest?: string,
];

export function packed(json: string): Uint8Array {
  return deflateRawSync(json, DEFLATE);
}

export function jsonOf(parts: readonly StoredPart[]): string {
  let before = 0;
  let blockBefore = 0;
  const rows = parts.map((part): Packed => {
    const { hash: own, message, order, time, role, kind, text, tool, follows, isEdited, whole, digest } = part;
    const row: Packed = [
      own,
      message === "" ? 0 : message,
      order - before,
      time === order ? 0 : (time ?? null),
      ROLES.indexOf(role),
      KINDS.indexOf(kind),
      text,
    ];
    before = order;
    if (whole !== undefined) {
      row.push(tool ?? 0, follows ?? 0, isEdited ? 1 : 0, whole.block - blockBefore, whole.index);
      blockBefore = whole.block;
      if (digest !== undefined) row.push(digest);
    } else if (isEdited) row.push(tool ?? 0, follows ?? 0, 1);
    else if (follows !== undefined) row.push(tool ?? 0, follows);
    else if (tool !== undefined) row.push(tool);
    return row;
  });
  return JSON.stringify(rows);
}

/** Of the content of a page, packed or not. */
export function partsIn(content: unknown): StoredPart[] {
  let before = 0;
  let blockBefore = 0;
  const json = content instanceof Uint8Array ? inflateRawSync(content).toString("utf8") : content;
  const rows = typeof json === "string" ? (JSON.parse(json) as Packed[]) : [];
  return rows.map((row) => {
    const [own, message, difference, time, role, kind, text, tool, follows, isEdited, block, index, digest] = row;
    const order = before + difference;
    before = order;
    if (block !== undefined) blockBefore += block;
    return {
      hash: own,
      message: message === 0 ? "" : message,
      order,
      time: time === 0 ? order : (time ?? undefined),
      role: ROLES[role]!,
      kind: KINDS[kind]!,
      text,
      ...(tool !== undefined && tool !== 0 && { tool }),
      ...(follows !== undefined && follows !== 0 && { follows }),
      ...(isEdited === 1 && { isEdited: true as const }),
      ...(index !== undefined && { whole: { block: blockBefore, index } }),
      ...(digest !== undefined && { digest }),
    };
  });
}

/** Returns the text that the full text indexes of parts. */
export function indexedText(texts: readonly string[]): string {
  return indexText(texts.join("\n\n"));
}

/** Returns the part of a text that may be searched: a search that finds a secret would confirm a guess. */
export function withoutSecretsIn(text: string): string {
  return redact(text).replace(MARK, " ");
}
