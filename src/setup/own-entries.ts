// Finds what this program has written on this machine, beside what it wrote for hosts and
// for the system: found and removed by the command uninstall. Only names that it
// makes: a folder that somebody named with --home may have other things.
import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { realPath, type Folders } from "../files/files.ts";
import { readConfig } from "../settings.ts";

export interface OwnEntries {
  /** Files and folders of ours. */
  readonly paths: readonly string[];
  /** Files that stay in our folders: notes and outlines of the person, and those that are not ours. */
  readonly left: readonly string[];
  /** Our folders, the innermost first: removed if nothing is left in them. */
  readonly folders: readonly string[];
}

/** The embedded vault and the default outline are the person's. */
const NOTES = /^(?:vault|outline\.opml)$/;

/** The names that we make in a folder. Anybody may have a folder called `journal`: what is in it decides. */
interface Names {
  readonly files: RegExp;
  readonly folders?: readonly (readonly [RegExp, Names])[];
}

/** Drafts of these, which a killed process left, have a random name. */
const named = (files: string): RegExp => new RegExp(String.raw`^(?:${files}|\.commonplace-[0-9a-f]{12}\.tmp)$`);
const DATABASE = String.raw`\.db(?:-wal|-shm|-journal)?`;
const DRAFT = String.raw`(?:\.\d+\.[0-9a-f]{8})?`;

const DATA: Names = {
  files: named(
    String.raw`conversations(?:-tools)?(?:-damaged-\d+)?${DATABASE}|(?:token|device|shared-projects\.json|outline\.opml|outline\.opml\.made)${DRAFT}|(?:index|push)-task\.xml|\.commonplace-upload-\d+-[0-9a-f]{12}`,
  ),
  folders: [
    [
      /^journal$/,
      {
        files: named(String.raw`[0-9a-f]{32}(?:(?:\.lock|\.next)?${DATABASE}|\.accepted${DRAFT})`),
        folders: [[/^[0-9a-f]{32}\.replaced$/, { files: named(String.raw`\d+-\d+-[0-9a-f]{32}`) }]],
      },
    ],
    [/^memory$/, { files: named("(?!)"), folders: [[/^[0-9a-f]{16}$/, { files: named(String.raw`.+\.jsonl`) }]] }],
    [
      /^outlines$/,
      { files: named("(?!)"), folders: [[/^[0-9a-f]{32}$/, { files: named(String.raw`[0-9a-f]+\.ids`) }]] },
    ],
    [/^backups$/, { files: named(String.raw`config-\d{17}-config\.json|[a-z][a-z-]*-\d{8}-\d{6}\.\d{3}-.+`) }],
    [/^serving$/, { files: named(String.raw`\d+\.json(?:\.\d+)?`) }],
    [/^spaces$/, { files: named("(?!)") }],
  ],
};
const CACHE: Names = {
  files: named(String.raw`(?:notes|memory)-v[\d.]+-[0-9a-f]{16}${DATABASE}`),
  folders: [
    [/^compiled$/, { files: named(String.raw`v\d+\.\d+\.\d+\S*-\w+-\d+-\d+-\d+-(?:call|start)(?:\.\d+\.tmp)?`) }],
  ],
};

interface Staying {
  /** The folders of the person's vaults: memory that is kept in one belongs to it, and to other machines. */
  readonly vaults: readonly string[];
  /** Copies of earlier configurations of hosts are kept. */
  readonly keepsBackups: boolean;
}

export function ownEntries({ data, cache, config }: Folders, { vaults, keepsBackups }: Staying): OwnEntries {
  const folders = DATA.folders?.filter(([pattern]) => !keepsBackups || !pattern.test("backups")) ?? [];
  const [inData, inCache] = [entriesIn(data, { ...DATA, folders }), entriesIn(cache, CACHE)];
  const isOwnConfig = existsSync(config) && isConfig(config, data);
  const memories = vaults.map((folder) => join(folder, ".commonplace", "memory")).filter((path) => existsSync(path));
  const left = [...inData.left, ...inCache.left].filter((path) => path !== config);
  return {
    paths: [...inData.own, ...inCache.own, ...(isOwnConfig ? [config] : [])],
    left: [...left, ...(existsSync(config) && !isOwnConfig ? [config] : []), ...memories],
    folders: [...new Set([data, cache, dirname(data), dirname(cache), dirname(config)])],
  };
}

/** A folder of which everything is ours is one entry. What is behind a link was put there by the person. */
function entriesIn(
  folder: string,
  names: Names,
): { readonly own: readonly string[]; readonly left: readonly string[] } {
  const own: string[] = [];
  const left: string[] = [];
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const [, inside] = names.folders?.find(([pattern]) => pattern.test(name)) ?? [];
    if (stats?.isFile() === true && names.files.test(name) && !NOTES.test(name)) own.push(path);
    else if (stats?.isDirectory() === true && inside !== undefined) {
      const found = entriesIn(path, inside);
      own.push(...(found.left.length === 0 ? [path] : found.own));
      left.push(...found.left);
    } else left.push(path);
  }
  return { own, left };
}

/** With --home it is beside the data folder, in one where another program may have a file of that name. */
function isConfig(config: string, data: string): boolean {
  if (dirname(config) !== dirname(data)) return true;
  try {
    const { settings, warnings } = readConfig(config);
    return Object.keys(settings).length > 0 && warnings.length === 0;
  } catch {
    return false;
  }
}

export function isNotes(path: string, { data }: Folders): boolean {
  return dirname(path) === data && NOTES.test(path.slice(data.length + 1));
}

/** @returns what could not be removed, and why */
export function removeEntries({ paths, folders }: OwnEntries): string[] {
  const failed: string[] = [];
  for (const path of paths)
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      failed.push(`${path}: ${(error as Error).message}`);
    }
  // Only folders of our name: those above them are the system's.
  for (const folder of folders.filter(
    (path) => /[/\\]\.?commonplace$/i.test(path) || paths.some((own) => dirname(own) === path),
  ))
    try {
      // A link to a folder elsewhere was made by the person.
      if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && namesIn(folder).length === 0)
        rmdirSync(realPath(folder));
    } catch (error) {
      failed.push(`${folder}: ${(error as Error).message}`);
    }
  return failed;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
