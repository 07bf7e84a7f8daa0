// Finds what a line of a transcript has in its bytes, in any order of keys. Most
// of a transcript is tool output twice, as the model got it and in full with
// the files around it: only the former is parsed. Used by claude-code.ts.
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
 * What is needed at once of an assistant's record without prose: its time, and the files that it touched. Undefined if it may have prose.
 */
export function silentTurnIn(line: ClaudeLine, conversation: string): Turn | "of a sub-agent" | undefined {
  const { bytes, fields, blocks } = line;
  if (blocks.some(({ type }) => type === undefined || type === "text" || type === "image")) return undefined;
  if (isTrue(line, "isSidechain")) return "of a sub-agent";
  const time = timeOf(textAt(bytes, fields.get("timestamp")));
  if (time === undefined) return undefined;
  const files = blocks.flatMap((block) => {
    const input = block.fields.get("input");
    const values = input === undefined ? undefined : fieldsIn(bytes, input.start);
    return FILE_ARGUMENTS.flatMap((name) => textAt(bytes, values?.get(name)) || []);
  });
  return { conversation, time, files };
}

export function isTrue({ bytes, fields }: ClaudeLine, key: string): boolean {
  return parsedAt(bytes, fields.get(key)) === true;
}

/** Keys with long values that are not used. */
const LEFT_OUT = new Set(["message", "toolUseResult"]);

/** The record with tool output as the model got it. */
export function toolResultsIn({ bytes, fields, blocks }: ClaudeLine): ClaudeRecord {
  const short = [...fields].filter(([key]) => !LEFT_OUT.has(key));
  const record = Object.fromEntries(short.map(([key, span]) => [key, parsedAt(bytes, span)]));
  const content = blocks.map((block) => ({ type: block.type, content: parsedAt(bytes, block.fields.get("content")) }));
  return { ...record, message: { content } };
}
