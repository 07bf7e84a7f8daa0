// The native path of a workspace, from an editor's URI. Pure; used by the sources
// of editors based on VS Code.

/** `file:///c%3A/code` is `C:\code`; a remote one is the path on that machine. Undefined if it is no folder. */
export function folderOfUri(uri: string): string | undefined {
  const parts = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)([^?#]*)/i.exec(uri);
  if (parts === null) return /^(?:\/|[A-Za-z]:[\\/])/.test(uri) ? nativePath(uri) : undefined;
  const [, scheme, host, path] = parts;
  const decoded = decode(path!);
  if (scheme!.toLowerCase() === "file" && host !== "" && !/^localhost$/i.test(host!))
    return `\\\\${decode(host!)}${decoded.replaceAll("/", "\\")}`;
  if (/^(?:file|vscode-remote|vscode-vfs)$/i.test(scheme!)) return decoded === "" ? undefined : nativePath(decoded);
  return undefined;
}

/** The folder in `workspace.json`: the open folder, or that of a `.code-workspace` file. */
export function folderOfWorkspace({
  folder,
  workspace,
}: {
  folder?: unknown;
  workspace?: unknown;
}): string | undefined {
  if (typeof folder === "string") return folderOfUri(folder);
  const file = typeof workspace === "string" ? folderOfUri(workspace) : undefined;
  // Other files are the editor's own, for unsaved workspaces of several folders.
  return file?.endsWith(".code-workspace") ? file.replace(/[/\\][^/\\]*$/, "") : undefined;
}

function nativePath(path: string): string {
  const drive = /^\/?([A-Za-z]):(?=[/\\]|$)/.exec(path);
  const plain =
    drive === null ? path : `${drive[1]!.toUpperCase()}:${path.slice(drive[0].length).replaceAll("/", "\\")}`;
  return plain.length > 3 ? plain.replace(/[/\\]$/, "") : plain;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
