// Tells if a folder is the vault that was there before. Where a drive is not mounted
// yet, its place is an empty folder, or has the few files that somebody wrote there
// by mistake: nothing must be read from it as the vault, and nothing written that
// the drive would cover later. Judged by the notes that the index and the journal
// know, never by the number of a device. Used by vault.ts and by doctor.
import { lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type AccessRules, type CheckContent, codeOf, millisecondsOf } from "../files/files.ts";
import { acceptedAt, knowledgeFiles, knownPaths } from "../journal/journal.ts";
import { Problem } from "../kernel/kernel.ts";
import { placeholderFor } from "../markdown/markdown.ts";
import { type Database, lookInto } from "../sqlite/sqlite.ts";
import { noteIndexFile } from "./note-index/note-database.ts";

/** The folders that record what is known of a vault. */
export interface Knowledge {
  /** The folder of all journals. */
  readonly journals: string;
  /** The cache folder. */
  readonly cache: string;
  readonly access?: AccessRules | undefined;
}

/** `witness` is a file that is known and there. */
type Presence =
  | { readonly state: "present"; readonly witness: string }
  | { readonly state: "unknown" }
  | { readonly state: "missing" };

/** After so many files that are not as the index knows them, all are compared by their names. */
const MAX_COMPARED = 200;
const MAX_LISTED = 20_000;
/** So many files with the names of known ones are the vault; fewer only if they are this part of it. */
const ENOUGH = 3;
const ENOUGH_OF = 10;

/** Milliseconds for which an answer is kept while nothing that it follows from has changed. */
const KEPT = 1_000;

/** @returns throws if the folder has nothing of what was in it; costs a look at one file while it has */
export function contentCheck(knowledge: Knowledge): CheckContent {
  let seen: { readonly witness: string; readonly identity: string } | undefined;
  let last: { readonly presence: Presence; readonly from: string; readonly at: number } | undefined;
  return (folder, identity) => {
    if (seen?.identity === identity && isThere(join(folder, seen.witness))) return;
    seen = undefined;
    const from = [folder, ...filesOf(folder, knowledge)].map(versionAt).join();
    if (last?.from !== from || performance.now() - last.at > KEPT)
      last = { presence: presenceOf(folder, knowledge), from, at: performance.now() };
    const { presence } = last;
    if (presence.state === "missing") throw notesMissing();
    if (presence.state === "present") seen = { ...presence, identity };
  };
}

/** @param folder the real path of the vault */
export function presenceOf(folder: string, knowledge: Knowledge): Presence {
  const index = indexOf(folder, knowledge);
  if (index === undefined && !isThere(knowledge.journals)) return { state: "unknown" };
  const asBefore =
    index === undefined ? undefined : readable(() => lookInto(index, (database) => asIndexed(folder, database)));
  return asBefore ?? byNames(folder, knowledge, index);
}

function notesMissing(): Problem {
  return new Problem(
    "not_found",
    "The vault folder has none of the notes that were in it: nothing was changed.",
    "Its drive may not be mounted: mount it, then try again. If it is right that the notes are gone, say so with `commonplace index --accept`, or in the page under Status.",
  );
}

/** A file that is just as the index knows it: the usual case, which needs no list of either. */
function asIndexed(folder: string, database: Database): Presence | undefined {
  const find = database.prepare("SELECT size, mtime FROM document WHERE path = ?");
  let compared = 0;
  for (const { path, size, mtime } of filesIn(folder, [])) {
    const row = find.get(path);
    if (row !== undefined && row["size"] === size && row["mtime"] === mtime) return { state: "present", witness: path };
    if (++compared === MAX_COMPARED) return undefined;
  }
  return undefined;
}

function byNames(folder: string, { journals }: Knowledge, index: string | undefined): Presence {
  const byJournal = knownPaths(journals, folder);
  const accepted = acceptedAt(journals, folder);
  const indexed =
    index === undefined ? [] : readable(() => lookInto(index, (database) => filesKnown(database, accepted?.at)));
  const known = new Set(byJournal.present);
  const versions = new Set<string>();
  for (const { path, size, mtime } of indexed ?? []) {
    if (byJournal.isGone(path)) continue;
    known.add(path);
    versions.add(`${size} ${mtime}`);
  }
  if (known.size === 0) return { state: "unknown" };
  let [files, hits] = [0, 0];
  const unlisted: string[] = [];
  for (const { path, size, mtime } of filesIn(folder, unlisted)) {
    // Another program may have moved it.
    if (size > 0 && versions.has(`${size} ${mtime}`)) return { state: "present", witness: path };
    if (known.has(path)) hits++;
    if (hits >= ENOUGH || (hits > 0 && hits * ENOUGH_OF >= known.size)) return { state: "present", witness: path };
    if (++files === MAX_LISTED) break;
  }
  // Nobody knows what is in a folder that may not be read.
  if (unlisted.length > 0) return { state: "unknown" };
  // Of one or two notes, others may have taken the place.
  return files > 0 && known.size < ENOUGH && files >= known.size ? { state: "unknown" } : { state: "missing" };
}

interface SeenFile {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
}

/** @param accepted when a person said that the folder is right: what was indexed before does not count */
function filesKnown(database: Database, accepted = 0): SeenFile[] {
  const { swept } = database.prepare("SELECT (SELECT value FROM state WHERE key = 'swept') AS swept").get()!;
  if (Number(swept ?? 0) < accepted) return [];
  return database
    .prepare("SELECT path, size, mtime FROM document WHERE kind <> 'folder'")
    .all()
    .map(({ path, size, mtime }) => ({ path: String(path), size: Number(size), mtime: Number(mtime) }));
}

/** All files that are not hidden, in the names of the index. @param unlisted gets the folders that cannot be read */
function* filesIn(folder: string, unlisted: string[], below = ""): Generator<SeenFile> {
  for (const entry of entriesIn(join(folder, below), unlisted)) {
    const name = placeholderFor(entry.name) ?? entry.name;
    if (name.startsWith(".")) continue;
    const path = below + name;
    if (entry.isDirectory()) yield* filesIn(folder, unlisted, `${path}/`);
    if (!entry.isFile()) continue;
    const stats = lstatSync(join(folder, below, entry.name), { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined) yield { path, size: Number(stats.size), mtime: millisecondsOf(stats.mtimeNs) };
  }
}

function entriesIn(folder: string, unlisted: string[]) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!/^(?:ENOENT|ENOTDIR)$/.test(codeOf(error))) unlisted.push(folder);
    return [];
  }
}

/** The index of this release, or of an earlier one while this release has none yet; undefined if there is none. */
function indexOf(folder: string, { cache, access }: Knowledge): string | undefined {
  const file = noteIndexFile(cache, folder, access);
  if (isThere(file)) return file;
  const ending = /-[0-9a-f]+\.db$/.exec(basename(file))![0];
  const names = readable(() => readdirSync(dirname(file))) ?? [];
  const name = names.find((each) => each.startsWith("notes-v") && each.endsWith(ending));
  return name === undefined ? undefined : join(dirname(file), name);
}

/** The files from which an answer follows. The journal's name is a hash that takes 10 ms to load: not without a journal. */
function filesOf(folder: string, knowledge: Knowledge): string[] {
  const index = indexOf(folder, knowledge) ?? noteIndexFile(knowledge.cache, folder, knowledge.access);
  const { journals } = knowledge;
  return [index, `${index}-wal`, journals, ...(isThere(journals) ? knowledgeFiles(journals, folder) : [])];
}

function versionAt(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "-" : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** A damaged database knows nothing. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
