// Every tool that writes, called on Windows' Node, in Wine, on two drives; then
// everything is undone, and each byte is what it was.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import { filesIn } from "../../fixtures/vaults.ts";
import { PATIENCE, windowsMachine, type WindowsMachine } from "../../processes/windows.ts";

const found = await windowsMachine();
/** Nothing below runs without one. */
const machine = found as WindowsMachine;

const FILES = {
  "Note.md": "# Note\r\n\r\none two three\r\n- [ ] a task #old\r\n",
  "Other.md": "see [[Note]]\n",
  "Folder/In it.md": "see [[Other]] #old\n",
};
const OUTLINE = '<?xml version="1.0"?><opml version="2.0"><head/><body><outline text="One"/></body></opml>\r\n';

type Answer = Readonly<Record<string, unknown>>;
type Call = readonly [tool: string, sent: object];

const NOTE_CALLS: readonly Call[] = [
  ["contentManager_createContent", { filePath: "New/Made", content: "made\n" }],
  ["contentManager_appendContent", { filePath: "note", content: "appended\n" }],
  ["contentManager_prependContent", { filePath: "NOTE.md", content: "prepended\n" }],
  ["contentManager_replaceContent", { filePath: "Note", oldContent: "two", newContent: "2" }],
  ["contentManager_replaceByLine", { filePath: "Note", startLine: 2, endLine: 2, newContent: "# Changed" }],
  ["contentManager_deleteContent", { filePath: "Note", content: "three" }],
  ["contentManager_findReplaceContent", { filePath: "Note", findText: "one", replaceText: "1" }],
  ["contentManager_updateProperties", { filePath: "Note", set: { status: "open" } }],
  [
    "contentManager_batchContent",
    {
      operations: [
        { type: "append", filePath: "Other", content: "batch\n" },
        { type: "create", filePath: "Batch", content: "" },
      ],
    },
  ],
  ["vaultManager_createFolder", { path: "Empty" }],
  ["vaultManager_duplicateNote", { sourcePath: "Note.md", targetPath: "New/Copy.md" }],
  ["vaultManager_moveNote", { path: "Note.md", newPath: "Moved/Note moved.md" }],
  ["vaultManager_moveFolder", { path: "Folder", newPath: "Moved/Folder" }],
  ["vaultManager_editFolder", { path: "Moved", newName: "Renamed" }],
  ["vaultLibrarian_tags", { rename: "old", newName: "new", confirmed: true }],
  ["vaultManager_deleteNote", { path: "Batch.md" }],
  ["vaultManager_deleteFolder", { path: "New", recursive: true, confirmed: true }],
];

/** None of these can be undone: memory, and files of an export. */
const OTHER_CALLS: readonly Call[] = [
  ["memoryManager_createSession", { name: "Session" }],
  ["memoryManager_updateSession", { targetSessionId: "Session", sessionGoal: "prove it" }],
  ["memoryManager_createState", state()],
  ["memoryManager_updateState", { stateId: "State", addTags: ["windows"] }],
  ["export_individual_conversations", { output_dir: "E:\\exported" }],
];

function state() {
  return {
    name: "State",
    conversationContext: "a test",
    activeTask: "the test",
    activeFiles: ["Other.md"],
    nextSteps: ["go on"],
    reasoning: "to come back",
  };
}

describe.skipIf(found === undefined)("on Windows' Node", { timeout: PATIENCE.timeout }, () => {
  const outline = () => readFileSync(join(machine.emptyDrive, "My Lists", "Plan.opml"), "utf8");
  const vault = () => filesIn(join(machine.folder, "My Vault"));
  const called = new Set<string>();
  let call: (name: string, sent?: object) => Promise<Answer>;
  let writing: string[] = [];
  /** How many changes there are to undo. */
  let changes = 0;

  const change = async (name: string, sent: object) => {
    const answer = await call(name, sent);
    expect(answer, name).toMatchObject({ success: true });
    changes++;
    return answer;
  };

  beforeAll(async () => {
    const all = Object.entries(FILES).map(([name, text]) => [join(machine.folder, "My Vault", name), text] as const);
    for (const [path, text] of [...all, [join(machine.emptyDrive, "My Lists", "Plan.opml"), OUTLINE] as const]) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const client = await machine.connect([
      "serve",
      "--toolsets",
      "all",
      "--home",
      "D:\\data",
      "--vault",
      "D:\\My Vault",
      "--outline",
      "E:\\My Lists\\Plan.opml",
    ]);
    const { tools } = await client.listTools({}, PATIENCE);
    writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    call = async (name, sent = {}) => {
      called.add(name);
      const result = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } }, PATIENCE);
      return result.structuredContent as Answer;
    };
  }, PATIENCE.timeout);

  it("notes and folders are written by every tool for them", async () => {
    for (const [name, sent] of NOTE_CALLS) await change(name, sent);
    const { tasks } = (await call("list_tasks")) as { tasks: { id: string }[] };
    await change("update_task", { id: tasks[0]!.id, status: "done" });
    expect(vault()).toEqual({
      "Other.md": "see [[Note moved]]\nbatch\n",
      "Renamed/Folder/In it.md": "see [[Other]] #new\n",
      "Renamed/Note moved.md":
        "---\r\nstatus: open\r\n---\r\nprepended\r\n# Changed\r\n\r\n1 2 \r\n- [x] a task #new\r\nappended\r\n",
    });
  });

  it("an outline on another drive is written by every tool for it", async () => {
    const { id } = ((await change("add_row", { topic: "Two" })) as { newRow: { id: string } }).newRow;
    await change("update_row", { rowId: id, note: "a note" });
    await change("move_row", { rowId: id, position: "first" });
    await change("insert_content", { content: "- A\n  - B", format: "markdown" });
    expect(outline()).toMatch(/"Two".*"One".*"A".*"B"/s);
    await change("delete_row", { rowId: id, confirmed: true });
    expect(outline()).not.toContain("Two");
    await change("create_document", { path: "Lists/Made.opml" });
    expect(existsSync(join(machine.folder, "My Vault", "Lists", "Made.opml"))).toBe(true);
  });

  it("memory and exports are written", async () => {
    await change("memoryManager_createWorkspace", workspace());
    for (const [name, sent] of OTHER_CALLS) expect(await call(name, sent), name).toMatchObject({ success: true });
    const changed = { workspaceId: "Work", fieldPath: "currentGoal", newValue: "two" };
    expect(await call("memoryManager_updateWorkspace", changed)).toMatchObject({ success: true });
  });

  it("everything can be undone and redone", async () => {
    const after = vault();
    for (let i = 0; i < changes; i++) expect(await call("undo"), `undo ${i}`).toMatchObject({ success: true });
    expect(vault()).toEqual(FILES);
    expect(outline()).toBe(OUTLINE);
    for (let i = 0; i < changes; i++) expect(await call("redo"), `redo ${i}`).toMatchObject({ success: true });
    expect(vault()).toEqual(after);
  });

  it("no tool that writes was left out", () => {
    expect(writing.filter((name) => !called.has(name))).toEqual([]);
  });
});

function workspace() {
  return { name: "Work", rootFolder: "Work", purpose: "a test", currentGoal: "one" };
}
