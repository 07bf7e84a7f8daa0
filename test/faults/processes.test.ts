// Several processes write to one vault at the same time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everythingIn, temporaryVault } from "./temporary-vault.ts";

const APPENDER = join(import.meta.dirname, "appender.ts");
const TYPESCRIPT = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];

test("several processes that append to one note lose nothing, and none has to wait for long", async () => {
  const vault = temporaryVault();
  vault.write("shared.md", "");
  const names = ["a", "b", "c", "d"];
  const count = 60;
  const slowest = await Promise.all(
    names.map(async (name) => {
      const orders = JSON.stringify({ folder: vault.folder, journals: vault.journals, name, count });
      const child = spawn(process.execPath, [...TYPESCRIPT, APPENDER, orders]);
      let output = "";
      let errors = "";
      child.stdout.on("data", (text) => (output += text));
      child.stderr.on("data", (text) => (errors += text));
      await once(child, "close");
      expect(errors).toBe("");
      return Number(output);
    }),
  );
  const lines = vault.text("shared.md").trimEnd().split("\n");
  expect(lines).toHaveLength(names.length * count);
  // Each process's lines are there once, and in their order.
  for (const name of names) {
    const own = lines.filter((line) => line.startsWith(name));
    expect(own).toEqual(Array.from({ length: count }, (_, index) => `${name} ${index}`));
  }
  expect(Math.max(...slowest)).toBeLessThan(5_000);
  expect(Object.keys(everythingIn(vault.folder, { withTrash: true }))).toEqual(["shared.md"]);
  const { entries } = vault.journal.history({ limit: 1_000 });
  expect(entries).toHaveLength(names.length * count);
});
