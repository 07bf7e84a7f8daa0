// Conversations of claude.ai as its archives have them. The format is not
// documented; archives that people have published, of 2023 to 2026, and public
// programs that read them were compared. test/program-stores/archives.ts writes
// what they have in common.
import { describe, expect, it } from "vitest";
import { claudeAiConversation, NO_PARENT } from "../../../../test/program-stores/archives.ts";
import { madeConversations } from "../../../../test/program-stores/made-conversation.ts";
import { archivedOf, type Archived } from "../../../../test/archived-conversation.ts";
import { claudeAi } from "./claude-ai.ts";

type Values = Readonly<Record<string, unknown>>;

let clock = 0;
const message = (uuid: string, sender: string, content: unknown, more: Values = {}): Values => ({
  uuid,
  text: "",
  content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  sender,
  created_at: new Date(Date.UTC(2026, 0, 1) + ++clock * 1000).toISOString(),
  attachments: [],
  files: [],
  ...more,
});

function read(messages: readonly Values[], more: Values = {}): Archived {
  return archivedOf(claudeAi, { uuid: "c", name: "Parrots", chat_messages: messages, ...more });
}

describe("a conversation of claude.ai", () => {
  it("has its prompts, answers, thinking and tools, told apart, with their times", () => {
    const [made] = madeConversations(1, 2);
    const { facts, parts, marked, notices } = archivedOf(claudeAi, claudeAiConversation(made!));
    expect(parts.slice(0, 5).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      `prose: ${made!.turns[0]!.prompt}`,
      `thinking: ${made!.turns[0]!.thinking}`,
      expect.stringContaining("tool: repl {"),
      `tool: ${made!.turns[0]!.tool.output}`,
      `prose: ${made!.turns[0]!.answer}`,
    ]);
    expect(parts[0]).toMatchObject({ role: "user", time: made!.turns[0]!.at });
    expect(parts[3]).toMatchObject({ tool: "repl" });
    expect(facts).toMatchObject({
      id: made!.id,
      title: made!.title,
      created: { at: made!.turns[0]!.at, known: "stored" },
      updated: { at: made!.turns[1]!.at + 1000, known: "stored" },
    });
    expect(marked).toEqual([]);
    expect(notices).toEqual([]);
  });

  it("of before 2025 is a list: each message follows the one before", () => {
    const old = (uuid: string, sender: string, text: string): Values => {
      const { content: _, ...rest } = message(uuid, sender, "");
      return { ...rest, text };
    };
    const { prose, marked } = read([
      old("a", "human", "Hi"),
      old("b", "assistant", "Yes?\n\n```\nThis block is not supported on your current device yet.\n```\n\nGo on."),
    ]);
    expect(prose).toEqual(["user: Hi", "assistant: Yes?\n\n\n\nGo on."]);
    expect(marked).toEqual([]);
  });

  it("keeps edited prompts and repeated answers as abandoned", () => {
    const messages = [
      message("a", "human", "Hi", { parent_message_uuid: NO_PARENT }),
      message("b", "assistant", "Yes?", { parent_message_uuid: "a" }),
      message("c", "human", "Old", { parent_message_uuid: "b" }),
      message("d", "assistant", "Hm", { parent_message_uuid: "c" }),
      message("e", "human", "New", { parent_message_uuid: "b" }),
    ];
    expect(read(messages)).toMatchObject({ order: ["a", "b", "c", "d", "e"], marked: ["c", "d"] });
    expect(read(messages, { current_leaf_message_uuid: "d" })).toMatchObject({ marked: ["e"] });
  });

  it("names attachments and pasted texts, and keeps their content out of prose", () => {
    const { prose, parts } = read([
      message("a", "human", "Look", {
        attachments: [
          { file_name: "plan.md", file_size: 9, file_type: "md", extracted_content: "The plan" },
          { file_name: "", file_type: "txt", extracted_content: "A long paste" },
        ],
        files: [{ file_uuid: "f", file_name: "photo.png" }, { file_name: "plan.md" }],
        files_v2: [{ file_kind: "image", file_uuid: "f", file_name: "photo.png" }],
      }),
    ]);
    expect(prose).toEqual(["user: Look\n\n[plan.md]\n[pasted text]\n[photo.png]"]);
    expect(parts.slice(1).map(({ kind, text, files }) => [kind, text, files])).toEqual([
      ["tool", "The plan", ["plan.md"]],
      ["tool", "A long paste", undefined],
    ]);
  });

  it("has what was spoken, its project, and its model if the archive names them", () => {
    const { prose, facts } = read([message("a", "human", [{ type: "voice_note", title: "Note", text: "Spoken" }])], {
      model: "claude-opus-4-5",
      project: { uuid: "p", name: "Birds" },
    });
    expect(prose).toEqual(["user: Spoken"]);
    expect(facts).toMatchObject({ model: "claude-opus-4-5", workspace: "Birds" });
  });

  it("reports unknown blocks by their number, and survives wrong types", () => {
    const { prose, notices } = read([
      message("a", "human", [{ type: "hologram" }, { type: "text", text: "Hi" }, { type: "token_budget" }, 7, null]),
      message("b", "assistant", { type: "text" }, { attachments: "x", files: [null], created_at: {} }),
      { uuid: 5, sender: 7, content: [{ type: "text", text: 1 }] },
    ]);
    expect(prose).toEqual(["user: Hi"]);
    expect(notices).toEqual(["skipped 1: blocks of the unknown type hologram"]);
  });

  it.each([
    [{}],
    [{ uuid: "c" }],
    [{ uuid: "c", chat_messages: {} }],
    [{ chat_messages: [] }],
    [{ mapping: {}, id: "c" }],
  ])("is not %j", (value) => expect(claudeAi.fromArchive!(value)).toBeUndefined());
});
