// Another program swaps a folder for a link that leads out of the vault while
// notes in it are created, changed, moved, deleted, undone and redone: nothing may
// appear outside, and every error has a readable message. The same for a single
// note that is swapped for a link during a move.
import fs, {
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { parseVaultPath } from "../../src/files/vault/vault-path.ts";
import type { Journal, Read } from "../../src/journal/journal.ts";
import type { Step } from "../../src/journal/plan/step.ts";
import { Problem } from "../../src/kernel/problem.ts";
import { withAnswers } from "../fixtures/simulated-file-systems.ts";
import { randomFrom } from "./children/operations.ts";
import { whileSwapping } from "./children/start-swapper.ts";
import { everythingIn, temporaryVault, type TemporaryVault } from "../fixtures/temporary-vault.ts";

const at = parseVaultPath;
const TEXT = "the text of a note";
const USES = ["openSync", "lstatSync", "statSync", "accessSync", "readlinkSync", "linkSync", "renameSync"] as const;

function setUp() {
  const vault = temporaryVault();
  const [outside, aside] = [join(vault.home, "outside"), join(vault.folder, ".aside")];
  for (const folder of [outside, aside, join(vault.folder, "folder")]) mkdirSync(folder);
  writeFileSync(join(outside, "note.md"), "theirs");
  writeFileSync(join(outside, "theirs.md"), "theirs");
  vault.write("folder/note.md", `${TEXT}\n`);
  vault.write("beside.md", TEXT);
  return { vault, outside, aside, was: everythingIn(outside) };
}

/** One after the other, whatever the one before came to. @returns the messages of those that were refused */
async function change(journal: Journal, count: number, seed: number): Promise<string[]> {
  const random = randomFrom(seed);
  const refused: string[] = [];
  for (let index = 0; index < count; index++) {
    const name = `folder/${index}.md`;
    const steps: ((read: Read) => Step[] | Promise<Step[]>)[] = [
      () => [{ kind: "create", path: at(name), bytes: Buffer.from(TEXT) }],
      () => [{ kind: "create", path: at(`folder/deep ${index}/below/x.md`), bytes: Buffer.from(TEXT) }],
      () => [{ kind: "folder", path: at(`folder/made ${index}`) }],
      async (read) => {
        const content = await read(at("folder/note.md"));
        if (content === undefined) return [];
        const bytes = Buffer.concat([content.bytes, Buffer.from(`${TEXT} ${index}\n`)]);
        return [{ kind: "replace", path: at("folder/note.md"), before: content.hash, bytes }];
      },
      () => [{ kind: "rename", path: at("beside.md"), to: at("folder/beside.md") }],
      () => [{ kind: "rename", path: at("folder/beside.md"), to: at("beside.md") }],
      () => [{ kind: "remove", path: at(`folder/${index - 5}.md`) }],
    ];
    const choice = Math.floor(random() * (steps.length + 3));
    try {
      const planned = steps[choice];
      if (planned !== undefined)
        await journal.change({ tool: "race" }, async (read) => ({ message: name, steps: await planned(read) }));
      else await (choice % 2 === 0 ? journal.undo() : journal.redo());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.push(error.message);
    }
  }
  return refused;
}

const temporaries = ({ home }: TemporaryVault) =>
  readdirSync(home, { recursive: true, encoding: "utf8" }).filter((path) => /\.commonplace-.*\.tmp$/.test(path));

describe("a folder that is swapped for a link to outside", () => {
  test.skipIf(process.platform !== "linux").each([1, 2])(
    "again and again, in a race, gets nothing written outside (seed %i)",
    async (seed) => {
      const { vault, outside, aside, was } = setUp();
      symlinkSync(outside, join(aside, "0-1"));
      const count = 400;
      const swaps = { places: [{ path: join(vault.folder, "folder"), count: 2 }], aside };
      const refused = await whileSwapping(swaps, () => change(vault.journal, count, seed));
      expect(everythingIn(outside)).toEqual(was);
      expect(temporaries(vault)).toEqual([]);
      expect(refused.length, "some were disturbed").toBeGreaterThan(0);
      expect(refused.length, "some were not").toBeLessThan(count);
      expect(refused.filter((message) => message.includes(vault.home))).toEqual([]);
      // When it is over, everything works as before.
      await vault.journal.change({ tool: "race" }, () => ({
        message: "",
        steps: [{ kind: "create", path: at("folder/after.md"), bytes: Buffer.from("after") }],
      }));
      expect(readFileSync(join(vault.folder, "folder/after.md"), "utf8")).toBe("after");
    },
  );

  describe.each([
    ["where folders can be held", process.platform],
    ["where they cannot", "darwin" as const],
  ])("in the very moment of a system call, %s", (_, platform) => {
    const STEPS: Record<string, Step[]> = {
      "a note": [{ kind: "create", path: at("folder/new.md"), bytes: Buffer.from(TEXT) }],
      "a folder": [{ kind: "folder", path: at("folder/new") }],
      "a note that is moved": [{ kind: "rename", path: at("beside.md"), to: at("folder/beside.md") }],
    };

    test.skipIf(process.platform === "win32").each(Object.entries(STEPS))(
      "leaves nothing outside: %s",
      async (_name, steps) => {
        // Before the n-th call that makes something in the folder, until there are no more of them.
        for (let call = 0, isOver = false; !isOver; call++) {
          const { vault, outside, aside, was } = setUp();
          const before = beforeCall(call, () => {
            renameSync(join(vault.folder, "folder"), join(aside, "folder"));
            symlinkSync(outside, join(vault.folder, "folder"));
          });
          vi.spyOn(process, "platform", "get").mockReturnValue(platform);
          try {
            await withAnswers(before.answers, () => {
              return vault.journal.change({ tool: "race" }, () => ({ message: "", steps }));
            });
          } catch (error) {
            expect(error).toBeInstanceOf(Problem);
          } finally {
            vi.restoreAllMocks();
          }
          isOver = !before.wasCalled();
          expect(everythingIn(outside), `at call ${call}`).toEqual(was);
          // Where a folder cannot be held, one that was moved away with a temporary file in it is not found again.
          if (platform === "linux") expect(temporaries(vault), `at call ${call}`).toEqual([]);
          const places = [vault.folder, join(vault.folder, "folder"), join(aside, "folder")];
          const found = places.map((folder) => join(folder, "beside.md")).filter((path) => existsSync(path));
          expect(
            found.map((path) => readFileSync(path, "utf8")),
            `at call ${call}`,
          ).toEqual([TEXT]);
        }
      },
    );
  });
});

describe.skipIf(process.platform === "win32")("a note that becomes a link to outside during a move", () => {
  test.each(["moved.md", "linking.md"])("is refused with a true sentence: %s", async (name) => {
    const sentences = new Set<string>();
    // Before the n-th call about the note once the change was worked out, until there are no more of them.
    for (let call = 0, isOver = false; !isOver; call++) {
      const { vault, outside, aside, was } = setUp();
      vault.write("moved.md", TEXT);
      vault.write("linking.md", "[[moved]]");
      const path = join(vault.folder, name);
      let left = Number.POSITIVE_INFINITY;
      const swapping = (original: (...values: never[]) => unknown) =>
        function swap(...values: never[]) {
          if (String(values[0]).endsWith(`/${name}`) && left-- === 0) {
            renameSync(path, join(aside, name));
            symlinkSync(join(outside, "theirs.md"), path);
          }
          return original(...values);
        };
      const answers = Object.fromEntries(USES.map((use) => [use, swapping(fs[use] as never)]));
      try {
        await withAnswers(answers, () =>
          vault.journal.change({ tool: "race" }, async (read) => {
            const { hash } = (await read(at("linking.md")))!;
            left = call;
            return {
              message: "",
              steps: [
                { kind: "replace", path: at("linking.md"), before: hash, bytes: Buffer.from("[[renamed]]") },
                { kind: "rename", path: at("moved.md"), to: at("renamed.md") },
              ],
            };
          }),
        );
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        sentences.add((error as Problem).message);
      }
      isOver = left >= 0;
      expect(everythingIn(outside), `at call ${call}`).toEqual(was);
    }
    expect([...sentences].filter((sentence) => !/was replaced during|is a link/.test(sentence))).toEqual([]);
    expect(sentences).toContain(
      `${name} was replaced during the change, perhaps by a link, and is no longer a file or folder of the vault. Nothing was changed.`,
    );
  });
});

/** Functions of node:fs that do something before the n-th call that makes a name of this test. */
function beforeCall(call: number, something: () => void) {
  const name = /[/\\](?:\.commonplace-[^/]*|new(?:\.md)?|beside\.md)$/;
  let left = call;
  const watching =
    (original: (...values: never[]) => unknown, argument: number) =>
    (...values: never[]) => {
      if (name.test(String(values[argument])) && left-- === 0) something();
      return original(...values);
    };
  const answers = {
    openSync: watching(openSync, 0),
    mkdirSync: watching(mkdirSync, 0),
    linkSync: watching(linkSync, 1),
    renameSync: watching(renameSync, 1),
  };
  return { answers, wasCalled: () => left < 0 };
}
