// Past conversations with four programs, in the form in which these keep them.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCodeStore } from "../../../test/program-stores/claude-code.ts";
import { codexStore } from "../../../test/program-stores/codex.ts";
import { derivedId, isoTime, type MadeConversation } from "../../../test/program-stores/made-conversation.ts";
import { geminiStore } from "../../../test/program-stores/gemini.ts";

type Turn = readonly [prompt: string, answer: string];

let count = 0;

/** @param start such as "2026-11-18T09:00Z"; each turn is ten minutes after the one before */
function talk(folder: string, title: string, start: string, ...turns: readonly Turn[]): MadeConversation {
  return {
    id: `${(0x1b2c3d00 + ++count).toString(16)}-5e6f-4a7b-8c9d-0e1f2a3b4c5d`,
    folder,
    branch: "main",
    title,
    model: "model-of-the-home",
    turns: turns.map(([prompt, answer], i) => ({
      at: Date.parse(start) + i * 600_000,
      prompt,
      thinking: "First look at what is there.",
      tool: { file: `${folder}/README.md`, output: "# Read me" },
      answer,
    })),
  };
}

const CLAUDE = [
  talk(
    "/code/ledger",
    "Retry failed imports",
    "2026-11-18T09:00Z",
    [
      "The nightly import of bank files fails at times. How should it try again?",
      "Use exponential backoff with jitter, at most five tries, and keep the last error.",
    ],
    ["And if all five fail?", "Put the file into a quarantine folder and raise one alert."],
  ),
  talk("/code/ledger", "Linter settings", "2026-11-15T10:00Z", [
    "Make the linter quieter for generated code.",
    "I excluded the generated folder.",
  ]),
  talk("/code/bankfeed", "Rounding of cents", "2026-11-10T10:00Z", [
    "Sums are off by a cent.",
    "Amounts are floats; I changed them to integers of cents.",
  ]),
  talk("/code/bankfeed", "Time zones in statements", "2026-11-05T10:00Z", [
    "Statements show yesterday's date for American customers.",
    "The server formats in UTC; I pass the customer's time zone.",
  ]),
  talk("/code/ledger", "Schema for invoices", "2026-10-28T10:00Z", [
    "Design the table for invoices.",
    "Three tables: invoices, lines, payments. Amounts in cents, a currency column, no soft deletes.",
  ]),
  talk("/code/ledger", "Flaky test of the scheduler", "2026-09-20T10:00Z", [
    "The scheduler test fails once a week.",
    "It depends on the wall clock; I injected a fake one.",
  ]),
  talk("/code/bankfeed", "Picking a queue", "2026-08-02T10:00Z", [
    "Which queue should we take, RabbitMQ or a table in Postgres?",
    "A table in Postgres with SKIP LOCKED; you have few messages.",
  ]),
];

const CODEX = [
  talk("/code/site", "Dark mode", "2026-11-18T12:30Z", [
    "Add a dark theme to the site.",
    "Done with CSS variables and prefers-color-scheme.",
  ]),
  talk("/code/site", "Image sizes", "2026-11-12T10:00Z", [
    "Pages load slowly on phones.",
    "Hero images were 4 MB; now they are AVIF with srcset.",
  ]),
  talk("/code/site", "Cookie banner", "2026-10-25T10:00Z", [
    "Do we need a cookie banner?",
    "No: you set no cookies but the session.",
  ]),
];

const GEMINI = [
  talk("/code/recipes", "Scaling a recipe", "2026-11-18T14:00Z", [
    "Write a function that scales a recipe for more guests.",
    "It multiplies amounts and rounds eggs up.",
  ]),
  talk("/code/recipes", "Unit conversion", "2026-11-02T10:00Z", [
    "Convert cups to grams.",
    "A table of densities by ingredient; flour is 120 grams a cup.",
  ]),
];

/** Those of the home in which everything is old. */
const OLD = {
  claude: CLAUDE.filter(({ turns }) => turns[0]!.at < Date.parse("2026-10-10")),
  codex: [] as MadeConversation[],
  gemini: [] as MadeConversation[],
};

/** A hundred more, so that the first reading of them takes a while. */
const MANY = Array.from({ length: 100 }, (_, i) =>
  talk(
    `/code/project${i % 7}`,
    `Chore ${i}`,
    isoTime(Date.parse("2026-10-20T08:00Z") + i * 21_600_000),
    ...Array.from({ length: 40 }, (__, j): Turn => [
      `Do chore ${i}, step ${j}. ${"The usual way, please. ".repeat(20)}`,
      `Step ${j} of chore ${i} is done. ${"Nothing else changed. ".repeat(40)}`,
    ]),
  ),
);

export type Chats = "usual" | "old" | "many";

export function writeConversations(home: string, which: Chats): void {
  const { claude, codex, gemini } = which === "old" ? OLD : { claude: CLAUDE, codex: CODEX, gemini: GEMINI };
  claudeCodeStore.write(home, which === "many" ? [...claude, ...MANY] : claude);
  if (codex.length > 0) codexStore.write(home, codex);
  if (gemini.length > 0) geminiStore.write(home, gemini);
  if (which === "old") return;
  // One conversation in the folder of one project edits files of another.
  addEdits(home, CLAUDE[0]!, "/code/bankfeed/internal/committed.go", 11);
  addEdits(home, CLAUDE[1]!, "/code/ledger/.golangci.yaml", 2);
  addEdits(home, CLAUDE[3]!, "/code/bankfeed/.github/workflows/build.yml", 1);
}

function addEdits(home: string, { id, folder, model, turns }: MadeConversation, file: string, edits: number): void {
  const records = Array.from({ length: edits }, (_, i) => {
    const at = turns.at(-1)!.at + 2_000 + i * 1_000;
    const call = `toolu_edit_${derivedId(id, i)}`;
    const envelope = (type: string, offset: number, rest: object) => ({
      parentUuid: null,
      isSidechain: false,
      userType: "external",
      cwd: folder,
      sessionId: id,
      version: "2.1.197",
      gitBranch: "main",
      type,
      ...rest,
      uuid: derivedId(id, file, i, type),
      timestamp: isoTime(at + offset),
    });
    const input = { file_path: file, old_string: `line ${i}`, new_string: `Line ${i}` };
    const message = { model, id: `msg_${call}`, type: "message", role: "assistant", usage: {} };
    return [
      envelope("assistant", 0, {
        message: { ...message, content: [{ type: "tool_use", id: call, name: "Edit", input }] },
      }),
      envelope("user", 100, {
        message: {
          role: "user",
          content: [{ tool_use_id: call, type: "tool_result", content: "The file was updated." }],
        },
        toolUseResult: {
          filePath: file,
          oldString: input.old_string,
          newString: input.new_string,
          structuredPatch: [],
        },
      }),
    ];
  }).flat();
  const transcript = join(home, ".claude", "projects", folder.replaceAll(/[^A-Za-z0-9]/g, "-"), `${id}.jsonl`);
  appendFileSync(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}
