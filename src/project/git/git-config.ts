// What a repository's own configuration says that matters here: its remotes,
// whose addresses are shown without credentials, and the filters it would run.
// Pure; repository.ts runs git.
import { recordsOf } from "./git-output.ts";
import type { GitOutcome } from "./git-process.ts";

export interface Remote {
  readonly name: string;
  readonly url: string;
}

export interface Config {
  /** Says whether it is still the same; empty where that cannot be told. */
  readonly key: string;
  /** Settings that switch the filters off. */
  readonly overrides: readonly (readonly [string, string])[];
  readonly remotes: readonly Remote[];
}

/** Switches off the filters that the repository brings along, and reads its remotes. */
export function readConfig(answer: GitOutcome | undefined, key: string): Config {
  const records = answer?.code === 0 ? recordsOf(answer.stdout) : [];
  const filters = new Set<string>();
  const remotes: Remote[] = [];
  let includesOthers = false;
  for (let i = 0; i + 1 < records.length; i += 2) {
    const isOwn = records[i] === "local" || records[i] === "worktree";
    const [name = "", ...value] = records[i + 1]!.split("\n");
    if (!isOwn) continue;
    if (/^include(?:if)?\./.test(name)) includesOthers = true;
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
  // An included file can change without a trace in this one: then nothing is kept.
  return { key: includesOthers ? "" : key, overrides, remotes };
}

// The addresses of a repository's remotes, as they may be shown: a token or
// password in one of them is none of the assistant's business. Pure.

/** The address without user name, password, query and fragment, where it is one of the web. */
export function withoutCredentials(address: string): string {
  const clean = address.replace(/\p{Cc}/gu, "");
  const helper = /^([a-z0-9-]+::)(.*)$/i.exec(clean);
  if (helper) return helper[1] === "ext::" ? "(a command)" : helper[1]! + withoutCredentials(helper[2]!);
  if (isWithinFileSystem(clean)) return "(a folder)";
  const web = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)/i.exec(clean);
  if (web) {
    const [, scheme = "", authority = "", path = ""] = web;
    return scheme + authority.slice(authority.lastIndexOf("@") + 1) + path;
  }
  // The form of ssh, user@host:path. The user there is a login, and with a colon also a password.
  const ssh = /^([^/@]*)@([^/:@]+:.*)$/.exec(clean);
  if (ssh) return ssh[1] === "git" ? `git@${ssh[2]}` : ssh[2]!;
  return clean.replace(/^.*@/, "");
}

/** A path of this machine leads out of the project, and is nobody's business either. */
function isWithinFileSystem(address: string): boolean {
  return /^(?:[/\\~.]|[a-z]:[/\\]|file:)/i.test(address);
}
