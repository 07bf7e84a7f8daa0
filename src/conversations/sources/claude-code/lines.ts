// Finds what a line of a transcript has in its bytes, in any order of keys. Most
// of a transcript is tool output, in full and twice, of which only the beginning
// is stored: the remainder is not parsed. Used by claude-code.ts.
import { timeOf, type Turn } from "../source.ts";
import { FILE_ARGUMENTS, type ClaudeRecord } from "./records.ts";
import { elementsIn, fieldsIn, parsedAt, textAt, type Span } from "../formats/json-bytes.ts";

/** A line whose keys and blocks were found but not parsed. */
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

/** Undefined if the content is no list of blocks, or the line is damaged: then it has to be parsed as a whole. */
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

/** Whether a user record cannot have prose: it only has tool output. */
export function isToolResultOnly({ blocks }: ClaudeLine): boolean {
  return blocks.length > 0 && blocks.every(({ type }) => type === "tool_result");
}

/**
 * What is needed at once of an assistant's record without prose: its message, its time, and the files that it
 * touched. Undefined if it may have prose.
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

/** Bytes that are kept of tool output: more than is stored of it, since some are escapes. */
const KEPT = 600;

/** Keys with long values that are not used. */
const LEFT_OUT = new Set(["message", "toolUseResult"]);

/** The record with only the beginning of each tool output. */
export function toolResultsIn({ bytes, fields, blocks }: ClaudeLine): ClaudeRecord {
  const short = [...fields].filter(([key]) => !LEFT_OUT.has(key));
  const record = Object.fromEntries(short.map(([key, span]) => [key, parsedAt(bytes, span)]));
  const content = blocks.map((block) => ({ type: block.type, content: beginning(bytes, block.fields.get("content")) }));
  return { ...record, message: { content } };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The beginning of a text; any other value unchanged. */
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
