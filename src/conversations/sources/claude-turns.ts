// What has to be known at once of a transcript's line in which nothing was
// said, out of its bytes: that the assistant had a turn, when, and the files
// that it touched. The rest of such lines is read later. Used by claude-code.ts.
import { timeOf, type Turn } from "../source.ts";

/** A quote within a text is never without a backslash before it, so each of these is a key wherever it stands. */
const TEXT_BLOCK = '"type":"text"';
const SIDE = '"isSidechain":true';
const MESSAGE = '"message":{';
const CONTENT = '"content":';
const ID = '"id":"';
const TIME = '"timestamp":"';
/** Of `file_path` and `notebook_path`. */
const PATH = '_path":"';
const TEXT_BLOCK_BYTES = Buffer.from(TEXT_BLOCK);
const TOOL_RESULT = Buffer.from('"type":"tool_result"');
const FULL_RESULT = Buffer.from(',"toolUseResult":');
/** Where the flags of a record stand. */
const HEAD = 300;

/** Whether nothing can have been said in a record of a person: it only brings what a tool returned. */
export function isToolResultOnly(line: Buffer): boolean {
  // What a tool returned stands there twice, the second time in full: most of all bytes need not be looked at.
  const end = line.indexOf(FULL_RESULT);
  const own = end === -1 ? line : line.subarray(0, end);
  return own.includes(TOOL_RESULT) && !own.includes(TEXT_BLOCK_BYTES);
}

/** Undefined where something may have been said, or the line is of another form: then it has to be parsed. */
export function silentTurnIn(line: Buffer, conversation: string): Turn | "of a sub-agent" | undefined {
  // Bytes as characters: to look for several keys in a text takes half as long as in bytes.
  const text = line.toString("latin1");
  if (text.includes(TEXT_BLOCK)) return undefined;
  const side = text.indexOf(SIDE);
  if (side !== -1 && side < HEAD) return "of a sub-agent";
  const start = text.indexOf(MESSAGE);
  // Content that is no list of blocks is a text.
  const content = start === -1 ? -1 : text.indexOf(CONTENT, start);
  if (content === -1 || text.charAt(content + CONTENT.length) !== "[") return undefined;
  const message = textAfter(text, ID, text.indexOf(ID, start));
  const time = textAfter(text, TIME, text.lastIndexOf(TIME));
  if (message === undefined || time === undefined) return undefined;
  const file = textAfter(text, PATH, text.indexOf(PATH));
  return { conversation, message, time: timeOf(time), files: file === undefined ? [] : [file] };
}

/** @param at where the key stands; -1 for nowhere */
function textAfter(bytes: string, key: string, at: number): string | undefined {
  if (at === -1) return undefined;
  const start = at + key.length;
  let end = bytes.indexOf('"', start);
  while (end !== -1 && bytes.charAt(end - 1) === "\\" && bytes.charAt(end - 2) !== "\\")
    end = bytes.indexOf('"', end + 1);
  const text = end <= start ? undefined : bytes.slice(start, end);
  // Most have neither escapes nor characters of several bytes. V8 keeps what a text was cut from: not a long line.
  if (text === undefined || (bytes.length < LONG && PLAIN.test(text))) return text;
  try {
    return JSON.parse(`"${Buffer.from(text, "latin1").toString("utf8")}"`) as string;
  } catch {
    return undefined;
  }
}

const LONG = 20_000;
const PLAIN = /^[ !#-[\]-~]*$/;
