// A data folder on another disk than the vault: a replaced file can have no second
// name there, so it is held open, and the end of the process must not lose it.
import { spawn } from "node:child_process";
import type * as Files from "node:fs";
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { operatingSystem } from "../../kernel/kernel.ts";
import { parseVaultPath } from "../../files/files.ts";
import { temporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import type * as Writers from "../../files/disk/open-writers.ts";
import { editBetween } from "../plan/splice.ts";

const during = vi.hoisted(() => ({ search: undefined as (() => void) | undefined }));

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Files>();
  const linkSync: typeof fs.linkSync = (from, to) => {
    if (!String(to).includes(".replaced")) return fs.linkSync(from, to);
    throw Object.assign(new Error("another disk"), { code: "EXDEV" });
  };
  return { ...fs, linkSync };
});

vi.mock("../../files/disk/open-writers.ts", async (original) => {
  const writers = await original<typeof Writers>();
  const openForWriting: typeof writers.openForWriting = async (files) => {
    const found = await writers.openForWriting(files);
    during.search?.();
    return found;
  };
  return { openForWriting };
});

const NOTE = parseVaultPath("note.md");

function noteOf(text: string) {
  const vault = temporaryVault();
  const path = join(vault.folder, NOTE);
  writeFileSync(path, text);
  const append = () =>
    vault.journal.change({ tool: "test" }, async (read) => {
      const { bytes, hash } = (await read(NOTE))!;
      const edits = [editBetween(bytes, Buffer.from(`${bytes}ours\n`))];
      return { message: "", steps: [{ kind: "replace", path: NOTE, before: hash, edits }] };
    });
  return { vault, path, append };
}

describe.skipIf(operatingSystem().locksOpenFiles)("a save into a replaced file on another disk", () => {
  test("is kept if it comes while the end of the process looks for those who write", async () => {
    const { vault, path, append } = noteOf("old\n");
    const file = openSync(path, "r+");
    await append();
    during.search = () => {
      during.search = undefined;
      ftruncateSync(file);
      writeSync(file, "their new text\n", 0);
      closeSync(file);
    };
    await vault.journal.close();
    expect(during.search).toBeUndefined();
    expect(vault.text(NOTE)).toBe("their new text\nours\n");
  });

  test.runIf(operatingSystem().hasProc)(
    "is waited for by the end of the process, while it is seen to come",
    async () => {
      const { vault, path, append } = noteOf("old\n");
      const script = `exec 3<>"$1"; echo open; read go; sleep 3; echo "their new text" >&3`;
      const program = spawn("sh", ["-c", script, "sh", path], { stdio: ["pipe", "pipe", "inherit"] });
      await once(program.stdout, "data");
      await append();
      program.stdin.write("go\n");
      await vault.journal.close();
      expect(vault.text(NOTE)).toBe("their new text\nours\n");
    },
  );
});
