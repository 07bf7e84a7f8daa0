// What has to be known at once of a transcript's line in which nothing was
// said, out of its bytes: that the assistant had a turn, when, and the files
// that it touched. The rest of such lines is read later. Used by claude-code.ts.
import { timeOf, type Turn } from "../source.ts";

/** A quote within a text is never without a backslash before it, so each of these is a key wherever it stands. */
const TEXT_BLOCK = Buffer.from('"type":"text"');
const TOOL_RESULT = Buffer.from('"type":"tool_result"');
const SIDE = Buffer.from('"isSidechain":true');
const MESSAGE = Buffer.from('"message":{');
const CONTENT = Buffer.from('"content":');
const ID = Buffer.from('"id":"');
const TIME = Buffer.from('"timestamp":"');
/** Of `file_path` and `notebook_path`. */
const PATH = Buffer.from('_path":"');
const FULL_RESULT = Buffer.from(',"toolUseResult":');
/** Where the flags of a record stand. */
const HEAD = 300;
const QUOTE = 0x22;
const BRACKET = 0x5b;

/** Whether nothing can have been said in a record of a person: it only brings what a tool returned. */
export function isToolResultOnly(line: Buffer): boolean {
  // What a tool returned stands there twice, the second time in full: most of all bytes need not be looked at.
  const end = line.indexOf(FULL_RESULT);
  const own = end === -1 ? line : line.subarray(0, end);
  return own.includes(TOOL_RESULT) && !own.includes(TEXT_BLOCK);
}

/** Undefined where something may have been said, or the line is of another form: then it has to be parsed. */
export function silentTurnIn(line: Buffer, conversation: string): Turn | "of a sub-agent" | undefined {
  if (line.includes(TEXT_BLOCK)) return undefined;
  if (line.subarray(0, HEAD).includes(SIDE)) return "of a sub-agent";
  const start = line.indexOf(MESSAGE);
  // Content that is no list of blocks is a text.
  const content = start === -1 ? -1 : line.indexOf(CONTENT, start);
  if (content === -1 || line[content + CONTENT.length] !== BRACKET) return undefined;
  const message = textAfter(line, ID, start);
  const time = textAfter(line, TIME, line.lastIndexOf(TIME));
  if (message === undefined || time === undefined) return undefined;
  const file = textAfter(line, PATH, 0);
  return { conversation, message, time: timeOf(time), files: file === undefined ? [] : [file] };
}

function textAfter(line: Buffer, key: Buffer, from: number): string | undefined {
  const at = from === -1 ? -1 : line.indexOf(key, from);
  if (at === -1) return undefined;
  const start = at + key.length;
  let end = line.indexOf(QUOTE, start);
  while (end !== -1 && line[end - 1] === 0x5c && line[end - 2] !== 0x5c) end = line.indexOf(QUOTE, end + 1);
  const text = end === -1 ? undefined : line.toString("utf8", start, end);
  if (text === undefined || text === "" || !text.includes("\\")) return text || undefined;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
