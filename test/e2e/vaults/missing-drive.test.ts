// A vault and an outline on a drive that is not mounted: every way in says so, nothing
// is written in their place, and all is found again once the drive is back.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONTEXT } from "../../contract/vault.ts";
import { isRoot } from "../../fixtures/small-disk.ts";
import { connectStdio, ERAS, runProgram, serveHttp, temporaryFolder, TOKEN } from "../../processes/program.ts";

const MISSING = /has none of the notes that were in it: nothing was changed/;

describe("a vault and an outline on a drive that is not mounted", () => {
  const home = temporaryFolder();
  const [drive, away, local] = ["Drive", "away", "Local"].map((name) => join(home, name)) as [string, string, string];
  const outline = join(drive, "Lists", "List.opml");
  const args = ["--home", join(home, "own"), "--vault", join(drive, "Notes"), "--vault", local, "--outline", outline];

  const unmount = () => {
    renameSync(drive, away);
    mkdirSync(join(drive, "Notes", ".obsidian"), { recursive: true });
    mkdirSync(join(drive, "Lists"));
  };
  const mount = () => {
    rmSync(drive, { recursive: true });
    renameSync(away, drive);
  };
  const below = () => readdirSync(drive, { recursive: true }).toSorted();
  const EMPTY = ["Lists", "Notes", "Notes/.obsidian"];

  const open = async () => {
    const client = await connectStdio(home, ERAS["2025-11-25 and before"], [...args, "--toolsets", "all"]);
    const call = async (name: string, sent: object = {}) => {
      const { isError, content } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
      return { isError: isError === true, text: (content as { text?: string }[]).map(({ text }) => text).join("\n") };
    };
    return { client, call };
  };
  const run = (...command: string[]) => runProgram([...command, ...args], { home });

  beforeAll(() => {
    mkdirSync(join(drive, "Notes"), { recursive: true });
    mkdirSync(join(drive, "Lists"));
    mkdirSync(local);
    for (let i = 0; i < 40; i++) writeFileSync(join(drive, "Notes", `Note ${i}.md`), `apples ${i}\n`);
    writeFileSync(join(local, "Home.md"), "apples at home\n");
    writeFileSync(join(local, "Note 1.md"), "another one\n");
    writeFileSync(outline, '<opml version="2.0"><head/><body><outline text="row"/></body></opml>');
  });

  it("is used like any other while it is mounted", async () => {
    const { client, call } = await open();
    expect((await call("search", { query: "apples" })).text).toContain("of 41 results");
    expect((await call("add_row", { topic: "another" })).isError).toBe(false);
    expect((await call("contentManager_appendContent", { filePath: "Note 1", content: "more" })).isError).toBe(false);
    await client.close();
    unmount();
  });

  const READS: [string, object][] = [
    ["vaultLibrarian_searchContent", { query: "apples", vault: "Notes" }],
    ["contentManager_readContent", { filePath: "Note 1" }],
    ["vaultManager_listDirectory", { path: "" }],
    ["vaultLibrarian_tags", { vault: "Notes" }],
    ["vaultLibrarian_query", { vault: "Notes" }],
  ];
  const WRITES: [string, object][] = [
    ["contentManager_createContent", { filePath: "New.md", content: "new" }],
    ["contentManager_appendContent", { filePath: "daily:today", content: "new" }],
    ["contentManager_appendContent", { filePath: "Note 1", content: "new" }],
    ["vaultManager_createFolder", { path: "New" }],
    ["vaultManager_moveNote", { path: "Note 1.md", newPath: "Note 2.md" }],
  ];

  it("is an error for every call, and found by the same server when it is back", async () => {
    const { call } = await open();
    const failed = [];
    for (const [name, sent] of [...READS, ...WRITES]) {
      const { isError, text } = await call(name, sent);
      if (!isError || !MISSING.test(text)) failed.push([name, text]);
    }
    expect(failed).toEqual([]);
    const found = await call("search", { query: "apples" });
    expect(found.text).toContain("Home.md");
    expect(found.text).toMatch(/Notes.*none of the notes/s);
    const created = await call("create_document", { path: outline });
    expect(created.text).toContain("The outline List.opml was in this folder and is not there");
    expect((await call("add_row", { topic: "new" })).isError).toBe(true);
    // Not in the next vault, where nobody would look for it.
    expect(await call("create_document", { path: "New.opml" })).toMatchObject({
      isError: true,
      text: expect.stringMatching(MISSING),
    });
    expect(existsSync(join(local, "New.opml"))).toBe(false);
    for (const [name, sent] of [
      ["open_document", { path: "Plan.opml" }],
      ["add_row", { topic: "new", documentName: "Plan" }],
      ["vaultLibrarian_batch", { queries: [{ query: "apples" }] }],
    ] as const)
      expect((await call(name, sent)).text, name).toMatch(/none of the notes/);
    expect((await call("contentManager_readContent", { filePath: "Home", vault: "Local" })).isError).toBe(false);
    expect(below()).toEqual(EMPTY);
    expect(readFileSync(join(local, "Note 1.md"), "utf8")).toBe("another one\n");
    mount();
    for (const [name, sent] of READS) expect(await call(name, sent), name).toMatchObject({ isError: false });
    expect((await call("get_section_content", {})).isError).toBe(false);
    expect((await call("vaultLibrarian_searchContent", { query: "apples", limit: 100 })).text).toContain(
      '"totals":{"Notes":40,"Local":1}',
    );
    unmount();
    for (const [name, sent] of WRITES) expect((await call(name, sent)).text, name).toMatch(MISSING);
    expect(below()).toEqual(EMPTY);
  });

  it("is an error of the command line, and a problem that doctor names", async () => {
    const called = await run("call", "contentManager_createContent", '{"filePath": "New", "content": "new"}');
    expect(`${called.stdout}${called.stderr}`).toMatch(MISSING);
    const searched = await run("search", "apples");
    expect(`${searched.stdout}${searched.stderr}`).toMatch(/none of the notes/);
    expect((await run("today")).stdout).toMatch(/none of the notes/);
    const { stdout } = await run("doctor");
    expect(stdout).toMatch(/has none of the notes that were in it/);
    expect(stdout).toMatch(/and was there before/);
    expect((await run("index")).stdout).toMatch(/none of the notes/);
    expect(below()).toEqual(EMPTY);
  });

  it("is accepted as it is by the person alone: in the page for one part, and by a command", async () => {
    const unasked = await run("index", "--accept");
    expect(unasked).toMatchObject({ code: 1 });
    expect((await run("call", "vaultManager_listDirectory", "{}")).stdout).toMatch(MISSING);
    const { url } = await serveHttp(home, { COMMONPLACE_TOKEN: TOKEN }, args);
    const { origin } = new URL(url);
    const ask = async (name: string, sent: object = {}) => {
      const response = await fetch(`${origin}/person/${name}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", Origin: origin },
        body: JSON.stringify(sent),
      });
      return JSON.stringify(await response.json());
    };
    expect(await ask("status")).toContain('"isAcceptable":true');
    expect(await ask("acceptMissing", { part: "vault Local" })).toContain("Nothing is missing from the vault Local");
    expect(await ask("acceptMissing", { part: "vault Notes" })).toContain('"result"');
    expect((await run("call", "contentManager_createContent", '{"filePath": "New", "content": "new"}')).code).toBe(0);
    expect(below()).toEqual([...EMPTY, "Notes/New.md"].toSorted());
    expect((await run("index", "--accept", "--yes")).stdout).toContain("List.opml is used as it is");
    const created = await run("call", "create_document", JSON.stringify({ path: outline }));
    expect(`${created.stdout}${created.stderr}`).toContain("Created 'List.opml'");
    expect(existsSync(outline)).toBe(true);
    expect((await run("doctor")).stdout).not.toMatch(/none of the notes|was there before/);
  });
});

const mountPoint = join(temporaryFolder(), "drive");

describe.skipIf(!isRoot || process.platform !== "linux")("a real drive (needs permission to mount one)", () => {
  const mounted: string[] = [];
  const mountTmpfs = (at: string) => {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", at]);
    mounted.push(at);
  };
  afterAll(() => {
    for (const at of mounted) execFileSync("umount", [at]);
  });

  it("that is mounted again under another number is the same vault", async ({ skip }) => {
    mkdirSync(mountPoint);
    try {
      mountTmpfs(mountPoint);
    } catch {
      skip();
    }
    const home = temporaryFolder();
    const write = (path: string) => writeFileSync(join(mountPoint, path), "apples\n");
    for (const name of ["a.md", "b.md", "c.md", "d.md"]) write(name);
    const client = await connectStdio(home, ERAS["2025-11-25 and before"], ["--home", home, "--vault", mountPoint]);
    const call = async (name: string, sent: object) => {
      const { content } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
      return JSON.stringify(content);
    };
    expect(await call("search", { query: "apples" })).toContain("a.md");
    // A second drive over the first, as a remount: another number, other inodes and the same notes.
    mountTmpfs(mountPoint);
    expect(await call("contentManager_createContent", { filePath: "e", content: "new" })).toMatch(
      /none of the notes|missing/,
    );
    for (const name of ["a.md", "b.md", "c.md", "d.md"]) write(name);
    expect(await call("contentManager_createContent", { filePath: "e", content: "new" })).toContain("e.md");
    expect(readdirSync(mountPoint)).toContain("e.md");
    await client.close();
  });
});
