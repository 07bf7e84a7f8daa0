// What members and strangers may take of a server: their share of its calls, wrong
// tokens, requests that never end; and what a member is told who may not write, or
// takes back a change.
import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { callContext } from "../../fixtures/call-context.ts";
import { postCall } from "../../processes/http-call.ts";
import { connectHttp, ERAS, runProgram, temporaryFolder } from "../../processes/program.ts";
import { SUPERUSER } from "../cluster.ts";
import { newConversationMachine, talk } from "../conversation-machines.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { newTeam, type Serving, type Team } from "./team.ts";

const context = callContext({ sessionId: "s1" });

interface Answer {
  readonly result?: { readonly isError?: boolean; readonly structuredContent: Readonly<Record<string, unknown>> };
}

describe.runIf(HAS_POSTGRESQL)("a server for members", () => {
  const agent = new Agent({ keepAlive: true });
  let team: Team;
  let servers: readonly [Serving, Serving];
  let [alice, bob, carol] = ["", "", ""];

  beforeAll(async () => {
    team = await newTeam();
    [alice, bob, carol] = [await team.token("alice"), await team.token("bob"), await team.token("carol")];
    servers = [await team.serve(), await team.serve()];
  });

  const call = async (server: Serving, token: string, name: string, sent: object) => {
    const { status, retryAfter, body } = await postCall<Answer>({ url: server.url, token, agent }, 1, {
      name,
      arguments: { context, ...sent },
    });
    return { status, retryAfter, isError: body.result?.isError === true, text: JSON.stringify(body) };
  };

  const pageRequest = (server: Serving, token: string, path: string, signal: AbortSignal | null = null) =>
    fetch(new URL(path, server.url), { headers: { authorization: `Bearer ${token}` }, signal });

  it("answers one member while the calls of another wait, and refuses those of whom too many wait", async () => {
    const [server] = servers;
    await call(server, alice, "contentManager_createContent", { filePath: "Busy.md", content: "-\n" });
    const release = await held(
      team,
      "SELECT 1 FROM commonplace.file_state WHERE space = (SELECT id FROM commonplace.space WHERE name = 'team') FOR UPDATE",
    );
    onTestFinished(release);
    const sent = { filePath: "Busy.md", content: "x\n" };
    let done = 0;
    const waiting = Array.from({ length: 120 }, async () => {
      const answer = await call(server, alice, "contentManager_appendContent", sent);
      done++;
      return answer;
    });
    // Eight run and a hundred wait: the others are refused.
    await expect.poll(() => done).toBe(12);
    for (const token of [bob, carol])
      expect(await call(server, token, "vaultManager_listDirectory", { path: "/" })).toMatchObject({ status: 200 });
    expect(done).toBe(12);
    await release();
    const answers = await Promise.all(waiting);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(12);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(answers.filter(({ status, isError }) => status === 200 && !isError)).toHaveLength(108);
    const read = await call(server, alice, "contentManager_readContent", { filePath: "Busy.md" });
    expect(read.text).toContain('"totalLines":109');
  });

  it("sends three files of the page at a time to one member, and refuses more than a hundred that wait", async () => {
    const [server] = servers;
    const release = await held(team, "LOCK TABLE commonplace.file IN ACCESS EXCLUSIVE MODE");
    onTestFinished(release);
    let done = 0;
    const asked = Array.from({ length: 110 }, async () => {
      const answer = await pageRequest(server, bob, "/media/None.png?vault=team");
      done++;
      return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text: await answer.text() };
    });
    await expect.poll(() => done).toBe(7);
    await release();
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(7);
    for (const { retryAfter, text } of refused)
      expect([retryAfter, text]).toEqual(["1", expect.stringContaining("100 files wait")]);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(103);
  });

  it("tells sixteen browsers of one member of changes, and no more until one of them goes away", async () => {
    const [server] = servers;
    const open = async (token: string) => {
      const going = new AbortController();
      onTestFinished(() => going.abort());
      const { status, headers } = await pageRequest(server, token, "/changes", going.signal);
      return { status, retryAfter: headers.get("retry-after"), goAway: () => going.abort() };
    };
    const streams = await Promise.all(Array.from({ length: 16 }, () => open(alice)));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    expect(await open(alice)).toMatchObject({ status: 429, retryAfter: "60" });
    expect(await open(bob)).toMatchObject({ status: 200 });
    streams[0]!.goAway();
    await expect.poll(async () => (await open(alice)).status).toBe(200);
    expect(await open(alice)).toMatchObject({ status: 429 });
  });

  it("lets good tokens in from an address that has sent many wrong ones", async () => {
    const own = await team.serve();
    const post = (token: string) =>
      fetch(own.url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      }).then(({ status }) => status);
    const wrong: number[] = [];
    for (let i = 0; i < 65; i++) wrong.push(await post(`cmnp_${String(i).padStart(43, "x")}`));
    expect(wrong).toEqual(Array.from({ length: 65 }, (_, i) => (i < 60 ? 401 : 429)));
    expect(await post(await team.token("bob", "never seen by this server"))).toBe(400);
    await own.stop();
  });

  it("does not wait for the rest of a request that it has refused", async () => {
    const socket = connect(servers[0].port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${servers[0].port}\r\nAuthorization: Bearer wrong\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    );
    // It would stay open for two minutes, longer than a test may take.
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("tells readers that they are readers, in memory, in notes, and on a machine of their own", async () => {
    const note = await call(servers[0], bob, "contentManager_createContent", { filePath: "B.md", content: "x" });
    expect(note.text).toContain("You are a reader of the space team");
    expect(note.text).not.toContain("--read-only");
    const session = await call(servers[0], bob, "memoryManager_createSession", { name: "B" });
    expect(session.text).toContain("You are a reader of the space team");
    const login = await team.database.newLogin("reader");
    await team.database.superuser.script(`GRANT commonplace_access TO ${login}`);
    await team.database.superuser`UPDATE commonplace.member SET login = ${login} WHERE name = 'bob'`;
    const { stdout, stderr } = await runProgram(
      [
        "call",
        "contentManager_createContent",
        JSON.stringify({ filePath: "B.md", content: "x" }),
        "--vault",
        "store:team",
      ],
      { home: temporaryFolder(), env: { COMMONPLACE_STORE: team.database.address(login) } },
    );
    expect(stdout + stderr).toContain("You are a reader of the space team");
  });

  it("takes back the newest change of the member, whichever server made it, and never that of another", async () => {
    await team.let("carol", "team", "writer");
    const [one, two] = servers;
    const at = (name: string) => ({ filePath: `${name}.md`, content: name, vault: "team" });
    await call(one, alice, "contentManager_createContent", at("First"));
    await call(two, alice, "contentManager_createContent", at("Second"));
    await call(one, carol, "contentManager_createContent", at("Others"));
    expect((await call(one, alice, "undo", {})).text).toContain("Second.md");
    expect((await call(two, alice, "undo", {})).text).toContain("First.md");
    expect((await call(one, alice, "redo", {})).text).toContain("First.md");
    expect((await call(one, alice, "contentManager_readContent", { filePath: "Others.md" })).isError).toBe(false);
    expect((await call(two, carol, "undo", {})).text).toContain("Others.md");
    const none = await call(two, carol, "undo", {});
    expect(none.text).toContain("There is nothing to undo");
  });

  it("sends nobody the folder of the machine that a conversation was pushed from", async () => {
    const machine = newConversationMachine(team.database.open(team.login).forMember("alice"), "team");
    talk(machine.home, "session-1", "Where is the shed?", "Behind the house", "/home/alice/garden");
    await machine.push({ project: "/home/alice/garden" });
    const client = await connectHttp(servers[0].url, ERAS["2026-07-28"], alice);
    for (const [name, sent] of [
      ["read_conversation", { id: "session-1" }],
      ["recall_conversations", { search_query: "shed", since: "all", project: "all" }],
      ["search", { query: "shed" }],
    ] as const) {
      const answer = JSON.stringify(await client.callTool({ name, arguments: { ...sent } }));
      expect(answer, name).toContain("session-1");
      expect(answer, name).not.toContain("/home/alice");
    }
    await client.close();
  });

  it("does not start with flags that are about its own machine, and says which", async () => {
    const home = temporaryFolder();
    const env = { COMMONPLACE_STORE: team.database.address(team.login) };
    const started = await runProgram(["serve", "--http", "127.0.0.1:0", "--vault", home, "--hide", "a"], { home, env });
    expect(started).toMatchObject({ code: 2 });
    expect(started.stderr).toMatch(/--vault, --hide would do nothing.*store import/s);
  });
});

/** Holds what a statement locks, so that others wait for it. @returns what lets go of it */
async function held(team: Team, statement: string): Promise<() => Promise<void>> {
  const isHeld = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = team.database.open(SUPERUSER).asLogin(async (sql) => {
    await sql.script(statement);
    isHeld.resolve();
    await released.promise;
  });
  await isHeld.promise;
  return async () => {
    released.resolve();
    await holding;
  };
}
