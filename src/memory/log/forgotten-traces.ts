// Takes traces of calls out of the log, for conversations that a person wants
// forgotten. A line is overwritten with blanks, in place: other processes append to
// the same file, and every reader passes over a line that is no event. Used by
// memory.ts.
import { closeSync, existsSync, readSync, writeSync } from "node:fs";
import { openForOverwriting, readBytes } from "../../files/files.ts";
import { keptId } from "../id.ts";
import { type EventFile } from "./event-files.ts";
import { eventOf } from "./event.ts";

/** The calls of a session in a time, in milliseconds: a session may go on in other conversations. */
export interface ForgottenCalls {
  readonly session: string;
  readonly from: number;
  readonly until: number;
}

const LINE_BREAK = 10;
const MAX_FILE_SIZE = 50_000_000;

/** How many traces and assumptions there are of these calls. @param isCount changes nothing */
export function forgetTraces(files: readonly EventFile[], calls: readonly ForgottenCalls[], isCount: boolean): number {
  let count = 0;
  for (const { path, form } of files) {
    // Events of a shared store are in no file of this machine.
    if (form !== "log" || !existsSync(path)) continue;
    const bytes = readBytes(path, undefined, MAX_FILE_SIZE);
    const lines = linesOf(bytes).filter(({ start, end }) => isOf(bytes.toString("utf8", start, end), calls));
    count += lines.length;
    if (isCount || lines.length === 0) continue;
    const file = openForOverwriting(path);
    try {
      // A sync program may have put another file in its place since it was read.
      const isSame = (start: number, end: number) => {
        const now = Buffer.alloc(end - start);
        return readSync(file, now, 0, end - start, start) === end - start && now.equals(bytes.subarray(start, end));
      };
      for (const { start, end } of lines)
        if (isSame(start, end)) writeSync(file, Buffer.alloc(end - start, " "), 0, end - start, start);
    } finally {
      closeSync(file);
    }
  }
  return count;
}

function linesOf(bytes: Buffer): { readonly start: number; readonly end: number }[] {
  const lines = [];
  for (
    let start = 0, end = bytes.indexOf(LINE_BREAK);
    end !== -1;
    start = end + 1, end = bytes.indexOf(LINE_BREAK, start)
  )
    lines.push({ start, end });
  return lines;
}

/** A trace, or what was assumed of a session from the context of a call. What was stated on purpose stays. */
function isOf(line: string, calls: readonly ForgottenCalls[]): boolean {
  const event = eventOf(line);
  if (event === undefined) return false;
  const session = event.type === "trace" ? event.session : event.type === "session" ? event.of : undefined;
  if (event.type !== "trace" && event.weight !== "assumed") return false;
  return calls.some((one) => keptId(one.session) === session && event.at >= one.from && event.at <= one.until);
}
