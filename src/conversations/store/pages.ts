// Pages: consecutive parts of a conversation, packed into some kilobytes that
// compress well together. Pure; used to write and to read the store.
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { indexText } from "../../search/search.ts";
import type { MessageKind, MessagePart, Role } from "../sources/source.ts";
import { FIRST_SOURCES } from "../sources/sources.ts";

/** Where the whole text of a part is: see tool-texts.ts. */
export interface WholeText {
  readonly block: number;
  /** Within the block. */
  readonly index: number;
}

/** A part as a page holds it. */
export interface StoredPart extends Pick<MessagePart, "order" | "role" | "kind" | "text" | "time" | "tool"> {
  /** Empty for parts that the source emits only once. */
  readonly hash: PartHash;
  /** The id of the message, by which parts of prose are merged. Of other parts only if they are counted as its message; else empty. */
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

/**
 * Identifies a part: a 64-bit hash of its key, as decimal digits. Keys are 36
 * random characters, and all of them would take more room than the prose. The
 * chance that two of ten million share a hash is 1 in 300,000.
 */
export type PartHash = string;

const KINDS_OF_HASH = { part: 0x9e3779b9, message: 0x85ebca6b, follows: 0xc2b2ae35 } as const;

/** Two multiplicative hashes side by side: safe against accident, not against attack, and four times as fast as SHA-1. */
export function hashOf(source: string, kind: keyof typeof KINDS_OF_HASH, key: string): PartHash {
  const seeds = seedsOf(source);
  let high = KINDS_OF_HASH[kind] ^ seeds.high;
  let low = 0x41c6ce57 ^ seeds.low;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return BigInt.asIntN(64, (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)).toString();
}

interface Seeds {
  readonly high: number;
  readonly low: number;
}

const SEEDS = new Map<string, Seeds>();

function seedsOf(source: string): Seeds {
  const known = SEEDS.get(source);
  if (known !== undefined) return known;
  let high = source.charCodeAt(0);
  let low = source.charCodeAt(1);
  // Stores have parts of the first sources under hashes of the first two letters of their names, which differ.
  if (!FIRST_SOURCES.has(source))
    for (let i = 0; i < source.length; i++) {
      high = Math.imul(high ^ source.charCodeAt(i), 0x9e3779b1);
      low = Math.imul(low ^ source.charCodeAt(i), 0x27d4eb2f);
    }
  const seeds = { high, low };
  SEEDS.set(source, seeds);
  return seeds;
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

/** What the full text indexes of parts. */
export function indexedText(texts: readonly string[]): string {
  return indexText(texts.join("\n\n"));
}
