// A vault that is open: its folder, and the journal through which every change
// goes. The other files of this room are what can be done with one.
import { existsSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkNewNames } from "../files/new-names.ts";
import { makeOwnFolder, writeOwnFile } from "../files/own-files.ts";
import { parseNotePath, parseVaultPath, type VaultPath } from "../files/vault-path.ts";
import { openVaultRoot, type Located, type VaultRoot } from "../files/vault-root.ts";
import type { Freshness } from "../search/freshness.ts";
import { settledWithin } from "../search/waiting.ts";
import { openJournal, type Changed, type Journal } from "../journal/journal.ts";
import type { Log } from "../kernel/log.ts";
import { Problem } from "../kernel/problem.ts";
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
  /** Hears how far a long change is. */
  readonly onProgress?: (done: number, total: number, message?: string) => void;
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
  const { index, noteWritten, settled } = inStep(openVaultIndex({ root }, { cache, log }));
  const journal = openJournal(journals, root, { log, changed: noteWritten });
  return {
    name: basename(root.folder),
    root,
    journal,
    index,
    close: async () => {
      await journal.close();
      await settled();
      await index.close();
    },
  };
}

/** How long a question waits for what this process wrote, in milliseconds: much of it takes longer, and the answer says so. */
const WAIT = 2_000;

/** What this process writes is found by its next search: the index takes it in beside the answer, and a search waits for that. */
function inStep(index: VaultIndex) {
  let takingIn: Promise<unknown> = Promise.resolve();
  let left = 0;
  const noteWritten = (changed: Changed) => {
    left++;
    takingIn = Promise.all([takingIn, index.noteWritten(changed).finally(() => left--)]);
  };
  const waited = async <T extends Freshness>(
    signal: AbortSignal | undefined,
    question: () => Promise<T>,
  ): Promise<T> => {
    if (left > 0) await settledWithin(takingIn, WAIT, signal);
    const isLate = left > 0;
    const answer = await question();
    return isLate ? { ...answer, stale: true } : answer;
  };
  const inStepIndex: VaultIndex = {
    ...index,
    search: (text, options) => waited(options.signal, () => index.search(text, options)),
    ask: (question) => waited(undefined, () => index.ask(question)),
    filesLinking: async (...asked) => {
      await takingIn;
      return index.filesLinking(...asked);
    },
  };
  return { index: inStepIndex, noteWritten, settled: () => takingIn };
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
