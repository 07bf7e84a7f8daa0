// Conversations about the notes of the sample vault, in the formats of Claude Code
// and Codex, for the tests of the page and its picture.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const DAY = 24 * 60 * 60 * 1000;
const PROJECT = "/home/person/layers";

export interface Said {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** A tool call and its result. */
  readonly tool?: { readonly name: string; readonly input: object; readonly output: string };
}

export interface SampleConversation {
  readonly id: string;
  readonly model?: string;
  readonly branch?: string;
  /** In days. */
  readonly age: number;
  readonly said: readonly Said[];
  /** The conversation from which its first message was copied. */
  readonly forkedFrom?: string;
}

export const SAMPLE_CONVERSATIONS: readonly SampleConversation[] = [
  {
    id: "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e01",
    age: 0.3,
    said: [
      { role: "user", text: "Which of my beds should get the runner beans this year?" },
      {
        role: "assistant",
        text: "Let me look at your notes on crop rotation.",
        tool: {
          name: "contentManager_readContent",
          input: { filePath: "Garden/Crop rotation.md" },
          output: "# Crop rotation\n\nFour beds, four years: legumes, brassicas, roots, potatoes.",
        },
      },
      {
        role: "assistant",
        text: "The **north bed**: it had potatoes last year, and legumes follow them in your rotation. Sow two to a pole once the last frost is over.\n\n- Poles two metres high\n- Five centimetres deep\n- Water in the evening",
      },
      { role: "user", text: "Thanks. Add that to the garden year." },
    ],
  },
  {
    id: "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e02",
    age: 2.1,
    said: [
      { role: "user", text: "What did we decide about the index: is it data or a cache?" },
      {
        role: "assistant",
        text: "A cache. The files are the truth:\n\n```ts\nexport function rebuild(files: readonly File[]): Index {\n  return files.reduce((index, file) => index.with(file), new Index());\n}\n```\n\nDelete it, and it comes back.",
      },
    ],
  },
  {
    id: "6f0f1c1e-2b7a-4c52-9d5e-0a1b2c3d4e03",
    age: 9,
    said: [
      { role: "user", text: "Summarise How buildings learn in three sentences." },
      {
        role: "assistant",
        text: "Buildings are layers that age at different speeds. The slow ones lead, the quick ones follow. Design so that the quick can change without the slow.",
      },
    ],
  },
];

/** Writes the conversations to the folders of their programs in a home folder. */
export function writeConversations(home: string, conversations = SAMPLE_CONVERSATIONS): void {
  for (const { id, age, said, model, branch, forkedFrom } of conversations) {
    const start = Date.now() - age * DAY;
    const records = said.flatMap((one, i) =>
      recordsOf(one, id, i, { timestamp: new Date(start + i * 60_000).toISOString(), model, gitBranch: branch }),
    );
    if (forkedFrom !== undefined) Object.assign(records[0]!, { forkedFrom: { sessionId: forkedFrom } });
    const file = join(home, ".claude", "projects", PROJECT.replace(/[^a-z\d]/gi, "-"), `${id}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    utimesSync(file, new Date(start), new Date(start));
  }
}

interface Facts {
  readonly timestamp: string;
  readonly model: string | undefined;
  readonly gitBranch: string | undefined;
}

/** Of every answer. */
const USAGE = {
  input_tokens: 12,
  cache_read_input_tokens: 4_000,
  cache_creation_input_tokens: 288,
  output_tokens: 150,
};

function recordsOf({ role, text, tool }: Said, sessionId: string, i: number, facts: Facts): object[] {
  const { model = "sample", ...where } = facts;
  const common = { isSidechain: false, userType: "external", cwd: PROJECT, sessionId, version: "2.1.4", ...where };
  const uuidAt = (at: number, part = 0) =>
    `${sessionId.slice(0, 24)}${part}${String(at).padStart(3, "0")}0000${sessionId.slice(-4)}`;
  const uuid = uuidAt(i);
  const parentUuid = i === 0 ? null : uuidAt(i - 1);
  if (role === "user") return [{ ...common, parentUuid, uuid, type: "user", message: { role, content: text } }];
  const toolId = `tool_${i}`;
  const content = [
    { type: "text", text },
    ...(tool ? [{ type: "tool_use", id: toolId, name: tool.name, input: tool.input }] : []),
  ];
  const spoken = {
    ...common,
    parentUuid,
    uuid,
    type: "assistant",
    message: { id: `message_${sessionId}_${i}`, type: "message", role, model, content, usage: USAGE },
  };
  if (tool === undefined) return [spoken];
  const result = [{ type: "tool_result", tool_use_id: toolId, content: tool.output }];
  return [
    spoken,
    { ...common, parentUuid: uuid, uuid: uuidAt(i, 1), type: "user", message: { role: "user", content: result } },
  ];
}
