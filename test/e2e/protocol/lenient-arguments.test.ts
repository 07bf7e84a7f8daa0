// Arguments as models really send them, against the packed program: other names,
// other types, other spellings. What cannot be taken is named, with a call that
// works.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT as context } from "../../contract/vault.ts";
import { connectStdio, temporaryFolder } from "../../processes/program.ts";

const KYOTO = { filePath: "Trips/Kyoto.md" };

let client: Client;
beforeAll(async () => {
  const vault = join(temporaryFolder(), "vault");
  mkdirSync(join(vault, "Trips"), { recursive: true });
  writeFileSync(
    join(vault, "Trips", "Kyoto.md"),
    "---\naliases: [Old capital]\n---\n# Kyoto\n\nTemples\n\n## Food\n\nTofu\n\n- [ ] Pack 📅 2026-01-02\n- [x] Book\n",
  );
  writeFileSync(join(vault, "Trips", "Osaka.md"), "[[Kyoto]]\n");
  client = await connectStdio(temporaryFolder(), {}, ["--toolsets", "all", "--vault", vault]);
});

const call = async (name: string, sent: object) => client.callTool({ name, arguments: { ...sent } });

const NO_TRIP = "There is no note or folder 'Trip'. Did you mean 'Trips'?";

/** What is sent, and a part of what must be answered. */
const TAKEN: readonly (readonly [tool: string, sent: object, result: object])[] = [
  // Names in both directions.
  ["search", { search_query: "temples", max_files: 5 }, { totalResults: 1 }],
  ["vaultLibrarian_searchContent", { search_query: "temples", maxResults: 5, context }, { totalResults: 1 }],
  ["recall_conversations", { query: "temples", maxResults: 5 }, { parameters: { search_query: "temples", limit: 5 } }],
  ["search_outline", { search_query: "welcome", limit: 1 }, { results: [{ matchField: "topic" }] }],
  ["contentManager_readContent", { path: "Trips/Kyoto" }, { data: KYOTO }],
  ["contentManager_readContent", { file_path: "Trips/Kyoto" }, { data: KYOTO }],
  ["vaultManager_listDirectory", { filePath: "Trips" }, { data: { files: 2 } }],
  ["vaultManager_deleteFolder", { path: "Trips", confirm: false }, { requiresConfirmation: true }],
  // Other names of the same.
  ["vaultManager_listDirectory", { folder: "Trips", recursive: true }, { data: { files: 2 } }],
  ["vaultManager_listDirectory", { directory: "/", pattern: "Trip*" }, { data: { folders: 1 } }],
  [
    "contentManager_readContent",
    { note: "Kyoto", start_line: 4, end_line: "6" },
    { data: { startLine: 4, endLine: 6 } },
  ],
  ["contentManager_readContent", { title: "Kyoto", view_range: [4, 6] }, { data: { startLine: 4, endLine: 6 } }],
  ["contentManager_readContent", { name: "Kyoto", section: "Food" }, { data: { startLine: 8 } }],
  ["search", { q: "temples", folder: "Trips", max: "3", type: "notes" }, { totalResults: 1 }],
  ["vaultLibrarian_searchContent", { text: "temples", path: "Trips", top_k: 3, context }, { totalResults: 1 }],
  [
    "recall_conversations",
    { keywords: "temples", days: 7, source: "Cursor", type: "debugging" },
    {
      parameters: {
        search_query: "temples",
        days_lookback: 7,
        tools: ["cursor"],
        conversation_types: ["debugging"],
      },
    },
  ],
  [
    "contentManager_replaceContent",
    { path: "Trips/Osaka.md", old_string: "[[Kyoto]]", new_str: "[[Kyoto]]!" },
    { success: true },
  ],
  ["undo", { undo_id: "" }, { success: true }],
  [
    "contentManager_updateProperties",
    { note: "Trips/Osaka.md", frontmatter: '{"kind":"city"}' },
    { data: { set: ["kind"] } },
  ],
  ...(["property", "name", "key"] as const).map(
    (name) =>
      [
        "contentManager_updateProperties",
        { note: "Trips/Osaka.md", [name]: `of ${name}`, value: false },
        { data: { set: [`of ${name}`] } },
      ] as const,
  ),
  ["list_tasks", { completed: true, path: "Trips" }, { tasks: [{ text: "Book" }], totalTasks: 1 }],
  ["list_tasks", { done: "false", path: "Trips" }, { tasks: [{ text: "Pack" }], totalTasks: 1 }],
  ["list_tasks", { include_completed: true, path: "Trips" }, { totalTasks: 2 }],
  // That day, too.
  ["list_tasks", { due: "2026-01-02" }, { tasks: [{ text: "Pack" }] }],
  ["list_tasks", { before: "2026-01-01" }, { totalTasks: 0 }],
  ["vaultManager_moveNote", { from: "Trips/Osaka.md", to: "Trips/Nara", context }, { newPath: "Trips/Nara.md" }],
  ["vaultManager_moveNote", { path: "Trips/Nara.md", folder: "Trips/Old", context }, { newPath: "Trips/Old/Nara.md" }],
  ["vaultManager_moveNote", { path: "Trips/Old/Nara.md", newPath: "Trips/Osaka.md", context }, { success: true }],
  ["search_outline", { status: "none", parent: "" }, { totalMatches: expect.any(Number) }],
  // Wrapped, and as JSON.
  ["search", { arguments: { query: "temples" } }, { totalResults: 1 }],
  ["search", { input: '{"query":"temples"}', limit: 3 }, { totalResults: 1 }],
  ["vaultLibrarian_searchContent", { query: "temples", ...context }, { totalResults: 1 }],
  // Words that mean yes, and choices in one word.
  ["vaultManager_deleteFolder", { path: "Trips", confirmed: "no" }, { requiresConfirmation: true }],
  ["search", { query: "temples", kinds: "note, outline" }, { totalResults: 1 }],
  // Numbers, booleans and lists as strings; a single word for a list.
  [
    "vaultLibrarian_searchContent",
    { query: "temples", limit: "1", includeContent: "false", context },
    { totalResults: 1 },
  ],
  ["vaultLibrarian_searchContent", { query: "temples", paths: '["Trips"]', context }, { totalResults: 1 }],
  ["vaultLibrarian_searchContent", { query: "temples", paths: "Trips", context }, { totalResults: 1 }],
  // Beyond the range, where the contract names no error.
  ["vaultLibrarian_searchContent", { query: "temples", snippetLength: 1, context }, { totalResults: 1 }],
  ["vaultManager_listDirectory", { depth: 100_000 }, { data: { files: 2 } }],
  ["get_outline_structure", { maxDepth: -1 }, { rows: [{ topic: "Welcome" }] }],
  ["search_outline", { query: "welcome", maxResults: 100_000 }, { truncated: false }],
  // The root.
  ...["", ".", "/"].flatMap((root) => [
    ["vaultManager_listDirectory", { path: root }, { data: { folders: 1 } }] as const,
    ["vaultLibrarian_searchContent", { query: "temples", paths: [root], context }, { totalResults: 1 }] as const,
    ["search", { query: "temples", path: root }, { totalResults: 1 }] as const,
    [
      "vaultLibrarian_links",
      { path: root, type: "orphans" },
      { data: { links: [{ path: "Trips/Osaka.md" }] } },
    ] as const,
  ]),
  // The whole vault, where a note cannot be meant.
  ["vaultLibrarian_links", { type: "orphans" }, { data: { path: "", links: [{ path: "Trips/Osaka.md" }] } }],
  ...["unresolved", "unusedAttachments", "missingAttachments"].map(
    (type) => ["vaultLibrarian_links", { type }, { data: { path: "", links: [] } }] as const,
  ),
  // A place that does not exist is named, with the one that was probably meant.
  ["search", { query: "temples", path: "Trip" }, { totalResults: 0, hint: NO_TRIP }],
  ["vaultLibrarian_searchContent", { query: "temples", paths: ["Trip"], context }, { totalResults: 0, hint: NO_TRIP }],
  ["vaultLibrarian_searchContent", { query: "temples", paths: ["/", "Trip"], context }, { hint: NO_TRIP }],
  ["vaultLibrarian_batch", { queries: [{ query: "x", paths: ["Trip"] }] }, { data: { searches: [{ hint: NO_TRIP }] } }],
  [
    "search",
    { query: "temples", path: "Zebra/Kyot" },
    { hint: "There is no note or folder 'Zebra/Kyot'. Did you mean 'Trips/Kyoto.md'?" },
  ],
  [
    "search",
    { query: "temples", path: "Zebra" },
    {
      hint: expect.stringMatching(
        /^There is no note or folder 'Zebra'\. .*vaultManager_listDirectory \{"path":"\/"\}$/,
      ),
    },
  ],
  // What a link says.
  ...["Kyoto", "[[Kyoto]]", "trips/kyoto.md", "TRIPS"].map(
    (sent) =>
      ["vaultLibrarian_searchContent", { query: "temples", paths: [sent], context }, { totalResults: 1 }] as const,
  ),
  ...["Kyoto", "[[Kyoto]]", "old capital", "[[Kyoto|the city]]"].map(
    (sent) => ["contentManager_readContent", { filePath: sent }, { data: KYOTO }] as const,
  ),
  [
    "contentManager_readContent",
    { filePath: "[[Kyoto#Food]]" },
    { data: { content: expect.stringMatching(/^## Food/) } },
  ],
  ["vaultLibrarian_links", { path: "[[Kyoto]]" }, { data: { links: [{ from: "Trips/Osaka.md" }] } }],
  // Choices.
  ["search", { query: "temples", kinds: ["notes", "Conversations"] }, { totalResults: 1 }],
  ["recall_conversations", { tools: ["Claude Code"] }, { parameters: { tools: ["claude-code"] } }],
  ["vaultLibrarian_searchDirectory", { query: "Osaka" }, { data: { results: [{ path: "Trips/Osaka.md" }] } }],
  ["add_row", { text: "Milk", done: true }, { newRow: { topic: "Milk", state: "checked" } }],
  ["insert_content", { items: ["Bread", { topic: "Tea" }] }, { insertedRows: [{ topic: "Bread" }, { topic: "Tea" }] }],
  ["insert_content", { content: { topic: "Salt" } }, { insertedRows: [{ topic: "Salt" }] }],
];

const REFUSED: readonly (readonly [tool: string, sent: object, hint: RegExp])[] = [
  ["search", { query: "temples", kinds: ["nodes"] }, /Sent kinds: \["nodes"\]\. For example: \{.*"kinds":\["note"\]/],
  [
    "vaultLibrarian_searchContent",
    { query: "x", limit: 500, context },
    /Sent limit: 500\..*from 1 to 100.*"limit":100/,
  ],
  ["recall_conversations", { days_lookback: "90" }, /Sent days_lookback: "90"\..*from 1 to 60.*\{"since":"90d"\}/],
  ["search", { query: "x", limit: -1 }, /Sent limit: -1\..*from 1 to 100.*\{"query":"x","limit":1\}/],
  ["search", { query: "x", limit: 100_000 }, /Sent limit: 100000\..*\{"query":"x","limit":100\}/],
  ["list_project_files", { limit: 0 }, /Sent max_files: 0\..*\{"max_files":1\}/],
  ["update_row", { rowId: "r", state: "done" }, /Sent state: "done"\..*\{"rowId":"r","state":"checked"\}/],
  [
    "vaultManager_moveNote",
    { path: "Trips/Kyoto.md", newName: "Nara", context },
    /Missing: newPath\..*"newPath":"Trips\/Nara\.md"/,
  ],
  // What says where or what, on a tool that writes: nothing is written elsewhere.
  ["add_row", { topic: "x", position: "top" }, /Sent position: "top"\..*"position":"first"/],
  ["contentManager_readContent", { path: "Trips\\Kyoto.md" }, /Send "Trips\/Kyoto\.md": slashes/],
  ["vaultManager_createFolder", { name: "Japan", context }, /\{"path":"Japan"\}/],
  ["vaultManager_deleteNote", { paths: ["Trips/Kyoto.md", "x"] }, /\{"path":"Trips\/Kyoto\.md"\}/],
  ["contentManager_readContent", { ...KYOTO, start_line: 0 }, /"startLine":1\}/],
  ["search", { query: null }, /For example: \{"query":"words"\}/],
  // What was sent is in the call that would work.
  [
    "search",
    { query: "temples", since: "yesterday", limit: 3, kinds: "chat" },
    /For example: \{"query":"temples","kinds":\["conversation"\],"since":"yesterday","limit":3\}/,
  ],
  ["search_outline", { state: "open", limit: 3 }, /For example: \{"maxResults":3,"state":"unchecked"\}$/],
  ["search", { queries: ["x"], kinds: ["nodes"] }, /For example: \{"queries":\["x"\],"kinds":\["note"\]\}$/],
  ["read_conversation", {}, /\{"id":"an id of recall_conversations or search"\}/],
  ["update_task", {}, /\{"id":"an id of list_tasks"\}/],
  ["list_tasks", { path: "Trip" }, /^(?:File not found: Trip\. )?Did you mean 'Trips'\?$/],
  ["vaultLibrarian_links", { type: "outgoing" }, /Missing: path\..*\{"path":"Folder\/Note\.md","type":"outgoing"\}/],
  ["vaultLibrarian_links", {}, /Missing: path\./],
  ["contentManager_readContent", { filePath: "Nowhere" }, /search \{"query":"Nowhere"/],
  ["get_row", { id: "nowhere" }, /search \{"query":"nowhere","kinds":\["outline"\]\}/],
  ["read_conversation", { id: "nowhere" }, /recall_conversations \{"search_query"/],
  ["undo", { id: "nowhere" }, /history/],
  [
    "contentManager_createContent",
    { title: "Nara", folder: "Trips", text: "y", context },
    /Missing: filePath\..*For example, with the same context: \{"filePath":"Trips\/Nara\.md","content":"y"/,
  ],
  // What says where to write, and would be ignored.
  [
    "contentManager_createContent",
    { filePath: "x.md", content: "y", folder: "Trips", context },
    /^(?:Nothing was changed: contentManager_createContent does not take folder\. )?The folder belongs to the path: send filePath "Trips\/x\.md"\.$/,
  ],
  [
    "contentManager_appendContent",
    { filePath: "Trips/Osaka.md", content: "y", folder: "Work", context },
    /send filePath "Work\/Osaka\.md"\.$/,
  ],
  ["contentManager_appendContent", { ...KYOTO, content: "y", documentName: "Plan", context }, /takes filePath/],
  ["vaultManager_createFolder", { path: "Japan", parent: "Trips", context }, /send path "Trips\/Japan"\.$/],
  ["add_row", { topic: "x", vault: "Work" }, /works in the current outline: .* open_document/],
  ["add_row", { topic: "x", file: "Nowhere.opml" }, /open_document/],
];

/** Not refused, since real callers send extras: the result says what was left out, and what the tool takes. */
const IGNORED: readonly (readonly [tool: string, sent: object, name: string, hint: RegExp])[] = [
  ["contentManager_appendContent", { ...KYOTO, content: "y", position: "top", context }, "position", /takes filePath/],
  ["add_row", { topic: "x", index: 2 }, "index", /takes topic/],
  ["add_row", { topic: "x", parntId: "r" }, "parntId", /did you mean parentId\?/],
  ["export_individual_conversations", { since: "7d" }, "since", /since/],
];

describe("an argument", () => {
  it.each(TAKEN.map((row) => [`${row[0]} ${JSON.stringify({ ...row[1], context: undefined })}`, ...row] as const))(
    "is taken: %s",
    async (_, tool, sent, result) => {
      const { isError, structuredContent } = await call(tool, sent);
      expect(isError, JSON.stringify(structuredContent)).toBeFalsy();
      expect(structuredContent).toMatchObject(result);
      expect(structuredContent).not.toHaveProperty("ignored");
    },
  );

  it.each(REFUSED.map((row) => [`${row[0]} ${JSON.stringify({ ...row[1], context: undefined })}`, ...row] as const))(
    "is refused with a call that would work: %s",
    async (_, tool, sent, hint) => {
      const { isError, structuredContent, content } = await call(tool, sent);
      expect(isError).toBe(true);
      expect(structuredContent).toMatchObject({ hint: expect.stringMatching(hint) });
      expect(content).toEqual([{ type: "text", text: expect.stringMatching(hint) }]);
    },
  );

  it.each(IGNORED.map((row) => [`${row[0]} ${JSON.stringify({ ...row[1], context: undefined })}`, ...row] as const))(
    "is ignored, and named: %s",
    async (_, tool, sent, name, hint) => {
      const { isError, structuredContent } = await call(tool, sent);
      expect(isError, JSON.stringify(structuredContent)).toBeFalsy();
      expect(structuredContent).toMatchObject({ ignored: [name], hint: expect.stringMatching(hint) });
    },
  );

  it("that a tool does not know is named, with the one that was probably meant", async () => {
    const { structuredContent } = await call("search", { query: "temples", limt: 3, colour: "red" });
    expect(structuredContent).toMatchObject({
      ignored: ["limt", "colour"],
      hint: expect.stringMatching(/limt: did you mean limit\?/),
    });
    // Extras do no harm to a tool that writes either.
    const extras = { reason: "asked to", confidence: 0.9, tags: ["x"], position: null, folder: "Trips" };
    const { structuredContent: written } = await call("contentManager_appendContent", {
      filePath: "Trips/Osaka.md",
      content: "More",
      context,
      ...extras,
    });
    expect(written).toMatchObject({ success: true, ignored: ["reason", "confidence", "tags", "position", "folder"] });
  });

  it("of an operation of a batch is taken under other names too, and a failure names the operation", async () => {
    const batch = (operations: readonly object[]) => call("contentManager_batchContent", { operations });
    const done = await batch([
      { operation: "create", path: "Batch.md", text: "one" },
      { action: "append", file: "Batch.md", body: "two" },
      { type: "replace", file_path: "Batch.md", old_str: "one", text: "uno" },
    ]);
    expect(done.structuredContent).toMatchObject({ success: true });
    const read = await call("contentManager_readContent", { filePath: "Batch.md", context });
    expect(read.structuredContent).toMatchObject({ data: { content: "uno\ntwo" } });
    const failed = await batch([
      { type: "append", filePath: "Batch.md", content: "three" },
      { type: "replace", filePath: "Batch.md", oldContent: "nowhere", newContent: "x" },
    ]);
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: {
        hint: expect.stringMatching(/^This is operations\[1\], of Batch\.md: nothing was changed\./),
      },
    });
  });
});
