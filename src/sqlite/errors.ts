// The kinds of errors that a database reports, and how each room words them.
// Used by everything that opens a database.
import { codeOf, FullDisk } from "../files/files.ts";
import { Problem, type ProblemCode } from "../kernel/kernel.ts";

export type DatabaseFailure = "busy" | "full" | "damaged" | "inaccessible";

/** A failure in the words of the room whose database it is. */
export class DatabaseProblem extends Problem {
  readonly failure: DatabaseFailure;

  constructor(failure: DatabaseFailure, ...[code, message, hint]: Sentence) {
    super(code, message, hint);
    this.failure = failure;
  }
}

export type Sentence = readonly [code: ProblemCode, message: string, hint?: string];
export type Sentences = Readonly<Record<DatabaseFailure, Sentence>>;

/** The failure as a problem with one of these sentences; any other error unchanged. */
export function databaseProblem(error: unknown, sentences: Sentences): unknown {
  if (error instanceof DatabaseProblem) return error;
  const failure = failureOf(error);
  return failure === undefined ? error : new DatabaseProblem(failure, ...sentences[failure]);
}

/** The kind of a database error, or of a system error while it was opened; undefined for any other error. */
export function failureOf(error: unknown): DatabaseFailure | undefined {
  if (error instanceof DatabaseProblem) return error.failure;
  // SQLite's primary result code; 0 if the error is not SQLite's.
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
  const system = codeOf(error);
  if (code === 5) return "busy";
  if (code === 13 || system === "ENOSPC" || system === "EDQUOT") return "full";
  if (code === 11 || code === 26) return "damaged";
  if ([3, 8, 10, 14, 15].includes(code) || /^(?:EACCES|EPERM|EROFS|EIO|ENOTDIR|EEXIST)$/.test(system))
    return "inaccessible";
  return undefined;
}

/** Returns whether a disk has no room left, for a database or for any other file. */
export function isFull(error: unknown): boolean {
  return error instanceof FullDisk || failureOf(error) === "full";
}

export function isBusy(error: unknown): boolean {
  return failureOf(error) === "busy";
}
