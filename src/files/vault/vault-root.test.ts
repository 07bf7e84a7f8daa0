import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { parseVaultPath, type VaultPath } from "./vault-path.ts";
import { openVaultRoot } from "./vault-root.ts";

describe("a vault root", () => {
  test("a folder that is missing is a clear problem, and is not created", () => {
    const { home } = temporaryVault();
    expect(() => openVaultRoot(join(home, "gone"))).toThrow("The vault folder is missing");
    expect(readdirSync(home)).toEqual(["vault"]);
  });

  test("a folder that disappears later is a clear problem too", () => {
    const { root, folder } = temporaryVault();
    renameSync(folder, `${folder}-renamed`);
    expect(() => root.locate(parseVaultPath("new.md"))).toThrow("The vault folder is missing");
    expect(() => root.check()).toThrow("The vault folder is missing");
  });

  test("no link leads out of the vault, or into a hidden folder", () => {
    const { root, home, folder, write } = temporaryVault();
    mkdirSync(join(home, "vault-backup"));
    writeFileSync(join(home, "vault-backup", "secret.md"), "secret");
    write(".obsidian/app.json", "{}");
    symlinkSync(join(home, "vault-backup"), join(folder, "out"));
    symlinkSync(join(home, "vault-backup", "secret.md"), join(folder, "out.md"));
    symlinkSync(join(home, "not-there.md"), join(folder, "dangling.md"));
    symlinkSync("loop.md", join(folder, "loop.md"));
    symlinkSync(".obsidian", join(folder, "config"));
    for (const sent of ["out", "out/secret.md", "out/new/deep.md", "out.md", "dangling.md", "dangling.md/x", "loop.md"])
      for (const way of [root.locate, root.read])
        expect(() => way(parseVaultPath(sent)), sent).toThrow(
          expect.objectContaining({
            message: `Invalid path: ${sent}`,
            hint: expect.stringContaining("leads out of the vault there, or nowhere"),
          }),
        );
    for (const sent of ["config", "config/app.json", "config/new.md"])
      for (const way of [root.locate, root.read])
        expect(() => way(parseVaultPath(sent)), sent).toThrow("Cannot access system folder");
    expect(() => root.read(".obsidian/app.json" as VaultPath)).toThrow("Cannot access system folder");
  });

  test.skipIf(process.platform === "win32")("a pipe is not a file, and is not read", () => {
    const { root, folder } = temporaryVault();
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    expect(() => root.read(parseVaultPath("pipe.md"))).toThrow("Invalid path: pipe.md");
  });

  test("a link that stays inside is followed, and resolved to its real folder", () => {
    const { root, folder, write } = temporaryVault();
    write("real/note.md", "text");
    symlinkSync("real", join(folder, "alias"));
    symlinkSync("real/note.md", join(folder, "short.md"));
    expect(root.locate(parseVaultPath("alias/note.md"))).toMatchObject({ path: "real/note.md", kind: "file" });
    expect(root.locate(parseVaultPath("alias/new/x.md"))).toMatchObject({ path: "real/new/x.md", kind: "absent" });
    expect(root.locate(parseVaultPath("short.md"))).toMatchObject({ path: "short.md", target: "real/note.md" });
    for (const sent of ["short.md", "alias/note.md", "real/note.md"])
      expect(root.read(parseVaultPath(sent))?.bytes.toString(), sent).toBe("text");
  });

  test("locateEntry does not follow a link, wherever it leads", () => {
    const { root, home, folder, write } = temporaryVault();
    write("real/note.md", "text");
    symlinkSync("real/note.md", join(folder, "short.md"));
    symlinkSync("nowhere.md", join(folder, "dangling.md"));
    symlinkSync(home, join(folder, "out"));
    for (const path of ["short.md", "dangling.md", "out"])
      expect(root.locateEntry(parseVaultPath(path))).toMatchObject({
        path,
        absolute: join(folder, path),
        kind: "link",
      });
    expect(root.locateEntry(parseVaultPath("real/note.md")).kind).toBe("file");
    expect(root.locateEntry(parseVaultPath("none.md")).kind).toBe("absent");
    expect(() => root.locateEntry(parseVaultPath("out/vault"))).toThrow("Invalid path: out/vault");
  });

  test("very deep paths, existing or not, are located without a check of each folder", () => {
    const { root, home, folder } = temporaryVault();
    const deep = "d/".repeat(process.platform === "linux" ? 900 : 200);
    mkdirSync(join(folder, deep), { recursive: true });
    mkdirSync(join(folder, "Cafe\u0301", "e"), { recursive: true });
    symlinkSync(join(folder, deep), join(folder, "shortcut"));
    symlinkSync(home, join(folder, deep, "out"));
    expect(root.locate(parseVaultPath(`${deep}x.md`))).toMatchObject({ path: `${deep}x.md`, kind: "absent" });
    expect(root.locate(parseVaultPath(`${deep}e/${deep.slice(800)}x.md`)).kind).toBe("absent");
    expect(root.locate(parseVaultPath(`shortcut/x.md`)).path).toBe(`${deep}x.md`);
    expect(root.locate(`Café/e/${deep}x.md` as VaultPath).path).toBe(`Cafe\u0301/e/${deep}x.md`);
    expect(() => root.locate(parseVaultPath(`${deep}out/x/y.md`))).toThrow("Invalid path: d/d");
  });

  test("a path that is too long together with the vault's is refused", () => {
    const { root } = temporaryVault();
    const path = parseVaultPath(`${"long name/".repeat(408)}x.md`);
    expect(() => root.locate(path)).toThrow(`Invalid path: ${path}`);
  });

  test("a folder that becomes a link is noticed before the change", () => {
    const { root, home, folder } = temporaryVault();
    mkdirSync(join(folder, "a"));
    mkdirSync(join(home, "elsewhere"));
    const located = root.locate(parseVaultPath("a/note.md"));
    renameSync(join(folder, "a"), join(folder, "b"));
    symlinkSync(join(home, "elsewhere"), join(folder, "a"));
    expect(() => root.checkParent(located)).toThrow("Invalid path: a/note.md");
  });

  test("an entry is found under another composition of its name, and keeps its own name", () => {
    const { root, write } = temporaryVault({ ignoresCase: false });
    write("Cafe\u0301/Re\u0301sume\u0301.md", "text");
    const located = root.locate("Café/Résumé.md" as VaultPath);
    expect(located).toMatchObject({ path: "Cafe\u0301/Re\u0301sume\u0301.md", kind: "file" });
    expect(root.locate("Café/Neu.md" as VaultPath)).toMatchObject({ path: "Cafe\u0301/Neu.md", kind: "absent" });
    expect(root.locate("café/Résumé.md" as VaultPath).kind).toBe("absent");
  });

  test("on a disk that ignores case, a name in another case is the same note", () => {
    const { root, write } = temporaryVault({ ignoresCase: true });
    write("Folder/Note.md", "text");
    expect(root.locate(parseVaultPath("folder/NOTE.md"))).toMatchObject({ path: "Folder/Note.md", kind: "file" });
  });

  test("whether the disk is case-sensitive is probed without a write", () => {
    const { folder, write } = temporaryVault();
    write("Probe.md", "");
    write("probe.md", "");
    const isInsensitive = readdirSync(folder).length === 1;
    expect(openVaultRoot(folder).ignoresCase).toBe(isInsensitive);
  });

  test("a file used as a folder, and a folder used as a file, are refused", () => {
    const { root, write } = temporaryVault();
    write("a/b.md", "");
    expect(() => root.locate(parseVaultPath("a/b.md/c.md"))).toThrow("Invalid path: a/b.md/c.md");
    expect(() => root.read(parseVaultPath("a"))).toThrow("Not a file: a");
    expect(root.read(parseVaultPath("a/none.md"))).toBeUndefined();
  });
});
