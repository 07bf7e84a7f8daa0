// How the disk of a vault spells names: whether it ignores case, and which
// entry of a folder a name means. Used by vault-root.ts.
import { existsSync, lstatSync, opendirSync, readdirSync, type BigIntStats } from "node:fs";
import { basename, join } from "node:path";
import { operatingSystem } from "../../kernel/kernel.ts";
import { isSameFile } from "../disk/file-identity.ts";
import { realPath } from "../disk/real-path.ts";

export interface Spelling {
  readonly key: (path: string) => string;
  readonly ignoresCase: boolean;
  /** True if names must be looked up in a listing, because the disk itself is case-sensitive. */
  readonly lists: boolean;
}

interface Found {
  /** As the folder lists it. */
  readonly name: string;
  readonly stats: BigIntStats;
}

/** The entry of a folder that a name means; undefined if there is none. */
export function findEntry(folder: string, name: string, { key, ignoresCase, lists }: Spelling): Found | undefined {
  const absolute = join(folder, name);
  const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  const listed = () => readdirSync(folder).find((entry) => key(entry) === key(name));
  if (stats !== undefined) {
    if (!ignoresCase) return { name, stats };
    // The real path has the name as it was created; for a link, only the listing does.
    return { name: stats.isSymbolicLink() ? (listed() ?? name) : basename(realPath(absolute)), stats };
  }
  // A missing name with only one Unicode composition has no other spelling. Without this check, a new note in a
  // folder of 10,000 would cost a listing.
  const other = lists || name.normalize("NFC") !== name.normalize("NFD") ? listed() : undefined;
  return other === undefined ? undefined : { name: other, stats: lstatSync(join(folder, other), { bigint: true }) };
}

/** How many of these names, each below the one before it, exist in this spelling. */
export function existingDepth(folder: string, names: readonly string[]): number {
  // If one exists, so do those before it. Usually all exist, or only a few of many are missing.
  let [there, missing] = [0, names.length + 1];
  for (let asked = names.length; there + 1 < missing; asked = (there + missing) >> 1) {
    if (existsSync(join(folder, ...names.slice(0, asked)))) there = asked;
    else missing = asked;
  }
  return there;
}

/** Looks up existing entries in another case; if none shows it, assumes the default of the system. */
export function probeCase(folder: string): boolean {
  try {
    for (const name of firstNames(folder)) {
      const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
      if (other === name) continue;
      const [twin, own] = [other, name].map((each) =>
        lstatSync(join(folder, each), { bigint: true, throwIfNoEntry: false }),
      );
      // Both may exist, as two entries of a case-sensitive disk.
      return twin !== undefined && own !== undefined && isSameFile(twin, own);
    }
  } catch {
    // The root of an empty Windows drive cannot be read entry by entry (EINVAL).
  }
  return operatingSystem().caseOfNames !== "kept";
}

/** Not all names: there may be 100,000. */
function* firstNames(folder: string): Generator<string> {
  const entries = opendirSync(folder);
  try {
    for (let seen = 0; seen < 50; seen++) {
      const entry = entries.readSync();
      if (entry === null) return;
      yield entry.name;
    }
  } finally {
    entries.closeSync();
  }
}
