// Finds the files that a restored backup may replace: those that the program made and can
// make again (an index of conversations that their programs still have, the
// guide). Anything that exists only here is named, and refused. Used by restore.ts.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { countOnlyInStore } from "../../conversations/conversations.ts";
import { type Folders, readBytes } from "../../files/files.ts";
import { counted, Problem } from "../../kernel/kernel.ts";
import { isGuideOutline } from "../../outline/outline.ts";
import { isGuideNote } from "../../vault/vault.ts";
import { isLeftOut, isOfThisMachine } from "./kept-files.ts";

/** Files of the data folder that belong to this machine, and stay. */
export function filesThatStay({ data }: Folders): string[] {
  return namesBelow(data).filter((name) => isOfThisMachine(name));
}

/** Throws if anything would be lost. The config file is compared with that of the backup. */
export function checkReplaceable({ data, config }: Folders): void {
  const names = namesBelow(data).filter((name) => join(data, name) !== config);
  const lost = names.filter((name) => !isOfThisMachine(name) && !isLeftOut(name) && !isMadeByProgram(data, name));
  const inWords = [...new Set(lost.map((name) => (name === STORE ? conversationsIn(data) : partOf(name))))];
  if (inWords.length > 0) throw lostProblem(inWords, data);
}

/** @param restored the config file of the backup */
export function checkSettings({ data, config }: Folders, restored: string): void {
  if (!existsSync(config) || !existsSync(restored)) return;
  if (!readBytes(config, { followsLinks: true }).equals(readBytes(restored)))
    throw lostProblem([`the settings in ${config}`], data);
}

const STORE = "conversations.db";
const OUTLINE = "outline.opml";

function isMadeByProgram(data: string, name: string): boolean {
  const path = join(data, name);
  if (!statSync(path).isFile()) return false;
  if (statSync(path).size === 0) return true;
  if (name === STORE) return onlyIn(path) === 0;
  // Texts of tools of 0.1.0, which its store refers to.
  if (name === "conversations-tools.db") return true;
  if (name === OUTLINE) return isGuideOutline(readBytes(path).toString("utf8"));
  if (name.startsWith("vault/")) return isGuideNote(name.slice("vault/".length), readBytes(path).toString("utf8"));
  return false;
}

/** Undefined if the store cannot be read. */
function onlyIn(store: string): number | undefined {
  try {
    return countOnlyInStore(store);
  } catch {
    return undefined;
  }
}

function conversationsIn(data: string): string {
  const count = onlyIn(join(data, STORE));
  return count === undefined
    ? `${STORE}, which cannot be read`
    : `${counted(count, "conversation")} that no program has any more`;
}

function partOf(name: string): string {
  const [folder] = name.split("/");
  if (folder === "memory") return "memory";
  if (folder === "journal") return "the journal of changes";
  return folder === "vault" ? `the note ${name.slice("vault/".length)} of the embedded vault` : name;
}

const MAX_NAMED = 5;

function lostProblem(lost: readonly string[], data: string): Problem {
  const more = lost.length > MAX_NAMED ? `, and ${lost.length - MAX_NAMED} more` : "";
  return new Problem(
    "exists",
    `Restoring would replace what exists only here: ${lost.slice(0, MAX_NAMED).join(", ")}${more}.`,
    `Name another folder with --home, or move ${data} away.`,
  );
}

/** With slashes; links too. */
function namesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
