// How fast a query of properties and the view of a base are, from 1,000 to 10,000
// notes: the whole call of the built server, the work alone, and the growth.
import { queryVault, type Question } from "../src/vault/vault.ts";
import { QUERIES } from "./data/lived-notes.ts";
import { measureGrowth, type Measured, writeNotes } from "./measurement/growth.ts";
import { ms, report, timed } from "./measurement/measure.ts";
import {
  firstOf,
  ownProcessorTime,
  showTaken,
  startServer,
  type Taken,
  takenBy,
  withOpenVault,
} from "./measurement/warm-calls.ts";

const PAGE = 50;

export async function run(): Promise<void> {
  await measureGrowth("a warm query", measure);
}

async function measure(home: string, size: number): Promise<Measured> {
  const vault = writeNotes(home, size);
  const { client, call, processorTime } = await startServer(["--vault", vault, "--home", home]);
  const ask = (sent: object) => call("vaultLibrarian_query", sent);
  const indexing = await timed(() => ask({ limit: 1 }));
  const before = client.memory();
  const overStdio: Taken[] = [];
  for (const sent of Object.values(QUERIES)) overStdio.push(await takenBy(processorTime, () => ask(sent)));
  const memory = [before, client.memory()].map(Math.round);
  await client.close();
  const inProcess = await withOpenVault(home, vault, async (opened) => {
    const taken: Taken[] = [];
    for (const question of Object.values(QUERIES) as Question[])
      taken.push(
        await takenBy(ownProcessorTime, async () => firstOf(PAGE, (await queryVault(opened, question)).rows(0))),
      );
    return taken;
  });
  showTaken(`${size} notes`, Object.keys(QUERIES), { overStdio, inProcess });
  report(`first query, with the first index: ${ms(indexing)}`);
  report(`memory: ${memory[0]} MB after the first query, ${memory[1]} MB after all`);
  return { overStdio, inProcess };
}
