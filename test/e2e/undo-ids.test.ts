// Every write names the entry of the history that it made, and undo takes it
// back by that name, from the packed program.
import { describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../processes/program.ts";
import { filesIn, vaultFolder } from "../fixtures/vaults.ts";

const OUTLINE = `<opml version="2.0"><head/><body><outline text="Shopping" id="s"><outline text="Milk" id="m"/></outline></body></opml>`;
const FILES = {
  "Note.md": "---\nstatus: open\n---\nOne line.\nTwo lines.\n",
  "Other.md": "See [[Note]].\n",
  "Folder/Inner.md": "See [[Folder/Second]].",
  "Folder/Second.md": "",
  "Tagged.md": "#old\n",
  "List.opml": OUTLINE,
};

interface Answer {
  readonly text: string;
  readonly [field: string]: unknown;
}

async function open() {
  const home = temporaryFolder();
  const vault = vaultFolder(FILES);
  const args = ["--vault", vault, "--home", home, "--toolsets", "all", "--outline", `${vault}/List.opml`];
  const client = await connectStdio(home, ERAS["2025-11-25 and before"], args);
  const call = async (name: string, sent: object): Promise<Answer> => {
    const { structuredContent, content } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
    return { ...(structuredContent as Record<string, unknown>), text: (content as { text: string }[])[0]!.text };
  };
  return { call, vault };
}

const NOTE = { filePath: "Note.md" };
const WRITES: readonly (readonly [tool: string, sent: object])[] = [
  ["contentManager_createContent", { filePath: "New/Note.md", content: "x" }],
  ["contentManager_appendContent", { ...NOTE, content: "x" }],
  ["contentManager_prependContent", { ...NOTE, content: "x" }],
  ["contentManager_replaceContent", { ...NOTE, oldContent: "One line.", newContent: "x" }],
  ["contentManager_replaceByLine", { ...NOTE, startLine: 4, endLine: 4, newContent: "x" }],
  ["contentManager_deleteContent", { ...NOTE, content: "Two lines." }],
  ["contentManager_findReplaceContent", { ...NOTE, findText: "line", replaceText: "x" }],
  ["contentManager_updateProperties", { ...NOTE, set: { status: "done" } }],
  ["contentManager_batchContent", { operations: [{ type: "append", ...NOTE, content: "x" }] }],
  ["vaultManager_createFolder", { path: "New" }],
  ["vaultManager_moveNote", { path: "Note.md", newPath: "Moved.md" }],
  ["vaultManager_moveFolder", { path: "Folder", newPath: "Moved" }],
  ["vaultManager_editFolder", { path: "Folder", newName: "Renamed" }],
  ["vaultManager_deleteNote", { path: "Note.md" }],
  ["vaultManager_deleteFolder", { path: "Folder", recursive: true, confirmed: true }],
  ["vaultManager_duplicateNote", { sourcePath: "Note.md", targetPath: "Copy.md" }],
  ["vaultLibrarian_tags", { rename: "old", newName: "new", confirmed: true }],
  ["create_document", { path: "New.opml" }],
];
const ROW_WRITES: readonly (readonly [tool: string, sent: (rowId: string) => object])[] = [
  ["add_row", () => ({ topic: "Bread" })],
  ["update_row", (rowId) => ({ rowId, topic: "Bread" })],
  ["move_row", (rowId) => ({ rowId })],
  ["delete_row", (rowId) => ({ rowId, confirmed: true })],
  ["insert_content", () => ({ content: "Bread" })],
];

describe("a write", () => {
  it("returns the id with which undo takes it back, whatever came after it", async () => {
    const { call, vault } = await open();
    for (const [tool, sent] of WRITES) {
      const written = await call(tool, sent);
      expect(written, tool).toMatchObject({ success: true, undoId: expect.stringMatching(/\S/) });
      expect(written.text.split(written["undoId"] as string), tool).toHaveLength(2);
      await call("contentManager_appendContent", { filePath: "Folder/Second.md", content: "later" }).catch(() => {});
      expect(filesIn(vault), tool).not.toEqual(FILES);
      expect(await call("undo", { id: written["undoId"] }), tool).toMatchObject({ success: true, tool });
      const later = (await call("history", { path: "Folder/Second.md", limit: 1 }))["entries"] as { id: string }[];
      if (later.length > 0) await call("undo", { id: later[0]!.id });
      expect(withoutTrash(filesIn(vault)), tool).toEqual(FILES);
    }
  });

  it("of a row returns it too", async () => {
    const { call, vault } = await open();
    for (const [tool, sent] of ROW_WRITES) {
      const { results } = (await call("search_outline", { query: "Milk" })) as unknown as {
        results: { row: { id: string } }[];
      };
      const written = await call(tool, sent(results[0]!.row.id));
      expect(written, tool).toMatchObject({ success: true, undoId: expect.stringMatching(/\S/) });
      expect(await call("undo", { id: written["undoId"] }), tool).toMatchObject({ success: true, tool });
      expect(filesIn(vault)["List.opml"], tool).toBe(OUTLINE);
    }
  });

  it("of an outline is listed where that is open, and counted elsewhere", async () => {
    const home = temporaryFolder();
    const files = vaultFolder({ "A.opml": OUTLINE });
    const added = await runProgram(
      ["call", "add_row", '{"topic": "Bread"}', "--home", home, "--outline", `${files}/A.opml`],
      { home },
    );
    const { undoId } = JSON.parse(added.stdout) as { undoId: string };
    const run = (...args: string[]) => runProgram([...args, "--home", home], { home });
    expect((await run("history")).stdout).toContain(
      "Another vault or outline has a history: --vault DIR or --outline FILE",
    );
    expect(await run("undo", undoId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Entry ${undoId} belongs to another vault or outline.`),
    });
    expect((await run("history", "--outline", `${files}/A.opml`)).stdout).toContain(undoId);
    expect(await run("undo", undoId, "--outline", `${files}/A.opml`)).toMatchObject({ code: 0 });
    expect(filesIn(files)["A.opml"]).toBe(OUTLINE);
  });

  it("is undone by its id under the name that its result has, and no other change is", async () => {
    const { call, vault } = await open();
    const before = filesIn(vault);
    const { undoId } = await call("contentManager_appendContent", { filePath: "Note.md", content: "x" });
    await call("contentManager_appendContent", { filePath: "Other.md", content: "y" });
    expect(await call("undo", { undoId })).toMatchObject({ id: undoId });
    expect(filesIn(vault)["Note.md"]).toBe(before["Note.md"]);
    expect(filesIn(vault)["Other.md"]).toContain("y");
  });

  it("takes the parent of a row under the names that other tools have for it", async () => {
    const { call } = await open();
    interface Listed {
      readonly id: string;
      readonly topic: string;
      readonly level: number;
    }
    const rows = async () =>
      ((await call("get_outline_structure", {})) as unknown as { readonly rows: readonly Listed[] }).rows;
    const [shopping] = await rows();
    await call("add_row", { topic: "Bread", parent: shopping!.id });
    await call("add_row", { topic: "Tea" });
    const tea = (await rows()).find(({ topic }) => topic === "Tea")!;
    await call("move_row", { rowId: tea.id, parentId: shopping!.id });
    expect((await rows()).map(({ topic, level }) => `${level} ${topic}`)).toEqual([
      "0 Shopping",
      "1 Milk",
      "1 Bread",
      "1 Tea",
    ]);
  });

  it("that changes nothing has no id", async () => {
    const { call } = await open();
    expect(await call("vaultManager_createFolder", { path: "Folder" })).not.toHaveProperty("undoId");
  });

  it("that removes something says where in the trash it is", async () => {
    const { call } = await open();
    expect(await call("vaultManager_deleteNote", { path: "Note.md" })).toMatchObject({ trashed: [".trash/Note.md"] });
    const again = await call("contentManager_createContent", { filePath: "Note.md", content: "again" });
    const overwritten = await call("vaultManager_moveNote", {
      path: "Other.md",
      newPath: "Note.md",
      overwrite: true,
    });
    expect(overwritten).toMatchObject({ trashed: [".trash/Note 2.md"] });
    await call("undo", { id: overwritten["undoId"] });
    expect(await call("undo", { id: again["undoId"] })).toMatchObject({ trashed: [".trash/Note 2.md"] });
    const { entries } = (await call("history", { limit: 50 })) as unknown as { entries: object[] };
    expect(entries.at(-1)).toMatchObject({ message: "Moved Note.md to the trash", trashed: [".trash/Note.md"] });
  });
});

function withoutTrash(files: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(".trash/")));
}
