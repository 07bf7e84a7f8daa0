// Servers are killed and the database crashes while clients write: what was
// acknowledged is there, once, and nothing is half there.
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { callContext } from "../../fixtures/call-context.ts";
import { CAMPAIGN, repeats } from "../../campaign.ts";
import { postCall } from "../../processes/http-call.ts";
import { atTheEnd } from "../../temporary-folder.ts";
import { startCluster } from "../cluster.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { freePort } from "./nginx.ts";
import { newTeam } from "./team.ts";

const ROUNDS = repeats({ short: 4, long: 300 });
const CLIENTS = 6;
const context = callContext({ sessionId: "s1" });

interface Answer {
  readonly result?: { readonly isError?: boolean };
}

describe.runIf(HAS_POSTGRESQL)("servers and a database that fail", () => {
  it("keep every write that was acknowledged", CAMPAIGN, async () => {
    const cluster = await startCluster(inject("postgresql")!.programs);
    atTheEnd(cluster.remove);
    const team = await newTeam(cluster);
    const token = await team.token("alice");
    const settings = { requestsPerMinute: 1_000_000 };
    const ports = await Promise.all([freePort(), freePort()]);
    const servers = await Promise.all(ports.map((port) => team.serve(settings, port)));
    const acknowledged = new Set<string>();
    const over = new AbortController();
    let count = 0;

    const write = async (client: number) => {
      const agent = new Agent({ keepAlive: false });
      while (!over.signal.aborted) {
        const name = `Session ${client}.${count++}`;
        const { url } = servers[count % servers.length]!;
        const call = { name: "memoryManager_createSession", arguments: { context, name } };
        const answer = await postCall<Answer>({ url, token, agent }, 1, call).catch(() => undefined);
        if (answer?.status === 200 && answer.body.result?.isError !== true) acknowledged.add(name);
        else await pause(20);
      }
    };
    const writing = Array.from({ length: CLIENTS }, (_, i) => write(i));
    /** Until every client may have written once more. */
    const goesOn = async () => {
      const until = acknowledged.size + CLIENTS;
      await expect.poll(() => acknowledged.size, { interval: 20 }).toBeGreaterThan(until);
    };
    for (let round = 0; round < ROUNDS; round++) {
      await goesOn();
      await pause(Math.random() * 100);
      if (round % 2 === 0) {
        const which = round % 4 === 0 ? 0 : 1;
        await servers[which]!.kill();
        servers[which] = await team.serve(settings, ports[which]!);
      } else {
        await cluster.stop(round % 4 === 1 ? "immediate" : "fast");
        await pause(Math.random() * 200);
        await cluster.start();
      }
    }
    await goesOn();
    over.abort();
    await Promise.all(writing);

    const rows = await team.database.superuser`SELECT line FROM commonplace.memory_event`;
    const created = rows
      .map((row) => JSON.parse(String(row["line"])) as { type: string; set?: { name?: string } })
      .filter(({ type, set }) => type === "session" && set?.name?.startsWith("Session "))
      .map(({ set }) => set!.name!);
    expect([...acknowledged].filter((name) => !created.includes(name))).toEqual([]);
    expect(new Set(created).size).toBe(created.length);
  });
});
