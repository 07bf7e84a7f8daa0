// Lists of tasks, queries and a changed task in a vault of 100,000 notes, against one
// of 10,000: the processor time of the built server for one call, once it is warm.
// Times by the clock are those of tasks.ts and query.ts.
import { LISTS, QUERIES } from "./data/lived-notes.ts";
import { inNewFolder, writeNotes } from "./measurement/growth.ts";
import { goal, ms, report, table, times } from "./measurement/measure.ts";
import { startServer, type Taken, takenBy } from "./measurement/warm-calls.ts";

const SIZES = [10_000, 100_000] as const;
const ROUNDS = 30;
const CHANGES = 10;
const GROUPS = ["tasks", "query"] as const;

interface Listed {
  readonly tasks: readonly { readonly id: string }[];
}

async function measure(home: string, size: number): Promise<ReadonlyMap<string, Taken>> {
  const vault = writeNotes(home, size);
  const { client, call, processorTime } = await startServer(["--vault", vault, "--home", home]);
  await call("list_tasks", { limit: 1 });
  const taken = new Map<string, Taken>();
  const measured = async (name: string, work: () => Promise<unknown>, rounds = ROUNDS) =>
    void taken.set(name, await takenBy(processorTime, work, rounds));
  for (const [name, sent] of Object.entries(LISTS)) await measured(`tasks: ${name}`, () => call("list_tasks", sent));
  for (const [name, sent] of Object.entries(QUERIES))
    await measured(`query: ${name}`, () => call("vaultLibrarian_query", sent));
  const { tasks } = await call<Listed>("list_tasks", { limit: CHANGES + 1 });
  let next = 0;
  await measured(
    "a task marked as done",
    () => call("update_task", { id: tasks[next++]!.id, status: "done" }),
    CHANGES,
  );
  report(`memory with ${size} notes: ${Math.round(client.memory())} MB`);
  await client.close();
  return taken;
}

export async function run(): Promise<void> {
  const [small, large] = [
    await inNewFolder((home) => measure(home, SIZES[0])),
    await inNewFolder((home) => measure(home, SIZES[1])),
  ];
  const growth = (names: readonly string[]) => {
    const sum = (of: typeof small) => names.reduce((total, name) => total + of.get(name)!.processor, 0);
    return sum(large) / sum(small);
  };
  const names = [...small.keys()];
  table(
    "Processor time of a warm call, median",
    ["", ...SIZES.map((size) => `${size} notes`), "growth"],
    names.map((name) => [name, ms(small.get(name)!.processor), ms(large.get(name)!.processor), times(growth([name]))]),
  );
  for (const group of GROUPS) {
    const all = growth(names.filter((name) => name.startsWith(group)));
    goal(all <= 10, `${group}: 100,000 notes at most 10 times 10,000, all together: ${times(all)}`);
  }
}
