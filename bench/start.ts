// How long a host waits for the server at every launch, and what it costs in
// memory: against bare Node and a well-known server, in the same run.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devTool } from "../scripts/dev-tool.mjs";
import { LineClient } from "./measurement/line-client.ts";
import { goal, inTurns, median, ms, quantile, table, timed, times } from "./measurement/measure.ts";

const ROUNDS = 25;
const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const env = { ...process.env, HOME: home, USERPROFILE: home };
const OURS = [join(import.meta.dirname, "..", "bin", "commonplace.js")];
const PEER = [devTool("@modelcontextprotocol/server-filesystem"), home];

const bareNode = () =>
  timed(() => new Promise((resolve) => spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }).on("exit", resolve)));

/** Until the answer to the last of the two requests that every host sends at first. */
async function startOf(args: readonly string[], last: "initialize" | "tools/list"): Promise<number> {
  const started = performance.now();
  const client = new LineClient(args, env);
  await client.initialize();
  if (last === "tools/list") await client.request(last);
  const time = performance.now() - started;
  await client.close();
  return time;
}

async function memoryOf(args: readonly string[]): Promise<number> {
  const client = new LineClient(args, env);
  await client.initialize();
  await client.request("tools/list");
  const megabytes = client.memory();
  await client.close();
  return megabytes;
}

export async function run(): Promise<void> {
  await startOf(OURS, "initialize"); // Fills the compile cache, as the first start on a user's machine does.
  const measured = await inTurns(ROUNDS, {
    bare: bareNode,
    ours: () => startOf(OURS, "initialize"),
    oursListed: () => startOf(OURS, "tools/list"),
    peer: () => startOf(PEER, "initialize"),
    peerListed: () => startOf(PEER, "tools/list"),
  });
  const ofBare = (name: keyof typeof measured) => median(measured[name]) / median(measured.bare);
  const row = (label: string, name: keyof typeof measured) => [
    label,
    ms(median(measured[name])),
    ms(quantile(measured[name], 0.95)),
    times(ofBare(name)),
  ];
  table(
    `Spawn to the reply (Node ${process.versions.node}, ${ROUNDS} rounds)`,
    ["", "p50", "p95", "of bare"],
    [
      row("bare node -e 0", "bare"),
      row("commonplace, initialize", "ours"),
      row("commonplace, tools/list", "oursListed"),
      row("server-filesystem, initialize", "peer"),
      row("server-filesystem, tools/list", "peerListed"),
    ],
  );
  goal(ofBare("ours") <= 2.6, `initialize at most 2.6 times bare Node: ${times(ofBare("ours"))}`);
  goal(ofBare("oursListed") <= 3.2, `tools/list at most 3.2 times bare Node: ${times(ofBare("oursListed"))}`);
  const toPeer = ofBare("ours") / ofBare("peer");
  goal(toPeer <= 1 / 2, `initialize at most half of server-filesystem's: ${times(toPeer)}`);

  const memory = { ours: await memoryOf(OURS), peer: await memoryOf(PEER) };
  table(
    "Memory after tools/list",
    ["", "MB"],
    [
      ["commonplace", memory.ours.toFixed(0)],
      ["server-filesystem", memory.peer.toFixed(0)],
    ],
  );
  goal(memory.ours < memory.peer, `below server-filesystem's: ${times(memory.ours / memory.peer)}`);
  rmSync(home, { recursive: true, force: true });
}
