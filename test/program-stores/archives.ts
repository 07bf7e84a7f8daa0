// The archives that claude.ai and ChatGPT send. Neither format is documented:
// fields and values are those of archives that people have published, of 2023 to
// 2026, and on which public programs that read them agree.
import { derivedId, isoTime, type MadeConversation } from "./made-conversation.ts";

type Values = Readonly<Record<string, unknown>>;

/** What claude.ai sends as an id where a message follows none. */
export const NO_PARENT = "00000000-0000-4000-8000-000000000000";

/** A conversation in the `conversations.json` of claude.ai. */
export function claudeAiConversation(made: MadeConversation): Values {
  const { id, title, turns } = made;
  const messages: Values[] = [];
  const add = (at: number, sender: string, blocks: readonly Values[]): void => {
    messages.push({
      uuid: derivedId(id, messages.length),
      text: blocks.map((block) => (block["type"] === "text" ? block["text"] : "")).join("\n\n"),
      content: blocks.map((block) => ({
        start_timestamp: isoTime(at),
        stop_timestamp: isoTime(at),
        flags: null,
        ...block,
      })),
      sender,
      created_at: isoTime(at).replace("Z", "000Z"),
      updated_at: isoTime(at).replace("Z", "000Z"),
      attachments: [],
      files: [],
      parent_message_uuid: messages.at(-1)?.["uuid"] ?? NO_PARENT,
    });
  };
  for (const [i, { at, prompt, thinking, tool, answer }] of turns.entries()) {
    add(at, "human", [{ type: "text", text: prompt, citations: [] }]);
    add(at + 1000, "assistant", [
      { type: "thinking", thinking, summaries: [{ summary: "Considering." }], cut_off: false },
      {
        type: "tool_use",
        id: `toolu_${i}`,
        name: "repl",
        input: { code: `read(${JSON.stringify(tool.file)})` },
        message: "repl",
      },
      {
        type: "tool_result",
        tool_use_id: `toolu_${i}`,
        name: "repl",
        content: [{ type: "text", text: tool.output }],
        is_error: false,
      },
      { type: "text", text: answer, citations: [] },
    ]);
  }
  return {
    uuid: id,
    name: title,
    summary: "",
    created_at: isoTime(turns[0]!.at).replace("Z", "000Z"),
    updated_at: isoTime(turns.at(-1)!.at + 1000).replace("Z", "000Z"),
    account: { uuid: derivedId(id, "account") },
    chat_messages: messages,
  };
}

/** A message of ChatGPT, with what each has. */
export function chatGptMessage(id: string, role: string, content: Values, more: Values = {}): Values {
  return {
    id,
    author: { role, name: null, metadata: {} },
    create_time: null,
    update_time: null,
    content,
    status: "finished_successfully",
    end_turn: null,
    weight: 1,
    metadata: {},
    recipient: "all",
    channel: null,
    ...more,
  };
}

const text = (value: string) => ({ content_type: "text", parts: [value] });

/** A conversation in the `conversations.json` of ChatGPT. */
export function chatGptConversation(made: MadeConversation): Values {
  const { id, title, model, turns } = made;
  const mapping: Record<string, { id: string; message: Values | null; parent: string | null; children: string[] }> = {};
  let last: string | null = null;
  const add = (message: Values | null, own = String(message?.["id"])): void => {
    mapping[own] = { id: own, message, parent: last, children: [] };
    if (last !== null) mapping[last]!.children.push(own);
    last = own;
  };
  const next = () => derivedId(id, Object.keys(mapping).length);
  const hidden = { weight: 0, metadata: { is_visually_hidden_from_conversation: true } };
  add(null, "client-created-root");
  add(chatGptMessage(next(), "system", text(""), hidden));
  const context = {
    content_type: "user_editable_context",
    user_profile: "Preferred name: Anna",
    user_instructions: "Be brief",
  };
  add(chatGptMessage(next(), "user", context, { metadata: { ...hidden.metadata, is_user_system_message: true } }));
  const of = (at: number, more: Values = {}) => ({ create_time: at / 1000, metadata: { model_slug: model }, ...more });
  for (const { at, prompt, thinking, tool, answer } of turns) {
    add(chatGptMessage(next(), "user", text(prompt), { create_time: at / 1000 }));
    const thoughts = [{ summary: "Considering", content: thinking, chunks: [], finished: true }];
    add(
      chatGptMessage(
        next(),
        "assistant",
        { content_type: "thoughts", thoughts, source_analysis_msg_id: "" },
        of(at + 100),
      ),
    );
    const code = {
      content_type: "code",
      language: "python",
      response_format_name: null,
      text: `open(${JSON.stringify(tool.file)})`,
    };
    add(chatGptMessage(next(), "assistant", code, of(at + 200, { recipient: "python" })));
    const output = { content_type: "execution_output", text: tool.output };
    add(
      chatGptMessage(next(), "tool", output, {
        ...of(at + 300),
        author: { role: "tool", name: "python", metadata: {} },
      }),
    );
    add(
      chatGptMessage(next(), "assistant", { content_type: "reasoning_recap", content: "Thought for 8s" }, of(at + 400)),
    );
    add(chatGptMessage(next(), "assistant", text(answer), of(at + 1000, { channel: "final", end_turn: true })));
  }
  return {
    title,
    create_time: turns[0]!.at / 1000,
    update_time: (turns.at(-1)!.at + 1000) / 1000,
    mapping,
    moderation_results: [],
    current_node: last,
    plugin_ids: null,
    conversation_id: id,
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
    default_model_slug: model,
    id,
  };
}
