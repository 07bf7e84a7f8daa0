// A vault that is open: its folder, and the journal through which every change
// goes. The other files of this room are what can be done with one.
import { existsSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkNewNames } from "../files/new-names.ts";
import { makeOwnFolder, writeOwnFile } from "../files/own-files.ts";
import { parseNotePath, parseVaultPath, type VaultPath } from "../files/vault-path.ts";
import { openVaultRoot, type Located, type VaultRoot } from "../files/vault-root.ts";
import { openJournal, type Journal, type Written } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import { Problem } from "../text/problem.ts";
import { GUIDE_NOTES } from "./guide-notes.ts";
import { openVaultIndex, type VaultIndex } from "./indexing.ts";

export interface Vault {
  /** The name of its folder, by which Obsidian knows it too. */
  readonly name: string;
  readonly root: VaultRoot;
  readonly journal: Journal;
  readonly index: VaultIndex;
  /** Waits for what is under way, and closes. */
  readonly close: () => Promise<void>;
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
  /** Where the index is kept. */
  readonly cache: string;
  readonly log: Log;
}

export function openVault({ folder, isEmbedded, journals, cache, log }: Opening): Vault {
  if (isEmbedded) makeEmbeddedVault(folder);
  const root = openVaultRoot(folder);
  const journal = openJournal(journals, root, { log });
  const parts = inStep(journal, openVaultIndex({ root }, { cache, log }));
  return {
    name: basename(root.folder),
    root,
    ...parts,
    close: async () => {
      await parts.journal.close();
      await parts.index.close();
    },
  };
}

/** What this process writes is found by its next search: the index takes it in beside the answer, and a search waits for that. */
function inStep(journal: Journal, index: VaultIndex): Pick<Vault, "journal" | "index"> {
  let takingIn: Promise<unknown> = Promise.resolve();
  const noticed = <W extends Written | undefined>(written: W): W => {
    if (written !== undefined) takingIn = Promise.all([takingIn, index.noteWritten(written.paths)]);
    return written;
  };
  return {
    journal: {
      ...journal,
      change: async (about, plan) => noticed(await journal.change(about, plan)),
      undo: async (which) => noticed(await journal.undo(which)),
      redo: async (which) => noticed(await journal.redo(which)),
      close: async () => {
        await journal.close();
        await takingIn;
      },
    },
    index: {
      ...index,
      search: async (text, options) => {
        await takingIn;
        return index.search(text, options);
      },
      ask: async (question) => {
        await takingIn;
        return index.ask(question);
      },
      filesLinking: async (names) => {
        await takingIn;
        return index.filesLinking(names);
      },
    },
  };
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

/** The same for what may be made or moved there. Refuses new names that Windows would take for another: vaults travel. */
export function locateNew(vault: Vault, path: VaultPath, sent: string): Located {
  const located = locate(vault, path, sent);
  checkNewNames(vault.root, path, sent);
  return located;
}

/**
 * The path of a note that is there: as it was sent where a file has just that
 * name (LICENSE, a.excalidraw), else with the extension of a note.
 */
export function existingNotePath(vault: Vault, sent: string): VaultPath {
  const note = parseNotePath(sent);
  const exact = parseVaultPath(sent);
  return exact !== note && locate(vault, exact, sent).kind === "file" ? exact : note;
}

/** The embedded vault with its guide. One that was emptied stays empty. */
export function makeEmbeddedVault(folder: string): void {
  if (existsSync(folder)) return;
  const now = Date.now() / 1000;
  for (const [i, [path, text]] of Object.entries(GUIDE_NOTES).entries()) {
    const file = join(folder, path);
    makeOwnFolder(dirname(file));
    writeOwnFile(file, text);
    // What changed last is shown first: the guide is to be read from its beginning.
    utimesSync(file, now - i, now - i);
  }
}
