// How long a host waits for the server at every launch, and what it costs in
// memory: against bare Node and a well-known server, in the same run.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devTool } from "../scripts/dev-tool.mjs";
import { LineClient } from "./line-client.ts";
import { goal, inTurns, median, ms, quantile, table, timed, times } from "./measure.ts";

const ROUNDS = 25;
const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const env = { ...process.env, HOME: home, USERPROFILE: home };
const OURS = [join(import.meta.dirname, "..", "bin", "commonplace.js")];
const PEER = [devTool("@modelcontextprotocol/server-filesystem"), home];

const bareNode = () =>
  timed(() => new Promise((resolve) => spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }).on("exit", resolve)));

async function startOf(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const client = new LineClient(args, env);
  await client.initialize();
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
  await startOf(OURS); // Fills the compile cache, as the first start on a user's machine does.
  const measured = await inTurns(ROUNDS, { bare: bareNode, ours: () => startOf(OURS), peer: () => startOf(PEER) });
  const bare = median(measured.bare);
  const rows = (["bare", "ours", "peer"] as const).map((name) => {
    const label = { bare: "bare node -e 0", ours: "commonplace", peer: "server-filesystem" }[name];
    return [
      label,
      ms(median(measured[name])),
      ms(quantile(measured[name], 0.95)),
      times(median(measured[name]) / bare),
    ];
  });
  table(
    `Spawn to initialize reply (Node ${process.versions.node}, ${ROUNDS} rounds)`,
    ["", "p50", "p95", "of bare"],
    rows,
  );
  const ours = median(measured.ours);
  goal(ours <= 3 * bare, `at most 3 times bare Node (aim: 2): ${times(ours / bare)}`);
  goal(ours <= median(measured.peer) / 2, `at most half of server-filesystem: ${times(ours / median(measured.peer))}`);

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
