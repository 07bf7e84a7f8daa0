// What one call costs over stdio besides its work, how that grows with
// the message, and against a peer's cheapest call in the same run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devTool } from "../scripts/dev-tool.mjs";
import { LineClient } from "./measurement/line-client.ts";
import { goal, inTurns, median, ms, quantile, table, timed, times } from "./measurement/measure.ts";

const ROUNDS = 40;
const CALLS_A_ROUND = 50;
const SIZES = [100, 10_000, 1_000_000];

const call = (client: LineClient, name: string, sent: object = {}) =>
  client.request("tools/call", { name, arguments: sent });

export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  const ours = new LineClient([join(import.meta.dirname, "..", "bin", "commonplace.js")]);
  const peer = new LineClient([devTool("@modelcontextprotocol/server-filesystem"), home]);
  await Promise.all([ours.initialize(), peer.initialize()]);
  // Many calls in a row: a process that has just been woken up answers slowly, whatever it does.
  const inARow = (request: () => Promise<unknown>) => async () => {
    const row: number[] = [];
    for (let i = 0; i < CALLS_A_ROUND; i++) row.push(await timed(request));
    return median(row);
  };

  const candidates = {
    "commonplace: get_server_version": inARow(() => call(ours, "get_server_version")),
    "commonplace: tools/list": inARow(() => ours.request("tools/list")),
    "peer: list_allowed_directories": inARow(() => call(peer, "list_allowed_directories")),
    "peer: tools/list": inARow(() => peer.request("tools/list")),
  };
  await inTurns(5, candidates);
  const measured = await inTurns(ROUNDS, candidates);
  const names = Object.keys(measured) as (keyof typeof measured)[];
  table(
    `One request over stdio (${ROUNDS} rounds of ${CALLS_A_ROUND})`,
    ["", "p50", "p95"],
    names.map((name) => [name, ms(median(measured[name])), ms(quantile(measured[name], 0.95))]),
  );
  const ourCall = median(measured["commonplace: get_server_version"]);
  goal(ourCall <= 0.3, `a tool that does nothing: p50 at most 0.3 ms: ${ms(ourCall)}`);
  console.log(`         of the peer's: ${times(ourCall / median(measured["peer: list_allowed_directories"]))}`);

  const grown = await inTurns(
    30,
    Object.fromEntries(
      SIZES.map((size) => [size, () => timed(() => call(ours, "get_server_version", { extra: "x".repeat(size) }))]),
    ),
  );
  table(
    "The same with an argument of",
    ["bytes", "p50", "per kB"],
    SIZES.map((size) => [String(size), ms(median(grown[size]!)), ms(median(grown[size]!) / (size / 1000))]),
  );
  await Promise.all([ours.close(), peer.close()]);
  rmSync(home, { recursive: true, force: true });
}
