// `preview: true` on every tool that changes notes or outlines: the change is
// checked, shown, and not made.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOOLS } from "../../src/tools/tools.ts";
import { CONTEXT } from "../contract/vault.ts";
import { filesIn, vaultFolder } from "../fixtures/vaults.ts";
import { connectStdio, temporaryFolder } from "../processes/program.ts";

const FILES = { "a.md": "text #tag [[b]]\n- [ ] do\n", "b.md": "two\n", "Old/x.md": "", "Old/y.md": "" };

/** A call of each tool that would change something. */
const CALLS: Readonly<Record<string, object>> = {
  contentManager_createContent: { filePath: "new", content: "x" },
  contentManager_appendContent: { filePath: "a", content: "x" },
  contentManager_prependContent: { filePath: "a", content: "x" },
  contentManager_replaceContent: { filePath: "a", oldContent: "text", newContent: "x" },
  contentManager_replaceByLine: { filePath: "a", startLine: 1, endLine: 1, newContent: "x" },
  contentManager_deleteContent: { filePath: "a", content: "text" },
  contentManager_findReplaceContent: { filePath: "a", findText: "text", replaceText: "x" },
  contentManager_updateProperties: { filePath: ["a", "b"], set: { status: "done" } },
  contentManager_batchContent: { operations: [{ type: "append", filePath: "a", content: "x" }] },
  vaultManager_createFolder: { path: "New" },
  vaultManager_moveNote: { path: "b", newPath: "c" },
  vaultManager_moveFolder: { path: "Old", newPath: "New" },
  vaultManager_editFolder: { path: "Old", newName: "New" },
  vaultManager_deleteNote: { path: "a" },
  vaultManager_deleteFolder: { path: "Old", recursive: true, confirmed: true },
  vaultManager_duplicateNote: { sourcePath: "a", targetPath: "c" },
  vaultLibrarian_tags: { rename: "tag", newName: "label", confirmed: true },
  update_task: { id: "of the task", status: "done" },
  add_row: { topic: "x" },
  update_row: { rowId: "of the row", topic: "x" },
  move_row: { rowId: "of the row", position: "last" },
  delete_row: { rowId: "of the row", confirmed: true },
  insert_content: { content: "x" },
  create_document: { path: "New.opml" },
};

async function open() {
  const home = temporaryFolder();
  const vault = vaultFolder(FILES);
  const outline = join(home, "Plan.opml");
  writeFileSync(outline, '<opml version="2.0"><body><outline text="One"/><outline text="Two"/></body></opml>\n');
  const flags = ["--vault", vault, "--outline", outline, "--home", home, "--toolsets", "all"];
  const client = await connectStdio(home, {}, flags);
  const call = async (name: string, sent: object) => {
    const { structuredContent } = await client.callTool({ name, arguments: { context: CONTEXT, ...sent } });
    return structuredContent as Record<string, unknown>;
  };
  const names = () => readdirSync(vault, { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith("."));
  const state = () => ({ ...filesIn(vault), names: names().toSorted(), outline: readFileSync(outline, "utf8") });
  return { call, state };
}

describe("a preview", () => {
  it("is known for every tool that changes notes or outlines", () => {
    const writing = TOOLS.filter(
      ({ effects, toolset }) => !effects.readOnly && (toolset === "vault" || toolset === "outline"),
    );
    expect(Object.keys(CALLS).toSorted()).toEqual(writing.map(({ name }) => name).toSorted());
  });

  it("shows what would be done, and changes nothing, in files and history", async () => {
    const { call, state } = await open();
    const { tasks } = (await call("list_tasks", {})) as { tasks: { id: string }[] };
    const { results } = (await call("search_outline", { query: "One" })) as { results: { row: { id: string } }[] };
    const ids: Readonly<Record<string, string>> = { "of the task": tasks[0]!.id, "of the row": results[0]!.row.id };
    const before = state();
    for (const [name, sent] of Object.entries(CALLS)) {
      const real = Object.fromEntries(
        Object.entries(sent).map(([key, value]) => [key, ids[value as string] ?? (value as unknown)]),
      );
      for (const asked of [{ preview: true }, { dry_run: "true" }]) {
        const result = await call(name, { ...real, ...asked });
        expect(result, name).toMatchObject({ success: true });
        expect(JSON.stringify(result), name).toMatch(/Nothing was (?:changed|moved)/);
        expect(result, name).not.toHaveProperty("ignored");
        expect(result, name).not.toHaveProperty("undoId");
        expect(state(), name).toEqual(before);
      }
      expect(await call(name, { ...real, preview: false }), name).toMatchObject({
        success: true,
        undoId: expect.any(String),
      });
      expect(state(), name).not.toEqual(before);
      await call("undo", {});
      expect(state(), name).toEqual(before);
    }
    const { entries } = (await call("history", { limit: 100 })) as { entries: unknown[] };
    // The changes that were made, and their undos.
    expect(entries).toHaveLength(2 * Object.keys(CALLS).length);
  });

  it("fails as the change would", async () => {
    const { call } = await open();
    expect(await call("vaultManager_deleteNote", { path: "none", preview: true })).toMatchObject({ success: false });
    expect(await call("contentManager_createContent", { filePath: "a", content: "", preview: true })).toMatchObject({
      error: "File already exists: a",
    });
  });

  it.each([
    ["undo", {}],
    ["memoryManager_createSession", { name: "s" }],
    ["export_individual_conversations", { format: "md" }],
  ])("of %s is refused, and nothing is done", async (name, sent) => {
    const { call } = await open();
    await call("contentManager_appendContent", { filePath: "a", content: "x" });
    expect(JSON.stringify(await call(name, { ...sent, preview: true }))).toContain(
      `${name} has no preview. Nothing was changed.`,
    );
    expect(await call("history", {})).toMatchObject({ entries: [{ undone: false }] });
  });
});
