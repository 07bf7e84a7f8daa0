// What it means that the system or a database refused something, where nothing
// nearer to it has said so: every code has a sentence here, without a path. Used
// where tool calls end, so that none of these is called a mistake of the server.
import { Problem } from "../kernel/kernel.ts";
import { codeOf, isSystemError } from "../files/files.ts";
import { databaseProblem, type Sentence, type Sentences } from "./errors.ts";

const RIGHTS = "Check the permissions of the folder and of the data folder: `commonplace doctor` says where it is.";

const SENTENCES: Readonly<Record<string, Sentence>> = {
  EACCES: ["denied", "There is no permission for a file or folder that this needs.", RIGHTS],
  EPERM: ["denied", "There is no permission for a file or folder that this needs.", RIGHTS],
  EROFS: ["denied", "A disk that this needs to write to is read-only.", RIGHTS],
  ENOSPC: ["denied", "The disk is full.", "Free some space, then try again."],
  EDQUOT: ["denied", "The disk is full: your quota is used up.", "Free some space, then try again."],
  EFBIG: ["too_large", "A file is larger than the disk or the system allows."],
  ENAMETOOLONG: ["invalid", "A path is longer than the system allows.", "Choose shorter names."],
  ELOOP: ["denied", "Links lead in a circle, or to where this may not go."],
  ENOENT: ["not_found", "A file or folder that this needs is not there, or no longer.", "Look at what is there now."],
  ENOTDIR: ["invalid", "There is a file where this needs a folder."],
  EISDIR: ["invalid", "There is a folder where this needs a file."],
  EEXIST: ["conflict", "Something is already there under that name."],
  ENOTEMPTY: ["conflict", "A folder that this needs to be empty is not."],
  EXDEV: ["denied", "This would move something to another disk."],
  EBUSY: ["denied", "Another program has a file open that this needs.", "Close it there, or try again."],
  ETXTBSY: ["denied", "Another program has a file open that this needs.", "Close it there, or try again."],
  EMFILE: ["denied", "Too many files are open.", "Try again, with fewer calls at a time."],
  ENFILE: ["denied", "Too many files are open on this machine.", "Try again later."],
  ENOMEM: ["denied", "The machine has no memory left for this.", "Try again later."],
  EIO: ["denied", "The disk reports an error.", "Check the disk, and the connection to it."],
  ESTALE: ["denied", "A network disk has lost a file that this needs.", "Try again."],
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

/** Undefined for what only a mistake in this program can be. */
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
