// The notes of days, as every function that takes the path of a note treats them.
import { describe, expect, it } from "vitest";
import type { Problem } from "../../kernel/kernel.ts";
import { accessRules } from "../../files/files.ts";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { deleteNote, duplicateNote } from "../folders.ts";
import { linksOf } from "../link-report.ts";
import { hashAt } from "../notes/content-hash.ts";
import { readNote } from "../notes/note-reader.ts";
import { append, create, prepend, replace, setProperties } from "./note-changes.ts";
import { editNote, editNotes } from "./note-editor.ts";
import { moveNote } from "./note-mover.ts";

const author = { tool: "test" };
const clock = { now: () => Date.UTC(2026, 10, 16, 9, 5), timeZone: "UTC" };

const SETTINGS = { ".obsidian/daily-notes.json": '{"folder": "Daily", "template": "Templates/Day"}' };
const TEMPLATE =
  "---\ntags:\n  - daily # every day\ncreated: {{date:YYYY-MM-DD}}T{{time}}\n---\n# {{title}}\n\n## Log\n\n## Tasks\n";
const FILLED =
  "---\ntags:\n  - daily # every day\ncreated: 2026-11-16T09:05\n---\n# 2026-11-16\n\n## Log\n\n## Tasks\n";
const files = { ...SETTINGS, "Templates/Day.md": TEMPLATE };

describe("the note of a day", () => {
  it("is begun with its template by what is appended first, and one undo takes all back", async () => {
    const { vault, files: now } = vaultWith(files, clock);
    const before = now();
    const { path, text, facts } = await editNote(vault, author, {
      filePath: "daily:today",
      change: append("call Ann"),
    });
    expect({ path, text, facts }).toEqual({
      path: "Daily/2026-11-16.md",
      text: `${FILLED}call Ann`,
      facts: { appendedLength: 8 },
    });
    await editNote(vault, author, { filePath: "daily:2026-11-16", change: append("call Ben") });
    expect((await readNote(vault, "daily:today")).note.text).toBe(`${FILLED}call Ann\ncall Ben`);
    expect((await vault.journal.history({ limit: 9 })).entries).toHaveLength(2);
    await vault.journal.undo();
    await vault.journal.undo();
    expect(now()).toEqual(before);
  });

  it("takes text below a heading of its template, and at the top", async () => {
    const { vault, read } = vaultWith(files, clock);
    await editNote(vault, author, { filePath: "daily:today", change: append("- call Ann\n", "Log") });
    expect(read("Daily/2026-11-16.md")).toBe(FILLED.replace("## Log\n", "## Log\n- call Ann\n"));
    await editNote(vault, author, { filePath: "daily:tomorrow", change: prepend("first\n") });
    expect(read("Daily/2026-11-17.md")).toContain("---\nfirst\n# 2026-11-17\n");
  });

  it("is not made if its template has no such heading", async () => {
    const { vault, files: now } = vaultWith(files, clock);
    const edit = { filePath: "daily:today", change: append("x", "Nowhere") };
    await expect(editNote(vault, author, edit)).rejects.toThrow('The note has no heading "Nowhere"');
    expect(Object.keys(now())).toEqual(["Templates/Day.md"]);
  });

  it("is begun empty if there is no template", async () => {
    const { vault, files: now } = vaultWith({}, clock);
    await editNote(vault, author, { filePath: "weekly:2026-W46", change: append("x") });
    expect(now()).toEqual({ "2026-W46.md": "x" });
  });

  it("gets several edits of one step into one new note", async () => {
    const { vault, read } = vaultWith(files, clock);
    await editNotes<object>(vault, author, [
      { filePath: "daily:today", change: append("one\n") },
      { filePath: "daily:today", change: append("two\n") },
      { filePath: "daily:today", change: setProperties({ set: { mood: 4 } }) },
    ]);
    expect(read("Daily/2026-11-16.md")).toBe(`${FILLED.replace("T09:05\n", "T09:05\nmood: 4\n")}one\ntwo\n`);
  });

  it("keeps the line endings of its template", async () => {
    const { vault, read } = vaultWith({ ...files, "Templates/Day.md": "# {{title}}\r\n" }, clock);
    await editNote(vault, author, { filePath: "daily:today", change: append("a\nb\n") });
    expect(read("Daily/2026-11-16.md")).toBe("# 2026-11-16\r\na\r\nb\r\n");
  });

  it("is created with a text of the caller's own", async () => {
    const { vault, files: now } = vaultWith({}, clock);
    await editNote(vault, author, { filePath: "daily:yesterday", change: create("mine") });
    expect(now()).toEqual({ "2026-11-15.md": "mine" });
    const again = editNote(vault, author, { filePath: "daily:yesterday", change: create("mine") });
    await expect(again).rejects.toMatchObject({
      message: "File already exists: daily:yesterday",
      hint: "Choose another path, or change 2026-11-15.md.",
    });
  });

  it("that does not exist is not found by anything else, with the path that it stands for", async () => {
    const { vault, files: now } = vaultWith(files, clock);
    const before = now();
    const problem = (error: unknown) => error as Problem;
    const failures = [
      await editNote(vault, author, { filePath: "daily:today", change: replace("a", "b", 1) }).catch(problem),
      await editNote(vault, author, { filePath: "daily:today", change: setProperties({ set: { a: 1 } }) }).catch(
        problem,
      ),
      await editNote(vault, author, { filePath: "daily:today", expectedHash: "0", change: append("x") }).catch(problem),
      await deleteNote(vault, author, "daily:today").catch(problem),
      await linksOf(vault, { path: "daily:today", type: "backlinks" }).catch(problem),
      await Promise.resolve()
        .then(async () => readNote(vault, "daily:today"))
        .catch(problem),
    ] as Problem[];
    for (const { message, hint } of failures) {
      expect(message).toBe("File not found: daily:today");
      expect(hint).toBe(
        "It stands for Daily/2026-11-16.md, which does not exist yet; contentManager_appendContent creates it from its template.",
      );
    }
    expect(now()).toEqual(before);
  });

  it("that is hidden does not exist for readers, and a write is refused, without its path", async () => {
    const secret = { ".obsidian/daily-notes.json": '{"folder": "Private"}', "Private/2026-11-16.md": "secret" };
    const { vault, files: now } = vaultWith(secret, { ...clock, access: accessRules({ hide: ["Private/"] }) });
    for (const filePath of ["daily:today", "daily:tomorrow"]) {
      const reads = [
        () => readNote(vault, filePath),
        () => linksOf(vault, { path: filePath, type: "backlinks" }),
        () => editNote(vault, author, { filePath, change: replace("a", "b", 1) }),
      ];
      for (const read of reads)
        await expect(read()).rejects.toMatchObject({
          message: `File not found: ${filePath}`,
          hint: "There is no note of that day.",
        });
      for (const change of [append("x"), create("x")])
        await expect(editNote(vault, author, { filePath, change })).rejects.toThrow(
          "The settings keep this path out of reach.",
        );
    }
    expect(now()).toEqual({ "Private/2026-11-16.md": "secret" });
  });

  it("is read, linked, hashed, copied, moved and deleted by its address", async () => {
    const { vault, files: now } = vaultWith({ "2026-11-16.md": "a", "b.md": "[[2026-11-16]]" }, clock);
    expect((await readNote(vault, "daily:today")).path).toBe("2026-11-16.md");
    expect(await hashAt(vault, "daily:today")).toMatchObject({ path: "2026-11-16.md", hash: expect.any(String) });
    expect((await linksOf(vault, { path: "daily:today", type: "backlinks" })).links).toMatchObject([{ from: "b.md" }]);
    const copy = { sourcePath: "daily:today", targetPath: "daily:tomorrow", overwrite: false, autoIncrement: false };
    expect(await duplicateNote(vault, author, copy)).toEqual({
      sourcePath: "2026-11-16.md",
      targetPath: "2026-11-17.md",
    });
    await moveNote(vault, author, { path: "daily:tomorrow", newPath: "daily:2026-12-24", overwrite: false });
    await deleteNote(vault, author, "daily:today");
    expect(now()).toEqual({ "2026-12-24.md": "a", "b.md": "[[2026-11-16]]" });
  });
});

describe("a template of a day", () => {
  const appended = async (template: string, settings: object = { template: "T" }) => {
    const { vault, files: now } = vaultWith(
      { ".obsidian/daily-notes.json": JSON.stringify(settings), "T.md": template },
      clock,
    );
    await editNote(vault, author, { filePath: "daily:today", change: append("") });
    return now()["2026-11-16.md"];
  };

  it.each([
    ["{{date}} {{title}} {{time}}", "2026-11-16 2026-11-16 09:05"],
    ["{{ Date : dddd, D MMMM }}", "Monday, 16 November"],
    ["{{time:HH[h]mm}}", "09h05"],
    ["[[{{yesterday}}]] [[{{tomorrow}}]]", "[[2026-11-15]] [[2026-11-17]]"],
    ["{{date-1d:DD}} {{date+1M:MM}} {{date+1y:YYYY}} {{date+2h:HH:mm}} {{date-1q}}", "15 12 2027 11:05 2026-08-16"],
    ["{{unknown}} {{}} {{ {date} }}", "{{unknown}} {{}} {{ {date} }}"],
  ])("%s becomes %s", async (template, text) => {
    expect(await appended(template)).toBe(text);
  });

  it("of a week names its days", async () => {
    const settings = { weekly: { enabled: true, template: "T.md", format: "gggg-[W]ww" } };
    const { vault, read } = vaultWith(
      {
        ".obsidian/plugins/periodic-notes/data.json": JSON.stringify(settings),
        "T.md": "{{title}}: {{sunday:MM-DD}} to {{ saturday: MM-DD }}",
      },
      clock,
    );
    await editNote(vault, author, { filePath: "weekly:", change: append("") });
    expect(read("2026-W47.md")).toBe("2026-W47: 11-15 to 11-21");
  });

  it("with commands of Templater is refused, and nothing is made", async () => {
    const text = "<%* await tp.system.prompt('x') %>";
    await expect(appended(text)).rejects.toThrow(
      "T.md has commands of Templater (<% … %>), which are never run here: nothing was created.",
    );
  });

  it("that is missing is named, with the settings that name it", async () => {
    await expect(appended("", { template: "Gone" })).rejects.toMatchObject({
      message: "Template not found: Gone",
      hint: ".obsidian/daily-notes.json names it. Create it, or create the note with contentManager_createContent.",
    });
  });

  it.each([
    ["../../etc/passwd", "Path cannot contain '..'"],
    [".obsidian/daily-notes.json", "Cannot access system folder"],
    ["/../x", "Path cannot contain '..'"],
  ])("at %s is refused like a path in a call", async (template, sentence) => {
    await expect(appended("", { template })).rejects.toMatchObject({
      message: sentence,
      hint: "The path is from .obsidian/daily-notes.json.",
    });
  });
});
