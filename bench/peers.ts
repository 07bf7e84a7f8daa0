// What a person compares before choosing: this server and two others that give
// an assistant a folder of notes, asked the same questions in one run. The
// README's table is this one.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devTool } from "../scripts/dev-tool.mjs";
import { estimateTokens } from "../src/kernel/text/tokens.ts";
import { LineClient } from "./measurement/line-client.ts";
import { noteText } from "./data/notes.ts";
import { wordAt } from "./data/words.ts";
import { goal, inTurns, median, ms, table, timed, times } from "./measurement/measure.ts";
import { callContext } from "../test/fixtures/call-context.ts";

const STARTS = 25;
const NOTES = 10_000;
const ASKED = 20;
const CONTEXT = callContext();

type Call = readonly [tool: string, sent: object];

interface Server {
  readonly name: string;
  readonly args: (vault: string, home: string) => string[];
  /** Undefined if there is no tool for it. */
  readonly search?: (words: string) => Call;
  readonly move: (vault: string, from: string, to: string) => Call;
  readonly undo?: Call;
}

const SERVERS: readonly Server[] = [
  {
    name: "commonplace",
    args: (vault, home) => [join(import.meta.dirname, "..", "bin", "commonplace.js"), "--vault", vault, "--home", home],
    search: (query) => ["search", { query, limit: 10 }],
    move: (_, path, newPath) => ["vaultManager_moveNote", { path, newPath, context: CONTEXT }],
    undo: ["undo", {}],
  },
  {
    name: "mcpvault",
    args: (vault) => [devTool("@bitbonsai/mcpvault"), vault],
    search: (query) => ["search_notes", { query, limit: 10 }],
    move: (_, oldPath, newPath) => ["move_note", { oldPath, newPath }],
  },
  {
    name: "server-filesystem",
    args: (vault) => [devTool("@modelcontextprotocol/server-filesystem"), vault],
    move: (vault, from, to) => ["move_file", { source: join(vault, from), destination: join(vault, to) }],
  },
];

export async function run(): Promise<void> {
  const started = await starts();
  const columns: string[][] = [];
  for (const server of SERVERS) columns.push(await columnOf(server, started[server.name]! / started["bare"]!));
  const rows = [
    "tools that it lists",
    "tokens of that list",
    "start, in times of bare Node",
    "memory after the list",
    `search of ${NOTES.toLocaleString("en")} notes, p50`,
    "links kept when a note is moved",
    "that move taken back",
  ];
  table(
    `Node ${process.versions.node}`,
    ["", ...SERVERS.map(({ name }) => name)],
    rows.map((row, i) => [row, ...columns.map((column) => column[i]!)]),
  );
  const fastest = Math.min(...SERVERS.slice(1).map(({ name }) => started[name]!));
  goal(
    started["commonplace"]! <= fastest / 2,
    `starts in at most half the time of the others: ${times(started["commonplace"]! / fastest)}`,
  );
  goal(columns[0]![5] === "5 of 5" && columns[0]![6] === "byte for byte", "keeps every link, and takes the move back");
}

async function columnOf(server: Server, start: number): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  try {
    const vault = join(home, "vault");
    mkdirSync(vault);
    const client = await open(server, vault, home);
    const { result } = (await client.request("tools/list")) as { result: { tools: { outputSchema?: object }[] } };
    const memory = client.memory();
    await client.close();
    // Hosts give the model the list without the output schemas.
    const tokens = estimateTokens(JSON.stringify(result.tools.map(({ outputSchema: _, ...tool }) => tool)));
    const { kept, links, isBack } = await moved(server, home);
    return [
      String(result.tools.length),
      tokens.toLocaleString("en"),
      times(start),
      `${memory.toFixed(0)} MB`,
      await searched(server, home),
      `${kept} of ${links}`,
      isBack === undefined ? "no tool" : isBack ? "byte for byte" : "no",
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function open(server: Server, vault: string, home: string): Promise<LineClient> {
  const client = new LineClient(server.args(vault, home), { ...process.env, HOME: home });
  await client.initialize();
  return client;
}

const call = (client: LineClient, [name, sent]: Call) => client.request("tools/call", { name, arguments: sent });

const bare = () => timed(() => new Promise((resolve) => spawn(process.execPath, ["-e", "0"]).on("exit", resolve)));

/** All in turns, so that a busy moment of the machine hits all of them alike. */
async function starts(): Promise<Record<string, number>> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  const startOf = (server: Server) => async () => {
    const started = performance.now();
    const client = await open(server, home, home);
    const time = performance.now() - started;
    await client.close();
    return time;
  };
  const candidates = { bare, ...Object.fromEntries(SERVERS.map((server) => [server.name, startOf(server)])) };
  // The first fills Node's compile cache, as on a user's machine.
  await inTurns(1, candidates);
  const measured = await inTurns(STARTS, candidates);
  rmSync(home, { recursive: true, force: true });
  return Object.fromEntries(Object.entries(measured).map(([name, row]) => [name, median(row)]));
}

async function searched(server: Server, home: string): Promise<string> {
  if (server.search === undefined) return "no tool";
  const vault = join(home, "many");
  for (let i = 0; i < 200; i++) mkdirSync(join(vault, `Folder ${i}`), { recursive: true });
  for (let i = 0; i < NOTES; i++) writeFileSync(join(vault, `Folder ${i % 200}`, `Note ${i}.md`), noteText(i));
  const client = await open(server, vault, home);
  const row: number[] = [];
  // Where there is an index, the answer says that it is being made.
  while (JSON.stringify(await call(client, server.search(wordAt(500)))).includes('"indexing"'));
  for (let i = 0; i < ASKED; i++)
    row.push(await timed(() => call(client, server.search!(`${wordAt(300 + i)} ${wordAt(700 + 3 * i)}`))));
  await client.close();
  return ms(median(row));
}

/** Moves a note that others link to in the ways that people link. */
async function moved(server: Server, home: string) {
  const vault = join(home, "linked");
  mkdirSync(join(vault, "Archive"), { recursive: true });
  const texts = {
    "Old.md": "# Old\n\n## Part\n\ntext\n",
    "a.md": "See [[Old]].\n",
    "b.md": "See [[Old|the old one]].\n",
    "c.md": "See [it](Old.md).\n",
    "d.md": "![[Old#Part]]\n",
    "e.md": '---\nrelated: "[[Old]]"\n---\n\ntext\n',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(vault, name), text);
  const client = await open(server, vault, home);
  await call(client, server.move(vault, "Old.md", "Archive/New.md"));
  const linking = readdirSync(vault).filter((name) => /^[a-e]\.md$/.test(name));
  const kept = linking.filter((name) => readFileSync(join(vault, name), "utf8").includes("New")).length;
  if (!existsSync(join(vault, "Archive", "New.md"))) throw new Error(`${server.name} did not move the note`);
  let isBack: boolean | undefined;
  if (server.undo !== undefined) {
    await call(client, server.undo);
    isBack = Object.entries(texts).every(([name, text]) => readFileSync(join(vault, name), "utf8") === text);
  }
  await client.close();
  return { kept, links: linking.length, isBack };
}
