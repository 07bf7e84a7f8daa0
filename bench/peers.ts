// What a person compares before choosing: this server and those that they would
// otherwise pick, given the same tasks in one run, on data that it makes. Writes the
// table of the README, with date and versions, and says where another one is ahead.
import { spawn } from "node:child_process";
import { inTurns, median, ms, report, table, timed, goal } from "./measurement/measure.ts";
import { writeComparison, type Cell, type Row } from "./peers/comparison.ts";
import { conversationsFound } from "./peers/conversation-task.ts";
import { killed } from "./peers/kill-task.ts";
import { listed, moved, searched } from "./peers/note-tasks.ts";
import { OMNI_COUNT, omniOutlinerKept, OPML_COUNT, opmlKept } from "./peers/outline-tasks.ts";
import { SERVERS, type Server } from "./peers/servers.ts";
import { entering, GaveUp, inOwnNetwork, inPlace, open, withinLimit } from "./peers/session.ts";

const STARTS = 9;
const NO_TOOL: Cell = { text: "no tool" };

/** A figure of which less is better, or more. */
const less = (value: number, text = value.toLocaleString("en")): Cell => ({ text, rank: -value });
const more = (value: number, of: number): Cell => ({ text: `${value} of ${of}`, rank: value });

/** Something that every server is asked to do, and the rows that show how it did. */
interface Task {
  readonly titles: readonly string[];
  readonly cellsOf: (server: Server) => Promise<readonly Cell[]>;
}

function task<T>(
  titles: readonly string[],
  work: (server: Server) => Promise<T | undefined>,
  toCells: (done: T, server: Server) => readonly Cell[],
): Task {
  const all = (cell: Cell) => titles.map(() => cell);
  const cellsOf = async (server: Server) => {
    try {
      const done = await withinLimit(() => work(server));
      return done === undefined ? all(NO_TOOL) : toCells(done, server);
    } catch (error) {
      if (!(error instanceof GaveUp)) throw error;
      return all({ text: `not in ${error.seconds} s`, rank: Number.NEGATIVE_INFINITY });
    }
  };
  return { titles, cellsOf };
}

const TASKS: readonly Task[] = [
  task(
    ["tools that it lists", "tokens of that list", "memory after that list"],
    listed,
    ({ tools, tokens, memory }) => [{ text: String(tools) }, less(tokens), less(memory, `${memory.toFixed(0)} MB`)],
  ),
  task(
    ["search of 1,000 notes, p50"],
    (server) => searched(server, 1000),
    ({ time }) => [less(time, ms(time))],
  ),
  task(
    ["search of 10,000 notes, p50", "tokens of its answer, ten hits"],
    (server) => searched(server, 10_000),
    ({ time, tokens }) => [less(time, ms(time)), less(tokens)],
  ),
  task(["links kept when a note is moved", "that move taken back"], moved, ({ kept, links, takenBack }) => [
    more(kept, links),
    { text: takenBack, rank: takenBack === "byte for byte" ? 1 : 0 },
  ]),
  task(["OPML files with every other byte kept by an edit"], opmlKept, (kept) => [more(kept, OPML_COUNT)]),
  task(["OmniOutliner documents likewise"], omniOutlinerKept, (kept) => [more(kept, OMNI_COUNT)]),
  task(["programs whose conversations it finds"], conversationsFound, ({ found, programs }, { name }) => {
    report(`${name} finds conversations of ${found.join(", ")}.`);
    return [more(found.length, programs)];
  }),
  task(["kills during a write after which the file is torn"], killed, ({ kills, torn, stuck }) => [
    less(torn + stuck, `${torn} of ${kills}${stuck > 0 ? `, but after ${stuck} it no longer starts` : ""}`),
  ]),
];

export async function run(): Promise<void> {
  await inOwnNetwork(compare);
}

async function compare(): Promise<void> {
  const started = await starts();
  const columns: Cell[][] = [];
  for (const server of SERVERS) {
    const start = started[server.name]! / started["bare"]!;
    const cells = [less(start, start.toFixed(1))];
    for (const { titles, cellsOf } of TASKS) {
      const begun = performance.now();
      cells.push(...(await cellsOf(server)));
      console.log(`… ${server.name}, ${titles[0]}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    }
    columns.push(cells);
  }
  const titles = ["start, in times of bare Node", ...TASKS.flatMap((each) => each.titles)];
  const rows: Row[] = titles.map((title, i) => ({ title, cells: columns.map((column) => column[i]!) }));
  table(
    `Node ${process.versions.node}`,
    ["", ...SERVERS.map(({ name }) => name)],
    rows.map(({ title, cells }) => [title, ...cells.map(({ text }) => text)]),
  );
  for (const line of writeComparison(SERVERS, rows)) report(line);
  const fastest = Math.min(...SERVERS.slice(1).map(({ name }) => started[name]!));
  goal(started["Commonplace"]! <= fastest, "starts no later than the fastest of the others");
}

function bare(): Promise<number> {
  const [command = "", ...args] = [...entering(), process.execPath, "-e", "0"];
  return timed(() => new Promise((resolve) => spawn(command, args).on("exit", resolve)));
}

/** All in turns, so that a busy moment of the machine hits all of them alike. */
function starts(): Promise<Record<string, number>> {
  return inPlace(async (place) => {
    const startOf = (server: Server) => () =>
      withinLimit(async () => {
        const begun = performance.now();
        const client = await open(server, place);
        const time = performance.now() - begun;
        await client.close();
        return time;
      });
    const candidates = { bare, ...Object.fromEntries(SERVERS.map((server) => [server.name, startOf(server)])) };
    // The first fills Node's compile cache, as on a user's machine.
    await inTurns(1, candidates);
    const measured = await inTurns(STARTS, candidates);
    return Object.fromEntries(Object.entries(measured).map(([name, row]) => [name, median(row)]));
  });
}
