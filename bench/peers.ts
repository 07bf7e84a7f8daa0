// What a person compares before choosing: this server and those that they would
// otherwise pick, given the same tasks in one run, on data that it makes. Writes the
// table of the README, with date and versions, and says where another one is ahead.
import { spawn } from "node:child_process";
import { inTurns, median, ms, report, table, timed, goal } from "./measurement/measure.ts";
import { writeComparison, type Cell, type Row } from "./peers/comparison.ts";
import { conversationsFound } from "./peers/conversation-task.ts";
import { torn } from "./peers/kill-task.ts";
import { listed, moved, searched } from "./peers/note-tasks.ts";
import { omniOutlinerKept, OPML_COUNT, opmlKept } from "./peers/outline-tasks.ts";
import { SERVERS, type Server } from "./peers/servers.ts";
import { entering, inOwnNetwork, inPlace, open } from "./peers/session.ts";

const STARTS = 15;
const NO_TOOL: Cell = { text: "no tool" };

/** A figure of which less is better, or more. */
const less = (value: number, text: string): Cell => ({ text, rank: -value });
const more = (value: number, text: string): Cell => ({ text, rank: value });

export async function run(): Promise<void> {
  await inOwnNetwork(compare);
}

async function compare(): Promise<void> {
  const started = await starts();
  const columns: Cell[][] = [];
  for (const server of SERVERS) {
    console.log(`… ${server.name}`);
    columns.push(await columnOf(server, started[server.name]! / started["bare"]!));
  }
  const rows: Row[] = ROWS.map((title, i) => ({ title, cells: columns.map((column) => column[i]!) }));
  table(
    `Node ${process.versions.node}`,
    ["", ...SERVERS.map(({ name }) => name)],
    rows.map(({ title, cells }) => [title, ...cells.map(({ text }) => text)]),
  );
  for (const line of writeComparison(SERVERS, rows)) report(line);
  const fastest = Math.min(...SERVERS.slice(1).map(({ name }) => started[name]!));
  goal(started["Commonplace"]! <= fastest, "starts no later than the fastest of the others");
}

const ROWS = [
  "tools that it lists",
  "tokens of that list",
  "start, in times of bare Node",
  "memory after the list of tools",
  "search of 1,000 notes, p50",
  "search of 10,000 notes, p50",
  "tokens of an answer with ten hits",
  "links kept when a note is moved",
  "that move taken back",
  "OPML files edited with every other byte kept",
  "OmniOutliner documents likewise",
  "programs whose conversations it finds",
  "kills during a write that tear a file",
];

async function columnOf(server: Server, start: number): Promise<Cell[]> {
  const list = await listed(server);
  const few = await searched(server, 1000);
  const many = await searched(server, 10_000);
  const move = await moved(server);
  const opml = await opmlKept(server);
  const omni = await omniOutlinerKept(server);
  const conversations = await conversationsFound(server);
  const kills = await torn(server);
  return [
    { text: String(list.tools) },
    less(list.tokens, list.tokens.toLocaleString("en")),
    less(start, start.toFixed(1)),
    less(list.memory, `${list.memory.toFixed(0)} MB`),
    few === undefined ? NO_TOOL : less(few.time, ms(few.time)),
    many === undefined ? NO_TOOL : less(many.time, ms(many.time)),
    many === undefined ? NO_TOOL : less(many.tokens, many.tokens.toLocaleString("en")),
    move === undefined ? NO_TOOL : more(move.kept, `${move.kept} of ${move.links}`),
    move === undefined ? NO_TOOL : { text: move.takenBack, rank: move.takenBack === "byte for byte" ? 1 : 0 },
    opml === undefined ? NO_TOOL : more(opml, `${opml} of ${OPML_COUNT}`),
    omni === undefined ? NO_TOOL : { text: omni ? "yes" : "no" },
    conversations === undefined
      ? NO_TOOL
      : more(conversations.found, `${conversations.found} of ${conversations.programs}`),
    kills === undefined ? NO_TOOL : less(kills.torn, `${kills.torn} of ${kills.kills}`),
  ];
}

function bare(): Promise<number> {
  const [command = "", ...args] = [...entering(), process.execPath, "-e", "0"];
  return timed(() => new Promise((resolve) => spawn(command, args).on("exit", resolve)));
}

/** All in turns, so that a busy moment of the machine hits all of them alike. */
function starts(): Promise<Record<string, number>> {
  return inPlace(async (place) => {
    const startOf = (server: Server) => async () => {
      const begun = performance.now();
      const client = await open(server, place);
      const time = performance.now() - begun;
      await client.close();
      return time;
    };
    const candidates = { bare, ...Object.fromEntries(SERVERS.map((server) => [server.name, startOf(server)])) };
    // The first fills Node's compile cache, as on a user's machine.
    await inTurns(1, candidates);
    const measured = await inTurns(STARTS, candidates);
    return Object.fromEntries(Object.entries(measured).map(([name, row]) => [name, median(row)]));
  });
}
