// Nothing protected is written: every tool that writes is tried on it, and its
// bytes are compared. The same in a read-only vault.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { TOOLS } from "../../../src/tools/toolbox.ts";
import { CONTEXT } from "../../contract/vault.ts";
import { probesOf } from "../../fixtures/probes.ts";
import { connectStdio, ERAS, temporaryFolder } from "../../processes/program.ts";

const FILES: Readonly<Record<string, string>> = {
  "Apple.md": "# Apple\n\nAn apple #fruit, see [[L]].\n\n- [ ] eat it\n- a row\n",
  "Pear.md": "# Pear\n",
  "Quince.md": "# Quince\n",
  "Folder/Plum.md": "A plum.\n",
  "Locked/L.md":
    "---\nkind: fruit\n---\n# L\n\nAn apple #fruit, see [[Apple]], [[Quince]] and [Pear](../Pear.md).\n\n- [ ] eat it 📅 2020-01-01\n- a row\n",
  "Locked/Deep/M.md": "apple\n",
  "Locked/List.opml": '<opml version="2.0"><head/><body><outline text="apple"/></body></opml>',
};

const USUAL = {
  filePath: "Locked/L.md",
  path: "Locked/L.md",
  sourcePath: "Apple.md",
  targetPath: "Locked/Copy.md",
  newPath: "Locked/Moved.md",
  newName: "Open",
  query: "apple",
  content: "text",
  oldContent: "An apple",
  newContent: "A peach",
  name: "Fruit",
  findText: "apple",
  replaceText: "peach",
  rootFolder: "Locked/Work",
  set: { kind: "nut" },
  status: "done",
  output_dir: "Locked/exports",
  startLine: 1,
  endLine: 2,
};

const TRIED = [
  "Locked",
  "Locked/",
  "/Locked/L.md",
  "locked/l.md",
  "Locked/Deep",
  "Locked/Deep/M",
  "Locked/List.opml",
  "Locked/New/x.md",
  "Locked/../Locked/L.md",
  "linked.md",
  "linked/Deep/M.md",
  "linked/New.md",
  "Pear.md",
  "Apple.md",
  "#fruit",
  "fruit",
  "apple",
];

/** Every entry below a folder, with its content and identity. */
function stateOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const stats = lstatSync(join(folder, name));
      return [name, stats.isFile() ? `${stats.mtimeMs} ${readFileSync(join(folder, name), "utf8")}` : "folder"];
    }),
  );
}

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    if (existsSync(join(folder, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const WRITERS = TOOLS.filter((tool) => !tool.effects.readOnly);

/** The id of a task in the protected folder. The index looks at the files again two seconds after the last look. */
async function taskIn(server: Client, sent: object): Promise<string> {
  const asked = { name: "list_tasks", arguments: { path: "Locked", ...sent } };
  const task = await vi.waitUntil(
    async () => ((await server.callTool(asked)).structuredContent as { tasks?: { id: string }[] }).tasks?.[0],
    { timeout: 120_000, interval: 200 },
  );
  return task.id;
}

let home: string;
let client: Client;
const call = async (name: string, sent: object) => {
  const { isError, content } = await client.callTool({ name, arguments: { ...sent } });
  return { isError: isError === true, text: JSON.stringify(content) };
};

beforeAll(async () => {
  home = temporaryFolder();
  for (const vault of ["Notes", "Archive"]) {
    put(join(home, vault), FILES);
    symlinkSync(join(home, vault, "Locked", "L.md"), join(home, vault, "linked.md"));
    symlinkSync(join(home, vault, "Locked"), join(home, vault, "linked"));
  }
  const common = ["--vault", "Notes", "--vault", "Archive", "--home", join(home, "own"), "--toolsets", "all"];
  // Changes that could be undone, from before it was protected.
  client = await connectStdio(home, ERAS["2025-11-25 and before"], common);
  for (const vault of ["Notes", "Archive"])
    for (const [name, sent] of [
      ["contentManager_appendContent", { filePath: "Locked/L.md", content: "more\n" }],
      ["vaultManager_moveNote", { path: "Locked/Deep/M.md", newPath: "Locked/Deep/N.md" }],
      ["vaultManager_moveNote", { path: "Locked/Deep/N.md", newPath: "Locked/Deep/M.md" }],
    ] as const)
      await call(name, { ...sent, vault, context: CONTEXT });
  await client.close();
  const rules = ["--protect", "Notes:locked/", "--read-only-vault", "archive"];
  client = await connectStdio(home, ERAS["2025-11-25 and before"], [...common, ...rules]);
});

describe("a protected folder", () => {
  it.each(WRITERS.map((tool) => [tool.name, tool] as const))(
    "is not changed by %s, and neither is a read-only vault",
    async (_, tool) => {
      const locked = join(home, "Notes", "Locked");
      const archive = join(home, "Archive");
      const [before, archived] = [stateOf(locked), stateOf(archive)];
      const usual = { ...USUAL, id: await taskIn(client, { vault: "Notes" }) };
      for (const { sent } of probesOf(tool, usual, TRIED)) {
        put(join(home, "Notes"), FILES);
        for (const vault of ["Notes", "Archive"]) await call(tool.name, { ...sent, vault });
        expect(stateOf(locked), JSON.stringify(sent)).toEqual(before);
        expect(stateOf(archive), JSON.stringify(sent)).toEqual(archived);
      }
    },
  );

  it("is changed by these calls where it is not protected", async () => {
    const vault = join(home, "Open");
    mkdirSync(vault);
    const args = ["--vault", vault, "--home", join(home, "own"), "--toolsets", "all", "--memory", "off"];
    const open = await connectStdio(home, ERAS["2025-11-25 and before"], args);
    const without: string[] = [];
    for (const tool of WRITERS.filter(({ toolset }) => toolset === "vault")) {
      for (const name of readdirSync(vault)) rmSync(join(vault, name), { recursive: true });
      put(vault, FILES);
      const before = stateOf(vault);
      const usual = { ...USUAL, id: await taskIn(open, {}) };
      for (const { sent } of probesOf(tool, usual, TRIED)) await open.callTool({ name: tool.name, arguments: sent });
      if (JSON.stringify(stateOf(vault)) === JSON.stringify(before)) without.push(tool.name);
    }
    expect(without).toEqual([]);
  });

  it("says which note has a link that a move would have to rewrite", async () => {
    rmSync(join(home, "Notes", "Sub"), { recursive: true, force: true });
    put(join(home, "Notes"), FILES);
    const { text } = await call("vaultManager_moveNote", { path: "Pear.md", newPath: "Sub/Pear.md", context: CONTEXT });
    expect(text).toContain("A link in Locked/L.md would have to be rewritten, and the settings protect that note.");
    // A bare name still leads to the note.
    const moved = await call("vaultManager_moveNote", {
      path: "Quince.md",
      newPath: "Sub/Quince.md",
      context: CONTEXT,
    });
    expect(moved).toMatchObject({ isError: false });
    expect(await call("undo", {})).toMatchObject({ isError: false });
  });

  it("can be read, searched and copied from", async () => {
    put(join(home, "Notes"), FILES);
    expect((await call("contentManager_readContent", { filePath: "Locked/L" })).text).toContain("An apple");
    expect((await call("search", { query: "apple path:Locked", vault: "Notes" })).text).toContain("Locked/L.md");
    rmSync(join(home, "Notes", "Copy.md"), { force: true });
    const sent = { sourcePath: "Locked/L.md", targetPath: "Copy.md" };
    expect(await call("vaultManager_duplicateNote", sent)).toMatchObject({ isError: false });
  });

  it.each([
    ["contentManager_appendContent", { filePath: "Locked/L", content: "x" }, "The settings protect Locked/L.md."],
    ["vaultManager_moveFolder", { path: "Locked/Deep", newPath: "Deep" }, "The settings protect Locked/Deep"],
    // The preview of a deletion is refused as well.
    ["vaultManager_deleteFolder", { path: "Locked/Deep" }, "The settings protect Locked/Deep"],
    ["vaultManager_deleteFolder", { path: "Folder", vault: "archive" }, "The vault Archive is read-only."],
    [
      "contentManager_appendContent",
      { filePath: "L", content: "x", vault: "archive" },
      "The vault Archive is read-only.",
    ],
    ["undo", { vault: "Archive" }, "The vault Archive is read-only."],
  ])("says why, and who can allow it: %s", async (name, sent, sentence) => {
    const { isError, text } = await call(name, { ...sent, context: CONTEXT });
    expect(isError).toBe(true);
    expect(text).toContain(sentence);
    expect(text).toMatch(/only the person can allow changes/i);
  });
});
