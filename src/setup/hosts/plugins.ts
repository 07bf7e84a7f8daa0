// Finds out if a host has this program's plugin, which starts the server without an
// entry in the host's list: with both, the host lists every tool twice. Where each
// host keeps it was seen in what its newest release wrote (npm run verify-plugin).
import { existsSync } from "node:fs";
import { readBytes } from "../../files/files.ts";
import { readNoteText } from "../../markdown/markdown.ts";
import { getMember } from "./json-members.ts";
import { getTable } from "./toml-tables.ts";

const ID = "commonplace@commonplace";

/** Claude Code and Copilot CLI. */
export function enabledInJson(file: string): boolean {
  return valueIn(file, (text) => getMember(text, ["enabledPlugins", ID])) === true;
}

/** Codex. */
export function enabledInToml(file: string): boolean {
  const plugin = valueIn(file, (text) => getTable(text, ["plugins", ID])) as { readonly enabled?: unknown } | undefined;
  return plugin !== undefined && plugin.enabled !== false;
}

/** Undefined for a file that is not there or that cannot be read: no plugin is known of. */
function valueIn(file: string, read: (text: string) => unknown): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return read(readNoteText(readBytes(file)).text);
  } catch {
    return undefined;
  }
}
