import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everythingIn, temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { contentHash } from "../../files/disk/atomic.ts";
import { parseVaultPath, type VaultPath } from "../../files/vault/vault-path.ts";
import { batchesOf } from "./batches.ts";
import type { Planned } from "../plan/action.ts";
import type { Step } from "../plan/step.ts";

const NOTES = 600;
const name = (i: number) => `Folder/note ${i}.md`;

function vaultOfManyNotes() {
  const vault = temporaryVault();
  for (let i = 0; i < NOTES; i++) vault.write(name(i), `before ${i}`);
  const steps: Step[] = Array.from({ length: NOTES }, (_, i) => ({
    kind: "replace",
    path: parseVaultPath(name(i)),
    before: contentHash(Buffer.from(`before ${i}`)),
    bytes: Buffer.from(`after ${i}`),
  }));
  steps.push({ kind: "rename", path: parseVaultPath("Folder"), to: parseVaultPath("Moved") });
  return { vault, steps, before: everythingIn(vault.folder, { withTrash: true }) };
}

describe("a change of many files", () => {
  const put = (i: number): Planned => ({
    action: { kind: "put", path: `${i}.md` as VaultPath, temporary: `${i}.tmp` as VaultPath, after: "" },
    bytes: () => Buffer.from("text"),
  });
  const rename: Planned = {
    action: { kind: "move", path: "a" as VaultPath, to: "b" as VaultPath, fingerprint: "" },
  };

  test("is written in batches, with every action in its place", async () => {
    const planned = [rename, ...Array.from({ length: 300 }, (_, i) => put(i)), rename];
    const batches = await batchesOf(".", planned);
    expect(batches.map((batch) => batch.length)).toEqual([65, 64, 64, 64, 45]);
    expect(batches.flat()).toEqual(planned);
  });

  test("is written as one batch if the files are few or the disk has little room", async () => {
    const few = Array.from({ length: 200 }, (_, i) => put(i));
    expect(await batchesOf(".", few)).toEqual([few]);
    const large = Array.from({ length: 300 }, (_, i) => ({ ...put(i), bytes: () => ({ length: 1e15 }) as Uint8Array }));
    expect(await batchesOf(".", large)).toEqual([large]);
    const many = Array.from({ length: 300 }, (_, i) => put(i));
    expect(await batchesOf("no such folder", many)).toEqual([many]);
  });

  test("is rolled back completely if another program writes one of the last files in between", async () => {
    const { vault, steps, before } = vaultOfManyNotes();
    const progress: number[] = [];
    const onProgress = (written: number) => {
      progress.push(written);
      if (progress.length === 3) writeFileSync(join(vault.folder, name(NOTES - 1)), "by another");
    };
    const changing = vault.journal.change({ tool: "test", onProgress }, () => ({ message: "", steps }));
    await expect(changing).rejects.toMatchObject({ code: "conflict" });
    expect(progress.length).toBeGreaterThan(5);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    const expected = { ...before, [name(NOTES - 1)]: "by another" };
    expect(everythingIn(vault.folder, { withTrash: true })).toEqual(expected);
  });

  test("can be undone and redone", async () => {
    const { vault, steps, before } = vaultOfManyNotes();
    await vault.journal.change({ tool: "test" }, () => ({ message: "", steps }));
    const after = everythingIn(vault.folder, { withTrash: true });
    expect(after["Moved/note 599.md"]).toBe("after 599");
    await vault.journal.undo();
    expect(everythingIn(vault.folder, { withTrash: true })).toEqual(before);
    await vault.journal.redo();
    expect(everythingIn(vault.folder, { withTrash: true })).toEqual(after);
  });
});
