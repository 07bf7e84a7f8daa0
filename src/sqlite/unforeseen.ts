// Sentences for errors of the system or a database that no other code has
// handled, without paths. Used where tool calls and commands end, so that such an
// error is not reported as a bug of the server.
import { Problem } from "../kernel/kernel.ts";
import { codeOf, isSystemError } from "../files/files.ts";
import { databaseProblem, type Sentence, type Sentences } from "./errors.ts";

const RIGHTS = "Check the permissions of the folder and of the data folder: `commonplace doctor` says where it is.";

const SENTENCES: Readonly<Record<string, Sentence>> = {
  EACCES: ["denied", "Permission to a file or folder is missing.", RIGHTS],
  EPERM: ["denied", "Permission to a file or folder is missing.", RIGHTS],
  EROFS: ["denied", "The disk is read-only.", RIGHTS],
  ENOSPC: ["denied", "The disk is full.", "Free some space, then try again."],
  EDQUOT: ["denied", "The disk is full: your quota is used up.", "Free some space, then try again."],
  EFBIG: ["too_large", "A file is larger than the disk or the system allows."],
  ENAMETOOLONG: ["invalid", "A path is longer than the system allows.", "Choose shorter names."],
  ELOOP: ["denied", "The links are circular, or lead to where this may not go."],
  ENOENT: ["not_found", "A file or folder does not exist, or no longer exists.", "Look at what is there now."],
  ENOTDIR: ["invalid", "There is a file where a folder is needed."],
  EISDIR: ["invalid", "There is a folder where a file is needed."],
  EEXIST: ["conflict", "The name exists already."],
  ENOTEMPTY: ["conflict", "A folder that must be empty is not."],
  EXDEV: ["denied", "This would move something to another disk."],
  EBUSY: ["denied", "Another program has the file open.", "Close it there, or try again."],
  ETXTBSY: ["denied", "Another program has the file open.", "Close it there, or try again."],
  EMFILE: ["denied", "Too many files are open.", "Try again, with fewer calls at a time."],
  ENFILE: ["denied", "Too many files are open on this machine.", "Try again later."],
  ENOMEM: ["denied", "The machine has not enough memory.", "Try again later."],
  EIO: ["denied", "The disk reports an error.", "Check the disk, and the connection to it."],
  ESTALE: ["denied", "A network drive has lost a file.", "Try again."],
  ETIMEDOUT: ["timeout", "A disk or a server did not answer in time.", "Try again."],
};

const DATABASES: Sentences = {
  busy: ["conflict", "Another process keeps a database of this program busy.", "Try again."],
  full: SENTENCES["ENOSPC"]!,
  damaged: [
    "denied",
    "A database of this program is damaged.",
    "`commonplace doctor` says which, and what to do about it.",
  ],
  inaccessible: ["denied", "A database in the data or cache folder cannot be used.", RIGHTS],
};

/** Undefined for an error that only a bug in this program can cause. */
export function unforeseenProblem(error: unknown): Problem | undefined {
  if (codeOf(error) === "ERR_SQLITE_ERROR") {
    const problem = databaseProblem(error, DATABASES);
    return problem instanceof Problem ? problem : undefined;
  }
  const sentence = sentenceFor(error);
  return sentence && new Problem(...sentence);
}

function sentenceFor(error: unknown): Sentence | undefined {
  if (isSystemError(error))
    return SENTENCES[codeOf(error)] ?? ["denied", `The system refused what this needs (${codeOf(error)}).`];
  if (!(error instanceof RangeError)) return undefined;
  if (/call stack/.test(error.message))
    return ["invalid", "The arguments, or a file that this reads, are nested too deeply.", "Send fewer levels."];
  return /(?:string|array|buffer).*(?:length|size)|Array buffer allocation/i.test(error.message)
    ? ["too_large", "The arguments, or a file that this reads, are too large."]
    : undefined;
}
