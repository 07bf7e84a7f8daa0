// Programs that save in place, as Obsidian, cp and the shell do: they empty a note
// and write its text a moment later. Changes of ours fall into every moment of
// that, and no save is lost.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { CONTEXT } from "../contract/vault.ts";
import { bundled, NODE } from "../processes/child.ts";
import { atTheEnd, connectStdio, ERAS, temporaryFolder } from "../processes/program.ts";
import type { Save } from "./children/in-place-writer.ts";

const ROUNDS = repeats({ short: 20, long: 1_000 });
const SIZES = [2_000, 2_000, 100_000, 2_000_000];
const PATIENCE = { timeout: 300_000 };

const home = temporaryFolder();
const vault = join(home, "vault");
mkdirSync(vault);

const client = connectStdio(home, ERAS["2025-11-25 and before"], ["--vault", vault, "--home", join(home, "own")]);
const writer = spawn(NODE, bundled(join(import.meta.dirname, "children", "in-place-writer.ts")));
atTheEnd(() => void writer.kill());
const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
await lines.next();

const random = (most: number) => Math.floor(Math.random() * most);
const pick = <T>(all: readonly T[]) => all[random(all.length)]!;

/** A text whose every line says whose it is. */
function textOf(number: number): string {
  const line = `Save ${number} of another program, and a line that has some words.\n`;
  return line.repeat(Math.ceil(pick(SIZES) / line.length));
}

const CHANGES: readonly ((filePath: string, number: number) => readonly [name: string, sent: object])[] = [
  (filePath, number) => ["contentManager_appendContent", { filePath, content: `ours ${number}` }],
  (filePath, number) => ["contentManager_prependContent", { filePath, content: `ours ${number}` }],
  (filePath, number) => ["contentManager_updateProperties", { filePath, set: { round: number } }],
];

const saved = (way: Save["way"], gap: number) => async (path: string, text: string, delay: number) => {
  writer.stdin.write(`${JSON.stringify({ way, path, text, delay, gap } satisfies Save)}\n`);
  await lines.next();
};

/** A command that saves what is in another file. */
const ran =
  (command: (source: string, target: string) => string) => async (path: string, text: string, delay: number) => {
    const source = join(home, "source.md");
    writeFileSync(source, text);
    await pause(delay);
    const [code] = (await once(spawn("sh", ["-c", command(source, path)]), "close")) as [number];
    expect(code).toBe(0);
  };

interface Way {
  readonly save: (path: string, text: string, delay: number) => Promise<void>;
  /** Milliseconds around its beginning in which our change comes. */
  readonly around: number;
}

const WAYS: Readonly<Record<string, Way>> = {
  "fs.promises.writeFile": { save: saved("promises", 0), around: 25 },
  "fs.writeFile": { save: saved("callback", 0), around: 25 },
  "pieces, as VS Code": { save: saved("pieces", 0), around: 25 },
  cp: { save: ran((source, target) => `cp '${source}' '${target}'`), around: 25 },
  "command > note.md": { save: ran((source, target) => `{ sleep 0.3; cat '${source}'; } > '${target}'`), around: 300 },
  "mv, as git and vim do": {
    save: ran((source, target) => `cp '${source}' '${target}.new' && mv '${target}.new' '${target}'`),
    around: 25,
  },
  "a gap of 5 ms": { save: saved("gap", 5), around: 10 },
  "a gap of 20 ms": { save: saved("gap", 20), around: 20 },
  "a gap of 100 ms": { save: saved("gap", 100), around: 100 },
  "a gap of 500 ms": { save: saved("gap", 500), around: 500 },
};

/** The text of every file of the vault, to find a save in. */
function isSomewhere(text: string): boolean {
  return readdirSync(vault).some(
    (name) => name.endsWith(".md") && readFileSync(join(vault, name), "utf8").includes(text),
  );
}

describe("a note that another program saves in place while it is changed", () => {
  it.each(Object.entries(WAYS))("keeps every save: %s", CAMPAIGN, async (name, { save, around }) => {
    const answers = { changed: 0, refused: 0 };
    const path = join(vault, "note.md");
    for (let number = 0; number < ROUNDS; number++) {
      writeFileSync(path, textOf(-1));
      const text = textOf(number);
      const [tool, sent] = pick(CHANGES)("note.md", number);
      const delay = random(25);
      const saving = save(path, text, delay);
      await pause(random(delay + around));
      const answer = await (await client).callTool({ name: tool, arguments: { ...sent, context: CONTEXT } }, PATIENCE);
      answers[answer.isError ? "refused" : "changed"]++;
      // A program that puts another file in its place while we write is the one good reason.
      if (answer.isError) expect(JSON.stringify(answer.content)).toContain("has changed since it was read");
      await saving;
      await expect.poll(() => isSomewhere(text), { message: `${name}, save ${number}, ${tool}` }).toBe(true);
    }
    // Refusals alone would prove nothing.
    expect(answers.changed).toBeGreaterThan(ROUNDS / 10);
  });
});
