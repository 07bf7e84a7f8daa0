// A process is killed before each system call of an undo and of a redo, and
// sometimes during its recovery too: every byte is as before the change or as
// after it, and the history says which.
import { describe, expect, test } from "vitest";
import { contentHash } from "../../src/files/disk/atomic.ts";
import { parseVaultPath } from "../../src/files/vault/vault-path.ts";
import type { Step } from "../../src/journal/plan/step.ts";
import { startWriter } from "./children/start-writer.ts";
import { randomFrom } from "./children/operations.ts";
import { repeats } from "../campaign.ts";
import { everythingIn, temporaryVault } from "../fixtures/temporary-vault.ts";

const at = parseVaultPath;
const LONG = Buffer.from("a long note\n".repeat(10_000));
const CONTENTS = "<outline/>";

/** Every kind of step, and what an outline in a package and a new one need. */
const STEPS: readonly Step[] = [
  { kind: "replace", path: at("edited.md"), before: contentHash(Buffer.from("edited")), bytes: LONG },
  {
    kind: "replace",
    path: at("package.oo3/contents.xml"),
    before: contentHash(Buffer.from(CONTENTS)),
    bytes: Buffer.from("<outline><item/></outline>"),
  },
  { kind: "remove", path: at("removed.md") },
  { kind: "remove", path: at("removed folder") },
  { kind: "folder", path: at("empty") },
  { kind: "rename", path: at("moved.md"), to: at("into/deep/moved.md") },
  { kind: "rename", path: at("folder"), to: at("renamed") },
  { kind: "create", path: at("new/outline.opml"), bytes: Buffer.from("<opml/>") },
];

/** In `operations.ts`, the operation of this index is an undo, and that one a redo. */
const INDEX = { undo: 4, redo: 5 };
/** The first calls belong to opening. */
const FIRST_CALL = 6;

describe.each([
  ["on a disk with links", false],
  ["on a disk without", true],
])("a process that is killed before each system call, %s", (_, withoutLinks) => {
  test.concurrent.each(["undo", "redo"] as const)(
    "of the %s of a change leaves it whole or not begun",
    async (step) => {
      const vault = temporaryVault();
      for (const name of ["edited", "removed", "moved"]) vault.write(`${name}.md`, name);
      vault.write("package.oo3/contents.xml", CONTENTS);
      vault.write("package.oo3/image.png", Buffer.from([1, 2, 3]));
      vault.write("folder/a.md", "a");
      vault.write("removed folder/b.md", "b");
      const states = { undone: everythingIn(vault.folder), done: {} };
      const { id } = (await vault.journal.change({ tool: "test" }, () => ({ message: "", steps: STEPS })))!;
      states.done = everythingIn(vault.folder);
      if (step === "redo") await vault.journal.undo({ id });
      const [before, after] = step === "undo" ? [states.done, states.undone] : [states.undone, states.done];
      const random = randomFrom(withoutLinks ? 3 : 4);
      const orders = { seed: 1, from: INDEX[step], withoutLinks };
      const outcomes = { whole: 0, notBegun: 0 };
      // In the short form at every other call: each is killed at on one of the two disks.
      const every = repeats({ short: 2, long: 1 });
      const first = FIRST_CALL + (withoutLinks ? every - 1 : 0);
      for (let killAt = first, isOver = false; !isOver; killAt += every) {
        const { isKilled } = await startWriter(vault, { ...orders, count: 1, killAt }).ended;
        isOver = !isKilled;
        if (isKilled && random() < 0.3)
          await startWriter(vault, { ...orders, count: 0, killAt: FIRST_CALL + Math.floor(random() * 25) }).ended;
        // As the next process does.
        const next = vault.another();
        await next.change({ tool: "check" }, () => ({ message: "", steps: [] }));
        const { entries } = await next.history({ limit: 100 });
        const isUndone = entries.find((entry) => entry.id === id)!.undone;
        const isWhole = isUndone === (step === "undo");
        expect(everythingIn(vault.folder), `call ${killAt}`).toEqual(isWhole ? after : before);
        const names = Object.keys(everythingIn(vault.folder, { withTrash: true }));
        expect(
          names.filter((name) => name.endsWith(".tmp")),
          `call ${killAt}`,
        ).toEqual([]);
        if (isWhole) await next[step === "undo" ? "redo" : "undo"]({ id });
        outcomes[isWhole ? "whole" : "notBegun"]++;
        await next.close();
      }
      expect(outcomes.notBegun).toBeGreaterThan(20 / every);
      expect(outcomes.whole).toBeGreaterThan(0);
    },
  );
});
