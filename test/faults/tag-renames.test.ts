// Several processes rename tags in the same notes, and are killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openVault } from "../../src/vault/vault.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { filesIn, vaultFolder } from "../fixtures/vaults.ts";
import { bundled, NODE } from "../processes/child.ts";
import type { RenameOrders } from "./children/tag-renamer.ts";

const RENAMER = bundled(join(import.meta.dirname, "children", "tag-renamer.ts"));
const NOTES = 100;

const text = (i: number, a: string, b: string) =>
  `---\ntags:\n  - ${a} # first\n  - ${b}/below\n---\n# Note ${i}\n\n#${b} and #${a}/x.\n`;
const notes = (a: string, b: string) =>
  Object.fromEntries(Array.from({ length: NOTES }, (_, i) => [`Note ${i}.md`, text(i, a, b)]));
const home = () => join(vaultFolder(notes("a0", "b0")), "..");
const names = (letter: string, count: number) => Array.from({ length: count + 1 }, (_, i) => `${letter}${i}`);

/** @param killAfter milliseconds after the first report; undefined: it runs to its end */
async function run(orders: RenameOrders, killAfter?: number): Promise<string[]> {
  const child = spawn(NODE, [...RENAMER, JSON.stringify(orders)]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (report: Buffer) => (output += report.toString()));
  child.stderr.on("data", (report: Buffer) => (errors += report.toString()));
  const closed = once(child, "close");
  if (killAfter !== undefined) {
    await Promise.race([once(child.stdout, "data"), closed]);
    await pause(killAfter);
    child.kill("SIGKILL");
  }
  await closed;
  expect(errors).toBe("");
  return output.split("\n").filter((name) => name !== "");
}

test("two processes that rename two tags of the same notes lose neither", async () => {
  const folder = home();
  await Promise.all(["a", "b"].map((letter) => run({ home: folder, names: names(letter, 5) })));
  const found = filesIn(join(folder, "vault"));
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((path) => [path, noteAt(path, "a5", "b5")])));
  expect(Object.keys(found)).toHaveLength(NOTES);
});

test("a process that is killed leaves the tag renamed in all notes or in none", CAMPAIGN, async () => {
  for (let round = 0; round < repeats({ short: 4, long: 40 }); round++) {
    const folder = home();
    const done = await run({ home: folder, names: names("a", 40) }, 30 + ((round * 37) % 150));
    const vault = openVault({
      folder: join(folder, "vault"),
      isEmbedded: false,
      journals: join(folder, "journal"),
      cache: join(folder, "cache"),
      log: () => {},
    });
    await vault.journal.recoverInterrupted();
    const found = filesIn(join(folder, "vault"));
    const tag = /a\d+/.exec(found["Note 0.md"]!)![0];
    const last = Number(done.at(-1)!.slice(1));
    // What was reported is there; one more may be.
    expect([last, last + 1]).toContain(Number(tag.slice(1)));
    for (const [path, content] of Object.entries(found)) expect(content).toBe(noteAt(path, tag, "b0"));
    await vault.journal.undo();
    for (const [path, content] of Object.entries(filesIn(join(folder, "vault"))))
      expect(content).toBe(noteAt(path, `a${Number(tag.slice(1)) - 1}`, "b0"));
    await vault.close();
  }
});

function noteAt(path: string, a: string, b: string): string {
  return text(Number(/\d+/.exec(path)![0]), a, b);
}
