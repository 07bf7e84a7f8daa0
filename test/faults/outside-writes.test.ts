// A program that does not know our lock writes a note during a change of it, with
// the same size and with its times reset.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { bundled, NODE } from "../processes/child.ts";
import { parseVaultPath } from "../../src/files/vault/vault-path.ts";
import { Problem } from "../../src/kernel/problem.ts";
import { textOf } from "./children/outside-writer.ts";
import { everythingIn, temporaryVault } from "../fixtures/temporary-vault.ts";

const WRITER = bundled(join(import.meta.dirname, "children", "outside-writer.ts"));
const NOTE = parseVaultPath("note.md");
const COUNT = repeats({ short: 500, long: 5_000 });

test("a note that another program writes after it was read is never overwritten", CAMPAIGN, async () => {
  const vault = temporaryVault();
  vault.write(NOTE, textOf("at first", 0));
  const path = join(vault.folder, NOTE);
  const writer = spawn(NODE, [...WRITER, path]);
  const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
  await lines.next();
  let refused = 0;
  for (let number = 0; number < COUNT; number++) {
    let written: Promise<unknown> | undefined;
    const change = vault.journal.change({ tool: "test" }, async (read) => {
      const { hash } = (await read(NOTE))!;
      writer.stdin.write(`${number} 0\n`);
      written = lines.next();
      await written;
      return {
        message: "",
        steps: [{ kind: "replace", path: NOTE, before: hash, bytes: Buffer.from(textOf("inside", number)) }],
      };
    });
    await change.catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== "conflict") throw error;
      refused++;
    });
    await written;
    // Whether it came before our rename or after it, it came after our reading: it is what counts.
    expect(readFileSync(path, "utf8"), `write ${number}`).toBe(textOf("outside", number));
  }
  writer.stdin.end();
  await once(writer, "close");
  expect(refused).toBeGreaterThanOrEqual(COUNT / 2);
  expect(Object.keys(everythingIn(vault.folder, { withTrash: true }))).toEqual([NOTE]);
});
