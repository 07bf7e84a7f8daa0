// The members of a shared store over HTTP: what each may do, and that nothing of
// the machine of the server can be reached.
import { request, Agent } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { callContext } from "../../fixtures/call-context.ts";
import { MEMBER_TOOLS } from "../../../src/app/members/member-parts.ts";
import { removeMember, spaceNamed } from "../../../src/shared/shared.ts";
import { TOOLS } from "../../../src/tools/tools.ts";
import { postCall } from "../../processes/http-call.ts";
import { connectHttp, ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";
import { SUPERUSER } from "../cluster.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { BESIDE, newTeam, SECRET, type Serving, type Team } from "./team.ts";

const context = callContext({ sessionId: "s1" });
const CREATE = "memoryManager_createSession";
const LIST = "memoryManager_listSessions";

interface Answer {
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent: { readonly error?: string; readonly data?: { readonly sessions: { name: string }[] } };
  };
}

/** Tools that write nothing, or nothing that these arguments would change. */
const READERS = /read|list|search|load|batch$|links|tags|recall|history|version/i;

const agent = new Agent({ keepAlive: true });

/** One call in the newest protocol. */
const call = (url: string, token: string, name: string, sent: object = {}) =>
  postCall<Answer>({ url, token, agent }, 1, { name, arguments: { context, ...sent } });

const sessionsOf = async (url: string, token: string, sent: object = {}) =>
  (await call(url, token, LIST, sent)).body.result?.structuredContent.data?.sessions.map(({ name }) => name).toSorted();

/** A plain request, with any headers. */
const ask = (
  url: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });

describe.runIf(HAS_POSTGRESQL)("a server for members", () => {
  let team: Team;
  let serving: Serving;
  let [alice, bob, carol] = ["", "", ""];

  beforeAll(async () => {
    team = await newTeam();
    [alice, bob, carol] = [await team.token("alice"), await team.token("bob"), await team.token("carol")];
    serving = await team.serve();
  });

  it("has written what a member says to the store before it answers", async () => {
    const made = await call(serving.url, alice, CREATE, { name: "Harvest", context });
    expect(made.body.result?.isError).toBeUndefined();
    const rows = await team.database.superuser`
      SELECT member.name, line FROM commonplace.memory_event JOIN commonplace.member ON member.id = memory_event.member`;
    // The session, the trace of the call, and what that one assumes.
    expect(rows.filter((row) => String(row["line"]).includes("Harvest"))).not.toEqual([]);
    expect(rows.filter((row) => String(row["line"]).includes(`"tool":"${CREATE}"`))).toHaveLength(1);
    expect(new Set(rows.map((row) => row["name"]))).toEqual(new Set(["alice"]));
  });

  it("shows members what is in their spaces, and nobody else", async () => {
    expect(await sessionsOf(serving.url, bob)).toContain("Harvest");
    expect(await sessionsOf(serving.url, carol)).not.toContain("Harvest");
    const other = await call(serving.url, carol, LIST, { vault: "team" });
    expect(JSON.stringify(other.body)).not.toContain("Harvest");
  });

  it("lets a reader write nothing", async () => {
    const refused = await call(serving.url, bob, CREATE, { name: "By a reader" });
    expect(refused.body.result?.isError).toBe(true);
    expect(refused.body.result?.structuredContent.error).toContain("You are a reader of the space team");
    const rows = await team.database.superuser`
      SELECT 1 FROM commonplace.memory_event JOIN commonplace.member ON member.id = memory_event.member
      WHERE member.name = 'bob'`;
    expect(rows).toEqual([]);
  });

  it("lists the tools for members in both eras, and runs no other tool", async () => {
    // Written out: who adds one has looked at what it reaches.
    const named = `
      readContent createContent appendContent prependContent replaceContent replaceByLine deleteContent
      findReplaceContent updateProperties batchContent listDirectory createFolder moveNote moveFolder
      editFolder deleteNote deleteFolder duplicateNote searchContent searchDirectory batch links tags
      query list_tasks update_task createSession loadSession listSessions updateSession createWorkspace
      loadWorkspace listWorkspaces updateWorkspace createState loadState listStates updateState
      searchMemory get_current_document get_outline_structure get_row search_outline get_row_children
      add_row update_row move_row delete_row get_section_content insert_content check_connection
      open_document create_document recall_conversations read_conversation export_individual_conversations
      search undo redo history get_server_version`;
    expect([...MEMBER_TOOLS].map((name) => name.replace(/^[a-z]+(?:Manager|Librarian)_/, ""))).toEqual(
      named.trim().split(/\s+/),
    );
    for (const era of Object.values(ERAS)) {
      const client = await connectHttp(serving.url, era, alice);
      const { tools } = await client.listTools();
      expect(new Set(tools.map(({ name }) => name))).toEqual(MEMBER_TOOLS);
      for (const { name, example } of TOOLS as readonly { name: string; example?: object }[]) {
        if (MEMBER_TOOLS.has(name)) continue;
        await expect(client.callTool({ name, arguments: { context, ...example } }), name).rejects.toThrow(
          "is not offered by this server",
        );
      }
      await client.close();
    }
  });

  it("gives every tool of a member nothing of the machine of the server", async () => {
    const client = await connectHttp(serving.url, ERAS["2026-07-28"], alice);
    for (const name of MEMBER_TOOLS) {
      const sent = {
        context,
        query: SECRET,
        sessionId: SECRET,
        id: SECRET,
        stateId: SECRET,
        name: SECRET,
        activeFiles: ["Private.md"],
        rootFolder: "Private",
        conversationContext: "c",
        activeTask: "t",
        nextSteps: [],
        reasoning: "r",
        purpose: "p",
        description: "d",
        filePath: "Private.md",
        path: "/",
        fieldPath: "name",
        newValue: "n",
      };
      if (!READERS.test(name)) continue;
      const answer = JSON.stringify(await client.callTool({ name, arguments: sent }).catch(String));
      expect(answer, name).not.toContain(serving.home);
      expect(answer, name).not.toContain(BESIDE);
    }
    await client.close();
  });

  it("has no resource, prompt or suggestion of the machine of the server", async () => {
    const client = await connectHttp(serving.url, ERAS["2025-11-25 and before"], alice);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual([
      "note",
      "session",
      "workspace",
      "outline",
      "conversation",
      "tool",
    ]);
    for (const uri of [
      "note:///Private.md",
      "note://Notes/Private.md",
      "note://team/Private.md",
      "outline:///",
      "conversation://claude-code/1",
      "memory://sessions/zanzibar",
      "file:///etc/passwd",
      "commonplace://tools/get_project_info",
    ])
      await expect(client.readResource({ uri }), uri).rejects.toThrow(/not found|Not found|Unknown/i);
    const guide = JSON.stringify(await client.readResource({ uri: "commonplace://guide" }));
    expect(guide).not.toMatch(/openNote|get_project_info|list_project_files/);
    expect(guide).not.toContain(serving.home);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      "orient",
      "continue",
      "day",
      "decided",
    ]);
    expect(JSON.stringify(await client.getPrompt({ name: "day", arguments: {} }))).not.toMatch(/zanzibar|quetzal/);
    expect(client.getInstructions()).not.toMatch(/on this machine/);
    await client.close();
  });

  it("asks its own disk nothing: a path of it names a note of the space, or nothing at all", async () => {
    const paths = [
      "/etc/passwd",
      "../../etc/passwd",
      `${serving.home}/Notes/Private.md`,
      "Private.md",
      "file:///etc/passwd",
    ];
    for (const filePath of paths) {
      const read = await call(serving.url, alice, "contentManager_readContent", { filePath });
      expect(read.body.result?.isError, filePath).toBe(true);
      expect(JSON.stringify(read.body), filePath).not.toMatch(/root:|quetzal/);
      const file = await call(serving.url, alice, "recall_conversations", { file: filePath });
      expect(JSON.stringify(file.body), filePath).toContain("is known on the machine that has the file");
    }
    const found = await call(serving.url, alice, "recall_conversations", { search_query: SECRET, since: "all" });
    expect(found.body.result?.isError).toBeUndefined();
    expect(JSON.stringify(found.body)).toContain('"total_conversations_found":0');
  });

  it("lets writers write notes that the members of the space read, and readers change nothing", async () => {
    const note = { filePath: "Plans/Beds.md", content: "Beans in the third bed\n" };
    const made = await call(serving.url, alice, "contentManager_createContent", note);
    expect(made.body.result?.isError).toBeUndefined();
    const read = (token: string, vault?: string) =>
      call(serving.url, token, "contentManager_readContent", { filePath: note.filePath, ...(vault && { vault }) });
    expect(JSON.stringify((await read(bob)).body)).toContain("third bed");
    expect(JSON.stringify((await read(carol)).body)).not.toContain("third bed");
    expect(JSON.stringify((await read(carol, "team")).body)).not.toContain("third bed");
    const sent = { filePath: note.filePath, content: "x" };
    for (const name of ["contentManager_appendContent", "contentManager_createContent", "vaultManager_deleteNote"]) {
      const refused = await call(serving.url, bob, name, name.endsWith("Note") ? { path: note.filePath } : sent);
      expect(refused.body.result?.isError, name).toBe(true);
    }
    const undone = await call(serving.url, bob, "undo", {});
    expect(undone.body.result?.isError).toBe(true);
    expect(JSON.stringify((await read(alice)).body)).toContain("third bed");
    const found = await call(serving.url, bob, "vaultLibrarian_searchContent", { query: "beans" });
    expect(JSON.stringify(found.body)).toContain("Beds.md");
  });

  it("has nothing of what a person may ask for in the page of their own machine", async () => {
    const headers = { authorization: `Bearer ${alice}`, origin: new URL(serving.url).origin };
    for (const path of ["/person/status", "/import", "/invitation"])
      for (const method of ["GET", "POST"])
        expect((await ask(new URL(path, serving.url).href, { method, headers })).status, `${method} ${path}`).toBe(404);
    expect(JSON.parse((await ask(new URL("/", serving.url).href)).text)).toMatchObject({ mcp: "/mcp" });
  });

  it("ends access with the next request when a member is removed from its space", async () => {
    await team.let("carol", "team", "writer");
    const client = await connectHttp(serving.url, ERAS["2025-11-25 and before"], carol);
    const listed = () => client.callTool({ name: LIST, arguments: { context, vault: "team" } });
    expect(JSON.stringify(await listed())).toContain("Harvest");
    const admin = team.database.open(SUPERUSER);
    await removeMember(admin, await spaceNamed(admin, "team"), "carol");
    expect(JSON.stringify(await listed())).not.toContain("Harvest");
    await client.close();
  });

  it("refuses who is in no space", async () => {
    await team.database.superuser`INSERT INTO commonplace.member (name) VALUES ('dave')`;
    const refused = await call(serving.url, await team.token("dave"), LIST);
    expect(refused).toMatchObject({ status: 403, body: { error: { message: "You are in no space of this store." } } });
  });

  it("checks Host, Origin, path, method, type and size before anything is done", async () => {
    const good = { authorization: `Bearer ${alice}`, "content-type": "application/json" };
    const status = async (
      change: Record<string, string>,
      options: { method?: string; body?: string; path?: string } = {},
    ) =>
      (
        await ask(new URL(options.path ?? "/mcp", serving.url).href, {
          method: "POST",
          body: "{}",
          ...options,
          headers: { ...good, ...change },
        })
      ).status;
    expect(await status({ host: "evil.example" })).toBe(403);
    expect(await status({ origin: "https://evil.example" })).toBe(403);
    expect(await status({ "x-forwarded-host": "evil.example" })).toBe(400);
    expect(await status({}, { path: "/elsewhere" })).toBe(404);
    expect(await status({}, { method: "GET", body: "" })).toBe(405);
    expect(await status({ "content-type": "text/plain" })).toBe(415);
    expect(await status({ "content-length": String(20 * 1024 * 1024) }, { body: "" }).catch(() => 413)).toBe(413);
  });

  it("is alive and ready, and says so without a token", async () => {
    expect(JSON.parse((await ask(new URL("/health/live", serving.url).href)).text)).toMatchObject({ status: "alive" });
    const ready = await ask(new URL("/health/ready", serving.url).href, { headers: { host: "anything" } });
    const health = JSON.parse(ready.text) as { schema: { found: number; known: number } };
    expect(ready.status).toBe(200);
    expect(health).toMatchObject({ status: "ready", database: "ok" });
    expect(health.schema.found).toBe(health.schema.known);
    expect(ready.text).not.toMatch(/127\.0\.0\.1|test_|server_/);
    expect((await ask(new URL("/health", serving.url).href, { method: "POST" })).status).toBe(405);
  });

  it("lets a member ask so often in a minute, and says when to ask again", async () => {
    const [one, two] = [await team.serve({ requestsPerMinute: 20 }), await team.serve({ requestsPerMinute: 20 })];
    const answers: { status: number; retryAfter: string | undefined }[] = [];
    for (let i = 0; i < 60; i++) answers.push(await call((i % 2 === 0 ? one : two).url, carol, LIST));
    const refused = answers.filter(({ status }) => status === 429);
    // A minute may end in between: then as many are answered once more.
    expect(refused.length).toBeGreaterThanOrEqual(60 - 2 * 22);
    expect(answers.filter(({ status }) => status === 200).length).toBe(60 - refused.length);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    // Others are not held up.
    expect((await call(one.url, bob, LIST)).status).toBe(200);
    await one.stop();
    await two.stop();
  });

  it("writes no token to its log, its answers or its store", async () => {
    const stored = JSON.stringify(await team.database.superuser`SELECT * FROM commonplace.personal_token`);
    for (const token of [alice, bob, carol]) {
      expect(serving.logged()).not.toContain(token);
      expect(stored).not.toContain(token);
    }
  });

  it("finishes what runs when it is stopped, and is not ready from then on", async () => {
    const own = await team.serve();
    const writes = Array.from({ length: 20 }, (_, i) =>
      call(own.url, alice, CREATE, { name: `Last ${i}` }).catch(() => undefined),
    );
    const ended = await own.stop();
    expect(ended).toMatchObject({ code: 0, signal: null });
    const acknowledged = (await Promise.all(writes)).flatMap((answer, i) =>
      answer?.status === 200 ? [`Last ${i}`] : [],
    );
    const known = await sessionsOf(serving.url, alice, { limit: 100 });
    for (const name of acknowledged) expect(known).toContain(name);
  });
});

describe.runIf(HAS_POSTGRESQL)("a server for members does not start", () => {
  const started = async (args: readonly string[], store?: string) =>
    (
      await runProgram(["serve", "--http", ...args], {
        home: temporaryFolder(),
        env: store === undefined ? {} : { COMMONPLACE_STORE: store },
      })
    ).stderr;

  it("without a store, beyond this machine above all", async () => {
    expect(await started(["0.0.0.0:0"])).toContain("does not listen on 0.0.0.0");
    expect(await started(["127.0.0.1:0"])).toContain("No shared store is named");
  });

  it("with the login of a person, of a superuser, or one that may not speak for members", async () => {
    const { database } = await newTeam();
    expect(await started(["127.0.0.1:0"], database.address(SUPERUSER))).toContain("may do anything in this database");
    const person = await database.newLogin("person");
    await database.superuser.script(`GRANT commonplace_access TO ${person}`);
    expect(await started(["127.0.0.1:0"], database.address(person))).toContain("may not work for the members");
    await database.superuser`INSERT INTO commonplace.member (name, login) VALUES ('person', ${person})`;
    expect(await started(["127.0.0.1:0"], database.address(person))).toContain("is a member of the store itself");
  });
});
