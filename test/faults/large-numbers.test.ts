// Files with 64-bit inode numbers, as on NTFS: none is mistaken for another.
import { mkdirSync, renameSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { publish } from "../../src/files/disk/atomic.ts";
import { holdFolders } from "../../src/files/vault/held-root.ts";
import { parseEntryPath, parseVaultPath } from "../../src/files/vault/vault-path.ts";
import { openVaultRoot } from "../../src/files/vault/vault-root.ts";
import type { Action } from "../../src/journal/plan/action.ts";
import { isApplied } from "../../src/journal/apply/action-state.ts";
import { rollback } from "../../src/journal/apply/rollback.ts";
import { transcriptFileAt } from "../../src/conversations/sources/source.ts";
import { stampOf } from "../../src/journal/plan/conflicts.ts";
import { gitMarks } from "../../src/project/git/work-tree.ts";
import { ntfsNumbers, withAnswers } from "../fixtures/simulated-file-systems.ts";
import { temporaryVault } from "../fixtures/temporary-vault.ts";

const LONG_AGO = new Date("2026-01-02");

/** A vault with two files of the same size and time, whose numbers are equal as JavaScript numbers. */
function twoFiles() {
  const vault = temporaryVault();
  for (const [name, text] of [
    ["a.md", "ours!!"],
    ["b.md", "theirs"],
  ] as const) {
    vault.write(name, text);
    utimesSync(join(vault.folder, name), LONG_AGO, LONG_AGO);
  }
  return { ...vault, at: (path: string) => join(vault.folder, path) };
}

describe("with 64-bit inode numbers", () => {
  let numbers: ReturnType<typeof ntfsNumbers>;
  beforeAll(() => (numbers = ntfsNumbers()));

  it("the simulation makes plain numbers equal", async () => {
    const { at } = twoFiles();
    await withAnswers(numbers, () => expect(statSync(at("a.md")).ino).toBe(statSync(at("b.md")).ino));
  });

  it("a move does not replace another file as if only its case changed", async () => {
    const { at, text } = twoFiles();
    await withAnswers(numbers, async () => {
      await expect(publish(at("a.md"), at("b.md"))).rejects.toMatchObject({ message: "File already exists: b.md" });
    });
    expect([text("a.md"), text("b.md")]).toEqual(["ours!!", "theirs"]);
  });

  it("recovery does not mistake another file for the second name of a moved one", async () => {
    const { root, text } = twoFiles();
    const move: Action = {
      kind: "move",
      path: parseEntryPath("a.md"),
      to: parseEntryPath("b.md"),
      fingerprint: "",
    };
    await withAnswers(numbers, async () => {
      expect(await isApplied(root, move)).toBeUndefined();
      await rollback(holdFolders(root), [move]);
    });
    expect([text("a.md"), text("b.md")]).toEqual(["ours!!", "theirs"]);
  });

  it("a file that was replaced by another of the same size and time has another stamp", async () => {
    const { root, at } = twoFiles();
    await withAnswers(numbers, () => {
      const stamp = () => stampOf(root.locate(parseVaultPath("a.md")).stats!);
      const before = stamp();
      expect(stamp()).toBe(before);
      renameSync(at("b.md"), at("a.md"));
      expect(stamp()).not.toBe(before);
    });
  });

  it("a repository that was replaced by another is noticed", async () => {
    const { folder, at } = twoFiles();
    for (const name of [".git", "other"]) mkdirSync(at(name));
    await withAnswers(numbers, () => {
      const before = gitMarks(folder);
      rmdirSync(at(".git"));
      renameSync(at("other"), at(".git"));
      expect(gitMarks(folder)).not.toBe(before);
    });
  });

  it("two names that differ in case are two files on a case-sensitive disk", async (context) => {
    const { write, folder, at } = twoFiles();
    write("A.MD", "another");
    if (statSync(at("a.md")).ino === statSync(at("A.MD")).ino) context.skip("this disk ignores case");
    write("B.MD", "another");
    await withAnswers(numbers, () => expect(openVaultRoot(folder).ignoresCase).toBe(false));
  });

  it("a transcript that was replaced has another stamp", async () => {
    const { at } = twoFiles();
    await withAnswers(numbers, () => {
      const before = transcriptFileAt(at("a.md"))!;
      expect(transcriptFileAt(at("a.md"))).toEqual(before);
      renameSync(at("b.md"), at("a.md"));
      expect(transcriptFileAt(at("a.md"))!.stamp).not.toBe(before.stamp);
    });
  });

  it("stamps with small numbers are those that earlier releases stored", () => {
    const { at } = twoFiles();
    const { size, mtimeMs, ino } = statSync(at("a.md"));
    expect(transcriptFileAt(at("a.md"), [at("b.md"), at("c.md")])!.stamp).toBe(
      `${size}.${mtimeMs}.${ino} ${statSync(at("b.md")).size}.${mtimeMs}.${statSync(at("b.md")).ino} -`,
    );
  });
});
