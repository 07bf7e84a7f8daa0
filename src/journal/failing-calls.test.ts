// Every system call that a change makes fails in turn, with codes that are known
// and with some that are not: the change happens whole or not at all, the answer
// is one that can be read, and the next change works.
import fs from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual as isEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { repeats } from "../../test/campaign.ts";
import { withAnswers } from "../../test/fixtures/simulated-file-systems.ts";
import { everythingIn, temporaryVault, type TemporaryVault } from "../../test/fixtures/temporary-vault.ts";
import { contentHash } from "../files/disk/atomic.ts";
import { parseVaultPath } from "../files/vault/vault-path.ts";
import { Problem } from "../kernel/problem.ts";
import type { Step } from "./plan/step.ts";

const CODES = ["EIO", "ELOOP", "ENOENT", "ENOTDIR", "EXDEV", "EMFILE", "ENAMETOOLONG", "ENOSPC", "ESTALE", "EREMOTEIO"];
/** Those that change something, and those that only look. */
const CALLS =
  "openSync writeSync fsyncSync fsync fchmodSync renameSync linkSync unlinkSync mkdirSync rmdirSync " +
  "lstatSync fstatSync statSync accessSync readdirSync readlinkSync";

const at = parseVaultPath;
const hashOf = (text: string) => contentHash(Buffer.from(text));
const STEPS: readonly Step[] = [
  { kind: "replace", path: at("a.md"), before: hashOf("a"), bytes: Buffer.from("A") },
  { kind: "remove", path: at("b.md") },
  { kind: "rename", path: at("folder"), to: at("moved") },
  { kind: "create", path: at("new/deep/c.md"), bytes: Buffer.from("c") },
];

function setUp(): TemporaryVault {
  const vault = temporaryVault();
  vault.write("a.md", "a");
  vault.write("b.md", "b");
  vault.write("folder/d.md", "d");
  return vault;
}

async function change({ journal }: TemporaryVault): Promise<string> {
  const steps = () => ({ message: "A change", steps: STEPS });
  return (await journal.change({ tool: "test" }, steps))!.id;
}

interface Tried {
  /** @returns the entry that it is about, if any */
  readonly prepare: (vault: TemporaryVault) => Promise<string>;
  readonly run: (vault: TemporaryVault, id: string) => Promise<string>;
  readonly takeBack: "undo" | "redo";
}

const OPERATIONS: Readonly<Record<string, Tried>> = {
  change: { prepare: async () => "", run: change, takeBack: "undo" },
  undo: { prepare: change, run: async ({ journal }, id) => (await journal.undo({ id })).id, takeBack: "redo" },
  redo: {
    prepare: async (vault) => (await vault.journal.undo({ id: await change(vault) })).id,
    run: async ({ journal }, id) => (await journal.redo({ id })).id,
    takeBack: "undo",
  },
};

/** Functions of node:fs that fail if `fails` returns true for their name and arguments. */
function failing(code: string, fails: (first: unknown) => boolean) {
  const functions = fs as unknown as Record<string, (...values: unknown[]) => unknown>;
  return Object.fromEntries(
    CALLS.split(" ").map((name) => {
      const call = functions[name]!;
      const failed = (...values: unknown[]) => {
        if (!fails(values[0])) return call(...values);
        const error = Object.assign(new Error(`${code}: refused, ${name}`), { code });
        // Only `fsync` answers later.
        if (name !== "fsync") throw error;
        return (values.at(-1) as (error: Error) => void)(error);
      };
      return [name, failed];
    }),
  );
}

const state = ({ folder }: TemporaryVault) => everythingIn(folder, { withTrash: true });
const notes = (vault: TemporaryVault) =>
  Object.fromEntries(Object.entries(everythingIn(vault.folder)).filter(([path]) => !path.startsWith("next")));

async function nextChangeWorks(vault: TemporaryVault, name: string, journal = vault.journal): Promise<void> {
  const steps: Step[] = [{ kind: "create", path: at(name), bytes: Buffer.from("next") }];
  await journal.change({ tool: "test" }, () => ({ message: "Next", steps }));
  expect(vault.text(name)).toBe("next");
}

describe.each(Object.entries(OPERATIONS))(
  "a system call that fails in the middle of: %s",
  (_, { prepare, run, takeBack }) => {
    // Each call fails with one of the codes, and with three in the long form; which, changes from call to call.
    test.each(repeats({ short: [0], long: [0, 1, 2] }))(
      "leaves it complete or rolled back, and the journal usable (%i)",
      async (turn) => {
        const vault = setUp();
        const id = await prepare(vault);
        const before = notes(vault);
        const another = vault.another();
        let isOver = false;
        let failures = 0;
        for (let call = 0; !isOver; call++) {
          let left = call;
          const code = CODES[(call + 3 * turn) % CODES.length]!;
          const entries = (await vault.journal.history({ limit: 1_000 })).entries.length;
          let done: string | undefined;
          let error: unknown;
          await withAnswers(
            failing(code, () => left-- === 0),
            async () => {
              try {
                done = await run(vault, id);
              } catch (reason) {
                error = reason;
              }
            },
          );
          isOver = left >= 0;
          if (done !== undefined) {
            // It was no matter, or the last one: it is done, and is taken back for the next try.
            expect(notes(vault), `call ${call}, ${code}`).not.toEqual(before);
            await vault.journal[takeBack]({ id: done });
          } else {
            failures++;
            expect(error, `call ${call}, ${code}`).toBeInstanceOf(Problem);
            expect((await vault.journal.history({ limit: 1_000 })).entries.length, `call ${call}, ${code}`).toBe(
              entries,
            );
          }
          expect(notes(vault), `call ${call}, ${code}`).toEqual(before);
          expect(
            Object.keys(state(vault)).filter((path) => path.endsWith(".tmp")),
            `call ${call}, ${code}`,
          ).toEqual([]);
          // By this journal, and by one that another process could have.
          await nextChangeWorks(vault, `next ${call}.md`, call % 2 === 0 ? vault.journal : another);
        }
        expect(failures).toBeGreaterThan(10);
        expect(vault.logged.filter((line) => /could not be rolled back/.test(line))).toEqual([]);
      },
    );
  },
);

describe("a system call that keeps failing", () => {
  test.each(["EIO", "ELOOP", "ESTALE", "EREMOTEIO"])(
    "%s does not keep other notes from being changed",
    async (code) => {
      for (const name of ["a.md", "b.md", "folder", "moved", "c.md", "deep", "new", ".trash"]) {
        const vault = setUp();
        let count = 0;
        // From the first change of a name on, nothing that is done with this one succeeds any more.
        const isBroken = (path: unknown) => typeof path === "string" && path.endsWith(`/${name}`) && count++ > 2;
        await withAnswers(failing(code, isBroken), async () => {
          await change(vault).catch((error: unknown) => expect(error, name).toBeInstanceOf(Problem));
          await nextChangeWorks(vault, "next.md");
          await nextChangeWorks(vault, "next again.md");
        });
      }
    },
  );
});

test("the error of a change that stays half done does not say that nothing was changed", async () => {
  const withoutTemporary = (files: object) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith(".tmp")));
  const changing = /^(?:rename|link|unlink|mkdir|rmdir)Sync$/;
  const said: string[] = [];
  /** @returns whether the change was made all the same */
  const tryWith = async (code: string, working: number): Promise<boolean> => {
    const vault = setUp();
    const before = notes(vault);
    let calls = 0;
    const answers = Object.entries(failing(code, () => calls++ >= working)).filter(([name]) => changing.test(name));
    const error = await withAnswers(Object.fromEntries(answers), () =>
      change(vault).catch((reason: unknown) => reason as Problem),
    );
    if (typeof error === "string") return true;
    if (isEqual(withoutTemporary(notes(vault)), before)) return false;
    said.push(error.message);
    expect(error.message, `${code} after ${working}`).not.toMatch(/nothing was changed/i);
    return false;
  };
  for (const code of ["ENOSPC", "EROFS", "EIO", "ENAMETOOLONG"])
    for (let working = 0; !(await tryWith(code, working)); working++);
  expect(said).toContain("The change failed half-way and could not be rolled back yet. The disk is full.");
});

test("a full disk is tried again four times, and all that can be given is asked for, before a change is refused", async () => {
  const vault = setUp();
  const before = notes(vault);
  const asked: boolean[] = [];
  const journal = vault.another({ makeRoom: async (_, isAgain) => asked.push(isAgain) > 0 });
  const writeSync = () => {
    throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
  };
  await withAnswers({ writeSync }, async () => {
    await expect(change({ ...vault, journal })).rejects.toThrow("The disk is full");
  });
  expect(asked).toEqual([false, true, true, true]);
  expect(notes(vault)).toEqual(before);
  await nextChangeWorks(vault, "next.md", journal);
});

test("a file that another program writes while a rename waits for it is not replaced", async () => {
  const vault = setUp();
  const before = notes(vault);
  const rename = fs.renameSync;
  let isWritten = false;
  const renameSync = (from: string, to: string) => {
    if (isWritten || !to.endsWith("/a.md")) return rename(from, to);
    isWritten = true;
    vault.write("a.md", "theirs");
    throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
  };
  await withAnswers({ renameSync }, async () => {
    await expect(change(vault)).rejects.toMatchObject({ code: "conflict" });
  });
  expect(notes(vault)).toEqual({ ...before, "a.md": "theirs" });
});

test("a file is changed, and what another program then saves into it is kept, where a second name has another number", async () => {
  const vault = setUp();
  const look = fs.lstatSync;
  const lstatSync = (path: string, options: fs.StatSyncOptions) => {
    const stats = look(path, options) as fs.BigIntStats | undefined;
    return path.startsWith(vault.journals) && stats ? Object.assign(stats, { ino: stats.ino + 1n }) : stats;
  };
  const program = fs.openSync(join(vault.folder, "a.md"), "r+");
  await withAnswers({ lstatSync }, async () => {
    await change(vault);
    expect(vault.text("a.md")).toBe("A");
    fs.writeSync(program, "another\n", 0);
    await expect.poll(() => vault.text("a (saved by another program).md")).toBe("another\n");
    await vault.journal.undo();
  });
  fs.closeSync(program);
});
