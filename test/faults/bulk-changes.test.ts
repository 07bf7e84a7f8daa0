// Several processes change all notes at once, by renaming a tag or setting a
// property, and are killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openVault } from "../../src/vault/vault.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { filesIn, vaultFolder } from "../fixtures/vaults.ts";
import { bundled, NODE } from "../processes/child.ts";
import type { BulkOrders } from "./children/bulk-changer.ts";

const CHANGER = bundled(join(import.meta.dirname, "children", "bulk-changer.ts"));
const NOTES = 100;

interface Names {
  readonly a?: string;
  readonly b?: string;
  readonly state?: string;
}

const text = (i: number, { a = "a0", b = "b0", state = "s0" }: Names) =>
  `---\ntags:\n  - ${a} # first\n  - ${b}/below\nstate: ${state} # kept\n---\n# Note ${i}\n\n#${b} and #${a}/x.\n`;
const notes = () => Object.fromEntries(Array.from({ length: NOTES }, (_, i) => [`Note ${i}.md`, text(i, {})]));
const home = () => join(vaultFolder(notes()), "..");
const names = (letter: string, count: number) => Array.from({ length: count + 1 }, (_, i) => `${letter}${i}`);

/** @param killAfter milliseconds after the first report; undefined: it runs to its end */
async function run(orders: BulkOrders, killAfter?: number): Promise<string[]> {
  const child = spawn(NODE, [...CHANGER, JSON.stringify(orders)]);
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
  await Promise.all(["a", "b"].map((letter) => run({ home: folder, kind: "tag", names: names(letter, 5) })));
  const found = filesIn(join(folder, "vault"));
  expect(found).toEqual(
    Object.fromEntries(Object.keys(found).map((path) => [path, noteAt(path, { a: "a5", b: "b5" })])),
  );
  expect(Object.keys(found)).toHaveLength(NOTES);
});

test("a process that renames a tag and one that sets a property of the same notes lose neither", async () => {
  const folder = home();
  await Promise.all([
    run({ home: folder, kind: "tag", names: names("a", 4) }),
    run({ home: folder, kind: "property", names: names("s", 4) }),
  ]);
  const found = filesIn(join(folder, "vault"));
  expect(found).toEqual(
    Object.fromEntries(Object.keys(found).map((path) => [path, noteAt(path, { a: "a4", state: "s4" })])),
  );
});

test.each([
  ["tag", "a", "a"],
  ["property", "s", "state"],
] as const)(
  "a process that is killed leaves the %s changed in all notes or in none",
  CAMPAIGN,
  async (kind, letter, key) => {
    for (let round = 0; round < repeats({ short: 4, long: 40 }); round++) {
      const folder = home();
      const done = await run({ home: folder, kind, names: names(letter, 40) }, 30 + ((round * 37) % 150));
      const vault = openVault({
        folder: join(folder, "vault"),
        isEmbedded: false,
        journals: join(folder, "journal"),
        cache: join(folder, "cache"),
        log: () => {},
      });
      await vault.journal.recoverInterrupted();
      const found = filesIn(join(folder, "vault"));
      const name = new RegExp(`\\b${letter}\\d+`).exec(found["Note 0.md"]!)![0];
      const number = Number(name.slice(1));
      const last = Number(done.at(-1)!.slice(1));
      // What was reported is there; one more may be.
      expect([last, last + 1]).toContain(number);
      for (const [path, content] of Object.entries(found)) expect(content).toBe(noteAt(path, { [key]: name }));
      await vault.journal.undo();
      for (const [path, content] of Object.entries(filesIn(join(folder, "vault"))))
        expect(content).toBe(noteAt(path, { [key]: `${letter}${number - 1}` }));
      await vault.close();
    }
  },
);

function noteAt(path: string, named: Names): string {
  return text(Number(/\d+/.exec(path)![0]), named);
}
