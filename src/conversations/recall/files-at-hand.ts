// Files that the person is working on, and which conversations share them. Used by
// both stores of recall; conversations with such files score higher.
import { nameIn } from "../../kernel/kernel.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { ProjectFolder } from "../store/projects.ts";
import { comparableFile, filesNamedIn } from "./file-references.ts";
import type { Question } from "./question.ts";
import { touchedFiles } from "./touched-files.ts";

const DAY = 24 * 60 * 60 * 1000;
/** Files touched within so many days count as being worked on. */
const AT_HAND_DAYS = 7;
/** At most so many conversations, and so many of their files, are looked at. */
const MAX_AT_HAND = 50;
const MAX_FILES = 50;

/** Files that the question names, else those that the project's conversations touched last. */
export function filesAtHand(
  database: IndexDatabase,
  { query, prompt }: Pick<Question, "query" | "prompt">,
  here: readonly ProjectFolder[],
  now: number,
): string[] {
  const named = filesNamedIn(`${query ?? ""}\n${prompt ?? ""}`).map((file) =>
    here.reduce((path, { folder }) => comparableFile(path, folder), comparableFile(file, undefined)),
  );
  return named.length > 0
    ? named
    : [...touchedFiles(database, here, now - AT_HAND_DAYS * DAY, now, MAX_AT_HAND).keys()].slice(0, MAX_FILES);
}

/** By candidate, how many of the files it has, compared by path or by the end of the path. */
export function filesInCommon(
  database: IndexDatabase,
  files: readonly string[],
  candidates: ReadonlyMap<number, unknown>,
) {
  const counts = new Map<number, number>();
  if (files.length === 0 || candidates.size === 0) return counts;
  const among = filesAmong(files);
  const rows = database.all(
    "SELECT conversation, group_concat(path, char(10)) AS paths FROM file WHERE conversation IN (SELECT value FROM json_each(?)) GROUP BY conversation",
    JSON.stringify([...candidates.keys()]),
  );
  for (const { conversation, paths } of rows) {
    const common = among(String(paths).split("\n"));
    if (common.size > 0) counts.set(Number(conversation), common.size);
  }
  return counts;
}

/** Returns a function that finds these files among paths, by path or by the end of the path. */
export function filesAmong(files: readonly string[]): (paths: readonly string[]) => Set<string> {
  // By name first: comparing each path with each file would take seconds.
  const named = Map.groupBy(new Set(files.map((file) => file.toLowerCase())), nameIn);
  return (paths) => {
    const common = new Set<string>();
    for (const path of paths.map((one) => one.toLowerCase()))
      for (const file of named.get(nameIn(path)) ?? [])
        if (path === file || path.endsWith(`/${file}`)) common.add(file);
    return common;
  };
}
