// A vault that is a space of a shared store, with the built program on two
// machines: notes, links, search, outlines, undo, and the folder that it came from.
import type { Client } from "@modelcontextprotocol/client";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStdio, runProgram, temporaryFolder } from "../processes/program.ts";
import { everythingIn } from "../fixtures/vault-content.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase, type TestDatabase } from "./store-fixture.ts";

describe.runIf(HAS_POSTGRESQL)("a vault in a shared store", () => {
  let database: TestDatabase;
  let [alice, bob] = ["", ""];
  let asAdmin: { readonly home: string; readonly env: Record<string, string> };
  const homes = { alice: temporaryFolder(), bob: temporaryFolder() };
  const folder = join(temporaryFolder(), "Notes");
  let clients: Readonly<Record<"alice" | "bob", Client>>;

  const environment = (login: string) => ({ COMMONPLACE_STORE: database.address(login) });
  const run = (args: readonly string[], who: "alice" | "bob" = "alice") =>
    runProgram(args, { home: homes[who], env: environment(who === "alice" ? alice : bob) });
  const connect = (who: "alice" | "bob") =>
    connectStdio(homes[who], {}, ["--toolsets", "all", "--vault", "store:team"], {
      env: environment(who === "alice" ? alice : bob),
    });
  const call = async (client: Client, name: string, sent: object): Promise<Record<string, unknown>> => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...sent } });
    return structuredContent as Record<string, unknown>;
  };
  const textOf = async (client: Client, path: string) =>
    (await client.callTool({ name: "contentManager_readContent", arguments: { filePath: path } })) as {
      content: { text: string }[];
    };

  beforeAll(async () => {
    database = await newDatabase();
    [alice, bob] = [await database.newLogin("alice"), await database.newLogin("bob")];
    asAdmin = { home: temporaryFolder(), env: environment(SUPERUSER) };
    await runProgram(["store", "init", "--space", "team"], asAdmin);
    await runProgram(["store", "add", "alice", "--login", alice, "--role", "owner"], asAdmin);
    await runProgram(["store", "add", "bob", "--login", bob], asAdmin);
    mkdirSync(join(folder, "Trips"), { recursive: true });
    writeFileSync(join(folder, "Kyoto.md"), "# Kyoto\r\n\r\nTemples and maples.\r\n");
    writeFileSync(join(folder, "Trips", "Japan.md"), "---\ntags: [travel]\n---\nSee [[Kyoto]] in autumn.\n");
    writeFileSync(join(folder, "Trips", "map.png"), Buffer.from([0x89, 0x50, 0, 255]));
    mkdirSync(join(folder, "Empty"));
  });

  it("takes a folder in, to the byte, once, and says what differs", async () => {
    expect(JSON.parse((await run(["store", "import", folder, "--space", "team", "--json"])).stdout)).toEqual({
      added: 3,
      same: 0,
      settings: [],
      differing: [],
      skipped: [],
    });
    expect(JSON.parse((await run(["store", "import", folder, "--space", "team", "--json"])).stdout)).toMatchObject({
      added: 0,
      same: 3,
    });
    writeFileSync(join(folder, "Kyoto.md"), "changed");
    const second = await run(["store", "import", folder, "--space", "team"]);
    expect(second.code).toBe(1);
    expect(second.stdout).toContain("1 file differs, and stays as it is:\n  Kyoto.md");
    const { stdout } = await run(["store", "status"]);
    expect(stdout).toMatch(/team \(owner\): alice \(owner\), bob \(writer\), .*; 3 files, \d+ bytes/);
  });

  it("tells the members which folder was imported, and not where it is on the machine", async () => {
    const rows = await database.superuser`SELECT DISTINCT message FROM commonplace.file_change`;
    expect(rows).toEqual([{ message: `Imported from ${basename(folder)}` }]);
    const missing = await run(["store", "import", join(folder, "Nowhere"), "--space", "team"]);
    expect(missing.stderr).toContain(`There is no folder ${join(folder, "Nowhere")} to import.`);
    expect(missing.code).not.toBe(0);
  });

  it.skipIf(process.platform !== "linux")("adds the rest if two names of a folder are one in the store", async () => {
    const twins = temporaryFolder();
    for (const name of ["caf\u00E9.md", "cafe\u0301.md", "Zebra.md"]) writeFileSync(join(twins, name), name);
    const space = ["--space", "alice"];
    await runProgram(["store", "init", ...space], asAdmin);
    await runProgram(["store", "add", "alice", ...space], asAdmin);
    const { stdout, code } = await run(["store", "import", twins, ...space, "--json"]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 1,
      added: 2,
      skipped: [{ reason: expect.stringContaining("It would have the same name there as caf") }],
    });
    // Linux says that a folder in /proc is missing: it cannot be created.
    const refused = await run(["store", "export", "/proc/commonplace/out", ...space, "--json"]);
    expect(JSON.parse(refused.stdout)).toMatchObject({ success: false, code: "not_found" });
    await run(["store", "leave", ...space, "--yes"]);
  });

  it("writes everything out as a folder, and replaces nothing there", async () => {
    const target = join(temporaryFolder(), "Out");
    const { code } = await run(["store", "export", target, "--space", "team"], "bob");
    expect(code).toBe(0);
    writeFileSync(join(folder, "Kyoto.md"), "# Kyoto\r\n\r\nTemples and maples.\r\n");
    expect(everythingIn(target)).toEqual(everythingIn(folder));
    expect(existsSync(join(target, "Empty"))).toBe(true);
    writeFileSync(join(target, "Kyoto.md"), "mine");
    const again = await run(["store", "export", target, "--space", "team", "--json"], "bob");
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, same: 2, differing: ["Kyoto.md"] });
    expect(readFileSync(join(target, "Kyoto.md"), "utf8")).toBe("mine");
  });

  it("is written out but for what a member has put below a file by SQL of their own", async () => {
    const rows = ["Kyoto.md/Low.md", "Kyoto.md/Lower/Low.md"];
    await database.superuser`
      INSERT INTO commonplace.file (space, path, key, folder, kind, hash, size, version, created, modified, bytes)
      SELECT space, path, path, regexp_replace(path, '/[^/]*$', ''), 'file', '', 3, 1, 1, 1, 'low'
      FROM unnest(${rows}::text[]) AS path, (SELECT space FROM commonplace.file WHERE path = 'Kyoto.md') AS of`;
    const target = join(temporaryFolder(), "Out");
    const { stdout } = await run(["store", "export", target, "--space", "team", "--json"], "bob");
    const reason = "It would be in a folder of the same name as the file Kyoto.md.";
    expect(JSON.parse(stdout)).toMatchObject({ added: 3, skipped: rows.map((path) => ({ path, reason })) });
    expect(everythingIn(target)).toEqual(everythingIn(folder));
    await database.superuser`DELETE FROM commonplace.file WHERE path = ANY(${rows})`;
  });

  it("is read, searched and changed by both members, each seeing at once what the other did", async () => {
    clients = { alice: await connect("alice"), bob: await connect("bob") };
    const found = await call(clients.bob, "search", { query: "maples" });
    expect(JSON.stringify(found)).toContain("Kyoto.md");
    const read = await textOf(clients.bob, "[[Kyoto]]");
    expect(read.content[0]!.text).toContain("Temples and maples.");
    expect(
      await call(clients.alice, "contentManager_appendContent", appended("Kyoto.md", "Pagodas too.")),
    ).toMatchObject({
      success: true,
    });
    expect((await textOf(clients.bob, "Kyoto.md")).content[0]!.text).toContain("Pagodas too.");
    // Both have searched a moment ago: each query asks again whether anything has changed.
    for (const client of [clients.alice, clients.bob])
      expect(JSON.stringify(await call(client, "search", { query: "pagodas" }))).toContain("Kyoto.md");
    // A search has just read the note: its next version is read again.
    await call(clients.bob, "contentManager_appendContent", appended("Kyoto.md", "Ginkgos."));
    for (const client of [clients.alice, clients.bob])
      expect(JSON.stringify(await call(client, "search", { query: "ginkgos" }))).toContain("Kyoto.md");
    await call(clients.bob, "undo", {});
  });

  it("keeps links whole when a note moves, and undoes the move", async () => {
    const moved = { path: "Kyoto.md", newPath: "Places/Kyoto city.md", context: CONTEXT };
    expect(await call(clients.bob, "vaultManager_moveNote", moved)).toMatchObject({ success: true });
    expect((await textOf(clients.alice, "Trips/Japan.md")).content[0]!.text).toContain("[[Kyoto city]]");
    expect(JSON.stringify(await call(clients.alice, "history", {}))).toContain(
      "Moved Kyoto.md to Places/Kyoto city.md",
    );
    expect(await call(clients.bob, "undo", {})).toMatchObject({ success: true });
    expect((await textOf(clients.alice, "Trips/Japan.md")).content[0]!.text).toContain("[[Kyoto]]");
  });

  it("names the member of each change in the history, in what stands in the way of undo, and in what undo took", async () => {
    const ours = { filePath: "Ours.md", content: "One line.", context: CONTEXT };
    await call(clients.alice, "contentManager_createContent", ours);
    await call(clients.bob, "contentManager_appendContent", appended("Ours.md", "Another."));
    const refused = JSON.stringify(await call(clients.alice, "undo", {}));
    expect(refused).toContain("A later change of bob, not yours, stands in the way");
    const listed = await clients.alice.callTool({ name: "history", arguments: { path: "Ours.md" } });
    const { entries } = listed.structuredContent as { entries: { id: string; member: string }[] };
    expect(entries.map(({ member }) => member)).toEqual(["bob", "alice"]);
    expect(JSON.stringify(listed.content)).toContain("Appended to Ours.md (contentManager_appendContent); by bob");
    expect((await run(["history", "--vault", "store:team", "--limit", "1"])).stdout).toContain(
      "Appended to Ours.md, by bob",
    );
    // An import adds hundreds: of the others only their number.
    const imported = await call(clients.alice, "history", { path: "Trips/map.png" });
    expect(imported["entries"]).toMatchObject([
      { paths: ["Trips/map.png", expect.stringMatching(/^… \(\d+ in all\)$/)] },
    ]);
    const undone = await clients.alice.callTool({ name: "undo", arguments: { id: entries[0]!.id } });
    expect(undone.structuredContent).toMatchObject({
      message: "Undid a change of bob: Appended to Ours.md",
      member: "bob",
      hint: expect.stringContaining("That was a change of bob, not yours"),
    });
    expect((undone.content as { text: string }[])[0]!.text).toContain("Undid a change of bob");
    const own = await call(clients.alice, "undo", { id: entries[1]!.id });
    expect(own["message"]).toBe("Undid: Created Ours.md");
    expect(own["member"]).toBeUndefined();
  });

  it("replaces lines by number only in the content that they were counted in", async () => {
    const lines = { filePath: "Lines.md", content: "mine\nother\n", context: CONTEXT };
    const made = await call(clients.alice, "contentManager_createContent", lines);
    const read = (made["data"] as { contentHash: string }).contentHash;
    const added = await call(clients.bob, "contentManager_prependContent", appended("Lines.md", "of Bob"));
    const current = (added["data"] as { contentHash: string }).contentHash;
    const edit = { filePath: "Lines.md", startLine: 1, endLine: 1, newContent: "changed" };
    const replace = (sent: object) =>
      call(clients.alice, "contentManager_replaceByLine", { ...edit, context: CONTEXT, ...sent });
    const batch = (...operations: object[]) =>
      call(clients.alice, "contentManager_batchContent", { operations, context: CONTEXT });
    const byLine = { type: "replaceByLine", ...edit };
    for (const refused of [
      await replace({}),
      await replace({ expectedHash: read }),
      await batch(byLine),
      await batch({ type: "append", filePath: "Lines.md", content: "x" }, byLine),
    ]) {
      expect(refused).toMatchObject({ success: false, code: "conflict" });
      expect(refused["error"]).toContain(`its content hash is now ${current}`);
    }
    expect((await textOf(clients.bob, "Lines.md")).content[0]!.text).toContain("of Bob");
    expect(await replace({ startLine: 2, endLine: 2, expectedHash: current })).toMatchObject({
      success: true,
      data: { replacedText: expect.stringMatching(/^mine/) },
    });
    // What a batch has made itself, or has verified once, nobody else has moved.
    const fresh = { type: "create", filePath: "Fresh.md", content: "a\nb\n" };
    expect(await batch(fresh, { ...byLine, filePath: "Fresh.md" })).toMatchObject({ success: true });
    const { data } = (await call(clients.alice, "contentManager_readContent", { filePath: "Fresh.md" })) as {
      data: { contentHash: string };
    };
    const verified = { type: "append", filePath: "Fresh.md", content: "c", expectedHash: data.contentHash };
    expect(await batch(verified, { ...byLine, filePath: "Fresh.md" })).toMatchObject({ success: true });
  });

  it("previews a change, and makes none, in files and history", async () => {
    const state = async () => [
      (await textOf(clients.alice, "Kyoto.md")).content[0]!.text.includes("More."),
      (await call(clients.alice, "vaultManager_listDirectory", { path: "" }))["files"],
      (await call(clients.alice, "history", {}))["entries"],
    ];
    const before = await state();
    for (const [name, sent] of [
      ["contentManager_appendContent", appended("Kyoto.md", "More.")],
      ["vaultManager_deleteNote", { path: "Kyoto.md" }],
    ] as const)
      expect(JSON.stringify(await call(clients.alice, name, { ...sent, preview: true }))).toContain(
        "Nothing was changed",
      );
    expect(await state()).toEqual(before);
  });

  it("has outlines whose rows have the same ids for every member", async () => {
    await call(clients.alice, "create_document", { path: "Lists/Packing.opml" });
    const added = await call(clients.alice, "add_row", { topic: "Passport" });
    expect(added).toMatchObject({ success: true });
    await call(clients.bob, "open_document", { path: "Lists/Packing.opml" });
    const rows = (client: Client) => call(client, "get_outline_structure", {});
    expect(JSON.stringify(await rows(clients.bob))).toContain("Passport");
    expect(await rows(clients.bob)).toEqual(await rows(clients.alice));
    await call(clients.bob, "add_row", { topic: "Tickets" });
    expect(JSON.stringify(await rows(clients.alice))).toContain("Tickets");
    expect(await rows(clients.bob)).toEqual(await rows(clients.alice));
    // A note that is an outline, and is changed as a note: rows keep their ids.
    const list = { filePath: "Lists/Shopping.md", content: "- Rice\n- Tea\n", context: CONTEXT };
    await call(clients.alice, "contentManager_createContent", list);
    for (const client of [clients.alice, clients.bob])
      await call(client, "open_document", { path: "Lists/Shopping.md" });
    const before = await rows(clients.bob);
    await call(clients.alice, "contentManager_appendContent", appended("Lists/Shopping.md", "- Soy"));
    const after = await rows(clients.bob);
    expect(after).toEqual(await rows(clients.alice));
    const idsOf = (answer: Record<string, unknown>) => (answer["rows"] as { id: string }[]).map(({ id }) => id);
    expect(idsOf(after).slice(0, 2)).toEqual(idsOf(before));
  });

  it("follows the settings of Obsidian that were imported, which no tool reads, and exports them", async () => {
    const [from, to] = [join(temporaryFolder(), "From"), join(temporaryFolder(), "To")];
    const settings: Record<string, unknown> = {
      "app.json": { newLinkFormat: "absolute", attachmentFolderPath: "Files" },
      "daily-notes.json": { folder: "Journal", format: "YYYY/MM-DD", template: "Forms/Day" },
      "templates.json": { folder: "Forms" },
      "community-plugins.json": ["obsidian-tasks-plugin"],
      "plugins/obsidian-tasks-plugin/data.json": { globalFilter: "#todo" },
      "workspace.json": { main: "of this machine alone" },
      "plugins/other/data.json": { apiKey: "of nobody else" },
    };
    for (const [path, value] of Object.entries(settings)) {
      mkdirSync(join(from, ".obsidian", path, ".."), { recursive: true });
      writeFileSync(join(from, ".obsidian", path), JSON.stringify(value));
    }
    mkdirSync(join(from, "Forms"));
    writeFileSync(join(from, "Forms", "Day.md"), "Begun.\n");
    const imported = JSON.parse((await run(["store", "import", from, "--space", "team", "--json"])).stdout);
    const followed = Object.keys(settings)
      .slice(0, 5)
      .map((path) => `.obsidian/${path}`);
    expect(imported).toMatchObject({ added: 1, settings: followed, differing: [] });
    const again = await run(["store", "import", from, "--space", "team"]);
    expect(again).toMatchObject({ code: 0, stdout: expect.not.stringContaining("settings") });

    writeFileSync(join(from, ".obsidian", "templates.json"), '{"folder": "Other"}');
    const changed = await run(["store", "import", from, "--space", "team", "--json"]);
    expect(JSON.parse(changed.stdout)).toMatchObject({ settings: [], differing: [".obsidian/templates.json"] });
    settings["templates.json"] = { folder: "Other" };
    const replaced = await run(["store", "import", from, "--space", "team", "--replace-settings", "--json"]);
    expect(JSON.parse(replaced.stdout)).toMatchObject({ settings: [".obsidian/templates.json"], differing: [] });

    const { bob } = clients;
    const today = { filePath: "daily:today", content: "- [ ] Sow #todo\n- [ ] Wait\n", context: CONTEXT };
    expect(await call(bob, "contentManager_appendContent", today)).toMatchObject({ success: true });
    const tasks = JSON.stringify(await call(bob, "list_tasks", {}));
    expect(tasks).toContain("Sow");
    expect(tasks).not.toContain("Wait");
    const note = /Journal\/\d{4}\/\d\d-\d\d\.md/.exec(tasks)![0];
    expect((await textOf(bob, note)).content[0]!.text).toContain("Begun.");
    const link = { filePath: "Day link.md", content: `[[${note.slice(0, -3)}]]`, context: CONTEXT };
    await call(bob, "contentManager_createContent", link);
    await call(bob, "vaultManager_moveNote", { path: note, newPath: "Old/First.md", context: CONTEXT });
    expect((await textOf(bob, "Day link.md")).content[0]!.text).toContain("[[Old/First]]");

    expect((await textOf(bob, ".obsidian/app.json")).content[0]!.text).toContain("Cannot access system folder");
    expect(JSON.stringify(await call(bob, "vaultManager_listDirectory", { path: "" }))).not.toContain("obsidian");
    await run(["store", "export", to, "--space", "team"], "bob");
    for (const [path, value] of Object.entries(settings).slice(0, 5))
      expect(JSON.parse(readFileSync(join(to, ".obsidian", path), "utf8"))).toEqual(value);
    for (const path of Object.keys(settings).slice(5)) expect(existsSync(join(to, ".obsidian", path))).toBe(false);
    writeFileSync(join(to, ".obsidian", "app.json"), "{}");
    const differs = await run(["store", "export", to, "--space", "team", "--json"], "bob");
    expect(JSON.parse(differs.stdout)).toMatchObject({ added: 0, settings: [], differing: [".obsidian/app.json"] });
    expect(readFileSync(join(to, ".obsidian", "app.json"), "utf8")).toBe("{}");
  });

  it("is found and indexed by a reader as soon as it is imported", async () => {
    const space = ["--space", "fresh"];
    await runProgram(["store", "init", ...space], asAdmin);
    await runProgram(["store", "add", "alice", ...space], asAdmin);
    await runProgram(["store", "add", "bob", ...space, "--role", "reader"], asAdmin);
    await run(["store", "import", folder, ...space]);
    const found = await run(["search", "maples", "--vault", "store:fresh"], "bob");
    expect(found.stdout).toContain("Kyoto.md");
    const rebuilt = await run(["index", "--rebuild", "--vault", "store:fresh"], "bob");
    expect(rebuilt.code).toBe(0);
    expect((await run(["doctor", "--vault", "store:fresh"], "bob")).stdout).toMatch(/index.*notes-v/);
  });

  it("is checked by doctor, and refused without a store", async () => {
    const { stdout } = await run(["doctor", "--vault", "store:team"]);
    expect(stdout).toMatch(/store:team.*files.*in the shared store; you are its owner/);
    const without = await runProgram(["doctor", "--vault", "store:team"], { home: homes.alice });
    expect(without.stderr).toContain("The vault team is a space of a shared store, and no store is named.");
    const strange = await run(["call", "contentManager_readContent", '{"filePath":"a.md"}', "--vault", "store:none"]);
    expect(strange.stderr + strange.stdout).toContain("You have no access to the space none");
  });
});

const CONTEXT = Object.fromEntries(
  ["sessionId", "workspaceId", "sessionDescription", "sessionMemory", "toolContext", "primaryGoal", "subgoal"].map(
    (name) => [name, "x"],
  ),
);
const appended = (filePath: string, content: string) => ({ filePath, content, context: CONTEXT });
