// Three vaults of 10,000 notes in one server: tasks and queries of each in turn, and
// a search over all of them, against the same server with one of them.
import { LISTS, QUERIES } from "./data/lived-notes.ts";
import { wordAt } from "./data/words.ts";
import { goalsOf, inNewFolder, writeNotes } from "./measurement/growth.ts";
import { goal, ms, report, table, times } from "./measurement/measure.ts";
import { startServer, type Taken, takenBy, untilQuiet } from "./measurement/warm-calls.ts";

const NOTES = 10_000;
const NAMES = ["One", "Two", "Three"];
const SEARCHES = [wordAt(2345), `${wordAt(300)} ${wordAt(700)}`, wordAt(4321).slice(0, -2)];

type Call = (name: string, sent: object) => Promise<unknown>;

/** Each kind of call, in the vault of this number. */
const CALLS: Readonly<Record<string, (call: Call, vault: string, round: number) => Promise<unknown>>> = {
  ...Object.fromEntries(
    Object.entries(LISTS).map(([name, sent]) => [
      `tasks: ${name}`,
      (call: Call, vault: string) => call("list_tasks", { ...sent, vault }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(QUERIES).map(([name, sent]) => [
      `query: ${name}`,
      (call: Call, vault: string) => call("vaultLibrarian_query", { ...sent, vault }),
    ]),
  ),
};

async function measure(home: string, folders: readonly string[]) {
  const flags = folders.flatMap((folder, i) => ["--vault", `${NAMES[i]}=${folder}`]);
  const { client, call, processorTime } = await startServer([...flags, "--home", home]);
  for (const [i] of folders.entries()) await call("list_tasks", { limit: 1, vault: NAMES[i] });
  const before = client.memory();
  const taken: Taken[] = [];
  for (const each of Object.values(CALLS))
    taken.push(await takenBy(processorTime, (round) => each(call, NAMES[round % folders.length]!, round), 51));
  const search = (round: number) =>
    call("search", { query: SEARCHES[round % SEARCHES.length], kinds: ["note"], limit: 10 });
  await search(0);
  await untilQuiet(processorTime);
  const searched = await takenBy(processorTime, search, 51);
  const memory = [before, client.memory()].map(Math.round);
  await client.close();
  return { taken, searched, memory };
}

export async function run(): Promise<void> {
  await inNewFolder(async (home) => {
    const folders = NAMES.map((name) => writeNotes(home, NOTES, name));
    const one = await measure(home, folders.slice(0, 1));
    const three = await measure(home, folders);
    const names = [...Object.keys(CALLS), "search over all vaults"];
    const all = { one: [...one.taken, one.searched], three: [...three.taken, three.searched] };
    table(
      `Three vaults of ${NOTES} notes in turns, beside one of them alone`,
      ["", "p50", "p95", "processor: p50", "p95", "alone: p50", "processor", "of alone"],
      names.map((name, i) => {
        const [of3, of1] = [all.three[i]!, all.one[i]!];
        return [
          name,
          ...[of3.p50, of3.p95, of3.processor, of3.processorP95, of1.p50, of1.processor].map(ms),
          times(of3.processor / of1.processor),
        ];
      }),
    );
    report(
      `memory: ${three.memory[0]} MB with three vaults, ${three.memory[1]} MB after all; alone ${one.memory[1]} MB`,
    );
    goalsOf("a warm call in one of three vaults", { overStdio: three.taken, inProcess: [] });
    const ratio = three.searched.processor / one.searched.processor;
    goal(ratio <= 3, `a search over three vaults at most 3 times one: ${times(ratio)}`);
  });
}
