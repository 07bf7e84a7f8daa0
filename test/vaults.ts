// Vaults for tests: real folders, opened as the program opens them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { openVault, type Vault } from "../src/vault/vault.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export interface TestVault {
  readonly vault: Vault;
  readonly folder: string;
  /** Every file that is not hidden, by its path. */
  readonly files: () => Record<string, string>;
  readonly write: (path: string, content: string | Uint8Array) => void;
  readonly read: (path: string) => string;
  /** The same vault as another process would open it. */
  readonly reopen: () => Vault;
}

export function vaultWith(files: Readonly<Record<string, string | Uint8Array>>): TestVault {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-vault-")));
  folders.push(home);
  const folder = join(home, "vault");
  mkdirSync(folder);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const open = () =>
    openVault({
      folder,
      isEmbedded: false,
      journals: join(home, "journal"),
      cache: join(home, "cache"),
      log: () => {},
    });
  return {
    vault: open(),
    folder,
    files: () => filesIn(folder),
    write,
    read: (path) => readFileSync(join(folder, path), "utf8"),
    reopen: open,
  };
}

export function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((path) => !/(?:^|\/)\./.test(path));
  return Object.fromEntries(names.toSorted().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
