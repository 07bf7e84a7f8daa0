// The servers that a person would otherwise pick, and how each is asked to do the
// same tasks. A task that a server has no tool for is left out, and the table says so.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { devTool } from "../../scripts/dev-tool.mjs";
import { callContext } from "../../test/fixtures/call-context.ts";
import { installedServer } from "./installed-server.ts";
import packageJson from "../../package.json" with { type: "json" };

export type Call = readonly [tool: string, sent: object];

/** Where a server is started: its notes, and a home folder of its own. */
export interface Place {
  readonly vault: string;
  readonly home: string;
}

/** A file, and a call that adds to it: afterwards it must be what it was, or what it was and the addition. */
export interface Addition {
  readonly file: string;
  readonly before: string;
  readonly call: Call;
  readonly isWhole: (text: string) => boolean;
}

export interface Server {
  readonly name: string;
  readonly version: string;
  /** Undefined for our own. */
  readonly package?: string;
  readonly args: (place: Place) => string[];
  readonly env?: (place: Place) => NodeJS.ProcessEnv;
  /** For a server that keeps notes in a file of its own. */
  readonly writeNotes?: (place: Place, notes: ReadonlyMap<string, string>) => void;
  /** At most ten hits. */
  readonly search?: (words: string) => Call;
  readonly move?: (place: Place, from: string, to: string) => Call;
  /** A call, or the arguments of a command that a person runs while the server is stopped. */
  readonly undo?: (place: Place, answerOfMove: string) => Call | { readonly command: string[] };
  readonly add?: (place: Place, before: string, added: string) => Addition;
  /** Ours alone opens outlines as such. */
  readonly outline?: (file: string) => string[];
  /** For a server that edits text of any kind: puts text before or after a piece of the file. */
  readonly insertIntoText?: (file: string, piece: string, inserted: string, where: "before" | "after") => Call;
  /** A call that makes its index of conversations. */
  readonly indexConversations?: Call;
  readonly findConversation?: (words: string) => Call;
}

const CONTEXT = callContext();

function versionOf(name: string): string {
  const file = join(import.meta.dirname, "..", "..", "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

function published(name: string): Pick<Server, "package" | "version"> {
  return { package: name, version: versionOf(name) };
}

/** A note that a call adds to. */
function noteAddition(place: Place, before: string, added: string, toCall: (name: string, file: string) => Call) {
  const name = "Long.md";
  const file = join(place.vault, name);
  return {
    file,
    before,
    call: toCall(name, file),
    isWhole: (text: string) => text === before || text === before + added,
  };
}

/** The file in which server-memory keeps everything. */
const graphOf = ({ home }: Place) => join(home, "memory.jsonl");
const entity = (name: string, text: string) =>
  JSON.stringify({ type: "entity", name, entityType: "note", observations: [text] });

const TRANSCRIPTS = { package: "transcripts-mcp", version: "0.1.0" };
const MCP_OBSIDIAN = { package: "mcp-obsidian", version: "1.0.0" };

// No package was found for OPML or OmniOutliner files. Not here, because they
// do not run alone: `obsidian-mcp-server` (drives Obsidian through its REST plugin)
// and `claude-mem` (has a model write what it keeps).
export const SERVERS: readonly Server[] = [
  {
    name: "Commonplace",
    version: packageJson.version,
    args: ({ vault }) => [join(import.meta.dirname, "..", "..", "bin", "commonplace.js"), "--vault", vault],
    search: (query) => ["search", { query, limit: 10 }],
    move: (_, path, newPath) => ["vaultManager_moveNote", { path, newPath, context: CONTEXT }],
    undo: () => ["undo", {}],
    add: (place, before, content) =>
      noteAddition(place, before, content, (filePath) => [
        "contentManager_appendContent",
        { filePath, content, context: CONTEXT },
      ]),
    outline: (file) => ["--outline", file],
    findConversation: (words) => ["recall_conversations", { search_query: words, since: "all", limit: 10 }],
  },
  {
    name: "obsidian-mcp",
    ...published("obsidian-mcp"),
    args: ({ vault }) => {
      // It serves only folders that Obsidian has opened.
      mkdirSync(join(vault, ".obsidian"), { recursive: true });
      return [devTool("obsidian-mcp"), "serve", "--vault", `notes=${vault}`];
    },
    search: (query) => ["obsidian_search_vault", { vault: "notes", query, limit: 10 }],
    move: (_, source, destination) => ["obsidian_move_note", { vault: "notes", source, destination }],
    undo: ({ vault }, answer) => {
      const id = /"transaction_id": ?"([^"]+)"/.exec(answer)![1]!;
      return { command: [devTool("obsidian-mcp"), "recovery", "restore", "--vault", `notes=${vault}`, "--id", id] };
    },
    add: (place, before, content) =>
      noteAddition(place, before, content, (path) => [
        "obsidian_edit_note",
        { vault: "notes", path, operation: "append", content },
      ]),
  },
  {
    name: "mcpvault",
    ...published("@bitbonsai/mcpvault"),
    args: ({ vault }) => [devTool("@bitbonsai/mcpvault"), vault],
    search: (query) => ["search_notes", { query, limit: 10 }],
    move: (_, oldPath, newPath) => ["move_note", { oldPath, newPath }],
    add: (place, before, content) =>
      noteAddition(place, before, content, (path) => ["write_note", { path, content, mode: "append" }]),
  },
  {
    // It reads notes, and finds them by their names.
    name: "mcp-obsidian",
    ...MCP_OBSIDIAN,
    args: ({ vault }) => [installedServer(MCP_OBSIDIAN.package, MCP_OBSIDIAN.version, "dist/index.js"), vault],
  },
  {
    name: "server-filesystem",
    ...published("@modelcontextprotocol/server-filesystem"),
    args: ({ vault }) => [devTool("@modelcontextprotocol/server-filesystem"), vault],
    move: ({ vault }, from, to) => ["move_file", { source: join(vault, from), destination: join(vault, to) }],
    add: (place, before, added) =>
      noteAddition(place, before, added, (_, path) => ["write_file", { path, content: before + added }]),
    insertIntoText: (path, oldText, inserted, where) => [
      "edit_file",
      { path, edits: [{ oldText, newText: where === "after" ? oldText + inserted : inserted + oldText }] },
    ],
  },
  {
    name: "server-memory",
    ...published("@modelcontextprotocol/server-memory"),
    args: () => [devTool("@modelcontextprotocol/server-memory")],
    env: (place) => ({ MEMORY_FILE_PATH: graphOf(place) }),
    writeNotes: (place, notes) =>
      writeFileSync(graphOf(place), [...notes].map(([name, text]) => entity(name, text)).join("\n")),
    search: (query) => ["search_nodes", { query }],
    add: (place, text, added) => {
      const before = entity("Kept", text);
      return {
        file: graphOf(place),
        before,
        call: ["create_entities", { entities: [{ name: "Added", entityType: "note", observations: [added] }] }],
        isWhole: (now) => now.split("\n")[0] === before && now.split("\n").every(isJson),
      };
    },
  },
  {
    name: "claude-historian-mcp",
    ...published("claude-historian-mcp"),
    args: () => [devTool("claude-historian-mcp")],
    findConversation: (query) => ["search_conversations", { query, limit: 10 }],
  },
  {
    name: "transcripts-mcp",
    ...TRANSCRIPTS,
    args: () => [installedServer(TRANSCRIPTS.package, TRANSCRIPTS.version, "dist/cli.js")],
    env: ({ home }) => ({ TRANSCRIPTS_MCP_INDEX: join(home, "index.db") }),
    indexConversations: ["build_index", {}],
    findConversation: (query) => ["search_transcripts", { query, limit: 10 }],
  },
];

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
