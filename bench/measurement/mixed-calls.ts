// Calls of every tool in turn, on a vault, an outline and conversations that
// stay about the same size: what a server does in weeks of use. Used by the
// benchmark and the test that watch its memory.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NOTES = 60;
const CONTEXT = {
  workspaceId: "default",
  sessionDescription: "Soak",
  sessionMemory: "Every tool in turn",
  toolContext: "To see that memory levels off",
  primaryGoal: "Levels off",
  subgoal: "All tools",
};

type Sent = Readonly<Record<string, unknown>>;
export interface MixedCall {
  readonly name: string;
  readonly arguments: Sent;
}

/** The folders and settings of a server that all tools can work in. */
export function prepareHome(home: string): { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv } {
  const vault = join(home, "vault");
  mkdirSync(join(vault, "folder"), { recursive: true });
  const body = "Alpha beta gamma delta, and words that are in every note.\n".repeat(20);
  for (let i = 0; i < NOTES; i++) {
    const text = `---\ntags: [soak, tag${i % 7}]\n---\n# Note ${i}\n\nSee [[note ${(i + 1) % NOTES}]] and [[missing ${i}]].\n\n## Log\n\n${body}`;
    writeFileSync(join(vault, `note ${i}.md`), text);
  }
  const rows = Array.from({ length: 300 }, (_, i) => `<outline text="Row ${i}"><outline text="Below ${i}"/></outline>`);
  writeFileSync(
    join(vault, "outline.opml"),
    `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"><head><title>Soak</title></head><body>\n${rows.join("\n")}\n</body></opml>\n`,
  );
  writeTranscripts(home);
  const args = ["--vault", vault, "--outline", join(vault, "outline.opml"), "--toolsets", "all"];
  return { args, env: { PATH: process.env["PATH"], HOME: home, USERPROFILE: home } };
}

function writeTranscripts(home: string): void {
  const folder = join(home, ".claude", "projects", "-code-shop");
  mkdirSync(folder, { recursive: true });
  for (let session = 0; session < 20; session++) {
    const records = Array.from({ length: 10 }, (_, i) => {
      const role = i % 2 === 0 ? "user" : "assistant";
      const text = `Message ${i} of conversation ${session} about alpha and the shop.`;
      const message = { role, id: `m${session}-${i}`, content: i % 2 === 0 ? text : [{ type: "text", text }] };
      const uuid = `00000000-0000-4000-8000-${String(session * 100 + i).padStart(12, "0")}`;
      const timestamp = new Date(Date.now() - 3_600_000 + i * 1000).toISOString();
      return { type: role, uuid, sessionId: `soak-${session}`, cwd: "/code/shop", timestamp, message };
    });
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    writeFileSync(join(folder, `soak-${session}.jsonl`), lines);
  }
}

const call = (name: string, sent: Sent = {}): MixedCall => ({ name, arguments: sent });

/** Makes the calls, and remembers of the answers what later ones need. */
export class MixedCalls {
  readonly #home: string;
  #state: string | undefined;
  #session: string | undefined;
  #workspace: string | undefined;
  #rows: string[] = [];
  #conversation: string | undefined;

  constructor(home: string) {
    this.#home = home;
  }

  /** The tools that are called. One is not: it opens a window. */
  get tools(): readonly string[] {
    return this.#table(0).map(({ name }) => name);
  }

  at(i: number): MixedCall {
    const { length } = this.tools;
    return this.#table(Math.floor(i / length))[i % length]!;
  }

  take(name: string, content: Record<string, unknown>): void {
    const data = (content["data"] ?? {}) as Record<string, unknown>;
    const idOf = (kind: string) => (data[`${kind}Id`] ?? data["id"]) as string | undefined;
    if (name === "memoryManager_createState") this.#state = idOf("state") ?? this.#state;
    if (name === "memoryManager_createSession") this.#session = idOf("session") ?? this.#session;
    if (name === "memoryManager_createWorkspace") this.#workspace = idOf("workspace") ?? this.#workspace;
    if (name === "get_outline_structure")
      this.#rows = ((content["rows"] ?? []) as { id: string }[]).map(({ id }) => id);
    if (name === "recall_conversations")
      this.#conversation = ((content["conversations"] ?? []) as { id: string }[])[0]?.id;
  }

  /** One round. What it creates is deleted in it or in the next. */
  #table(round: number): MixedCall[] {
    const note = `note ${round % NOTES}.md`;
    const other = `note ${(round * 7 + 3) % NOTES}.md`;
    const row = this.#rows[(round * 3) % Math.max(1, this.#rows.length)] ?? "none";
    const next = this.#rows[(round * 3 + 1) % Math.max(1, this.#rows.length)] ?? "none";
    const context = { ...CONTEXT, sessionId: `soak-${round % 20}` };
    const inVault = (name: string, sent: Sent): MixedCall => ({ name, arguments: { ...sent, context } });
    const made = `made/${round}.md`;
    return [
      inVault("contentManager_readContent", { filePath: note }),
      inVault("contentManager_createContent", { filePath: made, content: `# Made ${round}\n\nLinks to [[${other}]].` }),
      inVault("contentManager_appendContent", { filePath: made, content: `\nAppended in round ${round}\n` }),
      inVault("contentManager_prependContent", { filePath: made, content: `Prepended in round ${round}\n` }),
      inVault("contentManager_replaceContent", {
        filePath: made,
        oldContent: `Appended in round ${round}`,
        newContent: "Replaced",
      }),
      inVault("contentManager_replaceByLine", { filePath: made, startLine: 1, endLine: 1, newContent: "First" }),
      inVault("contentManager_deleteContent", { filePath: made, content: "Replaced" }),
      inVault("contentManager_findReplaceContent", { filePath: made, findText: "Made", replaceText: "Found" }),
      inVault("contentManager_updateProperties", { filePath: made, set: { round, status: "new" } }),
      inVault("contentManager_batchContent", {
        operations: [{ type: "append", filePath: made, content: "One of a batch\n" }],
      }),
      inVault("vaultManager_listDirectory", { path: "/" }),
      inVault("vaultManager_createFolder", { path: `folder/new ${round}` }),
      inVault("vaultManager_editFolder", { path: `folder/new ${round}`, newName: `renamed ${round}` }),
      inVault("vaultManager_moveFolder", { path: `folder/renamed ${round}`, newPath: `folder/moved ${round}` }),
      inVault("vaultManager_deleteFolder", { path: `folder/moved ${round}`, confirmed: true }),
      inVault("vaultManager_duplicateNote", { sourcePath: made, targetPath: `made/copy ${round}.md` }),
      inVault("vaultManager_moveNote", { path: `made/copy ${round}.md`, newPath: `made/moved ${round}.md` }),
      inVault("vaultManager_deleteNote", { path: `made/moved ${round}.md` }),
      inVault("vaultLibrarian_searchContent", { query: `alpha ${round % 50}` }),
      inVault("vaultLibrarian_searchDirectory", { query: "note", paths: ["/"] }),
      inVault("vaultLibrarian_batch", { queries: [{ type: "content", query: "beta" }] }),
      inVault("vaultLibrarian_links", { path: note, type: "backlinks" }),
      inVault("vaultLibrarian_links", { path: other, type: "outgoing" }),
      inVault("vaultLibrarian_links", { path: "/", type: "unresolved" }),
      inVault("vaultLibrarian_links", { path: "/", type: "orphans" }),
      inVault("vaultLibrarian_tags", {}),
      inVault("memoryManager_createSession", { name: `Session ${round % 20}` }),
      inVault("memoryManager_listSessions", { limit: 10 }),
      inVault("memoryManager_loadSession", { targetSessionId: this.#session ?? "soak-0" }),
      inVault("memoryManager_updateSession", { targetSessionId: this.#session ?? "soak-0", addTags: ["soak"] }),
      inVault("memoryManager_createWorkspace", {
        name: `Workspace ${round % 20}`,
        rootFolder: "folder",
        purpose: "Soak",
        currentGoal: "Levels off",
      }),
      inVault("memoryManager_listWorkspaces", { limit: 10 }),
      inVault("memoryManager_loadWorkspace", { id: this.#workspace ?? "default" }),
      inVault("memoryManager_updateWorkspace", {
        workspaceId: this.#workspace ?? "default",
        fieldPath: "currentGoal",
        newValue: `Round ${round}`,
      }),
      inVault("memoryManager_createState", {
        name: `State ${round}`,
        conversationContext: "Soak",
        activeTask: "Every tool in turn",
        activeFiles: [note],
        nextSteps: ["The next round"],
        reasoning: "To load it again",
      }),
      inVault("memoryManager_listStates", { limit: 10 }),
      inVault("memoryManager_loadState", { stateId: this.#state ?? "none" }),
      inVault("memoryManager_updateState", { stateId: this.#state ?? "none", addTags: ["soak"] }),
      inVault("vaultLibrarian_searchMemory", { query: "soak" }),
      call("get_current_document"),
      call("get_outline_structure", { maxRows: 100 }),
      call("get_row", { rowId: row }),
      call("get_row_children", { rowId: row }),
      call("search_outline", { query: "Below" }),
      call("add_row", { topic: `Added ${round}` }),
      call("undo"),
      call("redo"),
      call("undo"),
      call("update_row", { rowId: row, topic: `Row in round ${round}` }),
      call("move_row", { rowId: row, siblingId: next, relativePosition: "after" }),
      call("insert_content", { content: "- One\n  - Two\n", parentId: row }),
      call("undo"),
      call("delete_row", { rowId: row, confirmed: true }),
      call("undo"),
      call("get_section_content", { rowId: row }),
      call("check_connection"),
      call("open_document", { path: "outline.opml" }),
      call("create_document", { path: `made/outline ${round}.opml` }),
      call("undo"),
      call("open_document", { path: "outline.opml" }),
      call("recall_conversations", { search_query: "alpha shop" }),
      call("read_conversation", { id: this.#conversation ?? "none" }),
      call("export_individual_conversations", { limit: 1, output_dir: join(this.#home, "exported") }),
      call("search", { query: "alpha" }),
      call("history", { limit: 20 }),
      call("get_project_info"),
      call("list_project_files"),
      call("get_server_version"),
      inVault("vaultManager_deleteNote", { path: made }),
    ];
  }
}
