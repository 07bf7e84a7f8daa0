// One conversation in each program's own store, and whether a server finds it. For
// the comparison.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { MadeConversation } from "../../test/program-stores/made-conversation.ts";
import { PROGRAM_STORES } from "../../test/program-stores/program-stores.ts";
import type { Server } from "./servers.ts";
import { call, inPlace, open, shown } from "./session.ts";

/** A word for each program, that only its conversation has. */
const ANIMALS =
  "badger heron otter walrus lynx ibex marmot osprey gannet weasel plover stoat magpie newt viper moose puffin gecko tapir bison";

function made(animal: string, i: number, folder: string): MadeConversation {
  const turns = ["fails with an error", "works after the fix"].map((what, turn) => ({
    at: Date.now() - 3_600_000 * (i + 1) + 60_000 * turn,
    prompt: `The ${animal} importer ${what} when the configuration file is missing. Why does the ${animal} importer do that?`,
    thinking: "The importer reads the configuration before it knows where it is.",
    tool: { file: join(folder, "src", "importer.ts"), output: "export function importAll() {}" },
    answer: `The ${animal} importer reads the configuration file before it is created. I fixed the error: it now creates the file first, and the test of the ${animal} importer passes.`,
  }));
  const id = `00000000-0000-4000-8000-0000000000${10 + i}`;
  return { id, folder, branch: "main", title: `Fix the ${animal} importer`, model: "claude-opus-4-5", turns };
}

/** Of which programs a conversation is found; undefined if there is no tool for it. */
export function conversationsFound(server: Server) {
  return inPlace(async (place) => {
    if (server.findConversation === undefined) return undefined;
    const animals = new Map(Object.keys(PROGRAM_STORES).map((program, i) => [program, ANIMALS.split(" ")[i]!]));
    const folder = join(place.home, "code", "importers");
    mkdirSync(folder, { recursive: true });
    for (const [i, [program, animal]] of [...animals].entries())
      // Aider's writer takes the project as a path below the home.
      PROGRAM_STORES[program]!.write(place.home, [made(animal, i, program === "aider" ? "/code/importers" : folder)]);
    const client = await open(server, place);
    if (server.indexConversations !== undefined) await call(client, server.indexConversations);
    const found: string[] = [];
    for (const [program, animal] of animals) {
      const answer = shown(await call(client, server.findConversation(`${animal} importer`)));
      // More than the query that an answer may repeat.
      if (new RegExp(`the ${animal} importer`, "i").test(answer)) found.push(program);
    }
    await client.close();
    return { found, programs: animals.size };
  });
}
