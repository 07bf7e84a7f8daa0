// A push that is killed at any moment, or whose database is, leaves whole batches,
// and the next one goes on with what is missing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { makeTalks } from "../../bench/data/talks.ts";
import { lineOf } from "../../src/memory/log/event.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { NODE } from "../processes/child.ts";
import { environmentIn, PROGRAM, runProgram, temporaryFolder } from "../processes/program.ts";
import { atTheEnd } from "../temporary-folder.ts";
import { startCluster, SUPERUSER, type OwnCluster } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

const EVENTS = 6_000;
const TALKS = 200;
const ROUNDS = repeats({ short: 4, long: 200 });

describe.runIf(HAS_POSTGRESQL)("a push that is killed, or whose database is", () => {
  let cluster: OwnCluster;
  beforeAll(async () => {
    cluster = await startCluster(inject("postgresql")!.programs);
    atTheEnd(cluster.remove);
  });

  /** Starts a push, and after a while kills it, or every third time the database under it. */
  const interrupted = async (
    round: number,
    args: readonly string[],
    home: string,
    env: Record<string, string>,
    after: number,
  ) => {
    const child = spawn(NODE, [PROGRAM, ...args], {
      cwd: home,
      env: { ...environmentIn(home), ...env },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    await Promise.race([ended, pause(after)]);
    if (round % 3 === 2) {
      await cluster.stop("immediate");
      await pause(Math.random() * 500);
      await cluster.start();
    } else child.kill("SIGKILL");
    await ended;
  };

  it("leaves whole batches, and the next one goes on", CAMPAIGN, async () => {
    const database = await newDatabase(cluster);
    const home = temporaryFolder();
    const env = { COMMONPLACE_STORE: database.address(SUPERUSER) };
    await runProgram(["store", "init", "--space", "mine"], { home, env });
    const vault = join(home, "Notes");
    mkdirSync(vault);
    const args = ["push", "memory", "--vault", vault, "--memory", "vault", "--json"];
    const log = join(vault, ".commonplace", "memory");
    mkdirSync(log, { recursive: true });
    const stored = async () => {
      // What a killed process had sent may still be carried out.
      await expect
        .poll(
          async () => database.superuser`
          SELECT pid FROM pg_stat_activity WHERE datname = ${database.name} AND application_name LIKE 'commonplace%'`,
        )
        .toEqual([]);
      const [row] = await database.superuser`
        SELECT count(*)::int AS count, coalesce(max(number), 0)::int AS last FROM commonplace.memory_event`;
      return row as { readonly count: number; readonly last: number };
    };
    let written = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const lines = Array.from({ length: Math.ceil(EVENTS / ROUNDS) }, () => {
        const id = `e${written++}`;
        return lineOf({ type: "trace", id, at: written, session: "s", workspace: "default", tool: "t", about: id });
      });
      writeFileSync(join(log, `0a1b2c3d-2026-${String(round).padStart(3, "0")}.jsonl`), `${lines.join("\n")}\n`);
      await interrupted(round, args, home, env, 200 + Math.random() * 600);
      const { count, last } = await stored();
      // Numbers are taken in the transaction that adds their rows.
      expect(count).toBe(last);
    }
    expect(readdirSync(log)).toHaveLength(ROUNDS);
    const before = await stored();
    const { stdout } = await runProgram(args, { home, env });
    expect(JSON.parse(stdout).vaults).toEqual([
      { vault: "Notes", total: written, added: written - before.count, hidden: 0, bytes: expect.any(Number) },
    ]);
    expect(await stored()).toEqual({ count: written, last: written });
  });

  it("leaves whole conversations, and the next one goes on", CAMPAIGN, async () => {
    const database = await newDatabase(cluster);
    const home = temporaryFolder();
    const env = { COMMONPLACE_STORE: database.address(SUPERUSER) };
    await runProgram(["store", "init", "--space", "mine"], { home, env });
    const args = ["push", "conversations", "--project", "shop", "--json"];
    const counts = async () => {
      await expect
        .poll(
          async () => database.superuser`
          SELECT pid FROM pg_stat_activity WHERE datname = ${database.name} AND application_name LIKE 'commonplace%'`,
        )
        .toEqual([]);
      const [row] = await database.superuser`
        SELECT (SELECT count(*)::int FROM commonplace.conversation) AS conversations,
          (SELECT count(*)::int FROM commonplace.conversation_feed) AS fed,
          (SELECT count(DISTINCT conversation)::int FROM commonplace.conversation_page) AS "withPages"`;
      return row as Readonly<Record<"conversations" | "fed" | "withPages", number>>;
    };
    makeTalks(home, TALKS);
    // Indexed before, so that pushes are killed while they push.
    await runProgram(["index"], { home, env });
    for (let round = 0; round < ROUNDS; round++) {
      await interrupted(round, args, home, env, 300 + Math.random() * 900);
      const { conversations, fed, withPages } = await counts();
      expect([fed, withPages]).toEqual([conversations, conversations]);
    }
    const before = await counts();
    const { stdout } = await runProgram(args, { home, env });
    expect(JSON.parse(stdout).conversations).toMatchObject({
      added: TALKS - before.conversations,
      unchanged: before.conversations,
    });
    expect((await counts()).conversations).toBe(TALKS);
  });
});
