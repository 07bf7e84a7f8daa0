// What a tool returned, out of the bytes of a transcript's line. These records
// are most of a transcript; of each only the beginning is kept, so that their
// texts, often twice and long, are cut out before anything is parsed. Used by
// claude-code.ts.
import type { ClaudeRecord } from "./claude-records.ts";

/** A quote within a text is never without a backslash before it, so each of these is a key wherever it stands. */
const FULL_RESULT = Buffer.from(',"toolUseResult":');
const MESSAGE = Buffer.from(',"message":{"role":"user","content":[{"tool_use_id":"');
const RESULT = Buffer.from('"type":"tool_result","content":"');
const UUID = Buffer.from(',"uuid":"');
/** Bytes that are kept of a result; more than is shown of it, since some of them are escapes. */
const KEPT = 600;
const QUOTE = 0x22;

/**
 * The record with the beginning of what the tool returned. Undefined where the
 * line is of another form: then it has to be parsed as it is.
 */
export function toolResultIn(line: Buffer): ClaudeRecord | undefined {
  const message = line.indexOf(MESSAGE);
  if (message === -1) return undefined;
  const result = line.indexOf(RESULT, message);
  // Right behind the id: a result that comes later is not the only one.
  if (result === -1 || result > message + MESSAGE.length + 80) return undefined;
  const start = result + RESULT.length;
  const full = line.indexOf(FULL_RESULT, start);
  if (full === -1) return undefined;
  const uuid = line.lastIndexOf(UUID, full);
  if (uuid < start) return undefined;
  const text = beginning(line, start, uuid);
  if (text === undefined) return undefined;
  try {
    const head = line.toString("utf8", 0, message);
    const record = JSON.parse(`${head}${line.toString("utf8", uuid, full)}}`) as ClaudeRecord;
    return { ...record, message: { content: [{ type: "tool_result", content: text }] } };
  } catch {
    return undefined;
  }
}

/** What stands between two quotes, or as much of it as is kept. Undefined where more results follow. */
function beginning(line: Buffer, start: number, end: number): string | undefined {
  let at = start;
  while (at < end && at - start < KEPT && line[at] !== QUOTE) at += line[at] === 0x5c ? 2 : 1;
  if (line[at] === QUOTE && line.indexOf('"tool_result"', at) < end && line.indexOf('"tool_result"', at) !== -1)
    return undefined;
  // Not within a character of several bytes.
  while (at > start && (line[at]! & 0xc0) === 0x80) at--;
  const raw = line.toString("utf8", start, at).replace(/(?<!\\)((?:\\\\)*)\\u[\da-f]{0,3}$/i, "$1");
  const text = JSON.parse(`"${raw}"`) as string;
  return line[at] === QUOTE ? text : `${text} …`;
}
