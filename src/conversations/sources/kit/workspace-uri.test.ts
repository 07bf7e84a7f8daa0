import { describe, expect, it } from "vitest";
import { folderOfUri, folderOfWorkspace } from "./workspace-uri.ts";

describe("the folder of a URI", () => {
  it.each([
    ["file:///home/anna/x", "/home/anna/x"],
    ["file:///home/anna/x/", "/home/anna/x"],
    ["file:///home/anna/caf%C3%A9%20%23%251", "/home/anna/café #%1"],
    ["file:///home/anna/100%", "/home/anna/100%"],
    ["file:///c%3A/Users/Anna/x", "C:\\Users\\Anna\\x"],
    ["file:///C:/Users/Anna/x", "C:\\Users\\Anna\\x"],
    ["file://server/share/x", "\\\\server\\share\\x"],
    ["file://localhost/home/anna", "/home/anna"],
    ["vscode-remote://wsl%2Bubuntu/home/anna/x", "/home/anna/x"],
    ["vscode-remote://ssh-remote%2Bbox/srv/x", "/srv/x"],
    ["vscode-remote://dev-container%2B7b22/workspaces/x", "/workspaces/x"],
    ["/home/anna/x", "/home/anna/x"],
    ["c:\\code\\x", "C:\\code\\x"],
    ["file:///", "/"],
    ["untitled:Untitled-1", undefined],
    ["https://example.org/x", undefined],
    ["", undefined],
  ])("%s is %s", (uri, folder) => {
    expect(folderOfUri(uri)).toBe(folder);
  });
});

describe("the folder of a workspace", () => {
  it.each([
    [{ folder: "file:///home/anna/x" }, "/home/anna/x"],
    [{ workspace: "file:///home/anna/all.code-workspace" }, "/home/anna"],
    [{ workspace: "file:///home/anna/.config/Cursor/Workspaces/1/workspace.json" }, undefined],
    [{}, undefined],
  ])("of %j is %s", (described, folder) => {
    expect(folderOfWorkspace(described)).toBe(folder);
  });
});
