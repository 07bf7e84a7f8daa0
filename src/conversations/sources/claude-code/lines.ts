// What a line of a transcript holds, out of its bytes and whatever the order of
// its keys. Most of a transcript is what tools returned, twice and in full, of
// which only the beginning is kept: the rest is not parsed. Used by
// claude-code.ts.
import { timeOf, type Turn } from "../source.ts";
import { FILE_ARGUMENTS, type ClaudeRecord } from "./records.ts";
import { elementsIn, fieldsIn, parsedAt, textAt, type Span } from "../formats/json-bytes.ts";

/** A line whose keys and blocks were found, and nothing parsed. */
export interface ClaudeLine {
  readonly bytes: Buffer;
  readonly fields: ReadonlyMap<string, Span>;
  readonly message: ReadonlyMap<string, Span>;
  readonly blocks: readonly Block[];
}

interface Block {
  readonly type: string | undefined;
  readonly fields: ReadonlyMap<string, Span>;
}

/** Undefined where the content is no list of blocks, or the line is damaged: then it has to be parsed as it is. */
export function claudeLine(bytes: Buffer): ClaudeLine | undefined {
  const fields = fieldsIn(bytes);
  const message = fieldsIn(bytes, fields?.get("message")?.start ?? bytes.length);
  const content = message?.get("content");
  const spans = content === undefined ? undefined : elementsIn(bytes, content.start);
  if (fields === undefined || message === undefined || spans === undefined) return undefined;
  const blocks: Block[] = [];
  for (const { start } of spans) {
    const block = fieldsIn(bytes, start);
    if (block === undefined) return undefined;
    blocks.push({ type: textAt(bytes, block.get("type")), fields: block });
  }
  return { bytes, fields, message, blocks };
}

/** Whether nothing can have been said in a record of a person: it only brings what tools returned. */
export function isToolResultOnly({ blocks }: ClaudeLine): boolean {
  return blocks.length > 0 && blocks.every(({ type }) => type === "tool_result");
}

/**
 * Of a record in which the assistant said nothing, what has to be known at once: that it had a turn, when, and the
 * files that it touched. Undefined where something may have been said.
 */
export function silentTurnIn(line: ClaudeLine, conversation: string): Turn | "of a sub-agent" | undefined {
  const { bytes, fields, message, blocks } = line;
  if (blocks.some(({ type }) => type === undefined || type === "text" || type === "image")) return undefined;
  if (isTrue(line, "isSidechain")) return "of a sub-agent";
  const id = textAt(bytes, message.get("id"));
  const time = timeOf(textAt(bytes, fields.get("timestamp")));
  if (id === undefined || time === undefined) return undefined;
  const files = blocks.flatMap((block) => {
    const input = block.fields.get("input");
    const values = input === undefined ? undefined : fieldsIn(bytes, input.start);
    return FILE_ARGUMENTS.flatMap((name) => textAt(bytes, values?.get(name)) || []);
  });
  return { conversation, message: id, time, files };
}

export function isTrue({ bytes, fields }: ClaudeLine, key: string): boolean {
  return parsedAt(bytes, fields.get(key)) === true;
}

/** Bytes that are kept of a result; more than is shown of it, since some of them are escapes. */
const KEPT = 600;

/** Keys that are long and not looked at. */
const LEFT_OUT = new Set(["message", "toolUseResult"]);

/** The record with the beginnings of what the tools returned. */
export function toolResultsIn({ bytes, fields, blocks }: ClaudeLine): ClaudeRecord {
  const short = [...fields].filter(([key]) => !LEFT_OUT.has(key));
  const record = Object.fromEntries(short.map(([key, span]) => [key, parsedAt(bytes, span)]));
  const content = blocks.map((block) => ({ type: block.type, content: beginning(bytes, block.fields.get("content")) }));
  return { ...record, message: { content } };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A text as far as it is kept, and any other value as it is. */
function beginning(bytes: Buffer, span: Span | undefined): unknown {
  if (span === undefined || span.end - span.start <= KEPT || bytes[span.start] !== QUOTE) return parsedAt(bytes, span);
  const start = span.start + 1;
  let at = start;
  while (at - start < KEPT) at += bytes[at] === BACKSLASH ? 2 : 1;
  // Not within a character of several bytes, nor within an escape.
  while (at > start && (bytes[at]! & 0xc0) === 0x80) at--;
  const raw = bytes.toString("utf8", start, at).replace(/(?<!\\)((?:\\\\)*)\\u[\da-f]{0,3}$/i, "$1");
  try {
    return `${JSON.parse(`"${raw}"`) as string} …`;
  } catch {
    return undefined;
  }
}
