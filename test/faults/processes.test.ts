// Several processes write to one vault at the same time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundled, NODE } from "../processes/child.ts";
import { everythingIn, temporaryVault } from "../fixtures/temporary-vault.ts";

const APPENDER = bundled(join(import.meta.dirname, "children", "appender.ts"));
const CREATOR = bundled(join(import.meta.dirname, "children", "creator.ts"));

/** Runs a script, and gives back what it prints; it must not complain. */
async function run(program: readonly string[], orders: object, onReady = () => {}): Promise<string> {
  const child = spawn(NODE, [...program, JSON.stringify(orders)]);
  let output = "";
  let errors = "";
  child.stdout.once("data", onReady).on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (errors += text));
  await once(child, "close");
  expect(errors).toBe("");
  return output;
}

test("of several processes that create the same files without any lock, one succeeds with each", async () => {
  const vault = temporaryVault();
  const names = ["a", "b", "c"];
  const count = 400;
  const signal = join(vault.home, "begin");
  let ready = 0;
  const onReady = () => {
    if (++ready === names.length) writeFileSync(signal, "");
  };
  const outputs = await Promise.all(
    names.map((name, position) =>
      run(CREATOR, { folder: vault.folder, name, position, processes: names.length, count, signal }, onReady),
    ),
  );
  const winners = outputs.map((output) => JSON.parse(output.replace("ready\n", "")) as number[]);
  const made = Object.entries(everythingIn(vault.folder));
  expect(made).toHaveLength(count);
  // Exactly one process reports success for each file, and its text is in it.
  for (const [path, text] of made) {
    const winning = names.filter((_, index) => winners[index]!.includes(Number.parseInt(path, 10)));
    expect(winning, path).toEqual([text]);
  }
  expect(winners.filter((won) => won.length > 0).length, "they were at it at the same time").toBe(names.length);
  expect(readdirSync(vault.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("several processes that append to one note lose nothing", async () => {
  const vault = temporaryVault();
  vault.write("shared.md", "");
  const names = ["a", "b", "c", "d"];
  const count = 60;
  await Promise.all(
    names.map((name) => run(APPENDER, { folder: vault.folder, journals: vault.journals, name, count })),
  );
  const lines = vault.text("shared.md").trimEnd().split("\n");
  expect(lines).toHaveLength(names.length * count);
  // Each process's lines are there once, and in their order.
  for (const name of names) {
    const own = lines.filter((line) => line.startsWith(name));
    expect(own).toEqual(Array.from({ length: count }, (_, index) => `${name} ${index}`));
  }
  expect(Object.keys(everythingIn(vault.folder, { withTrash: true }))).toEqual(["shared.md"]);
  const { entries } = await vault.journal.history({ limit: 1_000 });
  expect(entries).toHaveLength(names.length * count);
});
