// vaultLibrarian_tags of the built program: lists and renames tags; and
// contentManager_updateProperties of several notes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { filesIn } from "../fixtures/vaults.ts";
import { connectStdio, temporaryFolder } from "../processes/program.ts";

async function open(files: Readonly<Record<string, string>>, flags: readonly string[] = []) {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  mkdirSync(vault);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(vault, path), text);
  const client = await connectStdio(home, {}, ["--toolsets", "all", "--vault", vault, ...flags]);
  const call = (name: string, sent: object, options?: Parameters<Client["callTool"]>[1]) =>
    client.callTool({ name, arguments: { ...sent } }, options) as Promise<{
      isError?: boolean;
      content: readonly { text: string }[];
      structuredContent: Readonly<Record<string, unknown>> & { data: Record<string, unknown> };
    }>;
  return { client, call, vault };
}

const NOTES = { "One.md": "#a and #a/b\n", "Two.md": "---\ntags: [a, x]\n---\n", "Three.md": "#c\n" };
const TOOL = "vaultLibrarian_tags";

describe("vaultLibrarian_tags", () => {
  it("shows what a rename would change, renames if that is confirmed, and is undone by its id", async () => {
    const { call, vault } = await open(NOTES);
    const preview = await call(TOOL, { rename: "#a", newName: "x" });
    expect(preview.isError).toBeUndefined();
    const { dataBegins: _, dataEnds: __, ...shown } = preview.structuredContent as Record<string, unknown>;
    expect(shown).toEqual({
      success: false,
      requiresConfirmation: true,
      message:
        "This will rename #a to #x in 3 places of 2 files. #x is in 1 note already: the two become one tag. Set confirmed=true to proceed.",
      data: {
        renamed: "#a → #x",
        places: 3,
        files: 2,
        merges: 1,
        notes: [
          { path: "One.md", places: 2 },
          { path: "Two.md", places: 1 },
        ],
      },
    });
    expect(filesIn(vault)).toEqual(NOTES);
    const { structuredContent: made, content } = await call(TOOL, { rename: "a", newName: "#x", confirmed: true });
    expect(made).toMatchObject({ success: true, undoId: expect.any(String), data: { places: 3, files: 2 } });
    expect(content[0]!.text).toContain("Two.md 1");
    expect(filesIn(vault)).toEqual({
      "One.md": "#x and #x/b\n",
      "Two.md": "---\ntags: [x]\n---\n",
      "Three.md": "#c\n",
    });
    expect((await call(TOOL, {})).structuredContent.data).toEqual({
      tags: [
        { tag: "x", count: 2 },
        { tag: "c", count: 1 },
        { tag: "x/b", count: 1 },
      ],
    });
    await call("undo", { id: made["undoId"] });
    expect(filesIn(vault)).toEqual(NOTES);
  });

  it("refuses what is no tag, is not there or lacks a name, and writes nothing", async () => {
    const { call, vault } = await open(NOTES);
    for (const [sent, sentence] of [
      [{ rename: "a", newName: "two words" }, '"two words" cannot be a tag.'],
      [{ rename: "zzz", newName: "x" }, "No note has the tag #zzz: nothing was changed."],
      [{ rename: "a" }, "newName is required"],
      [{ newName: "a" }, "rename is required"],
      [{ rename: "a", newName: "#a" }, "The tag is called #a already: choose another newName."],
    ] as const) {
      const { isError, structuredContent } = await call(TOOL, { ...sent, confirmed: true });
      expect(isError).toBe(true);
      expect(structuredContent).toMatchObject({ success: false, error: sentence });
    }
    expect(filesIn(vault)).toEqual(NOTES);
  });

  it("only lists tags in a server that is read-only, and says so", async () => {
    const { client, call, vault } = await open(NOTES, ["--read-only"]);
    const listed = (await client.listTools()).tools.find(({ name }) => name === TOOL)!;
    expect(listed.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(Object.keys(listed.inputSchema.properties!)).toEqual(["filter", "cursor"]);
    expect((await call(TOOL, { filter: "#A" })).structuredContent.data["tags"]).toHaveLength(2);
    const refused = await call(TOOL, { rename: "a", newName: "x", confirmed: true });
    expect(refused.structuredContent).toMatchObject({ success: false, code: "access_denied" });
    expect(filesIn(vault)).toEqual(NOTES);
  });

  it("comes in pages as a list and as a preview, and bounded once it has written", async () => {
    const many = Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`Note ${i}.md`, `#a #tag-number-${i}\n`]));
    const { call, vault } = await open(many);
    for (const [sent, field] of [
      [{}, "tags"],
      [{ rename: "a", newName: "x" }, "notes"],
    ] as const) {
      const first = await call(TOOL, sent);
      const { nextCursor, total } = first.structuredContent;
      expect(total).toBe(field === "tags" ? 1201 : 1200);
      const second = await call(TOOL, { ...sent, cursor: nextCursor });
      expect(second.structuredContent.data[field]).not.toEqual(first.structuredContent.data[field]);
    }
    const reports: number[] = [];
    const { structuredContent } = await call(
      TOOL,
      { rename: "a", newName: "x", confirmed: true },
      { onprogress: ({ progress }) => reports.push(progress) },
    );
    expect(structuredContent).toMatchObject({ success: true, truncated: true, data: { files: 1200, places: 1200 } });
    expect(structuredContent).not.toHaveProperty("nextCursor");
    expect(JSON.stringify(structuredContent).length).toBeLessThan(40_000);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
    expect(readFileSync(join(vault, "Note 7.md"), "utf8")).toBe("#x #tag-number-7\n");
  });
});

describe("contentManager_updateProperties with a date", () => {
  it.each([
    ["2026-13-45", "There is no such date: due: 2026-13-45. It was written as text."],
    ["2026-02-29T10:00", "There is no such date: due: 2026-02-29T10:00. It was written as text."],
    [["2028-02-29", "2026-02-30"], "There is no such date: due: 2028-02-29, 2026-02-30. It was written as text."],
    ["2028-02-29", undefined],
    ["v2026-13-45", undefined],
  ])("of %j writes it, and says if there is no such day", async (due, hint) => {
    const { call } = await open({ "One.md": "one\n" });
    const { structuredContent } = await call("contentManager_updateProperties", { filePath: "One", set: { due } });
    expect([structuredContent["success"], structuredContent["hint"]]).toEqual([true, hint]);
  });
});

describe("contentManager_updateProperties of several notes", () => {
  const PROPERTIES = "contentManager_updateProperties";
  const FILES = { "One.md": "one\n", "Two.md": "---\nstatus: open\n---\n", "Three.md": "---\nstatus: done\n---\n" };

  it("changes all of them in one step, with what changed in each", async () => {
    const { call, vault } = await open(FILES);
    const { structuredContent } = await call(PROPERTIES, {
      filePath: ["One", "Two.md", "Three", "One.md"],
      set: { status: "done" },
    });
    const hash = expect.any(String) as string;
    expect(structuredContent.data).toEqual({
      set: ["status"],
      unset: [],
      notes: [
        { filePath: "One.md", contentHash: hash, set: ["status"], unset: [] },
        { filePath: "Two.md", contentHash: hash, set: ["status"], unset: [] },
        { filePath: "Three.md", contentHash: hash, set: [], unset: [] },
      ],
    });
    expect(filesIn(vault)).toEqual({
      "One.md": "---\nstatus: done\n---\none\n",
      "Two.md": "---\nstatus: done\n---\n",
      "Three.md": "---\nstatus: done\n---\n",
    });
    await call("undo", { id: structuredContent["undoId"] });
    expect(filesIn(vault)).toEqual(FILES);
  });

  it("says once what changed in all alike, takes JSON of a list, other names and days", async () => {
    const { call, vault } = await open({ ...FILES, [`${today()}.md`]: "" });
    for (const sent of [{ filePath: '["One", "daily:today"]' }, { paths: ["One", "daily:today"] }]) {
      const { structuredContent } = await call(PROPERTIES, { ...sent, set: { seen: true } });
      const [first, second] = structuredContent.data["notes"] as Record<string, unknown>[];
      expect(structuredContent.data["set"]).toEqual(["seen"]);
      expect(Object.keys(first!)).toEqual(["filePath", "contentHash"]);
      expect(second!["filePath"]).toBe(`${today()}.md`);
      await call("undo", {});
    }
    expect(filesIn(vault)["One.md"]).toBe("one\n");
  });

  it("changes none of them if one cannot be changed", async () => {
    const { call, vault } = await open({ ...FILES, "Bad.md": "---\na: [\n---\n", "Board.canvas": "{}" });
    const before = filesIn(vault);
    for (const [path, sentence] of [
      ["Missing", "File not found: Missing"],
      ["Bad", "The frontmatter is not valid YAML"],
      ["Board.canvas", "Properties belong to Markdown notes"],
      ["../One", "Path cannot contain '..'"],
    ] as const) {
      const { structuredContent } = await call(PROPERTIES, { filePath: ["One", path], set: { status: "x" } });
      expect(structuredContent["error"]).toContain(sentence);
      expect(structuredContent["hint"]).toContain(`This is filePath[1], of ${path}: nothing was changed.`);
    }
    const set = { status: "x" };
    expect((await call(PROPERTIES, { filePath: [], set })).structuredContent["error"]).toBe("File path is required");
    expect((await call(PROPERTIES, { set })).structuredContent["error"]).toBe("File path is required");
    const hashed = await call(PROPERTIES, { filePath: ["One", "Two"], set, expectedHash: "0" });
    expect(hashed.structuredContent["error"]).toBe("expectedHash is that of one note");
    expect(filesIn(vault)).toEqual(before);
  });

  it("answers with a bounded result, however many there are", async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `Note ${i}.md`);
    const { call } = await open(Object.fromEntries(names.map((name) => [name, "x\n"])));
    const { structuredContent } = await call(PROPERTIES, { filePath: names, set: { status: "done" } });
    expect(structuredContent).toMatchObject({ success: true, truncated: true, undoId: expect.any(String) });
    expect(JSON.stringify(structuredContent).length).toBeLessThan(40_000);
    const refused = await call(PROPERTIES, { filePath: [...names, "x"], set: { status: "done" } });
    expect(refused.structuredContent["error"]).toBe("filePath must have at most 1000 items");
  });
});

function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
