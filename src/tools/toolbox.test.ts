import { describe, expect, it } from "vitest";
import { servicesWith } from "../../test/fixtures/services.ts";
import { callTool } from "./call/call.ts";
import type { Tool } from "./definition/define-tool.ts";
import type { Field } from "./definition/field.ts";
import { instructionsFor } from "../mcp/instructions.ts";
import { openOutlines } from "../outline/outline.ts";
import { selectTools, TOOLS } from "./toolbox.ts";

/** The tools whose names, arguments and results a contract fixes. */
const CONTRACTS_TOOLS = [
  "contentManager_createContent",
  "contentManager_appendContent",
  "vaultManager_createFolder",
  "vaultManager_moveNote",
  "vaultLibrarian_searchContent",
  "memoryManager_createSession",
  "get_current_document",
  "get_outline_structure",
  "get_row",
  "search_outline",
  "get_row_children",
  "add_row",
  "update_row",
  "move_row",
  "delete_row",
  "get_section_content",
  "insert_content",
  "check_connection",
  "recall_conversations",
  "export_individual_conversations",
  "get_project_info",
  "list_project_files",
  "get_server_version",
];

const names = (toolsets: Parameters<typeof selectTools>[0]["toolsets"], readOnly = false) =>
  selectTools({ toolsets, readOnly }).tools.map((tool) => tool.name);

describe("the toolbox", () => {
  it("offers the default tools if no toolset is named", () => {
    expect(names(["default"])).toEqual([
      "contentManager_readContent",
      "contentManager_createContent",
      "contentManager_appendContent",
      "contentManager_replaceContent",
      "contentManager_updateProperties",
      "vaultManager_listDirectory",
      "vaultManager_createFolder",
      "vaultManager_moveNote",
      "vaultManager_deleteNote",
      "vaultLibrarian_searchContent",
      "vaultLibrarian_links",
      "list_tasks",
      "update_task",
      "memoryManager_createSession",
      "get_current_document",
      "get_outline_structure",
      "get_row",
      "search_outline",
      "get_row_children",
      "add_row",
      "update_row",
      "move_row",
      "delete_row",
      "get_section_content",
      "insert_content",
      "check_connection",
      "open_document",
      "recall_conversations",
      "read_conversation",
      "export_individual_conversations",
      "search",
      "undo",
      "history",
      "get_project_info",
      "list_project_files",
      "get_server_version",
    ]);
  });

  it("answers a tool by its name that the default list had, where it may write", () => {
    const findIn = (toolsets: Parameters<typeof selectTools>[0]["toolsets"], readOnly = false) =>
      selectTools({ toolsets, readOnly }).find("contentManager_prependContent")?.name;
    expect(names(["default"])).not.toContain("contentManager_prependContent");
    expect(findIn(["default"])).toBe("contentManager_prependContent");
    expect(findIn(["default"], true)).toBeUndefined();
    expect(findIn(["lean"])).toBeUndefined();
  });

  it("offers sixteen tools for hosts that load every tool at once", () => {
    expect(names(["lean"])).toEqual([
      "contentManager_readContent",
      "contentManager_createContent",
      "contentManager_appendContent",
      "contentManager_replaceContent",
      "contentManager_updateProperties",
      "vaultManager_listDirectory",
      "vaultManager_moveNote",
      "list_tasks",
      "get_outline_structure",
      "update_row",
      "insert_content",
      "recall_conversations",
      "read_conversation",
      "search",
      "undo",
      "get_project_info",
    ]);
    expect(names(["lean", "project"])).toContain("list_project_files");
    expect(names(["lean"], true)).not.toContain("undo");
  });

  it("offers all tools of a toolset and those of every toolset, in the order of the table", () => {
    const own = ["search", "undo", "redo", "history", "get_server_version"];
    expect(names(["project"])).toEqual([...own.slice(0, 4), "get_project_info", "list_project_files", own[4]]);
    expect(names(["recall"])).toContain("read_conversation");
    expect(names(["outline"])).toContain("create_document");
    expect(names(["outline"])).not.toContain("contentManager_readContent");
    expect(names(["vault", "memory", "outline", "recall", "project"])).toHaveLength(TOOLS.length);
    expect(names(["recall", "project", "outline", "memory", "vault"])).toEqual(names(["all"]));
  });

  it("has texts for reading in our own tools, and JSON in those of the contracts", () => {
    const withJson = TOOLS.filter(({ text }) => text === undefined).map(({ name }) => name);
    expect(withJson.toSorted()).toEqual(CONTRACTS_TOOLS.toSorted());
  });

  it("offers no tool that writes if the server is read-only", () => {
    expect(names(["all"], true)).toEqual([
      "contentManager_readContent",
      "vaultManager_listDirectory",
      "vaultManager_openNote",
      "vaultLibrarian_searchContent",
      "vaultLibrarian_searchDirectory",
      "vaultLibrarian_batch",
      "vaultLibrarian_links",
      "vaultLibrarian_tags",
      "vaultLibrarian_query",
      "list_tasks",
      "memoryManager_loadSession",
      "memoryManager_listSessions",
      "memoryManager_loadWorkspace",
      "memoryManager_listWorkspaces",
      "memoryManager_loadState",
      "memoryManager_listStates",
      "vaultLibrarian_searchMemory",
      "get_current_document",
      "get_outline_structure",
      "get_row",
      "search_outline",
      "get_row_children",
      "get_section_content",
      "check_connection",
      "open_document",
      "recall_conversations",
      "read_conversation",
      "search",
      "history",
      "get_project_info",
      "list_project_files",
      "get_server_version",
    ]);
  });

  it("offers no memory tool if memory is off", () => {
    const offered = selectTools({ toolsets: ["all"], readOnly: false, memory: "off" }).tools;
    expect(offered).toEqual(TOOLS.filter(({ toolset }) => toolset !== "memory"));
  });

  it("has only tools that declare which paths they touch, if they take a context and a path", () => {
    const takesPath = (tool: Tool) =>
      "context" in tool.input && Object.keys(tool.input).some((name) => /path|folder|operations/i.test(name));
    const tools: readonly Tool[] = TOOLS.filter(takesPath);
    expect(tools.length).toBeGreaterThan(20);
    // A path within a workspace's record, not in the vault.
    const undeclared = tools.filter(({ touches }) => touches === undefined).map(({ name }) => name);
    expect(undeclared).toEqual(["memoryManager_updateWorkspace"]);
  });

  it.each([["default"], ["lean"], ["vault"], ["memory"], ["outline"], ["recall"], ["project"], ["all"]] as const)(
    "names no tool in the descriptions and instructions of the list %s that it does not have",
    (toolset) => {
      for (const readOnly of [false, true]) {
        const listed = names([toolset], readOnly);
        const all = names(["all"]);
        const { listing } = selectTools({ toolsets: [toolset], readOnly });
        const texts = [JSON.stringify(listing.map(({ outputSchema: _, name: __, ...tool }) => tool))];
        if (!readOnly) texts.push(instructionsFor({ toolsets: [toolset] }));
        const named = texts.flatMap((text) => text.match(/\b[A-Za-z]+(?:_[A-Za-z]+)+\b/g) ?? []);
        expect(named.filter((name) => all.includes(name) && !listed.includes(name))).toEqual([]);
      }
    },
  );

  it("has no two tools with the same name", () => {
    expect(new Set(names(["all"])).size).toBe(TOOLS.length);
  });
});

const NO_OUTLINES = openOutlines({
  file: undefined,
  isEmbedded: false,
  folders: [],
  vaults: [],
  journalFolder: "/nowhere",
  idFolder: "/nowhere",
  log: () => {},
});

describe.each(TOOLS)("$name", (tool) => {
  /** Returns the arguments that the tool would run with, or the problem. */
  const inputFor = async (sent: object) => {
    const { name, title, description, toolset, byDefault, contract, effects, input } = tool;
    const echo: Tool = {
      name,
      title,
      description,
      toolset,
      byDefault,
      contract,
      effects,
      input,
      output: {},
      run: (read) => ({ read }),
    };
    const services = servicesWith({ outlines: async () => NO_OUTLINES });
    const caller = { asker: "server", services, log: () => {}, protocolVersion: "2025-06-18" } as const;
    return (await callTool(echo, sent, caller)).structuredContent;
  };
  const fields = Object.entries(tool.input);
  const required = fields.filter(([, { presence }]) => presence === "required");

  it.each([
    ["alone", {}],
    ["beside what it requires", Object.fromEntries(required.map(([name, field]) => [name, valueFor(field)]))],
  ])("takes null for an argument that was not sent, %s", async (_, sent) => {
    const nulls = Object.fromEntries(fields.map(([name]) => [name, null]));
    const expected = await inputFor(sent);
    expect(await inputFor({ ...nulls, ...sent })).toEqual(expected);
    expect(JSON.stringify(expected)).toMatch(
      required.length > 0 && Object.keys(sent).length === 0 ? /required/ : /read/,
    );
  });
});

function valueFor({ sample, schema }: Pick<Field<unknown>, "sample" | "schema">): unknown {
  const { type, properties = {}, items = {} } = schema;
  if (sample !== undefined) return sample;
  if (schema.enum !== undefined) return schema.enum[0];
  if (type === "object")
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valueFor({ schema: one })]));
  if (type === "array") return [valueFor({ schema: items })];
  return type === "boolean" ? true : type === "integer" || type === "number" ? 1 : "x";
}
