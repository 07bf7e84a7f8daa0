import {
  closeSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { contentHash } from "../../files/disk/atomic.ts";
import { parseVaultPath } from "../../files/files.ts";
import { everythingIn, temporaryVault, type TemporaryVault } from "../../../test/fixtures/temporary-vault.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { editBetween } from "../plan/splice.ts";
import { ReplacedFiles } from "./replaced-files.ts";

const NOTE = parseVaultPath("note.md");
const BESIDE = "note (saved by another program).md";

/** Changes the note's text, as all tools do. */
const changed = async (
  { journal }: Pick<TemporaryVault, "journal">,
  edit: (text: string) => string,
  onWarning?: (sentence: string) => void,
) =>
  (await journal.change({ tool: "test", onWarning }, async (read) => {
    const { bytes, hash } = (await read(NOTE))!;
    const after = Buffer.from(edit(bytes.toString("utf8")));
    return { message: "", steps: [{ kind: "replace", path: NOTE, before: hash, edits: [editBetween(bytes, after)] }] };
  }))!.id;

const appending = (line: string) => (text: string) => `${text}${line}\n`;

/** Another program that has the note open, as it is now. */
const opened = (vault: TemporaryVault) => {
  const file = openSync(join(vault.folder, NOTE), "r+");
  return {
    saves: (text: string) => {
      ftruncateSync(file);
      writeSync(file, text, 0);
    },
    closes: () => closeSync(file),
  };
};

const noteOf = (text: string) => {
  const vault = temporaryVault();
  vault.write(NOTE, text);
  return vault;
};

/** Returns the files that are still watched. */
const kept = (vault: TemporaryVault) =>
  readdirSync(vault.journals).flatMap((name) =>
    name.endsWith(".replaced") ? readdirSync(join(vault.journals, name)) : [],
  );

describe("what a program saves into a file that a change has replaced", () => {
  test("is brought back, and the change stays", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    await changed(vault, appending("ours"));
    program.saves("their new text\n");
    program.closes();
    await expect.poll(() => vault.text(NOTE)).toBe("their new text\nours\n");
  });

  test("is brought back each time, as long as the program has it open", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    await changed(vault, appending("ours"));
    for (const text of ["first\n", "first\nsecond\n", "another\n"]) {
      program.saves(text);
      await expect.poll(() => vault.text(NOTE)).toBe(`${text}ours\n`);
    }
    program.closes();
  });

  test("stays when the change is undone, and what it replaced can be brought back as well", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    const id = await changed(vault, appending("ours"));
    program.saves("their new text\n");
    program.closes();
    await expect.poll(() => vault.text(NOTE)).toBe("their new text\nours\n");
    await vault.journal.undo({ id });
    expect(vault.text(NOTE)).toBe("their new text\n");
    await vault.journal.redo({ id });
    expect(vault.text(NOTE)).toBe("their new text\nours\n");
    await vault.journal.undo({ id });
    const { entries } = await vault.journal.history();
    const saved = entries.find(({ message }) => message === "Saved by another program: note.md")!;
    await vault.journal.undo({ id: saved.id });
    expect(vault.text(NOTE)).toBe("old\n");
  });

  test("is the base of all changes that were made since", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    const first = await changed(vault, appending("one"));
    const second = await changed(vault, appending("two"));
    program.saves("their new text\n");
    program.closes();
    await expect.poll(() => vault.text(NOTE)).toBe("their new text\none\ntwo\n");
    await vault.journal.undo({ id: second });
    expect(vault.text(NOTE)).toBe("their new text\none\n");
    await vault.journal.undo({ id: first });
    expect(vault.text(NOTE)).toBe("their new text\n");
  });

  test("is kept beside the note if both changed the same place, and the next answer says so", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    const id = await changed(vault, () => "ours\n");
    program.saves("theirs\n");
    program.closes();
    await expect.poll(() => vault.text(BESIDE)).toBe("theirs\n");
    expect(vault.text(NOTE)).toBe("ours\n");
    await vault.journal.undo({ id });
    expect(vault.text(NOTE)).toBe("old\n");
    const warnings: string[] = [];
    await changed(vault, appending("more"), (sentence) => warnings.push(sentence));
    await changed(vault, appending("more"), (sentence) => warnings.push(sentence));
    expect(warnings).toEqual([expect.stringContaining(`what it saved is in ${BESIDE}`)]);
  });

  test("follows the note to where it was moved", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    await changed(vault, appending("ours"));
    const to = parseVaultPath("Folder/moved.md");
    await vault.journal.change({ tool: "test" }, () => ({
      message: "",
      steps: [{ kind: "rename", path: NOTE, to }],
    }));
    program.saves("their new text\n");
    program.closes();
    await expect.poll(() => vault.text(to)).toBe("their new text\nours\n");
  });

  test("is brought back in each note of a change of several, which is undone as a whole", async () => {
    const vault = noteOf("see [[target]]\n");
    const [from, to] = [parseVaultPath("target.md"), parseVaultPath("moved.md")];
    vault.write(from, "target\n");
    const program = opened(vault);
    const { id } = (await vault.journal.change({ tool: "test" }, async (read) => {
      const { bytes, hash } = (await read(NOTE))!;
      const edits = [editBetween(bytes, Buffer.from("see [[moved]]\n"))];
      const steps = [
        { kind: "replace", path: NOTE, before: hash, edits } as const,
        { kind: "rename", path: from, to } as const,
      ];
      return { message: "", steps };
    }))!;
    program.saves("see [[target]]\nand more\n");
    program.closes();
    await expect.poll(() => vault.text(NOTE)).toBe("see [[moved]]\nand more\n");
    await vault.journal.undo({ id });
    expect(vault.text(NOTE)).toBe("see [[target]]\nand more\n");
    expect(vault.text(from)).toBe("target\n");
  });

  test("is brought back if it opened the note before the change was undone", async () => {
    const vault = noteOf("old\n");
    const id = await changed(vault, appending("ours"));
    const program = opened(vault);
    await vault.journal.undo({ id });
    program.saves("new\nours\n");
    program.closes();
    await expect.poll(() => vault.text(NOTE)).toBe("new\n");
  });

  test("is kept beside a file that is no text", async () => {
    const vault = noteOf("old\0\n");
    const program = opened(vault);
    await changed(vault, appending("ours"));
    program.saves("theirs\0\n");
    program.closes();
    await expect.poll(() => vault.text(BESIDE)).toBe("theirs\0\n");
    expect(vault.text(NOTE)).toBe("old\0\nours\n");
  });

  test("is in the trash if the note was deleted", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    await changed(vault, appending("ours"));
    const second = opened(vault);
    await vault.journal.change({ tool: "test" }, () => ({ message: "", steps: [{ kind: "remove", path: NOTE }] }));
    program.saves("first\n");
    program.closes();
    await expect.poll(() => vault.text(".trash/note.md")).toBe("first\nours\n");
    second.saves("second\n");
    second.closes();
    const texts = () => Object.values(everythingIn(vault.folder, { withTrash: true })).join("");
    await expect.poll(texts).toContain("second\n");
  });

  test("is brought back by an orderly end of the process", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    await changed(vault, appending("ours"));
    program.saves("their new text\n");
    program.closes();
    await vault.journal.close();
    expect(vault.text(NOTE)).toBe("their new text\nours\n");
  });

  test("is brought back by the next process, if that one was killed", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    await changed(vault, appending("ours"));
    await vault.journal.close();
    program.saves("their new text\n");
    program.closes();
    const next = vault.another();
    await next.recoverInterrupted();
    await expect.poll(() => vault.text(NOTE)).toBe("their new text\nours\n");
  });

  test("is left alone if it is what the note has", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    const id = await changed(vault, appending("ours"));
    program.saves("old\nours\n");
    program.closes();
    await vault.journal.close();
    expect(vault.text(NOTE)).toBe("old\nours\n");
    await vault.another().undo({ id });
    expect(vault.text(NOTE)).toBe("old\n");
  });

  test("is no matter if the process was killed before it had replaced the file", async () => {
    const vault = noteOf("old\n");
    await changed(vault, appending("ours"));
    const [name] = kept(vault);
    const folder = readdirSync(vault.journals).find((each) => each.endsWith(".replaced"))!;
    await vault.journal.close();
    const second = join(vault.journals, folder, name!);
    rmSync(second);
    linkSync(join(vault.folder, NOTE), second);
    await changed({ journal: vault.another() }, appending("more"));
    expect(kept(vault)).not.toContain(name);
    expect(vault.text(NOTE)).toBe("old\nours\nmore\n");
  });

  test("is no longer watched by the next process, if it was replaced long ago", async () => {
    const vault = noteOf("old\n");
    await changed(vault, appending("ours"));
    await vault.journal.close();
    expect(kept(vault)).toHaveLength(1);
    await pause(10_500);
    const next = vault.another();
    await next.recoverInterrupted();
    await next.close();
    expect(kept(vault)).toEqual([]);
  });

  test("is watched under a name outside of the vault, which goes after the last look", async () => {
    const vault = noteOf("old\n");
    await changed(vault, appending("ours"));
    expect(kept(vault)).toHaveLength(1);
    expect(readdirSync(vault.folder)).toEqual([NOTE]);
    await expect.poll(() => kept(vault)).toEqual([]);
  });
});

test("what cannot be brought back is tried again, and reported once", async () => {
  const [home, folder] = [temporaryFolder(), temporaryFolder()];
  const path = join(home, NOTE);
  writeFileSync(path, "old\n");
  const [tries, log]: [string[], string[]] = [[], []];
  const files = new ReplacedFiles(
    () => folder,
    async ({ read }) => {
      tries.push(read()!.toString());
      if (tries.length < 3) throw new Error("no room");
    },
    (message) => log.push(message),
  );
  const before = contentHash(Buffer.from("old\n"));
  const patch = { kind: "patch", path: NOTE, temporary: NOTE, before, after: before, splices: [] } as const;
  const program = openSync(path, "r+");
  const kept = files.keep(path, lstatSync(path, { bigint: true }), patch, 1, 0)!;
  rmSync(path);
  kept.replaced();
  writeSync(program, "new\n", 0);
  closeSync(program);
  await expect.poll(() => tries).toEqual(["new\n", "new\n", "new\n"]);
  expect(log).toEqual(["what another program saved cannot be brought back yet: no room"]);
  await files.close();
});

describe("a change of a note that another program is saving", () => {
  // Longer gaps are in settled-files.test.ts: a busy machine could make them longer than the wait.
  test("waits for the text that comes after the truncation", async () => {
    const vault = noteOf("old\n");
    const program = opened(vault);
    program.saves("");
    const change = changed(vault, (text) => `before\n${text}`);
    await pause(20);
    program.saves("their new text\n");
    program.closes();
    const id = await change;
    expect(vault.text(NOTE)).toBe("before\ntheir new text\n");
    await vault.journal.undo({ id });
    expect(vault.text(NOTE)).toBe("their new text\n");
  });

  test("is made on a note that stays empty", async () => {
    const vault = noteOf("old\n");
    vault.write(NOTE, "");
    await changed(vault, appending("ours"));
    expect(vault.text(NOTE)).toBe("ours\n");
  });
});
