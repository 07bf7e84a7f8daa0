// A disk that is full, read-only or without permission: nothing changes, and the
// error says so without revealing the path of the vault.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { contentHash } from "../../src/files/disk/atomic.ts";
import { parseVaultPath } from "../../src/files/vault/vault-path.ts";
import { openVaultRoot, type VaultRoot } from "../../src/files/vault/vault-root.ts";
import { openJournal, type Journal } from "../../src/journal/journal.ts";
import { AS_NOBODY, bundled, NOBODY, nodeForNobody } from "../processes/child.ts";
import { isRoot, mountSmallDisk, unmountAll } from "../fixtures/small-disk.ts";
import { everythingIn, temporaryVault } from "../fixtures/temporary-vault.ts";

const journals: Journal[] = [];

/** A journal that is closed before its disk is taken away. */
function journalOf(folder: string, root: VaultRoot): Journal {
  const journal = openJournal(folder, root, { log: () => {} });
  journals.push(journal);
  return journal;
}

afterAll(async () => {
  for (const journal of journals) await journal.close();
  unmountAll();
});

const home = temporaryVault().home;
const disk = join(home, "small disk");
const hasDisk = mountSmallDisk(disk, 2);

describe.skipIf(!hasDisk)("on a small disk (needs permission to mount one)", () => {
  const stepsThatFill = (text: string) =>
    [
      {
        kind: "replace",
        path: parseVaultPath("a.md"),
        before: contentHash(Buffer.from("a")),
        bytes: Buffer.from(text),
      },
      { kind: "rename", path: parseVaultPath("b.md"), to: parseVaultPath("c.md") },
      { kind: "create", path: parseVaultPath("new/big.md"), bytes: Buffer.alloc(3_000_000) },
    ] as const;

  test("a full vault refuses a whole change, and accepts the next that fits", async () => {
    const folder = join(disk, "vault");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.md"), "a");
    writeFileSync(join(folder, "b.md"), "b");
    const journal = journalOf(join(home, "journal"), openVaultRoot(folder));
    const full = journal.change({ tool: "test" }, () => ({ message: "", steps: stepsThatFill("changed") }));
    await expect(full).rejects.toMatchObject({ code: "denied", message: "The disk is full: nothing was changed." });
    expect(everythingIn(folder, { withTrash: true })).toEqual({ "a.md": "a", "b.md": "b" });
    await journal.change({ tool: "test" }, () => ({ message: "", steps: stepsThatFill("changed").slice(0, 2) }));
    expect(everythingIn(folder)).toEqual({ "a.md": "changed", "c.md": "b" });
    await journal.undo();
    expect(everythingIn(folder)).toEqual({ "a.md": "a", "b.md": "b" });
    // Replaced files on another disk than that of the journal are held open for a while.
    await journal.close();
  });

  test("has room for many changes of a note that it could not hold twice more", async () => {
    const folder = join(disk, "nearly full");
    mkdirSync(folder);
    const path = parseVaultPath("large.md");
    const text = (round: number) => Buffer.alloc(600_000, String(round));
    writeFileSync(join(folder, path), text(0));
    const journal = journalOf(join(home, "journal"), openVaultRoot(folder));
    for (let round = 1; round < 6; round++)
      await journal.change({ tool: "test" }, () => ({
        message: "",
        steps: [{ kind: "replace", path, before: contentHash(text(round - 1)), bytes: text(round) }],
      }));
    expect(readFileSync(join(folder, path)).equals(text(5))).toBe(true);
    await journal.close();
    rmSync(folder, { recursive: true });
  });

  test("a full disk of the journal refuses a whole change", async () => {
    const vault = temporaryVault();
    const small = join(home, "disk of the journal");
    expect(mountSmallDisk(small, 2)).toBe(true);
    const journal = journalOf(join(small, "journal"), vault.root);
    const path = parseVaultPath("a.md");
    await journal.change({ tool: "test" }, () => ({
      message: "",
      steps: [{ kind: "create", path, bytes: Buffer.alloc(0) }],
    }));
    const long = Buffer.alloc(3_000_000, "long ");
    writeFileSync(join(vault.folder, "a.md"), long);
    const shorten = () =>
      journal.change({ tool: "test" }, () => ({
        message: "",
        steps: [{ kind: "replace", path, before: contentHash(long), bytes: Buffer.from("short") }],
      }));
    await expect(shorten()).rejects.toMatchObject({ message: "The disk of the journal is full: nothing was changed." });
    await expect(shorten()).rejects.toMatchObject({ code: "denied" });
    expect(readFileSync(join(vault.folder, "a.md")).equals(long)).toBe(true);
    expect(readdirSync(vault.folder)).toEqual(["a.md"]);
  });

  test("a disk that became read-only refuses a change", async () => {
    const folder = join(disk, "later read-only");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.md"), "a");
    const journal = journalOf(join(home, "journal"), openVaultRoot(folder));
    execFileSync("mount", ["-o", "remount,ro", disk]);
    try {
      for (const steps of [stepsThatFill("x").slice(0, 1), stepsThatFill("x").slice(2)])
        await expect(journal.change({ tool: "test" }, () => ({ message: "", steps }))).rejects.toMatchObject({
          message: "The disk is read-only: nothing was changed.",
        });
    } finally {
      execFileSync("mount", ["-o", "remount,rw", disk]);
    }
    expect(everythingIn(folder, { withTrash: true })).toEqual({ "a.md": "a" });
  });

  test("an unmounted disk is reported, and nothing is written where it was mounted", async () => {
    const place = join(home, "taken away");
    mkdirSync(place);
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", place]);
    const journal = journalOf(join(home, "journal"), openVaultRoot(place));
    execFileSync("umount", [place]);
    const steps = stepsThatFill("").slice(2);
    await expect(journal.change({ tool: "test" }, () => ({ message: "", steps }))).rejects.toThrow(
      "The vault folder is missing",
    );
    expect(readdirSync(place)).toEqual([]);
  });
});

describe.skipIf(!isRoot || process.platform === "win32")(
  "as a user without permissions (needs root to become one)",
  () => {
    test("a folder and a file without write permission are not changed", () => {
      const vault = temporaryVault();
      vault.write("closed/a.md", "a");
      vault.write("open/read-only.md", "r");
      mkdirSync(vault.journals, { recursive: true });
      const files = [vault.home, vault.folder, join(vault.folder, "open"), join(vault.home, "data"), vault.journals];
      for (const path of files) chownSync(path, NOBODY, NOBODY);
      chmodSync(join(vault.folder, "open", "read-only.md"), 0o444);
      const before = everythingIn(vault.folder);
      const orders = JSON.stringify({ folder: vault.folder, journals: vault.journals });
      const child = spawnSync(
        nodeForNobody(),
        [...bundled(join(import.meta.dirname, "children", "unprivileged-writer.ts")), orders],
        {
          ...AS_NOBODY,
          encoding: "utf8",
        },
      );
      expect(child.stderr).toBe("");
      expect(JSON.parse(child.stdout)).toEqual([
        "denied No permission to write 'new.md': nothing was changed.",
        "denied No permission to write 'a.md': nothing was changed.",
        "denied No permission to write 'read-only.md': nothing was changed.",
      ]);
      expect(everythingIn(vault.folder, { withTrash: true })).toEqual(before);
      expect(statSync(join(vault.folder, "open", "read-only.md")).mode & 0o777).toBe(0o444);
    });
  },
);
