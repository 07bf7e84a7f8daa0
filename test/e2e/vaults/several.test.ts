// Several vaults in one server: each call works in the one that it names, searches
// look in all, and everything that is kept is kept per vault.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../../src/tools/toolbox.ts";
import { CONTEXT } from "../../contract/vault.ts";
import { CAMPAIGN, repeats } from "../../campaign.ts";
import { connectStdio, ERAS, runProgram, serveHttp, temporaryFolder, TOKEN } from "../../processes/program.ts";

const FILES: Readonly<Record<string, string>> = {
  "Notes/Apple.md": "# Apple\n\nAn apple pie, see [[Pear]].\n",
  "Notes/Pear.md": "A pear #fruit.\n",
  "Notes/.obsidian/daily-notes.json": '{"folder": "Days"}',
  "Work/Pie.md": "# Pie\n\nHow to bake an apple pie.\n",
  "Work/Pear.md": "A pear of work #job.\n\n- [ ] pick it\n",
  "Work/Pictures/a.png": "PNG",
  "Work/List.opml": '<opml version="2.0"><head/><body><outline text="work row"/></body></opml>',
};

function machine() {
  const home = temporaryFolder();
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

const SETTINGS = ["--vault", "Notes", "--vault", "Job=Work"];

async function open(home: string, ...args: string[]) {
  const client = await connectStdio(home, ERAS["2025-11-25 and before"], [
    ...(args.includes("--vault") ? [] : SETTINGS),
    "--home",
    join(home, "own"),
    "--toolsets",
    "all",
    ...args,
  ]);
  const call = async (name: string, sent: object = {}) => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
    return { isError: isError === true, ...(structuredContent as Record<string, unknown>) } as Record<string, unknown>;
  };
  return { client, call };
}

describe("the list of tools", () => {
  it("names the vaults on every tool that works in one, and nowhere if there is only one", async () => {
    const home = machine();
    const vaultOf = ({ inputSchema }: { inputSchema: { properties?: Record<string, unknown> | undefined } }) =>
      inputSchema.properties?.["vault"];
    const { tools } = await (await open(home)).client.listTools();
    const taking = tools.filter((tool) => vaultOf(tool) !== undefined).map(({ name }) => name);
    const expected = TOOLS.filter(({ toolset, inVault }) => inVault ?? ["vault", "memory"].includes(toolset));
    expect(taking.toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
    expect(vaultOf(tools[0]!)).toEqual({ type: "string", enum: ["Notes", "Job"], description: "Default Notes" });
    const alone = await (await open(home, "--vault", "Notes")).client.listTools();
    expect(alone.tools.filter((tool) => JSON.stringify(tool).includes('"vault":'))).toEqual([]);
    expect((await open(home)).client.getInstructions()).toContain("Vaults: Notes, Job.");
  });
});

describe("a call", () => {
  it("works in the vault that it names, in any case, and else in the first one", async () => {
    const { call } = await open(machine());
    const contentOf = async (sent: object) =>
      ((await call("contentManager_readContent", sent))["data"] as { content: string }).content;
    expect(await contentOf({ filePath: "Pear" })).toBe(FILES["Notes/Pear.md"]);
    expect(await contentOf({ filePath: "Pear", vault: "job" })).toBe(FILES["Work/Pear.md"]);
    expect(await call("vaultLibrarian_tags", { vault: "Job" })).toMatchObject({ data: { tags: [{ tag: "job" }] } });
  });

  it("takes a note that only one other vault has, says which, and leaves nothing in the default one", async () => {
    const home = machine();
    const { call, client } = await open(home);
    expect(await call("contentManager_readContent", { filePath: "Pie" })).toMatchObject({
      vault: "Job",
      data: { content: FILES["Work/Pie.md"] },
    });
    expect(await call("contentManager_appendContent", { filePath: "[[Pie]]", content: "more" })).toMatchObject({
      vault: "Job",
      data: { filePath: "Pie.md" },
    });
    expect(readFileSync(join(home, "Work", "Pie.md"), "utf8")).toBe(`${FILES["Work/Pie.md"]}more`);
    expect(await call("vaultManager_moveNote", { path: "Pie", newPath: "Old/Pie" })).toMatchObject({
      vault: "Job",
      newPath: "Old/Pie.md",
    });
    expect(readdirSync(join(home, "Notes")).toSorted()).toEqual([".obsidian", "Apple.md", "Pear.md"]);
    const read = await client.callTool({ name: "vaultLibrarian_links", arguments: { path: "Pie", type: "outgoing" } });
    expect((read.content as { text: string }[])[0]!.text).toContain("vault: Job");
  });

  it("takes the day of one vault for that of no other, and the terminal says whose day it is", async () => {
    const home = machine();
    const { call } = await open(home);
    const made = await call("contentManager_appendContent", { filePath: "daily:today", content: "Rain", vault: "Job" });
    expect(made).toMatchObject({ vault: "Job", data: { created: true } });
    expect(await call("contentManager_readContent", { filePath: "daily:today" })).toMatchObject({
      isError: true,
      vault: "Notes",
      hint: expect.stringContaining("It is in the vault Job: send vault."),
    });
    const args = [...SETTINGS, "--home", join(home, "own"), "--time-zone", "UTC"];
    const { stdout } = await runProgram(["add", "Sun", ...args], { home });
    expect(stdout).toMatch(/^Added to Days\/\S+ in Notes, which is new\.\n$/);
    expect((await runProgram(["today", ...args], { home })).stdout).toMatch(/^Notes: Days\/\S+\nSun\n/);
  });

  it("says where a note is that is to be deleted in another vault, and that no vault has it", async () => {
    const home = machine();
    const { call } = await open(home);
    expect(await call("vaultManager_deleteNote", { path: "Pie.md" })).toMatchObject({
      isError: true,
      error: "File not found: Pie.md",
      hint: expect.stringContaining("It is in the vault Job: send vault."),
    });
    expect(existsSync(join(home, "Work", "Pie.md"))).toBe(true);
    expect(await call("contentManager_readContent", { filePath: "Plum" })).toMatchObject({
      isError: true,
      vault: "Notes",
      hint: expect.stringContaining("No other vault has it either."),
    });
    expect(await call("contentManager_readContent", { filePath: "Pie", vault: "Notes" })).toMatchObject({
      isError: true,
      error: "File not found: Pie",
    });
  });

  it("says which vault it wrote to", async () => {
    const { call } = await open(machine());
    expect(await call("contentManager_createContent", { filePath: "New", content: "" })).toMatchObject({
      vault: "Notes",
    });
    expect(
      await call("contentManager_appendContent", { filePath: "daily:today", content: "x", vault: "job" }),
    ).toMatchObject({ vault: "Job" });
  });

  it("about tasks is about all vaults, and changes one wherever it is", async () => {
    const home = machine();
    writeFileSync(join(home, "Notes", "Todo.md"), "- [ ] first 📅 2020-01-01\n- [ ] later\n");
    const { call, client } = await open(home);
    const listed = await call("list_tasks");
    expect(listed).toMatchObject({
      totalTasks: 3,
      vaults: ["Notes", "Job"],
      tasks: [
        { text: "first", vault: "Notes" },
        { text: "later", vault: "Notes" },
        { text: "pick it", vault: "Job", path: "Pear.md" },
      ],
      hint: "Change one with update_task {id}.",
    });
    const { content } = await client.callTool({ name: "list_tasks", arguments: { group: "path" } });
    expect((content as { text: string }[])[0]!.text).toMatch(
      /^3 of 3 tasks in the vaults Notes, Job: [^]*# Notes: Todo\.md\n[^]*# Job: Pear\.md\n/,
    );
    expect(await call("list_tasks", { path: "Todo" })).toMatchObject({ totalTasks: 2 });
    expect(await call("list_tasks", { vault: "Job" })).toMatchObject({ totalTasks: 1 });
    expect(await call("list_tasks", { path: "None.md" })).toMatchObject({
      isError: true,
      error: "File not found: None.md",
    });
    const [, , { id }] = listed["tasks"] as { id: string }[] as [unknown, unknown, { id: string }];
    expect(await call("update_task", { id, status: "done" })).toMatchObject({ isError: false, vault: "Job" });
    expect(readFileSync(join(home, "Work", "Pear.md"), "utf8")).toContain("- [x] pick it");
  });

  it("about tags is about all vaults, and searchContent says how many hits each has, and lists the tags", async () => {
    const home = machine();
    writeFileSync(join(home, "Work", "More.md"), "#fruit #job\n");
    const { call } = await open(home);
    const tags = [
      { tag: "fruit", count: 2 },
      { tag: "job", count: 2 },
    ];
    expect(await call("vaultLibrarian_tags")).toMatchObject({ data: { vaults: ["Notes", "Job"], tags } });
    expect(await call("vaultLibrarian_searchContent", { query: "tag:*" })).toMatchObject({ tags });
    expect(await call("vaultLibrarian_searchContent", { query: "pie" })).toMatchObject({
      totals: { Notes: 1, Job: 1 },
    });
    expect(await call("vaultLibrarian_searchContent", { query: "pie", vault: "Job" })).not.toHaveProperty("totals");
  });

  it("reads several notes from whatever vault has each", async () => {
    const home = machine();
    const { call } = await open(home);
    const { data } = await call("contentManager_readContent", { filePath: ["Apple", "Pie"] });
    expect(data).toMatchObject({
      notes: [
        { filePath: "Apple.md", vault: "Notes" },
        { filePath: "Pie.md", vault: "Job" },
      ],
      content: expect.stringMatching(/\[\[Pear\]\][^]*How to bake/),
    });
    const one = await call("contentManager_readContent", { filePath: ["Apple", "Pie"], vault: "Job" });
    expect(one).toMatchObject({ data: { notes: [{ error: expect.stringContaining("Apple") }, { vault: "Job" }] } });
  });

  it("names the most frequent tags, and says how many there are", async () => {
    const home = machine();
    writeFileSync(join(home, "Work", "Pie.md"), Array.from({ length: 250 }, (_, i) => `#t${i}x`).join(" "));
    const { call } = await open(home);
    const listed = await call("vaultLibrarian_searchContent", { query: "tag:*" });
    expect(listed).toMatchObject({
      totalTags: 252,
      hint: "These are the 200 most frequent of 252 tags: of another one, search tag:#name.",
    });
    expect((listed["tags"] as unknown[]).length).toBe(200);
  });

  it("about unresolved links or orphans is about all vaults, and about one if it is named", async () => {
    const home = machine();
    writeFileSync(join(home, "Notes", "Apple.md"), "See [[Pear]] and [[Quince]].\n");
    writeFileSync(join(home, "Work", "Pie.md"), "With [[Medlar]].\n");
    const { call, client } = await open(home);
    const asked = { type: "unresolved", path: "" };
    expect(await call("vaultLibrarian_links", asked)).toMatchObject({
      data: {
        links: [
          { from: "Apple.md", target: "Quince", vault: "Notes" },
          { from: "Pie.md", target: "Medlar", vault: "Job" },
        ],
        vaults: ["Notes", "Job"],
      },
    });
    const { content } = await client.callTool({ name: "vaultLibrarian_links", arguments: { type: "orphans" } });
    const { text } = (content as { text: string }[])[0]!;
    expect(text).toContain("The orphans of the vaults Notes, Job\n");
    expect(text).toMatch(/\nNotes: Apple\.md\n[^]*\nJob: Pie\.md\n/);
    const one = await call("vaultLibrarian_links", { ...asked, vault: "Job" });
    expect(one).toMatchObject({ vault: "Job", data: { links: [{ from: "Pie.md", target: "Medlar" }] } });
    renameSync(join(home, "Work"), join(home, "Away"));
    const rest = await call("vaultLibrarian_links", asked);
    expect(rest).toMatchObject({ data: { links: [{ vault: "Notes" }] }, unavailable: [{ vault: "Job" }] });
    const { stdout } = await runProgram(["links", ...SETTINGS, "--home", join(home, "own")], { home });
    expect(stdout).toContain("The vault Job could not be asked: ");
    expect(stdout).toContain("Notes: Apple.md -> Quince");
  });

  it("with a query is about all vaults, in one order, and about one if it is named or has the base", async () => {
    const home = machine();
    for (const [path, rating] of [
      ["Notes/Apple.md", 3],
      ["Work/Pie.md", 9],
      ["Notes/Pear.md", 12],
    ] as const)
      writeFileSync(join(home, path), `---\nrating: ${rating}\n---\n`);
    writeFileSync(join(home, "Work", "Shelf.base"), "views:\n  - type: table\n    name: All\n");
    const { call } = await open(home);
    const asked = { where: "rating > 0", select: ["rating"], sort: ["rating desc"] };
    expect(await call("vaultLibrarian_query", asked)).toMatchObject({
      data: {
        columns: ["path", "vault", "rating"],
        rows: [
          ["Pear.md", "Notes", 12],
          ["Pie.md", "Job", 9],
          ["Apple.md", "Notes", 3],
        ],
        totalRows: 3,
        vaults: ["Notes", "Job"],
      },
    });
    const second = await call("vaultLibrarian_query", { ...asked, limit: 1, group: "rating > 5" });
    expect(second["data"]).toMatchObject({
      groups: [
        { value: false, count: 1 },
        { value: true, count: 2 },
      ],
    });
    // A property that one vault has is no typing error; one that none has is.
    expect(await call("vaultLibrarian_query", { where: "job == 1" })).toMatchObject({
      data: { totalRows: 0, warnings: [expect.stringContaining('No note has the property "job"')] },
    });
    const one = await call("vaultLibrarian_query", { ...asked, vault: "Job" });
    expect(one).toMatchObject({ vault: "Job", data: { rows: [["Pie.md", 9]] } });
    expect(await call("vaultLibrarian_query", { base: "Shelf.base" })).toMatchObject({ vault: "Job" });
  });

  it("about tasks lists the others if a vault is missing, and says so", async () => {
    const home = machine();
    renameSync(join(home, "Notes"), join(home, "Elsewhere"));
    const { call } = await open(home);
    expect(await call("list_tasks")).toMatchObject({
      totalTasks: 1,
      unavailable: [{ vault: "Notes", error: expect.stringContaining("missing") }],
    });
  });

  it("asks for the vault if two have an equal task in a note of the same path", async () => {
    const home = machine();
    writeFileSync(join(home, "Notes", "Pear.md"), "- [ ] pick it\n");
    writeFileSync(join(home, "Work", "Pear.md"), "- [ ] pick it\n");
    const { call } = await open(home);
    const [{ id }] = (await call("list_tasks"))["tasks"] as [{ id: string }];
    expect(await call("update_task", { id, status: "done" })).toMatchObject({
      isError: true,
      error: expect.stringContaining("The vaults Notes and Job both have this task."),
    });
    expect(await call("update_task", { id, status: "done", vault: "Job" })).toMatchObject({ isError: false });
    expect(readFileSync(join(home, "Notes", "Pear.md"), "utf8")).toBe("- [ ] pick it\n");
  });

  it("that names no vault of the server is refused, also if there is only one", async () => {
    const home = machine();
    const { call } = await open(home);
    expect(await call("contentManager_readContent", { filePath: "Pear", vault: "Jbo" })).toMatchObject({
      isError: true,
      error: "There is no vault 'Jbo' here.",
      hint: expect.stringContaining("Notes, Job"),
    });
    const alone = await open(home, "--vault", "Notes");
    expect(await alone.call("contentManager_readContent", { filePath: "Pear", vault: "Work" })).toMatchObject({
      isError: true,
      error: "There is no vault 'Work' here.",
    });
    expect(await alone.call("contentManager_readContent", { filePath: "Pear", vault: "notes" })).toMatchObject({
      isError: false,
    });
  });

  it("answers from the other vaults if one is missing", async () => {
    const home = machine();
    renameSync(join(home, "Work"), join(home, "Elsewhere"));
    const { call } = await open(home);
    const found = await call("search", { query: "pear", kinds: ["note"] });
    expect(found["results"]).toMatchObject([
      { id: "Pear.md", vault: "Notes" },
      { id: "Apple.md", vault: "Notes" },
    ]);
    expect(found["unavailable"]).toEqual([
      { vault: "Job", error: "The vault Job: its folder is missing: nothing was changed." },
    ]);
    expect(await call("contentManager_readContent", { filePath: "Pear" })).toMatchObject({ isError: false });
    expect(await call("contentManager_readContent", { filePath: "Pear", vault: "Job" })).toMatchObject({
      isError: true,
      error: "The vault Job: its folder is missing: nothing was changed.",
    });
    expect(existsSync(join(home, "Work"))).toBe(false);
  });
});

describe("a search", () => {
  it("ranks the notes of all vaults in one list, and says where each is", async () => {
    const { call } = await open(machine());
    const found = await call("search", { query: "apple pie", kinds: ["note"] });
    expect(found).toMatchObject({
      totalResults: 2,
      readWith: { note: "contentManager_readContent {filePath: id, vault}" },
    });
    expect(
      (found["results"] as { id: string; vault: string }[]).map(({ id, vault }) => `${vault}: ${id}`).toSorted(),
    ).toEqual(["Job: Pie.md", "Notes: Apple.md"]);
    expect(await call("vaultLibrarian_searchContent", { query: "pear" })).toMatchObject({
      totalResults: 2,
      results: [{ vault: "Notes" }, { vault: "Notes" }],
      totals: { Notes: 2, Job: 1 },
      hint: 'Searched in Notes alone; Job has 1: send vault: "Job".',
    });
    expect(await call("vaultLibrarian_searchContent", { query: "pear", vault: "Job" })).toMatchObject({
      totalResults: 1,
      results: [{ filePath: "Pear.md", vault: "Job" }],
    });
    expect(await call("vaultLibrarian_searchDirectory", { query: "pear", paths: ["/"] })).toMatchObject({
      data: { totalResults: 2, results: [{ path: "Pear.md" }, { path: "Pear.md" }] },
    });
    expect(await call("vaultLibrarian_batch", { queries: [{ query: "bake" }] })).toMatchObject({
      data: { searches: [{ results: [{ filePath: "Pie.md", vault: "Job" }] }] },
    });
    expect(await call("search", { query: "pear", kinds: ["note"], limit: 1 })).toMatchObject({ totalResults: 3 });
  });
});

describe("what is kept", () => {
  it("is kept per vault: history, undo, redo, memory and days", async () => {
    const home = machine();
    const { call } = await open(home);
    const append = "contentManager_appendContent";
    const first = await call(append, { filePath: "Pear", content: "one\n" });
    const second = await call(append, { filePath: "Pear", content: "two\n", vault: "Job" });
    expect(await call("history")).toMatchObject({
      entries: [
        { id: second["undoId"], vault: "Job", message: "Appended to Pear.md" },
        { id: first["undoId"], vault: "Notes" },
      ],
    });
    expect(await call("history", { vault: "Notes" })).toMatchObject({ entries: [{ id: first["undoId"] }] });
    expect(await call("undo", { vault: "Notes" })).toMatchObject({ id: first["undoId"], vault: "Notes" });
    expect(await call("redo", { id: first["undoId"] })).toMatchObject({ vault: "Notes" });
    expect(await call("undo")).toMatchObject({ vault: "Notes" });
    expect(await call("undo")).toMatchObject({ id: second["undoId"], vault: "Job" });
    expect(readFileSync(join(home, "Work", "Pear.md"), "utf8")).toBe(FILES["Work/Pear.md"]);
    await call("memoryManager_createSession", { name: "Only at work", vault: "Job" });
    const sessionsIn = async (vault: string) =>
      ((await call("memoryManager_listSessions", { vault }))["data"] as { sessions: { name: string }[] }).sessions;
    expect((await sessionsIn("Job")).map(({ name }) => name)).toContain("Only at work");
    expect((await sessionsIn("Notes")).map(({ name }) => name)).not.toContain("Only at work");
    await call(append, { filePath: "daily:2026-11-17", content: "a day\n" });
    await call(append, { filePath: "daily:2026-11-17", content: "a day\n", vault: "Job" });
    expect(readFileSync(join(home, "Notes", "Days", "2026-11-17.md"), "utf8")).toBe("a day\n");
    expect(readFileSync(join(home, "Work", "2026-11-17.md"), "utf8")).toBe("a day\n");
  });

  it("goes on where a server with one of the vaults alone left off, and the other way round", async () => {
    const home = machine();
    const alone = await open(home, "--vault", "Work");
    const { undoId } = await alone.call("contentManager_appendContent", { filePath: "Pear", content: "one\n" });
    await alone.client.close();
    const both = await open(home);
    expect(await both.call("undo", { id: undoId })).toMatchObject({ vault: "Job", isError: false });
    await both.client.close();
    const again = await open(home, "--vault", "Work");
    expect(await again.call("redo")).toMatchObject({ id: undoId, isError: false });
    expect(await again.call("history")).not.toHaveProperty("entries.0.vault");
  });

  it.each([
    ["vaultManager_moveNote", { path: "Pear.md", newPath: "Job/Pear.md" }],
    ["vaultManager_moveNote", { path: "Pear.md", newPath: "job:Pear.md" }],
    ["vaultManager_moveFolder", { path: "Pictures", newPath: "Notes/Pictures", vault: "Job" }],
    ["vaultManager_duplicateNote", { sourcePath: "Pear.md", targetPath: "Job/Pear.md" }],
  ])("is not moved from one vault to another: %s %j", async (name, sent) => {
    const home = machine();
    const { call } = await open(home);
    const answer = await call(name, sent);
    expect(answer).toMatchObject({
      isError: true,
      error: expect.stringMatching(/^Nothing can be moved from one vault to another \((?:Job|Notes)\)\.$/),
      hint: expect.stringMatching(
        /^Read \S+, create it there with contentManager_createContent \{.*\}, then delete it here/,
      ),
    });
    expect(existsSync(join(home, "Notes", "Job"))).toBe(false);
  });

  it("can be moved into a folder that has the name of another vault", async () => {
    const home = machine();
    mkdirSync(join(home, "Notes", "Job"));
    const { call } = await open(home);
    expect(await call("vaultManager_moveNote", { path: "Pear.md", newPath: "Job/Pear.md" })).toMatchObject({
      isError: false,
    });
  });
});

describe("outlines, resources and prompts", () => {
  it("reach every vault", async () => {
    const home = machine();
    const { call, client } = await open(home);
    const list = join(home, "Work", "List.opml");
    expect(await call("open_document", { path: list })).toMatchObject({ isError: false });
    expect(await call("add_row", { topic: "another" })).toMatchObject({ isError: false });
    expect(await call("undo", { vault: "Job" })).toMatchObject({ vault: "Job", isError: false });
    const textOf = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content as { text?: string; blob?: string };
    };
    expect((await textOf("note:///Pear.md")).text).toBe(FILES["Notes/Pear.md"]);
    expect((await textOf("note://Job/Pear.md")).text).toBe(FILES["Work/Pear.md"]);
    expect((await textOf("note://Job/Pictures/a.png")).blob).toBe(Buffer.from("PNG").toString("base64"));
    await expect(client.readResource({ uri: "note://None/Pear.md" })).rejects.toThrow();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("note://{vault}/{path}");
    const ref = { type: "ref/resource", uri: "note://{vault}/{path}" } as const;
    expect((await client.complete({ ref, argument: { name: "vault", value: "j" } })).completion.values).toEqual([
      "Job",
    ]);
    const completed = await client.complete({
      ref,
      argument: { name: "path", value: "pi" },
      context: { arguments: { vault: "Job" } },
    });
    expect(completed.completion.values).toContain("Pie.md");
    const prompt = await client.getPrompt({ name: "day", arguments: { date: "today", vault: "job" } });
    expect(JSON.stringify(prompt)).toContain("pick it");
    await expect(client.getPrompt({ name: "day", arguments: { vault: "none" } })).rejects.toThrow("only Notes, Job");
  });

  it("are those of one vault if there is only one", async () => {
    const { client } = await open(machine(), "--vault", "Notes");
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).not.toContain("note://{vault}/{path}");
    const { prompts } = await client.listPrompts();
    expect(prompts.flatMap(({ arguments: taken = [] }) => taken.map(({ name }) => name))).not.toContain("vault");
    expect(client.getInstructions()).not.toContain("Vaults:");
  });
});

describe("commands", () => {
  it("name a pattern of --hide only if nothing in any vault matches it", async () => {
    const home = machine();
    const hiding = ["--hide", "Pictures/", "--hide", "Pictrues/", "--hide", "Notes:Job.md"];
    const args = ["doctor", "--json", "--home", join(home, "own"), ...SETTINGS, ...hiding];
    const { findings } = JSON.parse((await runProgram(args, { home })).stdout) as {
      findings: { part: string; hint?: string }[];
    };
    const hintOf = (part: string) => findings.find((finding) => finding.part === part)!.hint;
    expect(hintOf("vault Notes")).toContain("nothing in this vault matches 'Pictrues/', 'Job.md' of");
    expect(hintOf("vault Job")).toContain("nothing in this vault matches 'Pictrues/' of");
  });

  it("know every vault: doctor, index, search, history, connect, and the files of the page", async () => {
    const home = machine();
    const run = (...words: string[]) => runProgram([...words, ...SETTINGS, "--home", join(home, "own")], { home });
    const findings = (JSON.parse((await run("doctor", "--json")).stdout) as { findings: { part: string }[] }).findings;
    expect(findings.map(({ part }) => part)).toEqual(
      expect.arrayContaining(["vault Notes", "vault Job", "memory Job"]),
    );
    const indexed = JSON.parse((await run("index", "--json")).stdout) as object;
    expect(indexed).toMatchObject({
      vaults: [
        { vault: "Notes", total: 2 },
        { vault: "Job", total: 4 },
      ],
    });
    expect((await run("search", "bake")).stdout).toContain("Job: Pie.md");
    await run(
      "call",
      "contentManager_appendContent",
      JSON.stringify({ filePath: "Pear", content: "x", vault: "Job", context: CONTEXT }),
    );
    expect((await run("history")).stdout).toContain("Job: Appended to Pear.md");
    mkdirSync(join(home, ".cursor"));
    const rules = ["--hide", "Job:Private/", "--read-only-vault", "Notes"];
    expect(await run("connect", "cursor", "--yes", ...rules)).toMatchObject({ code: 0 });
    const written = JSON.parse(readFileSync(join(home, ".cursor", "mcp.json"), "utf8")) as {
      mcpServers: { commonplace: { args: string[] } };
    };
    const { args } = written.mcpServers.commonplace;
    expect(args.join(" ")).toContain(
      `--vault ${join(home, "Notes")} --vault Job=${join(home, "Work")} --read-only-vault Notes --hide Job:Private/`,
    );
    const { url, stop } = await serveHttp(home, { COMMONPLACE_TOKEN: TOKEN }, [
      ...SETTINGS,
      "--home",
      join(home, "own"),
    ]);
    const statusOf = async (path: string) =>
      (await fetch(new URL(`/media/${path}`, url), { headers: { Authorization: `Bearer ${TOKEN}` } })).status;
    expect(await statusOf("Pictures/a.png")).toBe(404);
    expect(await statusOf("Pictures/a.png?vault=Job")).toBe(200);
    expect(await statusOf("Pictures/a.png?vault=None")).toBe(404);
    await stop();
  });
});

describe("servers on the same vaults", () => {
  it(
    "lose nothing if they write at once, and leave nothing half done if they are killed",
    async () => {
      const home = machine();
      for (let i = 0; i < 60; i++)
        for (const vault of ["Notes", "Work"]) writeFileSync(join(home, vault, `Link ${i}.md`), `see [[Pear]] ${i}\n`);
      const before = (vault: string) => contentsOf(join(home, vault));
      const originals = { Notes: before("Notes"), Work: before("Work") };
      for (let round = 0; round < repeats({ short: 4, long: 60 }); round++) {
        const servers = await Promise.all([open(home), open(home)]);
        const work = servers.flatMap(({ call }, i) =>
          ["Notes", "Job"].flatMap((vault) => [
            call("contentManager_createContent", { filePath: `New ${round} ${i} ${vault}.md`, content: "new", vault }),
            call("vaultManager_moveNote", { path: "Pear.md", newPath: `Moved ${round} ${i}.md`, vault }),
          ]),
        );
        await new Promise((resolve) => setTimeout(resolve, 20 + 25 * (round % 8)));
        for (const { client } of servers) process.kill((client.transport as unknown as { pid: number }).pid, "SIGKILL");
        await Promise.allSettled(work);
        const after = await open(home);
        for (const [folder, vault] of [
          ["Notes", "Notes"],
          ["Work", "Job"],
        ] as const) {
          // A reader finishes or rolls back what was interrupted; then every change is there as a whole, and can be undone.
          for (let undone = 0; ; undone++) {
            const answer = await after.call("undo", { vault });
            if (answer["error"] === "There is nothing to undo.") break;
            if (answer["isError"]) expect(answer["error"]).toMatch(/^An interrupted change was rolled back instead/);
            expect(undone).toBeLessThan(20);
          }
          expect(before(folder), `${folder} in round ${round}`).toEqual(originals[folder]);
        }
        await after.client.close();
        await runProgram(["history", "--purge", "--yes", ...SETTINGS, "--home", join(home, "own")], { home });
      }
    },
    CAMPAIGN.timeout,
  );
});

function contentsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

const REAL = join(import.meta.dirname, "..", "..", "..", "..", "shared", "data", "vaults");

describe.skipIf(!existsSync(REAL))("two real vaults (real data)", () => {
  let real: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    const args = [join(REAL, "kepano"), `Thousand=${join(REAL, "thousand-notes")}`].flatMap((path) => [
      "--vault",
      path,
    ]);
    real = await open(temporaryFolder(), ...args, "--read-only-vault", "Thousand", "--read-only-vault", "kepano");
  });

  it("are searched as one, each in its own order", async () => {
    const asked = { query: "note", limit: 50 };
    const wait = async (vault: string) => {
      while ((await real.call("vaultLibrarian_searchContent", { ...asked, vault }))["indexing"])
        await new Promise((resolve) => setTimeout(resolve, 200));
    };
    await wait("kepano");
    await wait("Thousand");
    const found = async (sent: object) =>
      (
        (await real.call("search", { query: "note", limit: 50, kinds: ["note"], ...sent }))["results"] as {
          vault: string;
          id: string;
        }[]
      ).map(({ vault, id }) => `${vault}: ${id}`);
    const all = await found({});
    expect(all).toHaveLength(50);
    for (const vault of ["kepano", "Thousand"]) {
      const ofVault = all.filter((hit) => hit.startsWith(`${vault}: `));
      expect(ofVault).toEqual((await found({ vault })).slice(0, ofVault.length));
      expect(ofVault.length).toBeGreaterThan(0);
    }
  });
});
