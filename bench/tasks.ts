// How fast tasks are listed and changed, from 10,000 to 100,000 notes with two
// tasks each: the whole call of the built server, its processor time, and the growth.
import { LineClient } from "./measurement/line-client.ts";
import { noteText } from "./data/notes.ts";
import { measureGrowth, writeNotes } from "./measurement/growth.ts";
import { median, ms, report, table, timed } from "./measurement/measure.ts";

const ROUNDS = 50;

const LISTS: Readonly<Record<string, object>> = {
  "all that is open": {},
  "what is overdue": { overdue: true },
  "due before a day, grouped by day": { dueBefore: "2026-06-01", group: "due" },
  "a tag, in a folder": { tag: "home", path: "Folder 7" },
  "words, done or not": { text: "call 77", status: "all" },
  "grouped by note": { group: "path" },
};

interface Answer {
  readonly success: boolean;
  readonly indexing?: object;
  readonly stale?: boolean;
  readonly tasks: readonly { readonly id: string }[];
}

export async function run(): Promise<void> {
  await measureGrowth("processor time of a warm list", measure);
}

async function measure(home: string, size: number): Promise<number[]> {
  const vault = writeNotes(home, size, (i) => noteText(i) + tasksOf(i));
  const client = new LineClient(["bin/commonplace.js", "--vault", vault, "--home", home, "--toolsets", "vault"]);
  await client.initialize();
  const call = async (name: string, sent: object): Promise<Answer> => {
    for (;;) {
      const { result } = (await client.request("tools/call", { name, arguments: sent })) as {
        result: { structuredContent: Answer };
      };
      if (!result.structuredContent.success) throw new Error(JSON.stringify(result));
      if (result.structuredContent.stale !== true) return result.structuredContent;
    }
  };
  const indexing = await timed(async () => void (await call("list_tasks", { limit: 1 })));
  const before = client.memory();
  /** The median time of a call, and the processor time of the server for one. */
  const measured = async (rounds: number, round: (i: number) => Promise<unknown>) => {
    const computed = client.processorTime() ?? 0;
    const walls: number[] = [];
    for (let i = 0; i < rounds; i++) walls.push(await timed(async () => void (await round(i))));
    const wall = median(walls);
    const processor = ((client.processorTime() ?? computed + wall * rounds) - computed) / rounds;
    return { wall, processor };
  };
  const rows: { readonly first: number; readonly wall: number; readonly processor: number }[] = [];
  for (const sent of Object.values(LISTS)) {
    const first = await timed(async () => void (await call("list_tasks", sent)));
    rows.push({ first, ...(await measured(ROUNDS, () => call("list_tasks", sent))) });
  }
  const { tasks } = await call("list_tasks", { limit: ROUNDS });
  const ticked = await measured(tasks.length, (i) => call("update_task", { id: tasks[i]!.id, status: "done" }));
  const after = await measured(1, () => call("list_tasks", {}));
  table(
    `${size} notes, ${2 * size} tasks`,
    ["list", "first", "warm", "processor"],
    Object.keys(LISTS).map((name, i) => [name, ...[rows[i]!.first, rows[i]!.wall, rows[i]!.processor].map(ms)]),
  );
  report(`one task marked as done: ${ms(ticked.wall)}, ${ms(ticked.processor)} of the processor`);
  report(`the list after it: ${ms(after.wall)}, ${ms(after.processor)} of the processor`);
  report(`first list, with the first index: ${ms(indexing)}`);
  report(`memory: ${Math.round(before)} MB after the first list, ${Math.round(client.memory())} MB after all`);
  await client.close();
  // On a shared machine the time of a call says more about others than about this one.
  return rows.map(({ processor }) => processor);
}

function tasksOf(i: number): string {
  const day = `2026-0${1 + (i % 9)}-1${i % 10}`;
  return `
## Tasks
- [${i % 4 === 0 ? "x" : " "}] call ${i} #home/${i % 7} ⏫ 📅 ${day}
- [ ] write [[Note ${(i * 7) % 100}]] about it  [scheduled:: ${day}]
`;
}
