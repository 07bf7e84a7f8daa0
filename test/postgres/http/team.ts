// A team in a shared store, and servers that serve it over HTTP: each a process of
// the packed program with a home of its own. Used by the tests in this folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LAUNCH_FLAGS } from "../../../bin/launch-flags.js";
import {
  admitPerson,
  createStore,
  createToken,
  ensureSpace,
  setRole,
  spaceNamed,
  type Role,
} from "../../../src/shared/shared.ts";
import { NODE } from "../../processes/child.ts";
import { collect, environmentIn, PROGRAM, temporaryFolder, type Ended } from "../../processes/program.ts";
import { atTheEnd } from "../../temporary-folder.ts";
import { SUPERUSER, type Cluster } from "../cluster.ts";
import { newDatabase, newSpaceOf, type TestDatabase } from "../store-fixture.ts";

export interface Serving {
  /** Its MCP endpoint. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly home: string;
  /** What it has written to its log so far. */
  readonly logged: () => string;
  readonly stop: () => Promise<Ended>;
  /** Without a chance to finish anything. */
  readonly kill: () => Promise<void>;
}

export interface Team {
  readonly database: TestDatabase;
  /** The login of servers. */
  readonly login: string;
  readonly token: (member: string, name?: string, days?: number) => Promise<string>;
  readonly let: (member: string, space: string, role: Role) => Promise<void>;
  /** @param settings the setting `server` */
  readonly serve: (settings?: object, port?: number) => Promise<Serving>;
}

/** Members alice (a writer of team), bob (a reader of it), carol (who owns carol), and nobody else's data. */
export async function newTeam(cluster?: Cluster): Promise<Team> {
  const database = await newDatabase(cluster);
  const admin = database.open(SUPERUSER);
  await createStore(admin);
  await ensureSpace(admin, "team");
  const login = await database.newLogin("server");
  await database.superuser.script(`GRANT commonplace_server TO ${login}`);
  const server = database.open(login);
  for (const name of ["alice", "bob", "carol"]) await admitPerson(admin, name);
  const letIn: Team["let"] = async (member, space, role) =>
    setRole(admin, await spaceNamed(admin, space), member, role);
  await letIn("alice", "team", "writer");
  await letIn("bob", "team", "reader");
  await newSpaceOf("carol", admin, "carol");
  return {
    database,
    login,
    token: (member, name = "test", days = 30) => createToken(server.forMember(member), name, days),
    let: letIn,
    serve: (settings = {}, port = 0) => startServer(database.address(login), settings, port),
  };
}

/** What the machine of the server itself has, none of which is for members. */
export const SECRET = "zanzibar";
/** Beside each mention of it, and in no question: an answer that has it is from there. */
export const BESIDE = "quetzal";

export async function startServer(store: string, settings: object, port: number): Promise<Serving> {
  const home = temporaryFolder();
  const vault = join(home, "Notes");
  mkdirSync(join(vault, ".commonplace", "memory"), { recursive: true });
  writeFileSync(join(vault, "Private.md"), `# ${SECRET}\n\n- [ ] ${SECRET} #${SECRET} ${BESIDE}\n`);
  const said = {
    v: 1,
    id: "e1",
    at: 1,
    type: "session",
    of: SECRET,
    set: { name: SECRET, description: BESIDE, goal: BESIDE },
  };
  writeFileSync(join(vault, ".commonplace", "memory", "0a1b2c3d-2026-01.jsonl"), `${JSON.stringify(said)}\n`);
  const env = {
    ...environmentIn(home),
    COMMONPLACE_STORE: store,
    COMMONPLACE_VAULT: vault,
    COMMONPLACE_SERVER: JSON.stringify(settings),
  };
  const args = [...LAUNCH_FLAGS, PROGRAM, "serve", "--http", `127.0.0.1:${port}`];
  const child = spawn(NODE, args, { cwd: home, env });
  const ended = collect(child);
  let logged = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (text: string) => {
      logged += text;
      const found = /serving the members of \S+ on (\S+)/.exec(logged)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ stderr }) => reject(new Error(`ended before it served: ${stderr}`)));
  });
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  atTheEnd(stop);
  return { url, port: Number(new URL(url).port), pid: child.pid!, home, logged: () => logged, stop, kill };
}
