// Several processes mark tasks of one note and one outline as done at the same
// time, and are killed.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import type { ResultNamed } from "../../src/tools/tools.ts";
import { openVault } from "../../src/vault/vault.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { vaultFolder } from "../fixtures/vaults.ts";
import { connectStdio } from "../processes/program.ts";

const WORDS = ["alpha", "beta", "gamma"];
const COUNT = 8;

/** Every third one recurs. */
const tasksOf = (word: string) =>
  Array.from({ length: COUNT }, (_, i) => `${word} ${i}${i % 3 === 0 ? " 🔁 every day 📅 2026-11-17" : ""}`);
const LINES = Array.from({ length: COUNT }, (_, i) => WORDS.map((word) => `- [ ] ${tasksOf(word)[i]}`)).flat();

function home(): string {
  const folder = join(vaultFolder({ "n.md": `# Tasks\n\n${LINES.join("\n")}\n\nThe end.\n` }), "..");
  const rows = tasksOf("outline").map((text) => `<outline text="${text}" _status="unchecked"/>`);
  writeFileSync(join(folder, "o.opml"), `<opml version="2.0"><head/><body>${rows.join("")}</body></opml>`);
  return folder;
}

/** @param killAfter killed while it does the one after so many; undefined: it runs to its end @returns what it reported */
async function run(folder: string, word: string, killAfter = Number.POSITIVE_INFINITY): Promise<string[]> {
  const flags = [
    "--vault",
    join(folder, "vault"),
    "--outline",
    join(folder, "o.opml"),
    "--toolsets",
    "all",
    "--home",
    folder,
  ];
  const client = await connectStdio(folder, {}, flags);
  const call = async <N extends "list_tasks" | "update_task">(name: N, sent: object) =>
    (await client.callTool({ name, arguments: { ...sent } })).structuredContent as unknown as ResultNamed<N>;
  const { tasks } = await call("list_tasks", { text: word });
  const done: string[] = [];
  for (const { id, text } of tasks) {
    const updating = call("update_task", { id, status: "done" });
    if (done.length >= killAfter) {
      updating.catch(() => {});
      await setTimeout(2 * killAfter);
      process.kill((client.transport as StdioClientTransport).pid!, "SIGKILL");
      break;
    }
    const { success, message } = await updating;
    expect(success, message).toBe(true);
    done.push(text);
  }
  await client.close();
  return done;
}

/** The lines of the note once these are done; the next one of a recurring task comes above it. */
function expected(done: (text: string) => boolean): string[] {
  return LINES.flatMap((line) => {
    const text = line.slice("- [ ] ".length);
    if (!done(text.split(" 🔁")[0]!)) return [line];
    const next = line.includes("🔁") ? [line.replace("2026-11-17", "2026-11-18")] : [];
    return [...next, `- [x] ${text}`];
  });
}

const linesIn = (folder: string) =>
  readFileSync(join(folder, "vault", "n.md"), "utf8")
    .split("\n")
    .slice(2, -3);

test("several processes that tick tasks of one note and an outline do each of them once", async () => {
  const folder = home();
  await Promise.all([...WORDS, "outline"].map((word) => run(folder, word)));
  expect(linesIn(folder)).toEqual(expected(() => true));
  const outline = readFileSync(join(folder, "o.opml"), "utf8");
  expect(outline.match(/_status="checked"/g)).toHaveLength(COUNT);
  expect(outline.match(/2026-11-18" _status="unchecked"/g)).toHaveLength(Math.ceil(COUNT / 3));
});

test("a process that is killed leaves whole tasks, and what it reported", CAMPAIGN, async () => {
  for (let round = 0; round < repeats({ short: 4, long: 40 }); round++) {
    const folder = home();
    const [done] = await Promise.all([run(folder, "alpha", (round * 3) % COUNT), run(folder, "beta")]);
    const vault = openVault({
      folder: join(folder, "vault"),
      isEmbedded: false,
      journals: join(folder, "data", "journal"),
      cache: join(folder, "cache"),
      log: () => {},
    });
    await vault.journal.recoverInterrupted();
    await vault.close();
    const lines = linesIn(folder);
    // It may have finished one more than it could report.
    const ticked = lines.filter((line) => line.startsWith("- [x] alpha")).map((line) => line.slice(6).split(" 🔁")[0]!);
    for (const text of done) expect(ticked).toContain(text);
    expect(ticked.length - done.length).toBeLessThanOrEqual(1);
    expect(lines).toEqual(expected((text) => ticked.includes(text) || text.startsWith("beta")));
  }
});
