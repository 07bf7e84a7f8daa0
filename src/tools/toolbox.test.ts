import { describe, expect, it } from "vitest";
import { selectTools, TOOLS } from "./toolbox.ts";

const names = (toolsets: Parameters<typeof selectTools>[0]["toolsets"], readOnly = false) =>
  selectTools({ toolsets, readOnly }).tools.map((tool) => tool.name);

describe("the toolbox", () => {
  it("offers the default list where nothing is asked for", () => {
    expect(names(["default"])).toEqual([
      "contentManager_readContent",
      "contentManager_createContent",
      "contentManager_appendContent",
      "contentManager_replaceContent",
      "vaultManager_listDirectory",
      "vaultManager_createFolder",
      "vaultManager_moveNote",
      "vaultManager_moveFolder",
      "vaultManager_deleteNote",
      "vaultLibrarian_searchContent",
      "recall_conversations",
      "read_conversation",
      "export_individual_conversations",
      "search",
      "undo",
      "get_server_version",
    ]);
  });

  it("offers every tool of a set, and those that belong to each, in the order of the table", () => {
    expect(names(["vault"])).toHaveLength(TOOLS.filter(({ toolset }) => toolset !== "recall").length);
    expect(names(["memory"])).toEqual(["search", "undo", "redo", "history", "get_server_version"]);
    expect(names(["recall", "vault"])).toEqual(names(["all"]));
  });

  it("offers no tool that writes when it is read-only", () => {
    expect(names(["all"], true)).toEqual([
      "contentManager_readContent",
      "vaultManager_listDirectory",
      "vaultManager_openNote",
      "vaultLibrarian_searchContent",
      "vaultLibrarian_searchDirectory",
      "vaultLibrarian_batch",
      "vaultLibrarian_links",
      "vaultLibrarian_tags",
      "recall_conversations",
      "read_conversation",
      "search",
      "history",
      "get_server_version",
    ]);
  });

  it("has no name twice", () => {
    expect(new Set(names(["all"])).size).toBe(TOOLS.length);
  });
});
