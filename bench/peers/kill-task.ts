// Kills a server in the middle of a write to a long note, again and again. For the
// comparison.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { timed } from "../measurement/measure.ts";
import type { Server } from "./servers.ts";
import { call, inPlace, open } from "./session.ts";

const KILLS = 20;

/** How many of so many kills during a write leave a file that is neither the old nor the new one. */
export function torn(server: Server) {
  return inPlace(async (place) => {
    if (server.add === undefined) return undefined;
    const before = `${"A line of a long note that nobody wants to lose.\n".repeat(40_000)}`;
    const { file, before: written, call: addition, isWhole } = server.add(place, before, "The end.\n".repeat(2000));
    const write = () => writeFileSync(file, written);
    write();
    const first = await open(server, place);
    const whole = await timed(() => call(first, addition));
    await first.close();
    if (!isWhole(readFileSync(file, "utf8"))) throw new Error(`${server.name} did not add to the note`);
    let count = 0;
    for (let i = 0; i < KILLS; i++) {
      write();
      const client = await open(server, place);
      void call(client, addition);
      await pause((whole * (i + 1)) / KILLS);
      await client.kill();
      // A server that has a journal puts back what it began, when it is started and used again.
      const again = await open(server, place);
      if (server.search !== undefined) await call(again, server.search("nobody"));
      await again.close();
      if (!isWhole(readFileSync(file, "utf8"))) count++;
    }
    return { torn: count, kills: KILLS };
  });
}
