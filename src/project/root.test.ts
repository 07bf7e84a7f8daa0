import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { newFolder, newRepository } from "../../test/fixtures/repositories.ts";
import { asksClient, findProjectRoot, type RootCandidates } from "./root.ts";

const nothing: RootCandidates = {
  setting: undefined,
  workspaceFolders: undefined,
  clientRoots: undefined,
  workingDirectory: newFolder(),
};
const find = (sources: Partial<RootCandidates>) => findProjectRoot({ ...nothing, ...sources });

const set = newFolder();
const workspace = newFolder();
const client = newFolder({ "a b/ü/x": "" });
const address = (path: string) => pathToFileURL(path).href;

describe("the project's root", () => {
  it("is what the user set, before what the host, the client or the working directory say", () => {
    const all = {
      setting: { path: set, source: "--project" },
      workspaceFolders: workspace,
      clientRoots: [address(client)],
    };
    expect(find(all)).toEqual({ folder: set, source: "--project" });
    expect(find({ ...all, setting: undefined })).toEqual({ folder: workspace, source: "WORKSPACE_FOLDER_PATHS" });
    expect(find({ clientRoots: all.clientRoots })).toEqual({ folder: client, source: "MCP roots" });
    expect(find({})).toEqual({ folder: nothing.workingDirectory, source: "working directory" });
  });

  it("is the git root of the working directory, also from deep within", () => {
    const { folder } = newRepository({ "deep/down/a.ts": "" });
    expect(find({ workingDirectory: join(folder, "deep", "down") })).toEqual({ folder, source: "git" });
  });

  it("is an error if the user set a folder that does not exist, without a fallback", () => {
    const missing = { path: join(set, "missing"), source: "COMMONPLACE_PROJECT" };
    expect(() => find({ setting: missing, clientRoots: [address(client)] })).toThrow(
      "The project's folder is not there",
    );
    expect(() => find({ workingDirectory: join(set, "gone") })).toThrow("The working directory is gone.");
  });

  it("is the first of several workspace folders that is there", () => {
    expect(find({ workspaceFolders: `/nowhere,${workspace},${set}` }).folder).toBe(workspace);
    expect(find({ workspaceFolders: ["/nowhere", workspace].join(delimiter) }).folder).toBe(workspace);
    const odd = join(newFolder(), "a,b");
    mkdirSync(odd);
    expect(find({ workspaceFolders: odd }).folder).toBe(odd);
    expect(find({ workspaceFolders: "${workspaceFolder}" }).source).toBe("working directory");
  });

  it("is the first of the client's roots that is a folder of this machine", () => {
    const roots = [
      "https://example.com/x",
      "nonsense",
      address(join(client, "missing")),
      address(join(client, "a b", "ü")),
    ];
    expect(find({ clientRoots: roots }).folder).toBe(join(client, "a b", "ü"));
    expect(find({ clientRoots: ["file://elsewhere/share", ...roots.slice(0, 3)] }).source).toBe("working directory");
    expect(find({ clientRoots: [] }).source).toBe("working directory");
  });

  it("is a real path", () => {
    const link = join(newFolder(), "link");
    symlinkSync(client, link);
    expect(find({ clientRoots: [address(link)] }).folder).toBe(client);
  });

  it("depends on the client only if nothing else names it", () => {
    expect(asksClient(nothing)).toBe(true);
    expect(asksClient({ ...nothing, workspaceFolders: "/nowhere" })).toBe(true);
    expect(asksClient({ ...nothing, workspaceFolders: workspace })).toBe(false);
    expect(asksClient({ ...nothing, setting: { path: "/nowhere", source: "--project" } })).toBe(false);
  });
});
