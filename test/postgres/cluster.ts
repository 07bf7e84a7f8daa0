// Before the tests of the shared store: starts a real PostgreSQL on loopback, in a
// temporary folder, as a user that is not root, and stops it after them.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { findPostgresql } from "../../scripts/postgresql.mjs";
import { MUST_NOT_SKIP } from "../tiers.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server that the tests of the shared store use; undefined where there is none. */
    postgresql: Cluster | undefined;
  }
}

/** A running server, by what a test needs to connect to it. */
export interface Cluster {
  readonly port: number;
  readonly password: string;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
}

export const SUPERUSER = "postgres";
const PASSWORD = "cluster:p@ss/word";

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const programs = findPostgresql();
  if (programs === undefined) {
    // Where it can be installed.
    if (MUST_NOT_SKIP && process.platform === "linux")
      throw new Error("There is no PostgreSQL here, and its tests must not be skipped in CI.");
    project.provide("postgresql", undefined);
    return undefined;
  }
  // Several files use it at a time, each with connections of several members.
  const cluster = await startCluster(programs, ["max_connections=300"]);
  project.provide("postgresql", { port: cluster.port, password: PASSWORD, programs });
  return cluster.remove;
}

/** A server that a test may stop and start. */
export interface OwnCluster extends Cluster {
  readonly start: () => Promise<void>;
  /** As with pg_ctl: `fast` ends connections, `immediate` is a crash. */
  readonly stop: (mode: "fast" | "immediate") => Promise<void>;
  readonly remove: () => Promise<void>;
}

type User = { readonly uid: number; readonly gid: number } | undefined;

/**
 * @param options of postgres, such as max_connections=5
 * @param prepare changes the files of the cluster, which belong to this user, before it is started
 */
export async function startCluster(
  programs: string,
  options: readonly string[] = [],
  prepare: (data: string, user: User) => void = () => {},
): Promise<OwnCluster> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-postgresql-"));
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD);
  chmodSync(passwordFile, 0o644);
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const as = { ...user, cwd: folder, env: { ...process.env, LC_ALL: "C" } };
  execFileSync(
    join(programs, "initdb"),
    ["-D", data, "-U", SUPERUSER, "--pwfile", passwordFile, "--auth=scram-sha-256", "-E", "UTF8", "--no-sync"],
    { ...as, stdio: "ignore" },
  );
  prepare(data, user);
  const port = await freePort();
  const settings = ["unix_socket_directories=", "listen_addresses=127.0.0.1", `port=${port}`, "shared_buffers=32MB"];
  const args = ["-D", data, "-F", ...[...settings, ...options].flatMap((each) => ["-c", each])];
  let server: ChildProcess | undefined;
  const start = async () => {
    server = spawn(join(programs, "postgres"), args, { ...as, stdio: "ignore" });
    await untilItAnswers(port, server);
  };
  const stop = async (mode: "fast" | "immediate") => {
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, "exit");
    server.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  };
  await start();
  const remove = async () => {
    await stop("immediate");
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, password: PASSWORD, programs, start, stop, remove };
}

/** PostgreSQL refuses to run as root: as this user it runs then. */
export function unprivilegedUser(): User {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })));
  return { uid: uid!, gid: gid! };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function untilItAnswers(port: number, server: ChildProcess): Promise<void> {
  for (;;) {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: SUPERUSER,
      password: PASSWORD,
      database: "postgres",
    });
    try {
      await client.connect();
      return;
    } catch (error) {
      // Refused for lack of encryption: it answers.
      if ((error as { code?: string }).code === "28000") return;
      if (server.exitCode !== null) throw new Error("PostgreSQL ended before it answered.", { cause: error });
    } finally {
      await client.end();
    }
    await pause(50);
  }
}
