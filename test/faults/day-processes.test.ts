// Several processes append to days that have no note yet, and are killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openVault } from "../../src/vault/vault.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { filesIn, vaultFolder } from "../fixtures/vaults.ts";
import { bundled, NODE } from "../processes/child.ts";
import type { DayOrders } from "./children/day-appender.ts";

const APPENDER = bundled(join(import.meta.dirname, "children", "day-appender.ts"));
const TEMPLATE = "# {{title}}\n\n## Log\n";

const home = () =>
  join(vaultFolder({ ".obsidian/daily-notes.json": '{"folder": "Daily", "template": "T"}', "T.md": TEMPLATE }), "..");

const days = (count: number) => Array.from({ length: count }, (_, i) => `2026-11-${String(i + 1).padStart(2, "0")}`);

/** @param killAfter so many reported lines; undefined: it runs to its end */
async function run(orders: DayOrders, killAfter?: number): Promise<string[]> {
  const child = spawn(NODE, [...APPENDER, JSON.stringify(orders)]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (text: Buffer) => {
    output += text.toString();
    if (killAfter !== undefined && output.split("\n").length > killAfter) child.kill("SIGKILL");
  });
  child.stderr.on("data", (text) => (errors += text));
  await once(child, "close");
  expect(errors).toBe("");
  return output.split("\n").filter((day) => day !== "");
}

test("several processes that append to days without a note make one note each, with every text and the template once", async () => {
  const folder = home();
  const names = ["a", "b", "c"];
  const all = days(12);
  await Promise.all(names.map((name) => run({ home: folder, name, days: all })));
  const notes = filesIn(join(folder, "vault"));
  expect(Object.keys(notes)).toEqual([...all.map((day) => `Daily/${day}.md`), "T.md"]);
  for (const day of all) {
    const [head, blank, log, ...lines] = notes[`Daily/${day}.md`]!.trimEnd().split("\n");
    expect([head, blank, log]).toEqual([`# ${day}`, "", "## Log"]);
    expect(lines.toSorted()).toEqual(names.map((name) => `${name} ${day}`));
  }
});

test("a process that is killed leaves whole notes of days, and what it reported", CAMPAIGN, async () => {
  for (let round = 0; round < repeats({ short: 4, long: 40 }); round++) {
    const folder = home();
    const done = await run({ home: folder, name: "a", days: days(12) }, (round * 5) % 11);
    const vault = openVault({
      folder: join(folder, "vault"),
      isEmbedded: false,
      journals: join(folder, "journal"),
      cache: join(folder, "cache"),
      log: () => {},
    });
    await vault.journal.recoverInterrupted();
    const notes = filesIn(join(folder, "vault"));
    for (const day of done) expect(Object.keys(notes)).toContain(`Daily/${day}.md`);
    for (const [path, text] of Object.entries(notes)) {
      const [, day] = /^Daily\/(.*)\.md$/.exec(path) ?? [];
      if (day !== undefined) expect(text).toBe(`# ${day}\n\n## Log\na ${day}\n`);
    }
    expect(readFileSync(join(folder, "vault", "T.md"), "utf8")).toBe(TEMPLATE);
    await vault.close();
  }
});
