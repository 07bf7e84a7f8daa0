// Conversations and a project for the budgets of results, made up and the same
// each time but for their dates, which are of the last month. Used by
// recall-budgets.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Chance } from "../../bench/data/chance.ts";

/** A word that is said in every conversation. */
export const COMMON = "harvest";
/** Where all of them were. */
export const FOLDER = "/code/orchard";
/** The id of one that is many pages long. */
export const LONG = "10000000-0000-4000-8000-000000000000";

const CONVERSATIONS = 309;
const DAY = 24 * 60 * 60 * 1000;
const FILES = 800;

/** A home folder with sessions of Claude Code: as many as real people have, with titles as long as they may be. */
export function fillSampleHome(home: string): void {
  for (let i = 0; i < CONVERSATIONS; i++) {
    const chance = new Chance(i);
    const answers = [`${chance.prose(300)} ${COMMON} ${chance.prose(300)}`, chance.prose(800)];
    writeSession(home, chance.uuid(), i, [chance.prose(400), ...answers]);
  }
  const chance = new Chance(CONVERSATIONS);
  writeSession(
    home,
    LONG,
    0,
    Array.from({ length: 60 }, (_, i) => chance.prose(i % 7 === 3 ? 15_000 : 900)),
  );
}

/** The first text is a prompt, and the others are answers. */
function writeSession(home: string, id: string, number: number, texts: readonly string[]): void {
  const started = Date.now() - (number % 28) * DAY - DAY / 2;
  const records = texts.map((said, i) => ({
    parentUuid: null,
    isSidechain: false,
    cwd: FOLDER,
    sessionId: id,
    version: "2.1.17",
    gitBranch: "main",
    type: i === 0 ? "user" : "assistant",
    uuid: `${id.slice(0, -4)}${String(i).padStart(4, "0")}`,
    timestamp: new Date(started + i * 1000).toISOString(),
    message:
      i === 0
        ? { role: "user", content: said }
        : {
            role: "assistant",
            id: `msg_01${id.slice(0, 8)}${String(i).padStart(14, "0")}`,
            model: "claude-opus-4-5-20251101",
            content: [{ type: "text", text: said }],
          },
  }));
  const path = join(home, ".claude", "projects", "-code-orchard", `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/** A project whose paths have about 26 characters, as this one's had when it had 900 files. */
export function fillSampleProject(folder: string): void {
  const chance = new Chance(FILES);
  const word = () =>
    chance
      .prose(6)
      .slice(0, 6)
      .toLowerCase()
      .replaceAll(/[^a-z]/g, "x");
  for (let i = 0; i < FILES; i++) {
    const path = join(folder, "src", word().slice(0, 2), `${word()}-${String(i).padStart(3, "0")}`, `${word()}.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
  }
  const scripts = Object.fromEntries(Array.from({ length: 15 }, () => [word(), "node x.js"]));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "orchard", scripts }));
  writeFileSync(join(folder, "README.md"), `# Orchard\n\n${chance.prose(3_000)}\n`);
}
