// Parses git's output with -z: the index, the status, and the repository's own
// configuration. Names are bytes that end in a zero byte, in no guaranteed
// encoding. Pure; repository.ts runs git.
import { isUtf8 } from "node:buffer";

/**
 * A name as git printed it. A byte that is not UTF-8 becomes a zero character and
 * two hexadecimal digits, which is unambiguous: no real name contains a zero.
 */
export type GitName = string;

/** Returns whether the file can be opened by this name. */
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

/** The number of bytes of a UTF-8 character, by its first byte. */
function lengthAt(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/** The index, as `git ls-files -t -s -z` prints it. */
export interface Tracked {
  readonly files: readonly GitName[];
  readonly symlinks: readonly GitName[];
  readonly submodules: readonly GitName[];
  /** In the index, but left out of the folder by a sparse checkout. */
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
    // A file in conflict is printed up to three times.
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
  /** The entry that is in the folder now. */
  readonly kind: "file" | "symlink" | "submodule" | "deleted";
  readonly isConflict: boolean;
  readonly isStaged: boolean;
  readonly isUnstaged: boolean;
}

/** The output of `git status --porcelain=v2 --branch -z`. */
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

  /** The fields before the name contain no spaces; those of the name are kept. */
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

export interface Remote {
  readonly name: string;
  /** Without credentials. */
  readonly url: string;
}

/** The parts of a repository's own configuration that matter here. */
export interface Config {
  /** Settings that switch off the filters it defines, which are programs. */
  readonly overrides: readonly (readonly [string, string])[];
  readonly remotes: readonly Remote[];
}

/** Parses `git config --null --show-scope --list`. Settings of the user and of the system are ignored. */
export function parseConfig(output: Buffer): Config {
  const records = recordsOf(output);
  const filters = new Set<string>();
  const remotes: Remote[] = [];
  for (let i = 0; i + 1 < records.length; i += 2) {
    const isOwn = records[i] === "local" || records[i] === "worktree";
    const [name = "", ...value] = records[i + 1]!.split("\n");
    if (!isOwn) continue;
    const filter = /^filter\.(.*)\.(?:clean|smudge|process|required)$/s.exec(name)?.[1];
    if (filter !== undefined) filters.add(filter);
    const remote = /^remote\.(.*)\.url$/s.exec(name)?.[1];
    if (remote !== undefined) remotes.push({ name: remote, url: withoutCredentials(value.join("\n")) });
  }
  const overrides = [...filters].flatMap((name) => [
    [`filter.${name}.clean`, ""] as const,
    [`filter.${name}.process`, ""] as const,
    [`filter.${name}.required`, "false"] as const,
  ]);
  return { overrides, remotes };
}

/** A remote's address without user name, password, query and fragment; a local path or a command is not shown at all. */
export function withoutCredentials(address: string): string {
  const clean = address.replace(/\p{Cc}/gu, "");
  const helper = /^([a-z0-9-]+::)(.*)$/i.exec(clean);
  if (helper) return helper[1] === "ext::" ? "(a command)" : helper[1]! + withoutCredentials(helper[2]!);
  if (isLocalPath(clean)) return "(a folder)";
  const web = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)/i.exec(clean);
  if (web) {
    const [, scheme = "", authority = "", path = ""] = web;
    return scheme + authority.slice(authority.lastIndexOf("@") + 1) + path;
  }
  // The form of ssh, user@host:path. The user may contain a password after a colon.
  const ssh = /^([^/@]*)@([^/:@]+:.*)$/.exec(clean);
  if (ssh) return ssh[1] === "git" ? `git@${ssh[2]}` : ssh[2]!;
  return clean.replace(/^.*@/, "");
}

/** A path of this machine leads out of the project. */
function isLocalPath(address: string): boolean {
  return /^(?:[/\\~.]|[a-z]:[/\\]|file:)/i.test(address);
}
