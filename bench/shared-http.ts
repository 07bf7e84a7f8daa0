// Servers for the members of a shared store, over HTTP on loopback: what they
// answer in a second and how fast, with 1 to 3 servers and 1 to 64 clients that all
// write into one space. Every write that was acknowledged must be in the store, and
// no change of a session that all of them change may be lost.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callContext } from "../test/fixtures/call-context.ts";
import { findPostgresql } from "../scripts/postgresql.mjs";
import {
  admitPerson,
  createStore,
  createToken,
  ensureSpace,
  openStore,
  setRole,
  spaceNamed,
} from "../src/shared/shared.ts";
import { postCall } from "../test/processes/http-call.ts";
import { startCluster, SUPERUSER } from "../test/postgres/cluster.ts";
import { goal, ms, quantile, table } from "./measurement/measure.ts";

const SERVERS = [1, 2, 3];
const CLIENTS = [1, 8, 64];
const MEMBERS = 8;
/** Milliseconds for each number of servers and clients. */
const TIME = 3_000;
const SERVER_LOGIN = "bench_server";
const context = callContext({ sessionId: "shared" });

interface Server {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

interface Answer {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent: { readonly data?: { sessionId: string } };
  };
}

async function startServer(store: string): Promise<Server> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  const program = join(import.meta.dirname, "..", "bin", "commonplace.js");
  const child: ChildProcess = spawn(process.execPath, [program, "serve", "--http", "127.0.0.1:0"], {
    env: {
      ...process.env,
      HOME: home,
      COMMONPLACE_STORE: store,
      COMMONPLACE_SERVER: JSON.stringify({ requestsPerMinute: 1_000_000 }),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let logged = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      logged += text;
      const found = /serving the members of \S+ on (\S+)/.exec(logged)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on("exit", () => reject(new Error(logged)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
    rmSync(home, { recursive: true, force: true });
  };
  return { url, stop };
}

/** Sends calls for a time: new sessions, lists of them, and tags for one session that all clients change. */
async function load(servers: readonly Server[], tokens: readonly string[], clients: number, session: string) {
  const times: number[] = [];
  const names: string[] = [];
  const tags: string[] = [];
  let [failed, count] = [0, 0];
  const end = performance.now() + TIME;
  const write = async (client: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; performance.now() < end; i++) {
      const unique = `${clients}x${servers.length} ${client} ${i}`;
      const [name, sent] = (
        [
          ["memoryManager_createSession", { name: unique }],
          ["memoryManager_listSessions", { limit: 10 }],
          ["memoryManager_updateSession", { targetSessionId: session, addTags: [unique.replaceAll(" ", "-")] }],
          ["memoryManager_listSessions", { limit: 10 }],
        ] as const
      )[i % 4]!;
      const began = performance.now();
      const { url } = servers[count++ % servers.length]!;
      const call = { name, arguments: { context, ...sent } };
      const answer = await postCall<Answer>({ url, token: tokens[client % tokens.length]!, agent }, i, call);
      if (answer.status !== 200 || answer.body.result?.isError === true) failed++;
      else {
        times.push(performance.now() - began);
        if (i % 4 === 0) names.push(unique);
        if (i % 4 === 2) tags.push(unique.replaceAll(" ", "-"));
      }
    }
    agent.destroy();
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, client) => write(client)));
  return { times, names, tags, failed, seconds: (performance.now() - began) / 1000 };
}

export async function run(): Promise<void> {
  const programs = findPostgresql();
  if (programs === undefined) {
    console.log("There is no PostgreSQL here.");
    return;
  }
  const cluster = await startCluster(programs);
  const address = (login: string) =>
    `postgres://${login}:${encodeURIComponent(cluster.password)}@127.0.0.1:${cluster.port}/postgres`;
  const admin = openStore({ address: address(SUPERUSER) });
  await createStore(admin);
  await ensureSpace(admin, "team");
  await admin.asLogin((sql) =>
    sql.script(`CREATE ROLE ${SERVER_LOGIN} LOGIN PASSWORD '${cluster.password}' IN ROLE commonplace_server`),
  );
  const team = await spaceNamed(admin, "team");
  const tokens: string[] = [];
  for (let i = 0; i < MEMBERS; i++) {
    await admitPerson(admin, `member ${i}`);
    await setRole(admin, team, `member ${i}`, "writer");
    const asServer = openStore({ address: address(SERVER_LOGIN), member: `member ${i}` });
    tokens.push(await createToken(asServer, "bench", 1));
    await asServer.close();
  }

  const rows: string[][] = [];
  const acknowledged: { names: string[]; tags: string[] } = { names: [], tags: [] };
  let failures = 0;
  for (const many of SERVERS) {
    const servers = await Promise.all(Array.from({ length: many }, () => startServer(address(SERVER_LOGIN))));
    const agent = new Agent();
    const made = await postCall<Answer>({ url: servers[0]!.url, token: tokens[0]!, agent }, 0, {
      name: "memoryManager_createSession",
      arguments: { context, name: `Shared by ${many}` },
    });
    const { sessionId } = made.body.result!.structuredContent.data!;
    for (const clients of CLIENTS) {
      const { times, names, tags, failed, seconds } = await load(servers, tokens, clients, sessionId);
      failures += failed;
      acknowledged.names.push(...names);
      acknowledged.tags.push(...tags);
      rows.push([
        String(many),
        String(clients),
        String(Math.round(times.length / seconds)),
        ms(quantile(times, 0.5)),
        ms(quantile(times, 0.95)),
      ]);
    }
    await Promise.all(servers.map(({ stop }) => stop()));
  }
  const lines = (
    await admin.transaction((sql) => sql`SELECT line FROM commonplace.memory_event WHERE space = ${team.id}`)
  ).map((row) => JSON.parse(String(row["line"])) as { type: string; set?: Record<string, unknown> });
  const stored = new Set(lines.map(({ set }) => set?.["name"]));
  const tagged = new Set(lines.flatMap(({ set }) => Object.keys(set ?? {})));
  await admin.close();
  await cluster.remove();

  table(
    `Calls over HTTP, half of them writes into one space, by ${MEMBERS} members (${TIME / 1000} s each; servers, database and clients on the same two cores)`,
    ["servers", "clients", "calls a second", "p50", "p95"],
    rows,
  );
  const lost = acknowledged.names.filter((name) => !stored.has(name));
  const lostTags = acknowledged.tags.filter((tag) => !tagged.has(`#${tag}`));
  goal(
    lost.length === 0,
    `every acknowledged write is in the store: ${acknowledged.names.length} sessions, ${lost.length} lost`,
  );
  goal(
    lostTags.length === 0,
    `no change of a session that all clients change is lost: ${acknowledged.tags.length} tags, ${lostTags.length} lost`,
  );
  goal(failures === 0, `no call failed: ${failures}`);
}
