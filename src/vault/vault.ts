// A vault that is open: its folder, and the journal through which every change
// goes. The other files of this room are what can be done with one.
import { mkdirSync, writeFileSync, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { VaultPath } from "../files/vault-path.ts";
import { openVaultRoot, type Located, type VaultRoot } from "../files/vault-root.ts";
import { openJournal, type Journal } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import { Problem } from "../text/problem.ts";
import { GUIDE_NOTES } from "./guide-notes.ts";

export interface Vault {
  /** The name of its folder, by which Obsidian knows it too. */
  readonly name: string;
  readonly root: VaultRoot;
  readonly journal: Journal;
}

/** Who changes something: named in the history, and able to give up while it waits. */
export interface Author {
  readonly tool: string;
  readonly signal?: AbortSignal;
}

interface Opening {
  readonly folder: string;
  /** The one that is made where it is missing. A vault that the user named never is. */
  readonly isEmbedded: boolean;
  /** Where journals are kept. */
  readonly journals: string;
  readonly log: Log;
}

export function openVault({ folder, isEmbedded, journals, log }: Opening): Vault {
  if (isEmbedded) makeEmbeddedVault(folder);
  const root = openVaultRoot(folder);
  return { name: basename(root.folder), root, journal: openJournal(journals, root, { log }) };
}

/** Finds what a path means; a refusal repeats it as it was sent. */
export function locate({ root }: Vault, path: VaultPath, sent: string): Located {
  try {
    return root.locate(path);
  } catch (error) {
    if (error instanceof Problem && error.message === `Invalid path: ${path}`) {
      throw new Problem(error.code, `Invalid path: ${sent}`);
    }
    throw error;
  }
}

/** The embedded vault with its guide. One that was emptied stays empty. */
export function makeEmbeddedVault(folder: string): void {
  if (existsSync(folder)) return;
  for (const [path, text] of Object.entries(GUIDE_NOTES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
