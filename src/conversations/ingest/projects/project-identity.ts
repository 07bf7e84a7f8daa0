// Identifies the project of a folder: by the address of its git remote,
// else the root of its repository, else the folder itself. Pure;
// project-folders.ts looks at the disk.

/** The address of a repository in one form, however it was cloned: `github.com/owner/name`. Undefined if it is no address. */
export function normalisedRemote(address: string): string | undefined {
  const trimmed = address.trim();
  const url = /^[a-z][a-z\d+.-]*:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+)(?::\d+)?\/(.+)$/i.exec(trimmed);
  const short = url ?? /^(?:[^@/\s]+@)?([^:/\s\\]{2,}):(?!\\)(.+)$/.exec(trimmed);
  if (short === null) return undefined;
  const [, host = "", path = ""] = short;
  const plain = path
    .replace(/^[/~]+/, "")
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "");
  return plain === "" ? undefined : `${host}/${plain}`.toLowerCase();
}

/** The remote of a git config: `origin`, else the first. */
export function remoteIn(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section !== null) remote = section[1]!.toLowerCase() === "remote" ? (section[2] ?? "") : undefined;
    const url = remote === undefined ? null : /^\s*url\s*=\s*(.+?)\s*$/i.exec(line);
    if (url !== null && !remotes.has(remote!)) remotes.set(remote!, url[1]!.replace(/^"(.*)"$/, "$1"));
  }
  const address = remotes.get("origin") ?? remotes.values().next().value;
  return address === undefined ? undefined : normalisedRemote(address);
}

/** A folder in one form: slashes, none at the end, drive letters in lower case, WSL's mounts as drives. */
export function comparableFolder(folder: string): string {
  const slashed = folder.replaceAll("\\", "/").replace(/(?<=.)\/+$/, "");
  return slashed
    .replace(/^\/mnt\/([a-zA-Z])(?=\/|$)/, "$1:")
    .replace(/^\/?([a-zA-Z]):(?=\/|$)/, (_, drive: string) => `${drive.toLowerCase()}:`);
}

/** For a folder that no longer exists: the repository that it was a worktree of, judged by its path. */
export function withoutWorktree(folder: string): string {
  return folder.replace(/\/(?:\.worktrees|\.claude\/worktrees|\.git\/worktrees)\/.+$/, "");
}

/** The name of the repository that a folder of Codex or Cursor was a worktree of. These keep them below their own folders. */
export function repositoryOfWorktree(folder: string): string | undefined {
  return (
    /\/\.codex\/worktrees\/[^/]+\/([^/]+)$/.exec(folder)?.[1] ??
    /\/\.cursor\/worktrees\/([^/]+)\/[^/]+$/.exec(folder)?.[1]
  );
}
