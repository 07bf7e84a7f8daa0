// Writing notes so that nothing is lost, against plain file calls and a peer
// that writes without a journal, in one run; and how it grows with the vault.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { append } from "../src/vault/edits/note-changes.ts";
import { editNote } from "../src/vault/edits/note-editor.ts";
import { openVault } from "../src/vault/vault.ts";
import { devTool } from "../scripts/dev-tool.mjs";
import { measureFolderMoves } from "./measurement/folder-moves.ts";
import { LineClient } from "./measurement/line-client.ts";
import { goal, inTurns, median, ms, table, timed, times } from "./measurement/measure.ts";
import { callContext } from "../test/fixtures/call-context.ts";

const ROUNDS = 60;
const CONTEXT = callContext({ sessionId: "s" });

/** Two thousand characters, ten links to other notes, a heading every ten lines. */
function noteText(i: number, notes: number): string {
  const lines = Array.from({ length: 40 }, (_, line) => {
    if (line % 10 === 0) return `## Part ${line / 10} of note ${i}`;
    const link = line % 4 === 0 ? ` See [[Note ${(i * 7 + line) % notes}]].` : "";
    return `Some words on line ${line} that are there to be read.${link}`;
  });
  return `# Note ${i}\n\n${lines.join("\n")}\n`;
}

function makeVault(folder: string, notes: number): void {
  for (let i = 0; i < notes; i++) {
    const place = join(folder, `Folder ${i % 100}`);
    if (i < 100) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `Note ${i}.md`), noteText(i, notes));
  }
}

/** What a careful program does without a journal. */
function plainWrite(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  const file = openSync(temporary, "w");
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
}

/** The same without blocking: as a server does that answers other calls. */
async function plainWriteAsync(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, "w");
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(temporary, path);
}

const inARow = (work: () => unknown) => async () => {
  const row: number[] = [];
  for (let i = 0; i < 20; i++) row.push(await timed(work));
  return median(row);
};

/** The durable append by itself, in one process, without the way over stdio. */
async function measureAppend(home: string): Promise<void> {
  const folder = join(home, "append");
  mkdirSync(join(folder, "vault"), { recursive: true });
  for (const name of ["ours", "plain", "blocking"])
    writeFileSync(join(folder, "vault", `${name}.md`), noteText(1, 100));
  const vault = openVault({
    folder: join(folder, "vault"),
    isEmbedded: false,
    journals: join(folder, "journal"),
    cache: join(folder, "cache"),
    log: console.error,
  });
  const file = (name: string) => join(folder, "vault", `${name}.md`);
  const measured = await inTurns(15, {
    ours: inARow(() => editNote(vault, { tool: "bench" }, { filePath: "ours", change: append("One more line.") })),
    plain: inARow(() => plainWriteAsync(file("plain"), `${readFileSync(file("plain"), "utf8")}One more line.\n`)),
    blocking: inARow(() => plainWrite(file("blocking"), `${readFileSync(file("blocking"), "utf8")}One more line.\n`)),
  });
  await vault.close();
  const [ours, plain, blocking] = [median(measured.ours), median(measured.plain), median(measured.blocking)];
  table(
    "A durable append, without stdio",
    ["", "p50", "ours to it"],
    [
      ["commonplace, journaled", ms(ours), ""],
      ["read, write, fsync, rename", ms(plain), times(ours / plain)],
      ["the same, blocking", ms(blocking), times(ours / blocking)],
    ],
  );
  goal(ours <= 2 * plain, `at most 2 times plain: ${times(ours / plain)}`);
}

export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  try {
    await measureAppend(home);
    await measureFolderMoves(home);
    const cost: Record<number, Record<string, number>> = {};
    for (const notes of [1000, 10_000]) cost[notes] = await measure(home, notes);
    const names = Object.keys(cost[1000]!);
    table(
      "How it grows: p50 of commonplace",
      ["", "1,000 notes", "10,000 notes", "growth"],
      names.map((name) => [
        name,
        ms(cost[1000]![name]!),
        ms(cost[10_000]![name]!),
        times(cost[10_000]![name]! / cost[1000]![name]!),
      ]),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const must = async (client: LineClient, name: string, sent: object) => {
  const { result } = (await client.request("tools/call", { name, arguments: sent })) as {
    result: { isError?: boolean };
  };
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result)}`);
};

const path = (i: number) => `Folder ${i % 100}/Note ${i}.md`;

async function measure(home: string, notes: number): Promise<Record<string, number>> {
  const root = join(home, String(notes));
  const vault = join(root, "vault");
  mkdirSync(vault, { recursive: true });
  makeVault(vault, notes);
  const ours = new LineClient([
    "bin/commonplace.js",
    "--vault",
    vault,
    "--home",
    join(root, "home"),
    "--toolsets",
    "all",
  ]);
  const peer = new LineClient([devTool("@modelcontextprotocol/server-filesystem"), vault]);
  await Promise.all([ours.initialize(), peer.initialize()]);
  const call = (name: string, sent: object) => must(ours, name, { ...sent, context: CONTEXT });
  let next = 0;
  const fresh = () => next++;
  let flip = 0;

  const work: Record<string, Record<string, () => Promise<unknown> | void>> = {
    create: {
      commonplace: () =>
        call("contentManager_createContent", { filePath: `New/Ours ${fresh()}.md`, content: noteText(1, notes) }),
      plain: () => plainWrite(join(vault, `Plain ${fresh()}.md`), noteText(1, notes)),
      peer: () => must(peer, "write_file", { path: join(vault, `Peer ${fresh()}.md`), content: noteText(1, notes) }),
    },
    append: {
      commonplace: () =>
        call("contentManager_appendContent", { filePath: path(fresh() % 500), content: "One more line." }),
      plain: () => {
        const file = join(vault, path(500 + (fresh() % 200)));
        plainWrite(file, `${readFileSync(file, "utf8")}One more line.\n`);
      },
      peer: () =>
        must(peer, "edit_file", {
          path: join(vault, path(700 + (fresh() % 100))),
          edits: [{ oldText: "## Part 3", newText: "One more line.\n## Part 3" }],
        }),
    },
    read: {
      commonplace: () => call("contentManager_readContent", { filePath: path(fresh() % notes) }),
      plain: () => void readFileSync(join(vault, path(fresh() % notes)), "utf8"),
      peer: () => must(peer, "read_text_file", { path: join(vault, path(fresh() % notes)) }),
    },
    patch: {
      // A patch that changes nothing would not be written: each one flips a word.
      commonplace: () => {
        const [from, to] = flip++ % 2 === 0 ? ["that are", "which are"] : ["which are", "that are"];
        const edit = { oldContent: `line 22 ${from}`, newContent: `line 22 ${to}`, similarityThreshold: 1 };
        return call("contentManager_replaceContent", { filePath: path(3), ...edit });
      },
      plain: () => {
        const file = join(vault, path(500 + (fresh() % 200)));
        plainWrite(file, readFileSync(file, "utf8").replace("on line 22", "on line 22"));
      },
      peer: () =>
        must(peer, "edit_file", {
          path: join(vault, path(700 + (fresh() % 100))),
          edits: [{ oldText: "## Part 2", newText: "## Part 2" }],
        }),
    },
  };
  const p50: Record<string, number> = {};
  const rows: string[][] = [];
  for (const [name, candidates] of Object.entries(work)) {
    const measured = await inTurns(
      ROUNDS,
      Object.fromEntries(Object.entries(candidates).map(([who, run]) => [who, () => timed(run)])),
    );
    const [our, plain, their] = ["commonplace", "plain", "peer"].map((who) => median(measured[who]!)) as [
      number,
      number,
      number,
    ];
    p50[name] = our;
    rows.push([name, ms(our), ms(plain), ms(their), times(our / plain), times(our / their)]);
  }
  // With an index, which the first search makes, a move reads only the notes that link to what it moves.
  await call("search", { query: "words" });
  let turn = 0;
  const measured = await inTurns(5, {
    commonplace: () => {
      const [from, to] = turn++ % 2 === 0 ? [path(42), "Moved/Renamed 42.md"] : ["Moved/Renamed 42.md", path(42)];
      return timed(() => call("vaultManager_moveNote", { path: from, newPath: to }));
    },
    peer: () =>
      timed(() =>
        must(peer, "move_file", {
          source: join(vault, path(43 + turn * 2)),
          destination: join(vault, `Peer moved ${fresh()}.md`),
        }),
      ),
  });
  p50["move"] = median(measured.commonplace);
  rows.push(["move with links", ms(p50["move"]), "", ms(median(measured.peer)), "", "(it breaks them)"]);
  table(
    `${notes.toLocaleString("en")} notes, p50 over stdio`,
    ["", "commonplace", "write+fsync+rename", "peer", "of plain", "of peer"],
    rows,
  );
  await Promise.all([ours.close(), peer.close()]);
  return p50;
}
