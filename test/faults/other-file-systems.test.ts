// File systems that are not available, simulated: exFAT, RAM drives, files that
// another program has open on Windows.
import fs, { mkdirSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publish, putInPlace, removeFile, temporaryName } from "../../src/files/disk/atomic.ts";
import { createWhole } from "../../src/files/own/create-whole.ts";
import { realPath } from "../../src/files/disk/real-path.ts";
import { parseVaultPath } from "../../src/files/vault/vault-path.ts";
import { openVaultRoot } from "../../src/files/vault/vault-root.ts";
import type { Step } from "../../src/journal/plan/step.ts";
import { vaultWith } from "../fixtures/vaults.ts";
import { failure, noLinks, noNativePaths, onPlatform, withAnswers } from "../fixtures/simulated-file-systems.ts";
import { temporaryVault, type TemporaryVault } from "../fixtures/temporary-vault.ts";
import { create } from "../fixtures/journal-steps.ts";

const at = parseVaultPath;

const change = ({ journal }: TemporaryVault, ...steps: Step[]) =>
  journal.change({ tool: "test" }, () => ({ message: "A change", steps }));

describe("a disk that refuses hard links", () => {
  const CODES = "EISDIR EPERM ENOTSUP EOPNOTSUPP ENOSYS EACCES EMLINK EINVAL EXDEV EIO UNKNOWN".split(" ");

  it.each(CODES)("with %s supports creating, moving and deleting notes, and undoing that", async (code) => {
    const vault = temporaryVault();
    await withAnswers(noLinks(code), async () => {
      await change(vault, create("a.md", "a"), create("folder/empty.md", ""));
      await change(vault, { kind: "rename", path: at("a.md"), to: at("b.md") });
      await change(vault, { kind: "remove", path: at("b.md") });
      expect(readdirSync(vault.folder).toSorted()).toEqual([".trash", "folder"]);
      await vault.journal.undo();
      expect(vault.text("b.md")).toBe("a");
      await vault.journal.undo();
    });
    expect(readdirSync(vault.folder, { recursive: true }).toSorted()).toEqual(["a.md", "folder", "folder/empty.md"]);
  });

  it.each(CODES)("with %s keeps what another program has put there", async (code) => {
    const { folder, write, text } = temporaryVault();
    write("ours.md", "ours");
    write("theirs.md", "theirs");
    const [ours, theirs] = [join(folder, "ours.md"), join(folder, "theirs.md")];
    await withAnswers(noLinks(code), async () => {
      await expect(publish(ours, theirs)).rejects.toThrow("File already exists: theirs.md");
      createWhole(theirs, "mine");
    });
    expect([text("ours.md"), text("theirs.md")]).toEqual(["ours", "theirs"]);
  });

  it("keeps what another program writes into the claim of a name", async () => {
    const { folder, write, text } = temporaryVault();
    write("ours.md", "ours");
    const to = join(folder, "new.md");
    const { closeSync } = fs;
    const answers = {
      ...noLinks("EISDIR"),
      closeSync: (file: number) => {
        closeSync(file);
        fs.writeFileSync(to, "theirs");
      },
    };
    const moving = withAnswers(answers, () => publish(join(folder, "ours.md"), to));
    await expect(moving).rejects.toThrow("File already exists: new.md");
    expect([text("ours.md"), text("new.md")]).toEqual(["ours", "theirs"]);
  });

  it("leaves no claim if the rename fails", async () => {
    const { folder, write } = temporaryVault();
    write("ours.md", "ours");
    const answers = {
      ...noLinks("EISDIR"),
      renameSync: () => {
        throw failure("EIO", "rename");
      },
    };
    const moving = withAnswers(answers, () => publish(join(folder, "ours.md"), join(folder, "new.md")));
    await expect(moving).rejects.toThrow("EIO");
    expect(readdirSync(folder)).toEqual(["ours.md"]);
  });
});

describe("a disk that has no native paths", () => {
  it.each(["EISDIR", "ENOENT", "EINVAL", "UNKNOWN", "EPERM"])("and reports %s works as a vault", async (code) => {
    await withAnswers(noNativePaths(code), async () => {
      expect(() => realpathSync.native("/")).toThrow(code);
      const { vault, folder, read, files } = vaultWith({ "Folder/note.md": "text" });
      expect(vault.root.folder).toBe(folder);
      await vault.journal.change({ tool: "test" }, () => ({
        message: "A change",
        steps: [create("Folder/new.md", "new"), { kind: "rename", path: at("Folder/note.md"), to: at("moved.md") }],
      }));
      expect([read("Folder/new.md"), read("moved.md")]).toEqual(["new", "text"]);
      await vault.journal.undo();
      expect(files()).toEqual({ "Folder/note.md": "text" });
      await expect(vault.root.locate(at("Folder/note.md/x"))).rejects.toThrow("Invalid path: Folder/note.md/x");
    });
  });

  it("still refuses links that lead out, and what is missing", async () => {
    const { folder, home } = temporaryVault();
    mkdirSync(join(home, "outside"));
    fs.symlinkSync(join(home, "outside"), join(folder, "out"));
    await withAnswers(noNativePaths("EISDIR"), () => {
      const root = openVaultRoot(folder);
      expect(() => root.locate(at("out/x.md"))).toThrow("Invalid path: out/x.md");
      expect(root.locate(at("none/x.md")).kind).toBe("absent");
      expect(() => realPath(join(folder, "none"))).toThrow("ENOENT");
      expect(() => openVaultRoot(join(home, "gone"))).toThrow("The vault folder is missing");
    });
  });

  it("returns names as its folders list them, in whatever case they were requested", async () => {
    const { folder, write } = temporaryVault();
    write("Folder/Note.md", "text");
    // As on a disk that ignores case: Node's own real path answers with what it was asked.
    const answers = {
      lstatSync: () => ({}),
      realpathSync: Object.assign((path: string) => path, {
        native: () => {
          throw failure("EISDIR", "realpath");
        },
      }),
    };
    await withAnswers(answers, () => {
      expect(realPath(join(folder, "folder", "NOTE.MD"))).toBe(join(folder, "Folder", "Note.md"));
      expect(realPath(join(folder, "Folder", "Note.md"))).toBe(join(folder, "Folder", "Note.md"));
    });
  });
});

describe("the root of an empty drive", () => {
  it("is a vault, although its entries cannot be read one by one", async () => {
    const refuse = () => {
      throw failure("EINVAL", "readdir");
    };
    const closed: string[] = [];
    const answers = { opendirSync: () => ({ readSync: refuse, closeSync: () => closed.push("closed") }) };
    await withAnswers(answers, async () => {
      const { vault, read } = vaultWith({});
      await vault.journal.change({ tool: "test" }, () => ({ message: "A change", steps: [create("a.md", "a")] }));
      expect(read("a.md")).toBe("a");
    });
    expect(closed).toContain("closed");
  });
});

describe("a file that another program holds open on Windows", () => {
  /** Refuses so many times what would take the name of that file away. */
  function refusing(code: string, times: number, held: string) {
    const { renameSync, unlinkSync, linkSync } = fs;
    let left = times;
    const unless =
      (call: (...values: never[]) => unknown) =>
      (...values: never[]) => {
        if ((values as string[]).includes(held) && left-- > 0) throw failure(code, "rename");
        return Reflect.apply(call, fs, values);
      };
    return { renameSync: unless(renameSync), unlinkSync: unless(unlinkSync), linkSync: unless(linkSync) };
  }

  it.each(["EPERM", "EBUSY", "EACCES"])("is waited for while it reports %s", async (code) => {
    const { folder, write, text } = temporaryVault();
    write("a.md", "a");
    write("b.md", "b");
    const paths = ["a.md", "b.md", "c.md"].map((name) => join(folder, name)) as [string, string, string];
    await onPlatform("win32", async () => {
      await withAnswers(refusing(code, 3, paths[1]), () => putInPlace(paths[0], paths[1]));
      await withAnswers(refusing(code, 3, paths[1]), () => publish(paths[1], paths[2]));
      expect(text("c.md")).toBe("a");
      await withAnswers(refusing(code, 3, paths[2]), () => removeFile(paths[2]));
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("does not block the process while it is waited for", async () => {
    const { folder, write } = temporaryVault();
    write("a.md", "a");
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const held = join(folder, "a.md");
    await onPlatform("win32", () => withAnswers(refusing("EBUSY", 8, held), () => publish(held, join(folder, "b.md"))));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });

  it.each(["EPERM", "EBUSY", "EACCES"])("is named if it stays open with %s", async (code) => {
    const { folder, write, text } = temporaryVault();
    write("a.md", "a");
    const [from, to] = [join(folder, "a.md"), join(folder, "b.md")];
    const answers = refusing(code, Number.POSITIVE_INFINITY, from);
    const held = { code: "denied", message: "Another program has 'a.md' open: nothing was changed." };
    await onPlatform("win32", () =>
      withAnswers(answers, async () => {
        await expect(publish(from, to)).rejects.toMatchObject(held);
        await expect(removeFile(from)).rejects.toMatchObject(held);
      }),
    );
    expect([text("a.md"), fs.existsSync(to)]).toEqual(["a", false]);
  });

  it.each(["a.md", temporaryName()])("loses none of its names, so that none is added: %s", async (name) => {
    const { folder, write, text } = temporaryVault();
    write(name, "a");
    const [from, to] = [join(folder, name), join(folder, "b.md")];
    const { ino: held } = fs.statSync(from);
    let left = Number.POSITIVE_INFINITY;
    const unless =
      (call: (...values: never[]) => unknown) =>
      (...values: never[]) => {
        if (fs.lstatSync(String(values[0]), { throwIfNoEntry: false })?.ino === held && left-- > 0)
          throw failure("EBUSY", "unlink");
        return Reflect.apply(call, fs, values);
      };
    const answers = { renameSync: unless(fs.renameSync), unlinkSync: unless(fs.unlinkSync) };
    await onPlatform("win32", async () => {
      if (name === "a.md") {
        const moving = withAnswers(answers, () => publish(from, to));
        await expect(moving).rejects.toThrow("Another program has 'a.md' open: nothing was changed.");
        expect([readdirSync(folder), text(name)]).toEqual([[name], "a"]);
      }
      // A scanner that lets go after a while.
      left = 5;
      await withAnswers(answers, () => publish(from, to));
    });
    expect([readdirSync(folder), text("b.md")]).toEqual([["b.md"], "a"]);
  });

  it("leaves a claim that a scanner has open to the next attempt", async () => {
    const { folder, write, text } = temporaryVault();
    write("a.md", "a");
    const [from, to] = [join(folder, "a.md"), join(folder, "b.md")];
    const answers = { ...refusing("EPERM", 4, to), ...noLinks("EISDIR") };
    await onPlatform("win32", () => withAnswers(answers, () => publish(from, to)));
    expect([readdirSync(folder), text("b.md")]).toEqual([["b.md"], "a"]);
  });

  it("is not blamed if the file may not be written", async () => {
    const { folder, write } = temporaryVault();
    write("a.md", "a");
    const answers = {
      ...refusing("EPERM", Number.POSITIVE_INFINITY, join(folder, "a.md")),
      openSync: () => {
        throw failure("EPERM", "open");
      },
    };
    const removing = onPlatform("win32", () => withAnswers(answers, () => removeFile(join(folder, "a.md"))));
    await expect(removing).rejects.toThrow("No permission to write 'a.md': nothing was changed.");
  });

  it("is named as well if it cannot be read", async () => {
    const { root, write } = temporaryVault({ ignoresCase: true });
    write("a.md", "a");
    const refuse = () => {
      throw failure("EBUSY", "open");
    };
    await withAnswers({ openSync: refuse, readFileSync: refuse }, () => {
      expect(() => root.read(at("a.md"))).toThrow("File cannot be read: another program has a.md open.");
    });
  });
});
