// Outlines in the packed program: which document is current, what can be opened
// and created, undo across several journals, and large documents in pages.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf } from "../contract/outline-files.ts";
import { CONTEXT } from "../contract/vault.ts";
import { contentsOf } from "../references/outline-reader.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../processes/program.ts";
import { OLD_OUTLINES, OUTLINES } from "../samples.ts";

interface Answer {
  readonly success?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
  readonly message?: string;
  readonly version?: string;
  readonly document?: { readonly name: string; readonly rowCount: number; readonly canUndo: boolean };
  readonly documents?: readonly { readonly path: string; readonly name: string; readonly isCurrent: boolean }[];
  readonly rows?: readonly Row[];
  readonly results?: readonly { readonly kind: string; readonly id: string }[];
  readonly entries?: readonly { readonly id: string; readonly message: string }[];
  readonly nextCursor?: string;
  readonly [more: string]: unknown;
}

interface Row {
  readonly id: string;
  readonly topic: string;
  readonly parentId: string | null;
  readonly children?: readonly Row[];
}

async function open(args: readonly string[] = [], home = temporaryFolder()) {
  const client = await connectStdio(home, ERAS["2025-11-25 and before"], [
    "--home",
    home,
    "--toolsets",
    "all",
    ...args,
  ]);
  const call = async (name: string, sent: object = {}) =>
    (await client.callTool({ name, arguments: { ...sent } })).structuredContent as Answer;
  const idOf = async (topic: string) =>
    (await call("get_outline_structure")).rows!.find((row) => row.topic === topic)?.id ??
    expect.fail(`no row ${topic}`);
  return { client, call, idOf, home };
}

function opmlOf(topics: readonly string[]): string {
  const rows = topics.map((topic) => `    <outline text="${topic}"/>\n`).join("");
  return `<?xml version="1.0"?>\n<opml version="2.0">\n  <body>\n${rows}  </body>\n</opml>\n`;
}

describe("the current document", () => {
  it("is the embedded outline, created by the first call that needs it, and not created again after it was deleted", async () => {
    const { call, home } = await open();
    const file = join(home, "data", "outline.opml");
    await call("search", { query: "welcome" });
    expect(existsSync(file)).toBe(false);
    expect(await call("get_current_document")).toMatchObject({ document: { name: "outline.opml", path: file } });
    expect(linesOf(file)[0]).toMatch(/^Welcome \| /);
    rmSync(file);
    expect((await call("get_row_children")).error?.code).toBe("no_document");
    expect((await (await open([], home)).call("get_outline_structure")).error?.code).toBe("no_document");
    expect(await call("check_connection")).toMatchObject({
      connected: false,
      appRunning: false,
      documentOpen: false,
      documentName: null,
      message: expect.stringContaining("outline.opml is missing"),
    });
    expect(existsSync(file)).toBe(false);
  });

  it("is the configured file; if that is missing nothing is created, and it is used when it is back", async () => {
    const file = join(temporaryFolder(), "Plan.opml");
    const { call } = await open(["--outline", file]);
    for (const [tool, sent] of Object.entries({
      get_current_document: {},
      get_outline_structure: {},
      get_row: { rowId: "x" },
      search_outline: { query: "x" },
      get_row_children: {},
      add_row: { topic: "x" },
      update_row: { rowId: "x", topic: "y" },
      move_row: { rowId: "x" },
      delete_row: { rowId: "x", confirmed: true },
      get_section_content: {},
      insert_content: { content: "x" },
    })) {
      expect(await call(tool, sent), tool).toMatchObject({
        success: false,
        error: { code: "no_document", message: "The outline Plan.opml is missing." },
      });
    }
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, opmlOf(["Here"]));
    expect((await call("get_outline_structure")).rows).toMatchObject([{ topic: "Here" }]);
  });

  it("is refused and not changed if it cannot be read", async () => {
    const file = join(temporaryFolder(), "Plan.opml");
    writeFileSync(file, "<opml><body><outline");
    const { call } = await open(["--outline", file]);
    expect((await call("add_row", { topic: "x" })).error).toBeDefined();
    expect(readFileSync(file, "utf8")).toBe("<opml><body><outline");
    expect((await call("check_connection"))["connected"]).toBe(false);
  });
});

describe("a checkbox", () => {
  it.each([
    ["- [ ] Trip\n  - plain\n  - [ ] box\n", "- [x] Trip\n  - plain\n  - [ ] box\n"],
    ["- [ ] Trip\n  - [x] done\n", "- [x] Trip\n  - [x] done\n"],
    ["- Trip\n  - one\n  - two\n", "- [x] Trip\n  - one\n  - two\n"],
  ])("of a Markdown parent is ticked alone: %j", async (before, after) => {
    const file = join(temporaryFolder(), "Plan.md");
    writeFileSync(file, before);
    const { call, idOf } = await open(["--outline", file]);
    expect(await call("update_row", { rowId: await idOf("Trip"), state: "checked" })).toMatchObject({
      message: "Updated row: set state to checked",
      updatedRow: { state: "checked" },
    });
    expect(readFileSync(file, "utf8")).toBe(after);
    await call("undo");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("finds rows without words", async () => {
    const file = join(temporaryFolder(), "Plan.md");
    writeFileSync(file, "- [ ] a\n- [x] b\n- c\n  - [ ] d\n");
    const { call, idOf } = await open(["--outline", file]);
    const topics = async (sent: object) =>
      ((await call("search_outline", sent)).results as unknown as { row: Row }[]).map(({ row }) => row.topic);
    expect(await topics({ state: "unchecked" })).toEqual(["a", "d"]);
    expect(await topics({ done: true })).toEqual(["b"]);
    expect(await topics({ query: "", under: await idOf("c") })).toEqual(["d"]);
    expect((await call("search_outline", {})).error?.message).toBe("query must not be empty");
    expect(await call("insert_content", { content: "e\nf" })).toMatchObject({
      success: false,
      hint: 'For a row of each line send format: "text".',
    });
  });
});

describe("opening another document", () => {
  const prepared = () => {
    const home = temporaryFolder();
    const [vault, lists, elsewhere] = ["vault", "lists", "elsewhere"].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [vault, lists, elsewhere, join(vault, "Plans"), join(vault, ".obsidian")]) mkdirSync(folder);
    writeFileSync(join(vault, "Plans", "Week.md"), "# Week\n\n- Monday\n  - [ ] Shop\n");
    writeFileSync(join(vault, "Prose.md"), "No list in here.\n");
    writeFileSync(join(vault, "Tagged.md"), "---\ntags:\n  - trip\n---\n# No list\n\n```\n- code\n```\n");
    writeFileSync(join(vault, "Trip.opml"), opmlOf(["Pack"]));
    writeFileSync(join(vault, ".obsidian", "hidden.opml"), opmlOf(["Hidden"]));
    writeFileSync(join(lists, "Books.opml"), opmlOf(["Read"]));
    writeFileSync(join(elsewhere, "Secret.opml"), opmlOf(["Secret"]));
    symlinkSync(join(elsewhere, "Secret.opml"), join(lists, "link.opml"));
    symlinkSync(elsewhere, join(vault, "out"));
    return { home, vault, lists, elsewhere, args: ["--vault", vault, "--outline-folders", lists] };
  };

  it("lists what can be opened, and opens it", async () => {
    const { args, home, lists } = prepared();
    const { call } = await open(args, home);
    const { documents, message } = await call("open_document");
    expect(documents!.map(({ path }) => path).toSorted()).toEqual(["Trip.opml", join(lists, "Books.opml")].toSorted());
    expect(message).toBe("2 documents can be opened; and 1 note of the vault that has a list, by path");
    expect(await call("open_document", { path: "Plans/Week.md" })).toMatchObject({ success: true });
    for (const { path, name } of documents!) {
      expect(await call("open_document", { path })).toMatchObject({
        success: true,
        message: `Opened '${name}'`,
        document: { name },
      });
      expect((await call("open_document")).documents).toContainEqual({ path, name, isCurrent: true });
    }
  });

  it("takes the topic that one row has for its id, but deletes nothing by it", async () => {
    const { args, home, lists } = prepared();
    const { call, idOf } = await open(args, home);
    await call("open_document", { path: join(lists, "Books.opml") });
    await call("insert_content", { content: "- Shelf\n- Novels\n- Twice\n- Twice" });
    expect(await call("move_row", { rowId: "Novels", newParentId: "Shelf" })).toMatchObject({
      success: true,
      movedRow: { topic: "Novels", parentId: await idOf("Shelf") },
    });
    expect((await call("move_row", { rowId: "Novels", newParentId: "Twice" })).error?.code).toBe("row_not_found");
    expect((await call("delete_row", { rowId: "Shelf", confirmed: true })).error?.code).toBe("row_not_found");
  });

  it("finds a row of a closed outline, and of one in Markdown, in search", async () => {
    const { args, home, lists } = prepared();
    writeFileSync(join(lists, "Release.md"), "- [ ] Ship\n  - [ ] Write the changelog\n");
    const { call } = await open(args, home);
    const { results } = await call("search", { query: "changelog", kinds: ["outline"] });
    expect(results).toMatchObject([{ where: "Release.md › Ship" }]);
    expect(await call("get_row", { rowId: results![0]!.id })).toMatchObject({ row: { topic: "Write the changelog" } });
  });

  it("finds the outline of a row by its id, and says which it is", async () => {
    const { args, home, lists } = prepared();
    const { call, idOf } = await open(args, home);
    await call("open_document", { path: "Trip.opml" });
    const rowId = await idOf("Pack");
    await call("open_document", { path: join(lists, "Books.opml") });
    expect(await call("update_row", { rowId, topic: "x" })).toMatchObject({ success: true, documentName: "Trip.opml" });
    expect(await call("get_row", { rowId: "x", documentName: "Trip.opml" })).toMatchObject({ row: { id: rowId } });
    expect((await call("update_row", { rowId: "nowhere", topic: "x" })).error?.code).toBe("row_not_found");
  });

  it("finds the outline of the row to add to, insert under or move beside, and refuses a document that it does not take", async () => {
    const { args, home, lists } = prepared();
    const { call, idOf } = await open(args, home);
    await call("open_document", { path: "Trip.opml" });
    const parentId = await idOf("Pack");
    await call("open_document", { path: join(lists, "Books.opml") });
    const there = { success: true, documentName: "Trip.opml" };
    expect(await call("add_row", { topic: "Tent", parentId })).toMatchObject(there);
    // A topic that one row of one outline has.
    expect(await call("insert_content", { content: "- Pegs\n- Rope", parentId: "Tent" })).toMatchObject(there);
    expect(await call("move_row", { rowId: "Rope", siblingId: "Tent", relativePosition: "after" })).toMatchObject(
      there,
    );
    expect(await call("get_row_children", { rowId: parentId })).toMatchObject({
      children: [{ topic: "Tent" }, { topic: "Rope" }],
    });
    const row = await call("delete_row", { rowId: "Rope", confirmed: true });
    expect(row.error?.code).toBe("row_not_found");
    expect(await call("add_row", { topic: "Lamp", outline: "Trip.opml" })).toMatchObject(there);
    const refused = await call("add_row", { topic: "Lamp", vault: "Elsewhere" });
    expect(refused.error?.message).toBe("Nothing was changed: add_row does not take vault.");
  });

  it("opens nothing that is not allowed, whatever the spelling or link", async () => {
    const { args, home, lists, vault, elsewhere } = prepared();
    const { call } = await open(args, home);
    await call("open_document", { path: "Trip.opml" });
    for (const path of [
      join(elsewhere, "Secret.opml"),
      "../elsewhere/Secret.opml",
      join(vault, "..", "elsewhere", "Secret.opml"),
      join(lists, "link.opml"),
      "link.opml",
      "out/Secret.opml",
      join(vault, "out", "Secret.opml"),
      ".obsidian/hidden.opml",
      join(vault, ".obsidian", "hidden.opml"),
      "/etc/passwd",
      "~/.ssh/config",
    ]) {
      expect(["access_denied", "invalid_params"], path).toContain((await call("open_document", { path })).error?.code);
    }
    for (const path of [
      join(elsewhere, "New.opml"),
      "../New.opml",
      join(lists, "..", "New.opml"),
      "out/New.opml",
      join(vault, "out", "New.opml"),
      ".obsidian/New.opml",
      join(lists, "link.opml"),
      "/tmp/New.opml",
    ]) {
      const { error } = await call("create_document", { path });
      expect(["access_denied", "invalid_params"], path).toContain(error?.code);
    }
    expect((await call("open_document", { path: "Nowhere.opml" })).error?.code).toBe("no_document");
    expect((await call("get_current_document")).document?.name).toBe("Trip.opml");
    expect(readdirSync(elsewhere)).toEqual(["Secret.opml"]);
  });

  it("changes a note of the vault through the vault's journal", async () => {
    const { args, home, vault } = prepared();
    const { call, idOf } = await open(args, home);
    await call("vaultLibrarian_searchContent", { query: "monday", context: CONTEXT });
    await call("open_document", { path: "Plans/Week" });
    await call("add_row", { topic: "Call the plumber", parentId: await idOf("Monday") });
    expect(readFileSync(join(vault, "Plans", "Week.md"), "utf8")).toBe(
      "# Week\n\n- Monday\n  - [ ] Shop\n  - [ ] Call the plumber\n",
    );
    expect(await call("vaultLibrarian_searchContent", { query: "plumber", context: CONTEXT })).toMatchObject({
      results: [{ filePath: "Plans/Week.md" }],
    });
    expect(await call("undo")).toMatchObject({ tool: "add_row", paths: ["Plans/Week.md"] });
    expect(readFileSync(join(vault, "Plans", "Week.md"), "utf8")).toBe("# Week\n\n- Monday\n  - [ ] Shop\n");
  });

  it("creates documents in each format, never over an existing one, and undoes that", async () => {
    const { args, home, vault, lists } = prepared();
    const { call } = await open(args, home);
    for (const path of [join(lists, "New.opml"), join(lists, "New.ooutline"), "Deep/er/New.md", "New.opml"]) {
      const absolute = path.startsWith(lists) ? path : join(vault, path);
      expect(await call("create_document", { path })).toMatchObject({
        success: true,
        message: expect.stringMatching(/^Created 'New\.\w+'$/),
        document: { rowCount: 0, isFrontmost: true },
      });
      expect(await call("add_row", { topic: "First" })).toMatchObject({ success: true });
      expect(linesOf(absolute).map((line) => line.replace("[ ] ", ""))).toEqual(["First"]);
      expect((await call("create_document", { path })).error?.code).toBe("conflict");
      await call("undo");
      await call("undo");
      expect(existsSync(absolute)).toBe(false);
      expect((await call("get_row_children")).error?.code).toBe("no_document");
    }
    expect((await call("create_document", { path: "New.txt" })).error?.code).toBe("invalid_params");
    expect((await call("create_document", { path: join(lists, "none", "x.opml") })).error?.code).toBe("invalid_params");
  });
});

describe("undo, redo and history", () => {
  it("cover notes and outlines alike", async () => {
    const home = temporaryFolder();
    const lists = join(home, "lists");
    mkdirSync(lists);
    for (const name of ["a", "b"]) writeFileSync(join(lists, `${name}.opml`), opmlOf([name]));
    const args = ["--outline", join(lists, "a.opml"), "--outline-folders", lists];
    const { call, client } = await open(args, home);
    await call("add_row", { topic: "first in a" });
    await call("contentManager_createContent", { filePath: "Note.md", content: "x", context: CONTEXT });
    await call("open_document", { path: "b.opml" });
    await call("add_row", { topic: "first in b" });
    const { entries } = await call("history");
    expect(entries!.map(({ message }) => message)).toEqual([
      "Added row 'first in b' at the top level",
      "Created Note.md",
      "Added row 'first in a' at the top level",
    ]);
    expect(new Set(entries!.map(({ id }) => id.slice(0, 6))).size).toBe(3);
    expect(await call("undo", { id: entries![2]!.id })).toMatchObject({ tool: "add_row", paths: ["a.opml"] });
    expect(await call("undo")).toMatchObject({ success: true, tool: "add_row", paths: ["b.opml"] });
    expect(await call("undo")).toMatchObject({ tool: "contentManager_createContent", paths: ["Note.md"] });
    expect(await call("undo")).toMatchObject({ success: false, error: "There is nothing to undo." });
    expect(await call("redo")).toMatchObject({ tool: "contentManager_createContent" });
    expect(await call("redo")).toMatchObject({ tool: "add_row", paths: ["b.opml"] });
    await client.close();

    // Another process, as a person at the command line.
    const run = async (...words: string[]) => runProgram([...words, "--home", home, ...args], { home });
    expect((await run("history")).stdout).toMatch(/first in b[\s\S]*Note\.md/);
    const named = await run("redo", entries![2]!.id);
    expect(named).toMatchObject({ code: 0, stdout: "Redid: Added row 'first in a' at the top level\n" });
    expect((await run("undo")).stdout).toMatch(/^Undid: /);
    const purged = await run("history", "--purge", "--yes");
    expect(purged.stdout).toMatch(/^Forgot \d+ changes\.\n$/);
    expect((await run("history")).stdout).toBe("Nothing was changed yet.\n");
  });
});

describe("outlines in other features", () => {
  it("are found by search and can be read as resources", async () => {
    const home = temporaryFolder();
    const file = join(home, "Plan.opml");
    writeFileSync(
      file,
      opmlOf(["Straße kehren", "Other"]).replace('"Other"/>', '"Other"><outline text="kehren und mehr"/></outline>'),
    );
    const { call, client, idOf } = await open(["--outline", file], home);
    await call("contentManager_createContent", { filePath: "Kehren.md", content: "kehren", context: CONTEXT });
    expect(await call("search", { query: "kehren" })).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ kind: "note", id: "Kehren.md" }),
        expect.objectContaining({
          kind: "outline",
          title: "Straße kehren",
          where: "Plan.opml",
          id: await idOf("Straße kehren"),
        }),
        expect.objectContaining({ kind: "outline", where: "Plan.opml › Other", snippet: "kehren und mehr" }),
      ]),
      totalResults: 3,
      readWith: { outline: "get_row {rowId: id}" },
    });
    expect((await call("search", { query: "kehren", kinds: ["outline"] })).results).toHaveLength(2);
    expect((await runProgram(["search", "strasse", "--home", home, "--outline", file], { home })).stdout).toContain(
      "Straße kehren",
    );

    const { contents } = await client.readResource({ uri: `outline:///${await idOf("Other")}` });
    expect(contents).toMatchObject([{ mimeType: "text/markdown", text: "# Other\n\n- kehren und mehr" }]);
    await expect(client.readResource({ uri: "outline:///no-such-row" })).rejects.toThrow();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("outline:///{rowId}");
    const id = await idOf("Other");
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "outline:///{rowId}" },
      argument: { name: "rowId", value: id.slice(0, 4) },
    });
    expect(completion.values).toContain(id);
  });

  it("are reported by doctor, with their rows", async () => {
    const home = temporaryFolder();
    const file = join(home, "Plan.opml");
    writeFileSync(file, opmlOf(["a", "b"]));
    const good = await runProgram(["doctor", "--home", home, "--outline", file], { home });
    expect(good.stdout).toMatch(/ok {7}outline .*Plan\.opml \(found, 2 rows, opml, /);
    expect(existsSync(join(home, "data"))).toBe(false);
    writeFileSync(file, "<opml><body>");
    const bad = await runProgram(["doctor", "--home", home, "--outline", file], { home });
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringMatching(/PROBLEM {2}outline/) });
  });

  it("are offered by default, except for creating documents", async () => {
    const client = await connectStdio(temporaryFolder(), ERAS["2026-07-28"]);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(
        "get_current_document get_outline_structure get_row search_outline get_row_children add_row update_row move_row delete_row get_section_content insert_content check_connection open_document".split(
          " ",
        ),
      ),
    );
    expect(names).not.toContain("create_document");
  });

  it("are not changed in read-only mode", async () => {
    const { client } = await open(["--read-only"]);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    for (const name of ["add_row", "update_row", "move_row", "delete_row", "insert_content", "create_document"])
      expect(names).not.toContain(name);
    for (const name of ["get_row", "open_document"]) expect(names).toContain(name);
  });
});

describe("a large outline", () => {
  const TOPICS = Array.from({ length: 3000 }, (_, i) => `Row number ${i}`);

  it("is returned in pages that add up to the whole", async () => {
    const home = temporaryFolder();
    const file = join(home, "Large.opml");
    const rows = TOPICS.map(
      (topic, i) => `<outline text="${topic}">${i % 3 === 2 ? "</outline></outline></outline>" : ""}`,
    );
    writeFileSync(file, `<opml version="2.0"><body>${rows.join("")}</body></opml>`);
    const { call } = await open(["--outline", file], home);
    const read = async (tool: string, sent: object, part: (answer: Answer) => readonly unknown[] | string) => {
      const parts = [];
      for (let cursor: string | undefined = ""; cursor !== undefined;) {
        const answer: Answer = await call(tool, { ...sent, cursor });
        parts.push(part(answer));
        cursor = answer.nextCursor;
      }
      return parts;
    };
    const structure = await read("get_outline_structure", {}, ({ rows: page }) => page!);
    expect(structure.length).toBeGreaterThan(3);
    expect(structure.flat().map((row) => (row as Row).topic)).toEqual(TOPICS);
    expect(
      await read("get_outline_structure", { maxRows: 700 }, ({ rows: page }) => page!.map(({ id }) => id)),
    ).toHaveLength(Math.max(5, structure.length));
    const flat = (page: readonly Row[]): Row[] => page.flatMap((row) => [row, ...flat(row.children!)]);
    const sections = await read("get_section_content", {}, (answer) =>
      flat((answer["content"] as { rows: Row[] }).rows),
    );
    expect(sections.flat().map((row) => (row as Row).topic)).toEqual(TOPICS);
    const text = (await read("get_section_content", { format: "plain" }, (answer) => answer["text"] as string)).join(
      "",
    );
    expect(
      text
        .split("\n")
        .slice(1)
        .map((line) => line.trim()),
    ).toEqual(TOPICS);
    expect(await call("search_outline", { query: "row number", maxResults: 100 })).toMatchObject({
      totalMatches: 3000,
      truncated: true,
    });
  });

  it("does not block the server, whatever is searched for", async () => {
    const home = temporaryFolder();
    const file = join(home, "Large.opml");
    writeFileSync(file, opmlOf(TOPICS.map((topic) => `${topic} ${"a".repeat(60)}!`)));
    const { call } = await open(["--outline", file], home);
    expect((await call("search_outline", { query: "^(.*a+)+$", regex: true })).error?.code).toBe("timeout");
    expect((await call("search_outline", { query: "number 2999" }))["totalMatches"]).toBe(1);
  });

  it("accepts very many rows at once, and returns some of them", async () => {
    const { call } = await open();
    const content = TOPICS.map((topic) => ({ topic }));
    const { insertedRows, ...answer } = await call("insert_content", { content });
    expect(answer).toMatchObject({ success: true, message: "Inserted 3000 rows at the top level", truncated: true });
    expect((insertedRows as object[]).length).toBeLessThan(300);
    expect((insertedRows as object[]).at(-1)).toEqual({ "…": "3000 in all" });
    expect((await call("search_outline", { query: "row number" }))["totalMatches"]).toBe(3000);
  });

  it("previews a deletion with the exact number of rows", async () => {
    const home = temporaryFolder();
    const file = join(home, "Large.opml");
    writeFileSync(
      file,
      opmlOf(["All"]).replace(
        '"All"/>',
        `"All">${TOPICS.map((topic) => `<outline text="${topic}"/>`).join("")}</outline>`,
      ),
    );
    const { call, idOf } = await open(["--outline", file], home);
    const before = readFileSync(file);
    const { affectedRows, ...preview } = await call("delete_row", { rowId: await idOf("All") });
    expect(preview).toMatchObject({
      message: "This will delete 'All' and 3000 child rows. Set confirmed=true to proceed.",
      truncated: true,
      total: 3001,
    });
    expect(affectedRows).toHaveLength(100);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("whole documents", () => {
  /** Compressed bytes may differ though the content is the same. */
  const contentsAt = (path: string): string =>
    contentsOf(readFileSync(statSync(path).isDirectory() ? join(path, "contents.xml") : path)).toString();

  it.each(OUTLINES.filter(({ name }) => !name.includes("/")))(
    "$of is read, changed in every way, and as it was after undo",
    async ({ name, folder }) => {
      const home = temporaryFolder();
      const file = join(home, name);
      cpSync(join(folder, name), file, { recursive: true });
      for (const path of [file, ...(statSync(file).isDirectory() ? [join(file, "contents.xml")] : [])])
        chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
      const before = contentsAt(file);
      const { call } = await open(["--outline", file], home);
      const { rows } = await call("get_outline_structure");
      expect(rows!.length).toBeGreaterThan(0);
      const first = rows![0]!;
      const changes = [
        await call("add_row", { topic: "New <row> & more", note: "a\nnote", parentId: first.id }),
        await call("update_row", { rowId: first.id, topic: `${first.topic} changed`, note: "changed" }),
        await call("move_row", { rowId: rows!.at(-1)!.id, position: "first" }),
        await call("insert_content", { content: "- x\n  - y\n", format: "markdown" }),
        await call("delete_row", { rowId: first.id, confirmed: true }),
      ];
      for (const change of changes) expect(change).toMatchObject({ success: true });
      for (const _ of changes) expect(await call("undo")).toMatchObject({ success: true });
      expect(contentsAt(file)).toBe(before);
      expect((await call("get_outline_structure")).rows!.map(({ id }) => id)).toEqual(rows!.map(({ id }) => id));
    },
  );

  it.for(OLD_OUTLINES)("of OmniOutliner 2 are refused, and stay: $of", async ({ path, isHere }, { skip }) => {
    if (!isHere) skip();
    const home = temporaryFolder();
    const file = join(home, "old.ooutline");
    cpSync(path, file);
    chmodSync(file, 0o644);
    const { call } = await open(["--outline", file], home);
    expect((await call("add_row", { topic: "x" })).error?.message).toMatch(/OmniOutliner 2/);
    expect(readFileSync(file).equals(readFileSync(path))).toBe(true);
  });
});
