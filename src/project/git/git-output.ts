// Parses git's output with -z: names are bytes that end in a zero byte, in no
// guaranteed encoding. Pure; repository.ts runs git.
import { isUtf8 } from "node:buffer";

/**
 * A name as git printed it. A byte that is not UTF-8 becomes a zero character and
 * two hexadecimal digits, which is unambiguous: no real name contains a zero.
 */
export type GitName = string;

/** Whether the file can be opened by this name. */
export function isNameable(name: GitName): boolean {
  return !name.includes("\0");
}

/** The name for display, with invalid bytes as `\x`. */
export function shownName(name: GitName): string {
  return name.replaceAll("\0", "\\x");
}

export function recordsOf(output: Buffer): GitName[] {
  if (output.length === 0) return [];
  if (isUtf8(output)) {
    const records = output.toString("utf8").split("\0");
    // After the last zero there is nothing, or a truncated record.
    records.pop();
    return records;
  }
  const records: GitName[] = [];
  for (let from = 0, to = output.indexOf(0); to !== -1; from = to + 1, to = output.indexOf(0, from)) {
    records.push(decoded(output.subarray(from, to)));
  }
  return records;
}

function decoded(bytes: Buffer): GitName {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let name = "";
  for (let i = 0; i < bytes.length;) {
    const length = lengthAt(bytes[i]!);
    const character = bytes.subarray(i, i + length);
    const isWhole = character.length === length && isUtf8(character);
    name += isWhole ? character.toString("utf8") : `\0${bytes[i]!.toString(16).padStart(2, "0")}`;
    i += isWhole ? length : 1;
  }
  return name;
}

/** How many bytes a character has that begins with this one. */
function lengthAt(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/** What `git ls-files -t -s -z` says is in the index. */
export interface Tracked {
  readonly files: readonly GitName[];
  readonly symlinks: readonly GitName[];
  readonly submodules: readonly GitName[];
  /** In the index, and by a sparse checkout not in the folder. */
  readonly notCheckedOut: readonly GitName[];
}

export function parseTracked(output: Buffer): Tracked {
  const tracked = {
    files: [] as GitName[],
    symlinks: [] as GitName[],
    submodules: [] as GitName[],
    notCheckedOut: [] as GitName[],
  };
  let last: GitName | undefined;
  for (const record of recordsOf(output)) {
    const name = record.slice(record.indexOf("\t") + 1);
    // A conflict has up to three entries for one file.
    if (name === last) continue;
    last = name;
    if (record.startsWith("S")) tracked.notCheckedOut.push(name);
    else listFor(record.slice(2, 8), tracked).push(name);
  }
  return tracked;
}

function listFor<T>(mode: string, lists: { files: T; symlinks: T; submodules: T }): T {
  if (mode === "120000") return lists.symlinks;
  return mode === "160000" ? lists.submodules : lists.files;
}

export interface Change {
  /** What is in the folder now. */
  readonly kind: "file" | "symlink" | "submodule" | "deleted";
  readonly isConflict: boolean;
  readonly isStaged: boolean;
  readonly isUnstaged: boolean;
}

/** What `git status --porcelain=v2 --branch -z` says. */
export interface Status {
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** Undefined where HEAD is detached or cannot be read. */
  readonly branch: string | undefined;
  readonly isDetached: boolean;
  /** HEAD names a branch that cannot be read. */
  readonly isBroken: boolean;
  readonly upstream: string | undefined;
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  /** By their path from the top of the work tree. */
  readonly changes: ReadonlyMap<GitName, Change>;
  /** Whole folders end in a slash. */
  readonly untracked: readonly GitName[];
}

export function parseStatus(output: Buffer): Status {
  const heads = new Map<string, string>();
  const changes = new Map<GitName, Change>();
  const untracked: GitName[] = [];
  for (const record of recordsOf(output)) {
    if (record.startsWith("# ")) {
      const [, key = "", value = ""] = /^# (\S+) (.*)$/s.exec(record) ?? [];
      heads.set(key, value);
    } else if (record.startsWith("? ")) untracked.push(record.slice(2));
    else if (record.startsWith("1 ")) addChange(record, 8, false);
    else if (record.startsWith("u ")) addChange(record, 10, true);
  }

  /** The fields before the name hold no blanks; of the name's own, none is lost. */
  function addChange(record: string, fields: number, isConflict: boolean): void {
    const parts = record.split(" ");
    const [, state = "..", , , , mode = ""] = parts;
    const folderMode = isConflict ? (parts[6] ?? "") : mode;
    changes.set(parts.slice(fields).join(" "), {
      kind: kindOf(folderMode),
      isConflict,
      isStaged: state[0] !== ".",
      isUnstaged: state[1] !== ".",
    });
  }

  const commit = heads.get("branch.oid");
  const branch = heads.get("branch.head");
  const distance = /^\+(\d+) -(\d+)$/.exec(heads.get("branch.ab") ?? "");
  return {
    commit: commit === "(initial)" ? undefined : commit,
    branch: branch === "(detached)" || branch === "(unknown)" ? undefined : branch,
    isDetached: branch === "(detached)",
    isBroken: branch === "(unknown)",
    upstream: heads.get("branch.upstream"),
    ahead: distance ? Number(distance[1]) : undefined,
    behind: distance ? Number(distance[2]) : undefined,
    changes,
    untracked,
  };
}

function kindOf(mode: string): Change["kind"] {
  if (mode === "000000") return "deleted";
  return listFor(mode, { files: "file", symlinks: "symlink", submodules: "submodule" } as const);
}
