// Search through the packed program: fresh, shared by several servers, and
// rebuilt when its file is gone or damaged.
import { existsSync, readdirSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTEXT } from "../contract/vault.ts";
import { connectStdio, ERAS, runProgram, temporaryFolder } from "../processes/program.ts";
import { vaultFolder } from "../fixtures/vaults.ts";

async function open(vault: string, home = temporaryFolder()) {
  const args = ["--vault", vault, "--home", home, "--toolsets", "all"];
  const client = await connectStdio(home, ERAS["2025-11-25 and before"], args);
  const call = async (name: string, sent: object) => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
    return structuredContent as {
      results: { id: string }[];
      data: { links: object[]; tags: object[]; results: { path: string }[]; searches: object[] };
    };
  };
  const find = async (query: string) => (await call("search", { query })).results.map(({ id }) => id);
  return { client, call, find, home };
}

const NOTES = {
  "Garden/Beans.md": "# Runner beans\n\nSow them in late spring. See [[Peas]] and [[Nowhere]]. #garden\n",
  "Garden/Peas.md": "Peas climb, too. #garden/vegetable\n",
  "日本.md": "会議の議事録をまとめました。\n",
  "Café.md": "Straße und Größe\n",
};

describe("search", () => {
  it("finds words, phrases, parts of CJK words, folded letters and mistyped names", async () => {
    const { find } = await open(vaultFolder(NOTES));
    expect(await find("spring")).toEqual(["Garden/Beans.md"]);
    expect(await find('"late spring"')).toEqual(["Garden/Beans.md"]);
    expect(await find('"spring late"')).toEqual([]);
    expect(await find("議事録")).toEqual(["日本.md"]);
    expect(await find("strasse")).toEqual(["Café.md"]);
    expect(await find("cafe")).toEqual(["Café.md"]);
    expect(await find("runer baens")).toEqual(["Garden/Beans.md"]);
    expect(await find("peas -climb")).toEqual(["Garden/Beans.md"]);
  });

  it("names the words that nothing has, in structure and text, and only those", async () => {
    const vaults = [vaultFolder(NOTES), vaultFolder({ "Shed.md": "Poles and a codex." })];
    const home = temporaryFolder();
    const client = await connectStdio(home, ERAS["2025-11-25 and before"], [
      ...vaults.flatMap((vault) => ["--vault", vault]),
      "--home",
      home,
      "--toolsets",
      "all",
    ]);
    const call = async (name: string, sent: object) => {
      const { structuredContent, content } = await client.callTool({ name, arguments: { ...sent, context: CONTEXT } });
      const said = (content as { text: string }[]).map(({ text }) => text).join("\n");
      return { not_found: (structuredContent as { not_found?: string[] }).not_found, said };
    };
    for (const name of ["search", "vaultLibrarian_searchContent"]) {
      const { not_found, said } = await call(name, { query: "spring Zeppelin poles" });
      expect(not_found, name).toEqual(["Zeppelin"]);
      expect(said, name).toContain("No text has: Zeppelin.");
    }
    // Of another vault.
    expect((await call("search", { query: "spring codex" })).not_found).toBeUndefined();
    expect((await call("search", { queries: ["spring", "zeppelin codex"] })).not_found).toEqual(["zeppelin"]);
  });

  it("says how sure an answer to a question is, and ends where that ends unless a limit is sent", async () => {
    const days = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `Days/${i}.md`,
        `The evening of day ${i}: rain, a walk to the mill, water.`,
      ]),
    );
    const ferry = "In April Miriam took the night ferry to Gotland, and slept on the deck among bicycles.";
    const { call } = await open(vaultFolder({ ...days, "Ferry.md": ferry }));
    const ask = async (name: string, sent: object) =>
      (await call(name, sent)) as unknown as {
        results: object[];
        totalResults: number;
        known?: string;
        sureResults?: number;
      };
    const sure = "Who took the night ferry to Gotland in April, and was there rain?";
    const other = "When did Rashid sell the water mill in Toledo?";
    expect(await ask("search", { query: sure })).toMatchObject({ known: "yes", results: [{ id: "Ferry.md" }, {}, {}] });
    const whole = await ask("search", { query: sure, limit: 10 });
    expect([whole.results.length, whole.sureResults, whole.known]).toEqual([10, 1, "yes"]);
    const unsure = await ask("search", { query: other });
    expect([unsure.results.length, unsure.totalResults, unsure.known]).toEqual([3, 30, "no"]);
    expect(await ask("search", { query: "water mill" })).not.toHaveProperty("known");
    const contract = await ask("vaultLibrarian_searchContent", { query: other });
    expect([contract.results.length, contract.totalResults, contract.known]).toEqual([10, 30, "no"]);
    expect(await ask("recall_conversations", { search_query: other, since: "all" })).not.toMatchObject({
      known: "yes",
    });
  });

  it("takes several phrasings at once, and puts first what most of them find", async () => {
    const { call } = await open(vaultFolder({ ...NOTES, "Shed.md": "Poles that beans climb." }));
    const found = async (sent: object) => (await call("search", sent)).results.map(({ id }) => id);
    const phrasings = ["runner beans", "what climbs poles", "legumes beans poles"];
    expect((await found({ query: phrasings[0], queries: phrasings.slice(1) }))[0]).toBe("Shed.md");
    expect(await found({ queries: phrasings })).toEqual(
      await found({ query: phrasings[0], queries: phrasings.slice(1) }),
    );
    expect(await found({ query: "", queries: phrasings })).toEqual(await found({ queries: phrasings }));
    for (const sent of [{ queries: [" "] }, { query: "" }, { query: " ", queries: [] }, {}])
      expect(await call("search", sent)).toMatchObject({
        success: false,
        error: "Query parameter is required and cannot be empty",
      });
  });

  it("takes a time in the query for a filter, if anything of that time matches", async () => {
    const vault = vaultFolder({
      "old.md": "We painted the fence.",
      "new.md": "We painted the fence again.",
      "worded.md": "The fence that we painted in the last 3 days.",
      "2020-05-06.md": "Bought beans.",
    });
    const now = Date.now() / 1000;
    const day = 24 * 60 * 60;
    for (const [path, age] of [
      ["old.md", 400],
      ["new.md", 1],
      ["worded.md", 500],
      ["2020-05-06.md", 0],
    ] as const)
      utimesSync(join(vault, path), now - age * day, now - age * day);
    const { call } = await open(vault);
    const asked = async (query: string, sent: object = {}) => {
      const { results, during, hint } = (await call("search", { query, ...sent })) as {
        results: { id: string }[];
        during?: string;
        hint?: string;
      };
      return { ids: results.map(({ id }) => id).toSorted(), during, hint };
    };
    expect(await asked("when did we paint the fence")).toMatchObject({ ids: ["new.md", "old.md", "worded.md"] });
    const recently = await asked("did we paint the fence in the last 3 days");
    expect(recently.ids).toEqual(["new.md", "worded.md"]);
    expect(recently.during).toMatch(/^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/);
    // Nothing of that time: the words are words, and the answer says so.
    expect(await asked("beans two weeks ago")).toEqual({
      ids: ["2020-05-06.md"],
      during: undefined,
      hint: expect.stringMatching(
        /^Nothing of \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d matches, so "two weeks ago" was searched for as words\.$/,
      ),
    });
    // The time of one phrasing is not that of the others.
    const question = "did we paint the fence in the last 3 days";
    expect(await asked("painted fence", { queries: [question] })).toMatchObject({
      ids: ["new.md", "old.md", "worded.md"],
      during: `${recently.during} for "${question}"`,
    });
    // A time alone lists what is of it, the newest first.
    const { results } = await call("search", { query: "What was it in the last 3 days?" });
    expect(results.map(({ id }) => id)).toEqual(["2020-05-06.md", "new.md"]);
  });

  it("names notes that are near in meaning apart from the results, unless that is turned off", async () => {
    const vault = vaultFolder({
      "Octopus.md": "The octopus has eight arms, lives in the ocean among rocks, and hunts crabs and small fish.",
      "Budget.md": "The budget of the company: revenue, taxes, salaries, and the profit of every quarter.",
    });
    const { call, client } = await open(vault);
    const near = [
      { filePath: "Octopus.md", nearness: expect.any(Number), passage: expect.stringContaining("octopus") },
    ];
    expect(await call("search", { query: "cephalopod tentacles" })).toMatchObject({ results: [], related: near });
    expect(await call("vaultLibrarian_searchContent", { query: "cephalopod tentacles" })).toMatchObject({
      results: [],
      totalResults: 0,
      related: near,
    });
    const { content } = await client.callTool({ name: "search", arguments: { query: "cephalopod tentacles" } });
    expect((content as { text: string }[])[0]!.text).toMatch(/dataBegins \w+\n- related in meaning: note Octopus\.md/);
    const asked = ["call", "search", '{"query": "cephalopod tentacles"}', "--vault", vault];
    const off = await runProgram([...asked, "--related", "off"], { home: temporaryFolder() });
    expect(JSON.parse(off.stdout)).toMatchObject({ results: [] });
    expect(JSON.parse(off.stdout)).not.toHaveProperty("related");
    // A note that has the words may be related as well if the page has no place for it.
    const outline = join(temporaryFolder(), "rows.opml");
    writeFileSync(outline, '<opml version="2.0"><head/><body><outline text="ocean crabs fish"/></body></opml>');
    const mixed = ["call", "search", '{"query": "ocean crabs fish", "limit": 1}'];
    const { stdout } = await runProgram([...mixed, "--vault", vault, "--outline", outline], {
      home: temporaryFolder(),
    });
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ kind: "outline" }], related: near });
  });

  it("writes a line for each hit, with snippets that can be read", async () => {
    const table = "| Crop | Month |\n| --- | --- |\n| Beans | [[May|spring]] | ^row1\n\n![[map.png]]\n";
    const notes = {
      "Table.md": `---\nkind: plan\n---\n# Table\n\n${table}`,
      "Plan.md": "---\nseason: spring\n---\nSow.",
      "Broken.md": Buffer.of(0xff, 0xfe, 0xff),
    };
    const { client } = await open(vaultFolder(notes));
    const found = await client.callTool({ name: "search", arguments: { query: "spring" } });
    const text = (found.content as { text: string }[])[0]!.text;
    expect(
      text
        .split("\n")
        .filter((line) => line.startsWith("- "))
        .toSorted(),
    ).toEqual([
      expect.stringMatching(/^- note Plan\.md \| Plan \| \d{4}-\S+Z \| season: spring · Sow\.$/),
      expect.stringMatching(/^- note Table\.md \| Table \| \d{4}-\S+Z \| Crop, Month Beans, spring$/),
    ]);
    expect(text).toContain("2 of 2 results");
    // A file that cannot be read is named where it may be what was meant, among the words of others.
    expect(JSON.stringify(found)).not.toContain("Broken");
    expect(text).toContain("Read a note with contentManager_readContent {filePath: id}");
    const none = await client.callTool({ name: "search", arguments: { query: "winter" } });
    expect(none).toMatchObject({
      content: [
        {
          text: expect.stringMatching(
            /^No results found for query: winter\ndataBegins \w+\n- could not be read: Broken\.md \| .+\ndataEnds/,
          ),
        },
      ],
      structuredContent: { results: [], totalResults: 0, message: "No results found for query: winter" },
    });
    const tagged = await client.callTool({ name: "search", arguments: { query: "tag:#winter" } });
    const hint = "No note has the tag #winter.";
    expect(tagged).toMatchObject({ content: [{ text: expect.stringContaining(hint) }], structuredContent: { hint } });
    const long = await client.callTool({ name: "search", arguments: { query: "winter ".repeat(1_000) } });
    expect(JSON.stringify(long).length).toBeLessThan(1_000);
    const ofNobody = await client.callTool({
      name: "search",
      arguments: { query: "???", kinds: ["conversation"] },
    });
    expect(ofNobody).toMatchObject({ structuredContent: { hint: expect.stringContaining("no words") } });
    const elsewhere = await client.callTool({ name: "search", arguments: { query: "tag:x", kinds: ["outline"] } });
    expect(elsewhere).toMatchObject({ structuredContent: { hint: expect.stringContaining("Only notes have tags") } });
  });

  it("finds a canvas by its name and by what is on its cards, and names the tool that reads it", async () => {
    const card = "Compost needs air, water and patience.";
    const cards = [
      { id: "a", type: "text", text: `# Soil\n\n${card}`, x: 0, y: 0 },
      { id: "b", type: "file", file: "Garden/Peas.md", x: 400, y: 0 },
    ];
    const board = JSON.stringify({ nodes: cards, edges: [{ id: "c", fromNode: "a", toNode: "b", label: "feeds" }] });
    const { call, find } = await open(vaultFolder({ ...NOTES, "Garden/Spring board.canvas": board }));
    const { results, ...rest } = await call("search", { query: "patience compost" });
    expect(results).toMatchObject([{ kind: "canvas", title: "Spring board", id: "Garden/Spring board.canvas" }]);
    expect(rest).toMatchObject({ readWith: { canvas: "contentManager_readContent {filePath: id}" } });
    expect(results).toMatchObject([{ snippet: expect.stringContaining(card) }]);
    expect(JSON.stringify(results)).not.toContain("nodes");
    for (const query of ["spring board", "feeds", "path:garden soil"])
      expect(await find(query), query).toContain("Garden/Spring board.canvas");
    expect(await call("vaultLibrarian_searchContent", { query: "compost" })).toMatchObject({
      results: [{ filePath: "Garden/Spring board.canvas", metadata: { fileExtension: "canvas" } }],
    });
    const read = await call("contentManager_readContent", { filePath: results[0]!.id });
    expect(JSON.stringify(read)).toContain("patience");
  });

  it("finds what was written, moved and deleted by this server at once, and by others two seconds later", async () => {
    const vault = vaultFolder(NOTES);
    const { find, call } = await open(vault);
    await find("spring");
    await call("contentManager_createContent", { filePath: "New.md", content: "zucchini" });
    expect(await find("zucchini")).toEqual(["New.md"]);
    await call("vaultManager_moveNote", { path: "New", newPath: "Garden/Courgette" });
    expect(await find("zucchini")).toEqual(["Garden/Courgette.md"]);
    await call("undo", {});
    expect(await find("zucchini")).toEqual(["New.md"]);
    await call("vaultManager_moveFolder", { path: "Garden", newPath: "Plot" });
    expect(await find("spring")).toEqual(["Plot/Beans.md"]);
    await call("vaultManager_deleteNote", { path: "New" });
    expect(await find("zucchini")).toEqual([]);
    writeFileSync(join(vault, "Outside.md"), "aubergine");
    unlinkSync(join(vault, "Café.md"));
    await expect.poll(() => find("aubergine")).toEqual(["Outside.md"]);
    expect(await find("strasse")).toEqual([]);
  });

  it("is shared by several servers", async () => {
    const vault = vaultFolder(NOTES);
    const home = temporaryFolder();
    const servers = await Promise.all([open(vault, home), open(vault, home), open(vault, home)]);
    for (const found of await Promise.all(servers.map(({ find }) => find("spring"))))
      expect(found).toEqual(["Garden/Beans.md"]);
    await servers[0].call("contentManager_createContent", { filePath: "New.md", content: "zucchini" });
    expect(await servers[1].find("zucchini")).toEqual(["New.md"]);
    expect(readdirSync(join(home, "cache")).filter((name) => /^notes.*\.db$/.test(name))).toHaveLength(1);
  });

  it("works again after the index was deleted or damaged, and keeps it private", async () => {
    const vault = vaultFolder(NOTES);
    const home = temporaryFolder();
    const first = await open(vault, home);
    await first.find("spring");
    await first.client.close();
    const file = join(
      home,
      "cache",
      readdirSync(join(home, "cache")).find((name) => name.endsWith(".db"))!,
    );
    if (process.platform !== "win32") expect(statSync(file).mode & 0o077).toBe(0);
    writeFileSync(file, "not a database at all".repeat(1000));
    expect(await (await open(vault, home)).find("spring")).toEqual(["Garden/Beans.md"]);
    rmSync(join(home, "cache"), { recursive: true });
    expect(await (await open(vault, home)).find("spring")).toEqual(["Garden/Beans.md"]);
    expect(existsSync(file)).toBe(true);
  });

  it("is limited to the requested folders and days, however the path is written", async () => {
    const vault = vaultFolder(NOTES);
    utimesSync(join(vault, "Garden/Peas.md"), new Date("2020-05-05"), new Date("2020-05-05"));
    const { call } = await open(vault);
    const ids = async (sent: object) => (await call("search", { query: "peas", ...sent })).results.map(({ id }) => id);
    for (const path of ["Garden", "/Garden", "Garden/"]) expect(await ids({ path })).toHaveLength(2);
    for (const path of ["Garden/Peas", "/Garden/Peas.md"]) expect(await ids({ path })).toEqual(["Garden/Peas.md"]);
    expect(await ids({ path: "Gard" })).toEqual([]);
    expect(await ids({ until: "2020-05-05" })).toEqual(["Garden/Peas.md"]);
    expect(await ids({ until: "2020-05-04" })).toEqual([]);
    expect(await ids({ since: "2020-05-06" })).toEqual(["Garden/Beans.md"]);
    // A daily note is of its day, and a property may say of which day a note is.
    writeFileSync(join(vault, "2019-03-05.md"), "Sowed peas.\n");
    writeFileSync(join(vault, "Dated.md"), "---\ndate: 2019-03-06\n---\nPeas.\n");
    await expect
      .poll(async () => (await ids({ since: "2019-03", until: "2019-03" })).toSorted())
      .toEqual(["2019-03-05.md", "Dated.md"]);
    expect(await ids({ since: "2019-03-06", until: "2019-03-31" })).toEqual(["Dated.md"]);
    expect(await call("search", { query: "peas", since: "yesterday-ish" })).toMatchObject({
      error: "since must be a date, such as 2026-01-31",
    });
    const refused = async (sent: object) => {
      const { error, hint } = (await call("search", { query: "peas", ...sent })) as { error?: string; hint?: string };
      return [error, hint];
    };
    expect(await refused({ until: "2023-13-99" })).toEqual([
      "until must be a date, such as 2026-01-31",
      'Also 2026-01, march, yesterday, last week, 7d; not "2023-13-99".',
    ]);
    expect(await refused({ since: "2024-05", until: "2024-03-07" })).toEqual([
      "since must not be after until",
      'since "2024-05" is 2024-05-01, and until "2024-03-07" ends on 2024-03-07: swap them, or leave one out.',
    ]);
    expect(await ids({ since: "2020-05-05", until: "2020-05-05" })).toEqual(["Garden/Peas.md"]);
    for (const limit of [-1, 0, 100_000])
      expect((await refused({ limit }))[0]).toBe("Invalid search limit: must be between 1 and 100");
    expect(await call("search", { query: "peas", path: "../x" })).toMatchObject({ error: "Path cannot contain '..'" });
  });

  it("returns links, tags, names, and several searches in one call", async () => {
    const { call } = await open(vaultFolder(NOTES));
    const links = async (path: string, type: string) => (await call("vaultLibrarian_links", { path, type })).data.links;
    expect(await links("Garden/Peas", "backlinks")).toEqual([{ from: "Garden/Beans.md", count: 1 }]);
    expect(await links("Garden", "backlinks")).toEqual([{ from: "Garden/Beans.md", to: "Garden/Peas.md", count: 1 }]);
    expect(await links("Garden", "unresolved")).toEqual([{ from: "Garden/Beans.md", target: "Nowhere" }]);
    expect(await links("/", "orphans")).toEqual(expect.arrayContaining([{ path: "Garden/Beans.md" }]));
    expect((await call("vaultLibrarian_tags", {})).data.tags).toEqual(
      expect.arrayContaining([{ tag: "garden", count: 1 }]),
    );
    const named = await call("vaultLibrarian_searchDirectory", { query: "pea", paths: ["/"] });
    expect(named.data.results).toMatchObject([{ path: "Garden/Peas.md", type: "file" }]);
    const batch = await call("vaultLibrarian_batch", { queries: [{ query: "spring" }, { query: "xylophone" }] });
    expect(batch.data.searches).toMatchObject([{ totalResults: 1 }, { totalResults: 0 }]);
  });

  it("looks for the first words of a long text and says so, whatever tool is asked", async () => {
    const { call } = await open(vaultFolder(NOTES));
    const long = `runner beans in late spring ${Array.from({ length: 60_000 }, (_, i) => `w${i}`).join(" ")}`;
    const hint = "The query is long: only its first 64 words were searched for.";
    const first = { hint, results: [{ filePath: "Garden/Beans.md" }] };
    expect(await call("vaultLibrarian_searchContent", { query: long })).toMatchObject(first);
    expect(await call("search", { query: "peas", queries: [long] })).toMatchObject({ hint });
    expect(await call("search", { query: long, kinds: ["outline", "conversation"] })).toMatchObject({ hint });
    expect(await call("vaultLibrarian_searchMemory", { query: long })).toMatchObject({ hint });
    expect(await call("recall_conversations", { search_query: long })).toMatchObject({
      summary: { hint: expect.stringContaining(hint) },
    });
  });

  it("refuses too many filters with a sentence", async () => {
    const { call } = await open(vaultFolder(NOTES));
    const many = (before: string) => Array.from({ length: 5_000 }, (_, i) => `${before}${i}`);
    const query = many("-path:w").join(" ");
    const sentence = "The query has 5000 filters and excluded words; a search takes up to 64.";
    for (const name of ["search", "vaultLibrarian_searchContent", "vaultLibrarian_searchMemory"])
      expect(await call(name, { query }), name).toMatchObject({ error: expect.stringContaining(sentence) });
    expect(await call("recall_conversations", { search_query: query })).toMatchObject({ error: { message: sentence } });
    expect(await call("recall_conversations", { tags: many("t") })).toMatchObject({
      error: { message: "The tags are 5000 words; a search takes up to 64." },
    });
    expect(await call("vaultLibrarian_searchContent", { query: "peas", paths: many("w") })).toMatchObject({
      error: expect.stringContaining("Too many notes and folders were named for one search."),
    });
  });

  it("is a command too", async () => {
    const vault = vaultFolder(NOTES);
    utimesSync(join(vault, "Garden/Peas.md"), new Date("2020-05-05T12:00"), new Date("2020-05-05T12:00"));
    const home = temporaryFolder();
    const run = (...args: string[]) => runProgram([...args, "--vault", vault, "--home", home], { home });
    expect((await run("index")).stdout).toMatch(/^notes: 4 files, 4 changed, 0 gone, in [\d.]+ s\n/);
    expect((await run("search", "late", "spring")).stdout).toContain("Garden/Beans.md");
    expect(JSON.parse((await run("search", "spring", "--json")).stdout).totalResults).toBe(1);
    expect((await run("search", "xylophone")).stdout).toBe("Nothing found for: xylophone\n");
    const old = await run("search", "peas", "--until", "2020-05-31", "--since", "2020-05");
    expect(old.stdout).toMatch(
      /^note {2}Peas {2}Garden\/Peas\.md {2}2020-05-05\n[^]*\n1 of 1\ncommonplace read ID opens one, a note by its path\.\n$/,
    );
    expect((await run("search", "peas", "last", "2", "days")).stdout).toMatch(/\n1 of 1, only of \d{4}-\d\d-\d\d to /);
    expect((await run("search", "peas", "two", "years", "ago")).stdout).toContain("searched for as words.\n");
    expect((await run("search", "vegetable", "seeds")).stdout).toMatch(/\n\nrelated {2}Garden\/\w+\.md\n {2}\S/);
    expect(await run("search", "peas", "--since", "someday")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("since must be a date, such as 2026-01-31"),
    });
    expect(await run("search")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Name the words to search for"),
    });
  });
});
