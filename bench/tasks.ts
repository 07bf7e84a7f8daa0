// How fast tasks are listed and changed, from 1,000 to 10,000 notes with two
// tasks each: the whole call of the built server, the work alone, and the growth.
import { join } from "node:path";
import { openOutlines } from "../src/outline/outline.ts";
import { listTasks, type TaskQuestion } from "../src/tasks/tasks.ts";
import { LISTS } from "./data/lived-notes.ts";
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
const CHANGES = 20;

export async function run(): Promise<void> {
  await measureGrowth("a warm list", measure);
}

interface Listed {
  readonly success: boolean;
  readonly tasks: readonly { readonly id: string }[];
}

async function measure(home: string, size: number): Promise<Measured> {
  const vault = writeNotes(home, size);
  const { client, call, processorTime } = await startServer(["--vault", vault, "--home", home]);
  const indexing = await timed(() => call("list_tasks", { limit: 1 }));
  const before = client.memory();
  const overStdio: Taken[] = [];
  for (const sent of Object.values(LISTS)) overStdio.push(await takenBy(processorTime, () => call("list_tasks", sent)));
  const { tasks } = await call<Listed>("list_tasks", { limit: CHANGES + 1 });
  let next = 0;
  const ticked = await takenBy(
    processorTime,
    () => call("update_task", { id: tasks[next++]!.id, status: "done" }),
    CHANGES,
  );
  const after = await takenBy(processorTime, () => call("list_tasks", {}), 1);
  const memory = [before, client.memory()].map(Math.round);
  await client.close();
  const inProcess = await listedInProcess(home, vault);
  showTaken(`${size} notes, ${2 * size} tasks`, Object.keys(LISTS), { overStdio, inProcess });
  report(`one task marked as done: p50 ${ms(ticked.p50)}, p95 ${ms(ticked.p95)}, processor ${ms(ticked.processor)}`);
  report(`the list after it: ${ms(after.first)}`);
  report(`first list, with the first index: ${ms(indexing)}`);
  report(`memory: ${memory[0]} MB after the first list, ${memory[1]} MB after all`);
  return { overStdio, inProcess };
}

function listedInProcess(home: string, folder: string): Promise<Taken[]> {
  return withOpenVault(home, folder, async (vault) => {
    const outlines = openOutlines({
      file: join(home, "none.opml"),
      isEmbedded: false,
      folders: [],
      vaults: [{ folder, open: async () => vault }],
      journalFolder: join(home, "data", "journal"),
      idFolder: join(home, "ids"),
      log: console.error,
    });
    const taken: Taken[] = [];
    for (const question of Object.values(LISTS) as TaskQuestion[])
      taken.push(
        await takenBy(ownProcessorTime, async () => {
          const { tasks } = await listTasks({ vault, outlines }, question);
          return firstOf(PAGE, tasks(0));
        }),
      );
    await outlines.close();
    return taken;
  });
}
