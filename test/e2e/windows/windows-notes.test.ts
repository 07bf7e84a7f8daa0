// The packed program on Windows' Node, in Wine: the main flows, with drives,
// case, names and open files as Windows has them. Wine's own faults (symbolic
// links, renames that only change case) are not tested.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { prompt } from "../../claude-home.ts";
import { CONTEXT } from "../../contract/vault.ts";
import { filesIn } from "../../fixtures/vaults.ts";
import { PATIENCE, windowsMachine, type WindowsMachine } from "../../processes/windows.ts";

const found = await windowsMachine();
/** Nothing below runs without one. */
const machine = found as WindowsMachine;

function put(path: string, text: string, folder = machine.folder): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function callOf(client: Client) {
  return async (name: string, sent: object = {}) => {
    const result = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } }, PATIENCE);
    return result.structuredContent as Readonly<Record<string, unknown>>;
  };
}

type Call = Awaited<ReturnType<typeof callOf>>;

const create = "contentManager_createContent";
const append = "contentManager_appendContent";
const read = "contentManager_readContent";

describe.skipIf(found === undefined)("on Windows' Node", { timeout: PATIENCE.timeout }, () => {
  let call: Call;
  const vault = () => filesIn(join(machine.folder, "My Vault"));

  beforeAll(async () => {
    put("My Vault/Old.md", "see [[Other]]\n");
    put("My Vault/Other.md", "other\n");
    put("My Vault/Sub/Deep.md", "deep\n");
    put("My Vault/Kept/One/Two/Nested.md", "narwhal\n");
    put("Plan.opml", '<?xml version="1.0"?><opml version="2.0"><head/><body><outline text="One"/></body></opml>\n');
    put("shop/src/cart.ts", "export {};\n");
    const asked = "Look at d:\\shop\\src\\cart.ts and D:\\Shop\\src\\cart.ts: is the walrus sold?";
    const said = JSON.stringify(prompt("a", asked, { cwd: "D:\\shop" }));
    put(".claude/projects/D--shop/session.jsonl", `${said}\n`, machine.home);
    const args = [
      "--home",
      "D:\\data",
      "--vault",
      "d:\\my vault",
      "--outline",
      "d:\\plan.OPML",
      "--project",
      "d:\\SHOP",
    ];
    call = await callOf(await machine.connect(["serve", "--toolsets", "all", ...args]));
  }, PATIENCE.timeout);

  it("notes are created, changed, moved with their links, deleted, and brought back", async () => {
    expect(await call(create, { filePath: "New/Note", content: "walrus\n" })).toMatchObject({ success: true });
    expect(await call(append, { filePath: "new/NOTE", content: "more" })).toMatchObject({ success: true });
    expect(await call(create, { filePath: "NEW/note.md", content: "x" })).toMatchObject({
      error: "File already exists: NEW/note.md",
    });
    expect(await call(read, { filePath: "NEW/NOTE.md" })).toMatchObject({ data: { content: "walrus\nmore" } });
    await call("vaultManager_moveNote", { path: "Other.md", newPath: "Renamed/Second.md" });
    await call("vaultManager_moveFolder", { path: "Sub", newPath: "Moved/Sub" });
    const moved = {
      "Kept/One/Two/Nested.md": "narwhal\n",
      "Moved/Sub/Deep.md": "deep\n",
      "New/Note.md": "walrus\nmore",
      "Old.md": "see [[Second]]\n",
      "Renamed/Second.md": "other\n",
    };
    expect(vault()).toEqual(moved);
    await call("vaultManager_deleteNote", { path: "old.md" });
    await call("vaultManager_deleteFolder", { path: "Moved", recursive: true, confirmed: true });
    expect(Object.keys(vault())).toEqual(["Kept/One/Two/Nested.md", "New/Note.md", "Renamed/Second.md"]);
    for (const undone of ["deleteFolder", "deleteNote"])
      expect(await call("undo")).toMatchObject({ success: true, tool: `vaultManager_${undone}` });
    expect(vault()).toEqual(moved);
    for (let i = 0; i < 2; i++) await call("undo");
    expect(vault()).toMatchObject({ "Old.md": "see [[Other]]\n", "Other.md": "other\n", "Sub/Deep.md": "deep\n" });
    expect(await call("redo")).toMatchObject({ success: true });
  });

  it("search finds notes in folders within folders", async () => {
    expect(await call("search", { query: "narwhal" })).toMatchObject({ results: [{ id: "Kept/One/Two/Nested.md" }] });
  });

  it("search finds a note by the name that its disk has", async () => {
    expect(await call("vaultLibrarian_searchContent", { query: "walrus" })).toMatchObject({
      totalResults: 1,
      results: [{ filePath: "New/Note.md" }],
    });
    expect(await call("search", { query: "deep" })).toMatchObject({ results: [{ id: "Sub/Deep.md" }] });
  });

  it.each(["CON", "nul.md", "c:x.md", "C:\\x.md", "a/b:c.md", "x. ", "what?.md", "\\\\server\\share\\x.md"])(
    "no note is made as %j",
    async (filePath) => {
      expect(await call(create, { filePath, content: "x" })).toMatchObject({ error: `Invalid path: ${filePath}` });
    },
  );

  it("a note that another program has open is named, and changed once it is closed", async () => {
    put("My Vault/Held.md", "held\n");
    // SQLite opens a file so that nobody may replace it, whatever it holds.
    const holding = machine.script(`
      const fs = require("node:fs");
      const held = new (require("node:sqlite").DatabaseSync)("D:\\\\My Vault\\\\Held.md");
      try { held.exec("SELECT * FROM sqlite_schema"); } catch {}
      fs.writeFileSync("D:\\\\held", "");
      const waiting = setInterval(() => {
        if (!fs.existsSync("D:\\\\release")) return;
        held.close();
        clearInterval(waiting);
      }, 20);
    `);
    await expect.poll(() => existsSync(join(machine.folder, "held")), PATIENCE).toBe(true);
    const isOpen = { error: "Another program has 'Held.md' open: nothing was changed." };
    expect(await call(append, { filePath: "Held", content: "more" })).toMatchObject(isOpen);
    expect(await call("vaultManager_moveNote", { path: "Held.md", newPath: "Free.md" })).toMatchObject(isOpen);
    expect(await call("vaultManager_deleteNote", { path: "Held.md" })).toMatchObject(isOpen);
    expect(vault()["Held.md"]).toBe("held\n");
    put("release", "");
    expect((await holding).code).toBe(0);
    expect(await call(append, { filePath: "Held", content: "more" })).toMatchObject({ success: true });
    expect(vault()["Held.md"]).toBe("held\nmore");
  });

  it("the configured outline is found in upper or lower case, and its rows are saved", async () => {
    expect(await call("add_row", { topic: "Two" })).toMatchObject({ success: true });
    expect(readFileSync(join(machine.folder, "Plan.opml"), "utf8")).toMatch(/"One".*"Two"/s);
    const document = { path: "D:\\Plan.opml", rowCount: 2 };
    expect(await call("open_document", { path: "D:\\PLAN.opml" })).toMatchObject({ document });
    expect(await call("open_document", { path: "D:\\shop\\src\\cart.ts" })).toMatchObject({ success: false });
    expect(await call("undo")).toMatchObject({ success: true, tool: "add_row" });
  });

  it("conversations are found for the project in upper or lower case, with their files, and exported", async () => {
    const { conversations } = await call("recall_conversations", { fast_mode: false, details: true });
    expect(conversations).toMatchObject([{ source_tool: "claude-code", file_references: ["src/cart.ts"] }]);
    expect(await call("get_project_info")).toMatchObject({ project: { name: "shop", root: "D:\\shop" } });
    for (const output_dir of ["CON", "D:\\out\\aux", "D:\\out\\com1.x", "out."])
      expect(await call("export_individual_conversations", { output_dir })).toMatchObject({
        error: { code: "INVALID_PARAMS", message: expect.stringContaining("Windows has no folders named") },
      });
    const exported = await call("export_individual_conversations", { output_dir: "D:\\out", format: "md" });
    expect(exported).toMatchObject({ success: true, exported_count: 1 });
    expect(readdirSync(join(machine.folder, "out"))).toHaveLength(1);
    expect(await call("export_individual_conversations", { output_dir: "C:\\windows\\x" })).toMatchObject({
      error: { code: "ACCESS_DENIED" },
    });
  });

  it("memory keeps a session", async () => {
    expect(await call("memoryManager_createSession", { name: "On Windows" })).toMatchObject({ success: true });
    const { data } = await call("memoryManager_listSessions");
    expect(data).toMatchObject({ sessions: expect.arrayContaining([expect.objectContaining({ name: "On Windows" })]) });
  });

  it("the root of an empty drive is a vault", async () => {
    const empty = await callOf(await machine.connect(["serve", "--home", "D:\\data2", "--vault", "e:\\"]));
    expect(await empty("vaultManager_listDirectory", { path: "/" })).toMatchObject({ data: { entries: [] } });
    expect(await empty(create, { filePath: "a", content: "walrus" })).toMatchObject({ success: true });
    expect(await empty("search", { query: "walrus", kinds: ["note"] })).toMatchObject({ results: [{ id: "a.md" }] });
    expect(await empty("vaultManager_moveNote", { path: "a.md", newPath: "x/b.md" })).toMatchObject({ success: true });
    expect(filesIn(machine.emptyDrive)).toEqual({ "x/b.md": "walrus" });
    expect(await empty("undo")).toMatchObject({ success: true });
    expect(filesIn(machine.emptyDrive)).toEqual({ "a.md": "walrus" });
    put("n/o/p.md", "narwhal", machine.emptyDrive);
    const found = () => empty("search", { query: "narwhal", kinds: ["note"] });
    await expect.poll(found, PATIENCE).toMatchObject({ results: [{ id: "n/o/p.md" }] });
  });

  it("SQLite takes the URI of a database on a server", async () => {
    const { stdout } = await machine.script(`
      const { DatabaseSync } = require("node:sqlite");
      for (const uri of ["file:////server/share/a.db?mode=ro", "file://server/share/a.db?mode=ro"]) {
        try { new DatabaseSync(uri, { readOnly: true }); } catch (error) { console.log(error.message); }
      }
    `);
    expect(stdout.split("\n")).toEqual(["unable to open database file", "invalid uri authority: server", ""]);
  });
});
