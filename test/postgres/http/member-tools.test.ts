// What members can do over HTTP beside notes and memory: outlines, tasks, tables,
// the search over everything, exports, PDF files, notes near in meaning; on any of
// several servers, and not for somebody of another space.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { MEMBER_TOOLS } from "../../../src/app/members/member-parts.ts";
import { removeMember, spaceNamed } from "../../../src/shared/shared.ts";
import { pdf } from "../../fixtures/pdf-files.ts";
import { connectHttp, ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";
import { SUPERUSER } from "../cluster.ts";
import { newConversationMachine, talk } from "../conversation-machines.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { BESIDE, newTeam, SECRET, type Serving, type Team } from "./team.ts";

const PLAN = `<?xml version="1.0"?>
<opml version="2.0"><head><title>Plan</title></head><body>
<outline text="Greenhouse"><outline text="Sow marrows" _status="unchecked"/></outline>
</body></opml>
`;

describe.runIf(HAS_POSTGRESQL)("a member over HTTP", () => {
  let team: Team;
  let servers: readonly [Serving, Serving];
  let clients: readonly [Client, Client];
  let alice: string;
  let carol: Client;

  beforeAll(async () => {
    team = await newTeam();
    const folder = join(temporaryFolder(), "Garden");
    mkdirSync(join(folder, "Lists"), { recursive: true });
    writeFileSync(join(folder, "Lists", "Plan.opml"), PLAN);
    writeFileSync(
      join(folder, "Marrows.md"),
      "---\nrating: 8\n---\n# Marrows\n\nA marrow is a large courgette.\n\n- [ ] Water the marrows 📅 2026-12-01\n",
    );
    writeFileSync(join(folder, "Beans.md"), "---\nrating: 3\n---\nA bean climbs up a pole.\n");
    writeFileSync(join(folder, "Soil.pdf"), pdf([["The chemistry of loam"]]));
    const env = { COMMONPLACE_STORE: team.database.address(SUPERUSER) };
    await runProgram(["store", "import", folder, "--space", "team"], { home: temporaryFolder(), env });
    const settings = { requestsPerMinute: 100_000 };
    servers = [await team.serve(settings), await team.serve(settings)];
    alice = await team.token("alice");
    clients = [
      await connectHttp(servers[0].url, ERAS["2026-07-28"], alice),
      await connectHttp(servers[1].url, ERAS["2025-11-25 and before"], alice),
    ];
    carol = await connectHttp(servers[0].url, ERAS["2026-07-28"], await team.token("carol"));
  });

  const call = async (client: Client, name: string, sent: object = {}) => {
    const { isError = false, structuredContent } = await client.callTool({ name, arguments: { ...sent } });
    return { isError, text: JSON.stringify(structuredContent), result: structuredContent as Record<string, unknown> };
  };

  it("works on the outline that its session has open, whichever server a call reaches", async () => {
    const none = await call(clients[0], "get_current_document");
    expect(none.text).toContain("No outline is open");
    const listed = await call(clients[0], "open_document");
    expect(listed.result["documents"]).toEqual([{ path: "Lists/Plan.opml", name: "Plan.opml", isCurrent: false }]);
    expect(listed.text).toContain("and 1 note of the vault that has a list");
    const here = clients[1];
    const opened = await call(here, "open_document", { path: "Lists/Plan.opml" });
    expect(opened.result["document"]).toMatchObject({ name: "Plan.opml", path: "store:team/Lists/Plan.opml" });
    const { sessionId } = here.transport as StreamableHTTPClientTransport;
    const there = new Client({ name: "test", version: "1" }, ERAS["2025-11-25 and before"]);
    const requestInit = { headers: { Authorization: `Bearer ${alice}` } };
    await there.connect(
      new StreamableHTTPClientTransport(new URL(servers[0].url), { requestInit, sessionId: sessionId! }),
    );
    const added = await call(there, "add_row", { topic: "Sow beans" });
    expect(added.isError).toBe(false);
    expect((await call(here, "get_outline_structure")).text).toContain("Sow beans");
    expect((await call(there, "search_outline", { query: "marrows" })).text).toContain("Sow marrows");
    const undone = await call(here, "undo");
    expect(undone.text).toContain("Plan.opml");
    expect((await call(there, "get_outline_structure")).text).not.toContain("Sow beans");
    const again = await call(there, "open_document", { path: "store:team/Lists/Plan.opml" });
    expect(again.isError).toBe(false);
    const made = await call(there, "create_document", { path: "Lists/New.opml" });
    expect(made.isError).toBe(false);
    expect((await call(here, "get_current_document")).text).toContain("store:team/Lists/New.opml");
    await there.close();
  });

  it("has no outline open in another session, and names one there", async () => {
    await call(clients[1], "open_document", { path: "Lists/Plan.opml" });
    const other = await connectHttp(servers[0].url, ERAS["2025-11-25 and before"], alice);
    for (const client of [clients[0], other]) {
      expect((await call(client, "add_row", { topic: "lost" })).text).toContain("No outline is open");
      const row = { topic: "Sow peas", documentName: "Plan" };
      expect((await call(client, "add_row", row)).result["documentName"]).toBe("Plan.opml");
    }
    const message = (await call(clients[0], "open_document", { path: "Lists/Plan.opml" })).result["message"];
    expect(message).toContain('Send documentName: "store:team/Lists/Plan.opml"');
  });

  it("lists and ticks off the tasks of notes and outlines", async () => {
    const { result, text } = await call(clients[0], "list_tasks");
    expect(text).toContain("Water the marrows");
    expect(text).toContain("Sow marrows");
    for (const { id } of result["tasks"] as { id: string }[])
      expect((await call(clients[1], "update_task", { id, status: "done" })).isError).toBe(false);
    expect((await call(clients[0], "list_tasks")).result["totalTasks"]).toBe(0);
    expect((await call(clients[0], "contentManager_readContent", { filePath: "Marrows.md" })).text).toContain("[x]");
  });

  it("has notes as a table, and finds notes, rows, conversations and PDF files in one search", async () => {
    const machine = newConversationMachine(team.database.open(team.login).forMember("alice"), "team");
    talk(machine.home, "session-1", "How do we grow marrows?", "In rich soil, from May on");
    await machine.push();
    const table = await call(clients[0], "vaultLibrarian_query", { where: "rating > 5", select: ["rating"] });
    expect(table.result["data"]).toMatchObject({ rows: [["Marrows.md", 8]] });
    await call(clients[1], "open_document", { path: "Lists/Plan.opml" });
    const found = (await call(clients[1], "search", { query: "marrows" })).result["results"] as { kind: string }[];
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(["note", "outline", "conversation"]));
    const read = await call(clients[0], "contentManager_readContent", { filePath: "Soil.pdf" });
    expect(read.text).toContain("The chemistry of loam");
    await expect.poll(async () => (await call(clients[0], "search", { query: "loam" })).text).toContain("Soil.pdf");
  });

  it("finds notes that are near in meaning", async () => {
    const related = async () => (await call(clients[0], "search", { query: "legume" })).text;
    await expect.poll(related).toContain('"related":[{"filePath":"Beans.md"');
  });

  it("exports conversations into a space, and nowhere else", async () => {
    const exported = await call(clients[0], "export_individual_conversations", { format: "md" });
    expect(exported.result).toMatchObject({ exported_count: 1, output_directory: "store:team/Exports" });
    const [file = ""] = exported.result["files"] as string[];
    const path = file.replace(/^store:team\//, "");
    expect((await call(clients[1], "contentManager_readContent", { filePath: path })).text).toContain("In rich soil");
    for (const output_dir of ["/tmp/out", "~/out", "../out", "store:carol/x", "store:../x"]) {
      const sent = { format: "md", output_dir };
      const { isError, result } = await call(clients[0], "export_individual_conversations", sent);
      // A path that looks absolute is one of the space, as in every tool.
      if (!isError) expect(result["output_directory"], output_dir).toMatch(/^store:team\//);
    }
  });

  it("gets nothing of another space, whatever is asked for, and nothing of the server", async () => {
    const [{ home }] = servers;
    const paths = [
      "store:team/Lists/Plan.opml",
      "Marrows.md",
      `${home}/Notes/Private.md`,
      `${home}/data/spaces/1/Plan.md`,
    ];
    for (const name of MEMBER_TOOLS)
      for (const path of paths) {
        const sent = {
          path,
          filePath: path,
          documentName: path,
          id: "session-1",
          query: "marrows",
          where: "true",
          search_query: "marrows",
          since: "all",
          project: "all",
          newPath: "Moved.md",
          output_dir: path,
          topic: "By carol",
          content: "By carol\n",
          vault: "team",
        };
        for (const given of [sent, { ...sent, vault: undefined }]) {
          const answer = JSON.stringify(await carol.callTool({ name, arguments: { ...given } }).catch(String));
          expect(answer, `${name} ${path}`).not.toMatch(/courgette|rich soil|Greenhouse|Water the|chemistry/);
          expect(answer, `${name} ${path}`).not.toContain(SECRET);
          expect(answer, `${name} ${path}`).not.toContain(BESIDE);
          expect(answer.replaceAll(path, ""), `${name} ${path}`).not.toContain(home);
        }
      }
    const note = await call(clients[0], "contentManager_readContent", { filePath: "Marrows.md" });
    expect(note.text).toContain("courgette");
    expect(note.text).not.toContain("carol");
  });

  it("has no outline open any more in a space that it was removed from", async () => {
    await team.let("carol", "team", "writer");
    const session = await connectHttp(
      servers[0].url,
      ERAS["2025-11-25 and before"],
      await team.token("carol", "session"),
    );
    expect((await call(session, "open_document", { path: "store:team/Lists/Plan.opml" })).isError).toBe(false);
    expect((await call(session, "get_outline_structure")).isError).toBe(false);
    const admin = team.database.open(SUPERUSER);
    await removeMember(admin, await spaceNamed(admin, "team"), "carol");
    expect((await call(session, "get_outline_structure")).text).toContain("No outline is open");
    const rows = await team.database.superuser`
      SELECT 1 FROM commonplace.open_outline JOIN commonplace.member ON member.id = member WHERE name = 'carol'`;
    expect(rows).toEqual([]);
  });
});
