// OmniOutliner in the packed program: which document is current, errors and their
// hints, a person who edits at the same time, large documents. The application is
// simulated (see simulator/); the program, its scripts and its processes are real.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { collect, connectStdio, environmentIn, ERAS, runProgram, temporaryFolder } from "../processes/program.ts";
import { documentOf, idsByTopic, openSimulator, rowNamed } from "../simulator/simulator.ts";
import type { SimulatedState } from "../simulator/state.ts";

interface Answer {
  readonly error?: { readonly code: string; readonly message: string };
  readonly hint?: string;
  readonly message?: string;
  readonly version: string;
  readonly document: { readonly name: string; readonly path: string | null; readonly rowCount: number };
  readonly rows: readonly { readonly id: string; readonly topic: string; readonly note: string | null }[];
  readonly newRow: { readonly id: string; readonly topic: string; readonly note: string | null };
  readonly movedRow: { readonly id: string; readonly childIds: readonly string[] };
  readonly insertedRows: readonly unknown[];
  readonly [more: string]: unknown;
}

const LINES = ["Plan | of it all", "  [ ] One", "  [x] Two", "Other"];
const FRONT = () => documentOf("Plan", "/Users/me/Plan.ooutline", LINES);

/** A Mac with OmniOutliner, and the program running on it. */
async function start(
  given: Partial<SimulatedState> = {},
  args: readonly string[] = ["--outline", "app"],
  isMac = true,
) {
  const home = temporaryFolder();
  const mac = openSimulator(home, { documents: [FRONT()], ...given });
  const machine = isMac ? mac : { env: mac.env };
  const all = ["--home", home, "--toolsets", "all", ...args];
  const client = await connectStdio(home, ERAS["2025-11-25 and before"], all, machine);
  const call = async (name: string, sent: object = {}) =>
    (await client.callTool({ name, arguments: { ...sent } })).structuredContent as unknown as Answer;
  const idOf = (topic: string) => idsByTopic(mac.state().documents[0]!.rows).get(topic)!;
  return { home, mac, call, idOf };
}

describe("check_connection", () => {
  it("names the frontmost document", async () => {
    const { call } = await start();
    expect(await call("check_connection")).toEqual({
      connected: true,
      appRunning: true,
      documentOpen: true,
      documentName: "Plan.ooutline",
      message: "Connected to OmniOutliner. Document 'Plan.ooutline' is open.",
    });
  });

  it("asks for a document if none is open", async () => {
    const { call } = await start({ documents: [] });
    expect(await call("check_connection")).toEqual({
      connected: false,
      appRunning: true,
      documentOpen: false,
      documentName: null,
      message: "OmniOutliner is running but no document is open. Please open a document.",
    });
    expect((await call("get_outline_structure")).error).toMatchObject({ code: "no_document" });
  });

  it("asks for the application if it is not running, and does not start it", async () => {
    const { call, mac } = await start({ isRunning: false });
    expect(await call("check_connection")).toEqual({
      connected: false,
      appRunning: false,
      documentOpen: false,
      documentName: null,
      message: "OmniOutliner is not running. Please launch OmniOutliner and open a document.",
    });
    for (const [tool, sent] of [
      ["get_current_document", {}],
      ["add_row", { topic: "x" }],
      ["search_outline", { query: "x" }],
    ] as const)
      expect((await call(tool, sent)).error).toMatchObject({ code: "app_not_running" });
    expect(mac.state().wasLaunched).toBe(false);
  });

  it("treats an application that is not installed as not running", async () => {
    const { call } = await start({ isInstalled: false });
    expect(await call("check_connection")).toMatchObject({ connected: false, appRunning: false });
  });
});

describe("a problem comes with a hint what to do:", () => {
  it("no permission to control the application", async () => {
    const { call } = await start({ isAllowed: false });
    expect(await call("get_outline_structure")).toMatchObject({
      error: { code: "access_denied", message: "This program is not allowed to control OmniOutliner." },
      hint: expect.stringContaining("System Settings > Privacy & Security > Automation"),
    });
    expect(await call("check_connection")).toMatchObject({ connected: false, appRunning: true });
  });

  it("no Pro edition", async () => {
    const { call } = await start({ isPro: false });
    expect(await call("add_row", { topic: "x" })).toMatchObject({
      error: { code: "pro_required" },
      hint: expect.stringContaining("OmniOutliner Pro"),
    });
  });

  it("a checkbox that the document does not accept, and nothing is changed", async () => {
    const { call, mac, idOf } = await start({ takesStates: false });
    const answer = await call("update_row", { rowId: idOf("One"), topic: "Changed", state: "checked" });
    expect(answer.error).toMatchObject({
      code: "invalid_params",
      message: expect.stringContaining("nothing was changed"),
    });
    expect(mac.lines()).toEqual(LINES);
  });

  it("an entry that the application can no longer undo", async () => {
    const { call, mac } = await start();
    await call("add_row", { topic: "New" });
    mac.change(({ documents: [front] }) => (rowNamed(front!.rows, "Other")!.topic = "By hand"));
    expect(await call("undo")).toMatchObject({
      success: false,
      error: "The document was changed in OmniOutliner since: nothing was undone.",
      hint: expect.stringContaining("Cmd+Z"),
    });
    expect(mac.lines()).toEqual([...LINES.slice(0, 3), "By hand", "New"]);
  });
});

describe("documentName", () => {
  it("names any document that is open in the application, else a file", async () => {
    const { call, mac } = await start({
      documents: [FRONT(), documentOf("Trip", "/Users/me/Trip.ooutline", ["Pack"]), documentOf("New", null, ["Draft"])],
    });
    for (const [documentName, meant] of [
      ["trip", "Trip.ooutline"],
      ["Trip.ooutline", "Trip.ooutline"],
      ["/Users/me/Trip.ooutline", "Trip.ooutline"],
      ["Plan", "Plan.ooutline"],
    ])
      expect(await call("add_row", { topic: `to ${documentName}`, documentName })).toMatchObject({
        success: true,
        documentName: meant,
      });
    expect(await call("add_row", { topic: "more", documentName: "New" })).toMatchObject({ success: true });
    const lines = mac.state().documents.map(({ rows }) => rows.map(({ topic }) => topic));
    expect(lines).toEqual([
      ["Plan", "Other", "to Plan"],
      ["Pack", "to trip", "to Trip.ooutline", "to /Users/me/Trip.ooutline"],
      ["Draft", "more"],
    ]);
    expect((await call("add_row", { topic: "lost", documentName: "Holiday" })).error).toMatchObject({
      code: "no_document",
    });
  });
});

describe.each([true, false])("the frontmost document (Omni Automation: %s)", (answersAutomation) => {
  it("takes one process per read and one per write, also with an expected version", async () => {
    const { call, mac, idOf } = await start({ answersAutomation });
    const { version } = await call("get_row", { rowId: idOf("One") });
    expect(mac.calls()).toEqual(["read"]);
    const added = await call("add_row", { topic: "Three", parentId: idOf("Plan"), expectedVersion: version });
    expect(mac.calls()).toEqual(["change"]);
    await call("update_row", { rowId: added.newRow.id, topic: "3", expectedVersion: added.version });
    await call("delete_row", { rowId: added.newRow.id, confirmed: true });
    expect(mac.calls()).toEqual(["change", "change"]);
    expect((await call("get_outline_structure"))["document"]).toMatchObject({ version });
    expect(mac.lines()).toEqual(LINES);
  });

  it("stores any text unchanged", async () => {
    const { call, mac } = await start({ answersAutomation });
    const topics = [
      'it\'s "quoted" `#{1+1}` \\ \\n \\u0041',
      "👩‍👩‍👧 — ünïcödé 日本語 \u2028\u2029 \u00a0",
      "two\nlines\tand a tab",
      "');Application('Finder').quit();('",
      "</script> & <b>",
    ];
    for (const topic of topics) {
      const { newRow } = await call("add_row", { topic, note: `note of ${topic}` });
      expect(newRow).toMatchObject({ topic, note: `note of ${topic}` });
    }
    const { rows } = mac.state().documents[0]!;
    expect(rows.slice(2).map(({ topic, note }) => [topic, note])).toEqual(
      topics.map((topic) => [topic, `note of ${topic}`]),
    );
  });

  it("gets a change planned again if the person changed what it touches", async () => {
    const { call, mac, idOf } = await start({ answersAutomation });
    await call("get_outline_structure");
    mac.calls();
    mac.change(({ documents: [front] }) =>
      rowNamed(front!.rows, "Plan")!.children.push({
        id: "byHand",
        topic: "By hand",
        note: "",
        state: null,
        children: [],
      }),
    );
    expect(await call("delete_row", { rowId: idOf("Plan"), confirmed: true })).toMatchObject({ deletedCount: 4 });
    expect(mac.calls()).toEqual(["change", "change"]);
    expect(mac.lines()).toEqual(["Other"]);
  });

  it("is changed where the person does not type, and undone without undoing what was typed", async () => {
    const { call, mac, idOf } = await start({ answersAutomation });
    await call("get_outline_structure");
    mac.calls();
    mac.change(({ documents: [front] }) => (rowNamed(front!.rows, "Other")!.note = "typed"));
    await call("add_row", { topic: "Three", parentId: idOf("Plan") });
    expect(mac.calls()).toEqual(["change"]);
    expect(await call("undo")).toMatchObject({ success: true });
    expect(mac.lines()).toEqual([...LINES.slice(0, 3), "Other | typed"]);
  });

  it("is not changed if the person has changed the expected version", async () => {
    const { call, mac, idOf } = await start({ answersAutomation });
    const { version } = await call("get_row", { rowId: idOf("One") });
    mac.change(({ documents: [front] }) => (rowNamed(front!.rows, "Other")!.note = "typed"));
    const refused = await call("update_row", { rowId: idOf("One"), topic: "1", expectedVersion: version });
    expect(refused.error).toMatchObject({ code: "conflict" });
    expect(mac.lines()).toEqual([...LINES.slice(0, 3), "Other | typed"]);
  });

  it("finds a row that was added after the last read, and reports one that is gone", async () => {
    const { call, mac, idOf } = await start({ answersAutomation });
    await call("get_outline_structure");
    const gone = idOf("Two");
    mac.change(({ documents: [front] }) => {
      rowNamed(front!.rows, "Plan")!.children.pop();
      front!.rows.push({ id: "byHand", topic: "By hand", note: "", state: null, children: [] });
    });
    expect(await call("update_row", { rowId: "byHand", topic: "Ours" })).toMatchObject({ success: true });
    expect((await call("update_row", { rowId: gone, topic: "x" })).error).toMatchObject({ code: "row_not_found" });
    expect(mac.lines()).toEqual([...LINES.slice(0, 2), "Other", "Ours"]);
  });

  it("does not get a change that was meant for another document", async () => {
    const { call, mac } = await start({ answersAutomation });
    const { version } = await call("get_outline_structure").then(({ document }) => document as unknown as Answer);
    mac.change((state) => state.documents.unshift(documentOf("Second", null, ["Only row"])));
    expect((await call("add_row", { topic: "x", expectedVersion: version })).error).toMatchObject({ code: "conflict" });
    expect(await call("get_current_document")).toMatchObject({ document: { name: "Second", path: null, rowCount: 1 } });
  });

  it("is undone and redone completely by the application, several steps in a row", async () => {
    const { call, mac, idOf } = await start({ answersAutomation });
    await call("insert_content", { content: [{ topic: "A", note: "a", children: [{ topic: "A1" }] }] });
    await call("update_row", { rowId: idOf("Plan"), state: "checked" });
    const after = mac.lines();
    expect(await call("undo")).toMatchObject({ success: true, tool: "update_row" });
    expect(await call("undo")).toMatchObject({ success: true, tool: "insert_content" });
    expect(mac.lines()).toEqual(LINES);
    expect(await call("redo")).toMatchObject({ success: true, tool: "insert_content" });
    expect(await call("redo")).toMatchObject({ success: true, tool: "update_row" });
    expect(mac.lines()).toEqual(after);
    expect(await call("history")).toMatchObject({ entries: [{ tool: "update_row" }, { tool: "insert_content" }] });
    expect((await call("redo"))["error"]).toBe("There is nothing to redo.");
  });

  it("accepts more rows than fit into one script", async () => {
    const { call, mac } = await start({ answersAutomation });
    const many = answersAutomation ? 600 : 60;
    const rows = Array.from({ length: many }, (_, at) => ({
      topic: `Row ${at} 日本語`,
      note: "é".repeat(150),
      children: [{ topic: `below ${at}` }],
    }));
    const inserted = await call("insert_content", { content: rows, position: "first" });
    expect(inserted.message).toBe(`Inserted ${2 * many} rows at the top level`);
    expect(mac.calls()).toEqual(["read", "change"]);
    const { rows: held } = mac.state().documents[0]!;
    expect(held).toHaveLength(many + 2);
    expect(held.slice(0, many).map(({ topic, note, children }) => ({ topic, note, children }))).toEqual(
      rows.map((row) => ({ ...row, children: [expect.objectContaining({ topic: row.children[0]!.topic })] })),
    );
    expect(await call("undo")).toMatchObject({ success: true });
    expect(mac.lines()).toEqual(LINES);
  });
});

describe("through the scripting dictionary", () => {
  it("a row that the application cannot move is copied completely, and the result names its new id", async () => {
    const { call, mac, idOf } = await start({ answersAutomation: false, movesRows: false });
    mac.change(({ documents: [front] }) => (rowNamed(front!.rows, "Two")!.style = "bold"));
    const plan = idOf("Plan");
    const { message, movedRow } = await call("move_row", { rowId: plan, newParentId: idOf("Other") });
    expect(movedRow).toMatchObject({ topic: "Plan", parentId: idOf("Other"), childIds: [idOf("One"), idOf("Two")] });
    expect(movedRow.id).not.toBe(plan);
    expect(message).toBe(
      `Moved 'Plan' under 'Other'. It has a new id, ${movedRow.id}: this version of OmniOutliner cannot keep ids when it moves rows`,
    );
    expect(mac.lines()).toEqual(["Other", "  Plan | of it all", "    [ ] One", "    [x] Two"]);
    expect(rowNamed(mac.state().documents[0]!.rows, "Two")).toMatchObject({ style: "bold" });
  });
});

describe("the current document on a Mac", () => {
  it("is the frontmost one if nothing is configured and one is open, otherwise the file", async () => {
    const { call, mac } = await start({}, []);
    expect(await call("get_current_document")).toMatchObject({ document: { name: "Plan.ooutline", format: "app" } });
    await call("add_row", { topic: "New" });
    expect(mac.lines()).toEqual([...LINES, "New"]);
    mac.change((state) => (state.isRunning = false));
    expect(await call("check_connection")).toMatchObject({
      appRunning: false,
      message: "Connected to file. Document 'outline.opml' is open.",
    });
    expect(await call("add_row", { topic: "In the file" })).toMatchObject({ success: true });
    expect(mac.state().wasLaunched).toBe(false);
    expect(await call("undo")).toMatchObject({ message: "Undid: Added row 'In the file' at the top level" });
  });

  it("is the configured file, through the application while it is open there", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "Plan.opml");
    writeFileSync(file, '<opml version="2.0"><body><outline text="in the file"/></body></opml>');
    const { call, mac } = await start({}, ["--outline", file]);
    expect(await call("get_outline_structure")).toMatchObject({ rows: [{ topic: "in the file" }] });
    mac.change((state) => state.documents.push(documentOf("Plan", file, ["in the application"])));
    const before = readFileSync(file);
    expect(await call("get_outline_structure")).toMatchObject({ rows: [{ topic: "in the application" }] });
    expect(await call("add_row", { topic: "New" })).toMatchObject({ success: true });
    expect(mac.state().documents[1]!.rows.map(({ topic }) => topic)).toEqual(["in the application", "New"]);
    expect(readFileSync(file).equals(before), "nothing is written under an open document").toBe(true);
    mac.change((state) => state.documents.pop());
    expect(await call("get_outline_structure")).toMatchObject({ rows: [{ topic: "in the file" }] });
  });

  it("is not written as a file if it is unknown whether the application has it open", async () => {
    const file = join(temporaryFolder(), "Plan.opml");
    writeFileSync(file, '<opml version="2.0"><body><outline text="in the file"/></body></opml>');
    const { call, mac } = await start({ isAllowed: false }, ["--outline", file]);
    expect(await call("get_outline_structure")).toMatchObject({ rows: [{ topic: "in the file" }] });
    expect((await call("add_row", { topic: "New" })).error).toMatchObject({ code: "access_denied" });
    mac.change((state) => (state.isRunning = false));
    expect(await call("add_row", { topic: "New" })).toMatchObject({ success: true });
  });

  it("is the file if the application is not installed, which is checked once", async () => {
    const { call, mac } = await start({ isInstalled: false }, []);
    expect(await call("add_row", { topic: "x" })).toMatchObject({ success: true });
    expect(await call("get_current_document")).toMatchObject({ document: { name: "outline.opml" } });
    expect(mac.calls()).toEqual(["read"]);
  });

  it("is never looked up in the application on another system", async () => {
    const { call, mac } = await start({}, [], false);
    expect(await call("check_connection")).toMatchObject({ documentName: "outline.opml", appRunning: false });
    const configured = await start({}, ["--outline", "app"], false);
    expect((await configured.call("add_row", { topic: "x" })).error).toMatchObject({ code: "app_not_running" });
    expect([...mac.calls(), ...configured.mac.calls()]).toEqual([]);
  });
});

const ROWS = repeats({ short: 20_000, long: 100_000 });

describe(`a document of ${ROWS} rows`, () => {
  it("is read and changed as a whole", CAMPAIGN, async () => {
    const lines = Array.from({ length: ROWS }, (_, at) =>
      at % 10 === 0 ? `Chapter ${at}` : `  [ ] Row ${at} with some words in it | and a note`,
    );
    const { call, mac } = await start({ documents: [documentOf("Big", "/Users/me/Big.ooutline", lines)] });
    expect(await call("get_current_document")).toMatchObject({ document: { rowCount: ROWS } });
    expect(await call("search_outline", { query: `Row ${ROWS - 1}` })).toMatchObject({ totalMatches: 1 });
    expect(await call("add_row", { topic: "Last" })).toMatchObject({ success: true });
    expect(mac.state().documents[0]!.rows.at(-1)!.topic).toBe("Last");
    expect(mac.calls()).toEqual(["read", "read", "change"]);
  });
});

describe("commonplace doctor --outline app", () => {
  const doctor = (mac: ReturnType<typeof openSimulator>, home: string) =>
    runProgram(["doctor", "--home", home, "--outline", "app"], { home, nodeArgs: mac.nodeArgs, env: mac.env });

  it("reports each capability, and changes nothing", async () => {
    const home = temporaryFolder();
    const mac = openSimulator(home, { documents: [FRONT()] });
    const { stdout, code } = await doctor(mac, home);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ok +outline: running +yes, version 5\.14/);
    expect(stdout).toMatch(/ok +outline: document +'Plan' is frontmost, at \/Users\/me\/Plan\.ooutline/);
    expect(stdout).toMatch(/ok +outline: automation +answers/);
    expect(stdout).toMatch(/ok +outline: reading by automation +4 rows in .* can undo: no/);
    expect(stdout).toMatch(/ok +outline: reading by dictionary +4 rows/);
    expect(stdout).toMatch(/ok +outline: agreement +both ways read the same/);
    expect(mac.calls()).toEqual(["look", "read", "read"]);
  });

  it("says what to do if something prevents access", async () => {
    const home = temporaryFolder();
    const mac = openSimulator(home, { isAllowed: false });
    const { stdout, code } = await doctor(mac, home);
    expect(code).toBe(1);
    expect(stdout).toMatch(/PROBLEM +outline: running +This program is not allowed.*\n.*→ .*System Settings/);
  });
});

describe("npm run try-omnioutliner", () => {
  const tryIt = (mac: ReturnType<typeof openSimulator>, home: string) => {
    const script = join(import.meta.dirname, "..", "..", "scripts", "try-omnioutliner.ts");
    const env = { ...environmentIn(home), ...mac.env };
    return collect(
      spawn(process.execPath, ["--experimental-strip-types", "--no-warnings", ...mac.nodeArgs, script], {
        cwd: home,
        env,
      }),
    );
  };

  it("checks every capability on a document made for it, and restores it", async () => {
    const home = temporaryFolder();
    const path = "/Users/me/Commonplace try.ooutline";
    const mac = openSimulator(home, { documents: [documentOf("Commonplace try", path, ["Mine"])] });
    const { stdout, code } = await tryIt(mac, home);
    expect(stdout).toContain("Everything works here.");
    expect(stdout.match(/^ok /gm)).toHaveLength(8);
    expect(code).toBe(0);
    expect(mac.lines()).toEqual(["Mine"]);
  });

  it("writes to no other document", async () => {
    const home = temporaryFolder();
    const mac = openSimulator(home, { documents: [FRONT()] });
    const { code } = await tryIt(mac, home);
    expect([code, ...mac.calls()]).toEqual([2, "read"]);
  });
});
