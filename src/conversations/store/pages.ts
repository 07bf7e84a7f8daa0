// Pages: consecutive parts of a conversation, packed into some kilobytes that
// compress well together. Pure; used by what writes and reads the store.
import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { indexText } from "../../text/search-text.ts";
import type { MessageKind, MessagePart, Role } from "../source.ts";

/** A part as a page holds it: which conversation it is of, the page knows; its files are in a table of their own. */
export interface StoredPart extends Omit<MessagePart, "conversation" | "files"> {
  /** A prompt that was edited later: another one follows the same message. */
  readonly isEdited?: true | undefined;
}

/** Characters. Longer pages compress better; shorter ones tell better where a word is, and are rewritten faster. */
export const PAGE_SIZE = 16_000;

const ROLES: readonly Role[] = ["user", "assistant"];
const KINDS: readonly MessageKind[] = ["prose", "tool", "thinking", "subagent", "summary"];

/** What is equal to what stands before it is 0. */
type Packed = [
  key: string,
  message: string | 0,
  order: number,
  time: number | 0 | null,
  role: number,
  kind: number,
  text: string,
  follows?: string | 0,
  tool?: string | 0,
  isEdited?: 1,
];

export function packed(parts: readonly StoredPart[]): Uint8Array {
  const rows = parts.map(({ key, message, order, time, role, kind, text, follows, tool, isEdited }): Packed => {
    const row: Packed = [
      key,
      message === key ? 0 : message,
      order,
      time === order ? 0 : (time ?? null),
      ROLES.indexOf(role),
      KINDS.indexOf(kind),
      text,
    ];
    if (isEdited) row.push(follows ?? 0, tool ?? 0, 1);
    else if (tool !== undefined) row.push(follows ?? 0, tool);
    else if (follows !== undefined) row.push(follows);
    return row;
  });
  return deflateRawSync(JSON.stringify(rows), { level: 3 });
}

export function unpacked(content: Uint8Array): StoredPart[] {
  const rows = JSON.parse(inflateRawSync(content).toString("utf8")) as Packed[];
  return rows.map(([key, message, order, time, role, kind, text, follows, tool, isEdited]) => ({
    key,
    message: message === 0 ? key : message,
    order,
    time: time === 0 ? order : (time ?? undefined),
    role: ROLES[role]!,
    kind: KINDS[kind]!,
    text,
    ...(follows !== undefined && follows !== 0 && { follows }),
    ...(tool !== undefined && tool !== 0 && { tool }),
    ...(isEdited !== undefined && { isEdited: true as const }),
  }));
}

/** The prose of a page as the full text has it. */
export function proseOf(parts: readonly StoredPart[]): string {
  return indexText(textOf(parts, (part) => part.kind === "prose"));
}

/** Everything else of it. */
export function otherTextOf(parts: readonly StoredPart[]): string {
  return indexText(textOf(parts, (part) => part.kind !== "prose"));
}

function textOf(parts: readonly StoredPart[], isWanted: (part: StoredPart) => boolean): string {
  return parts
    .filter(isWanted)
    .map(({ text }) => text)
    .join("\n\n");
}

/** What is known by is short: 64 bits of a hash; among ten million there is no other with a chance of 1 to 300,000. */
export function hashOf(source: string, kind: "part" | "message" | "follows", key: string): bigint {
  return createHash("sha1").update(`${source}\0${kind}\0${key}`).digest().readBigInt64LE(0);
}
