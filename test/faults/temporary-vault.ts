// A temporary vault for a test, with a journal beside it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { openVaultRoot, type VaultRoot } from "../../src/files/vault/vault-root.ts";
import { openJournal, type Journal, type JournalOptions } from "../../src/journal/journal.ts";

export { everythingIn } from "./everything.ts";

export interface TemporaryVault {
  /** The folder that holds everything else. */
  readonly home: string;
  readonly folder: string;
  readonly journals: string;
  readonly root: VaultRoot;
  readonly journal: Journal;
  readonly logged: string[];
  /** A second journal on the same vault, as another process would have. */
  readonly another: (options?: Partial<JournalOptions>) => Journal;
  readonly write: (path: string, text: string | Uint8Array) => void;
  readonly text: (path: string) => string;
}

/** All of this test file, closed and removed after its last test. */
const opened: Journal[] = [];
const homes: string[] = [];
afterAll(async () => {
  for (const journal of opened) await journal.close();
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** The vault is gone after the tests of this file. */
export function temporaryVault(options: { ignoresCase?: boolean } & Partial<JournalOptions> = {}): TemporaryVault {
  const { ignoresCase, ...rest } = options;
  const home = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-vault-")));
  const folder = join(home, "vault");
  const journals = join(home, "data", "journal");
  mkdirSync(folder);
  const root = openVaultRoot(folder, ignoresCase === undefined ? {} : { ignoresCase });
  const logged: string[] = [];
  const another = (more: Partial<JournalOptions> = {}) => {
    const journal = openJournal(journals, root, { log: (message) => logged.push(message), ...rest, ...more });
    opened.push(journal);
    return journal;
  };
  homes.push(home);
  return {
    home,
    folder,
    journals,
    root,
    journal: another(),
    logged,
    another,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    text: (path) => readFileSync(join(folder, path), "utf8"),
  };
}
