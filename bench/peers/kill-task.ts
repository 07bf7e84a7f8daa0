// Kills a server in the middle of a write to a long note, again and again. For the
// comparison.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { timed } from "../measurement/measure.ts";
import type { Place, Server } from "./servers.ts";
import { call, inPlace, open } from "./session.ts";

const KILLS = 20;
const BEFORE = "A line of a long note that nobody wants to lose.\n".repeat(40_000);
const ADDED = "The end.\n".repeat(2000);

export interface Kills {
  readonly kills: number;
  /** Left a file that is neither the old nor the new one. */
  torn: number;
  /** Left a server that does not answer any more on this vault. */
  stuck: number;
}

/** Undefined if the server writes nothing. */
export async function killed(server: Server): Promise<Kills | undefined> {
  if (server.add === undefined) return undefined;
  const whole = await inPlace(async (place) => {
    const { file, addition, isWhole } = prepared(server, place);
    const client = await open(server, place);
    const time = await timed(() => call(client, addition));
    await client.close();
    if (!isWhole(readFileSync(file, "utf8"))) throw new Error(`${server.name} did not add to the note`);
    return time;
  });
  const result: Kills = { kills: KILLS, torn: 0, stuck: 0 };
  for (let i = 0; i < KILLS; i++) {
    await inPlace(async (place) => {
      const { file, addition, isWhole } = prepared(server, place);
      const client = await open(server, place);
      // Killed, it answers nothing.
      void call(client, addition).catch(() => {});
      await pause((whole * (i + 1)) / KILLS);
      await client.kill();
      // A server that has a journal puts back what it began, when it is started and used again.
      const again = await open(server, place);
      const answer = await again.request("tools/list");
      if (server.search !== undefined) await call(again, server.search("nobody"));
      await again.close();
      if (answer.result === undefined) result.stuck++;
      if (!isWhole(readFileSync(file, "utf8"))) result.torn++;
    });
  }
  return result;
}

function prepared(server: Server, place: Place) {
  const { file, before, call: addition, isWhole } = server.add!(place, BEFORE, ADDED);
  writeFileSync(file, before);
  return { file, addition, isWhole };
}
