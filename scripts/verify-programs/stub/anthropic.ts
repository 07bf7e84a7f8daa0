// Anthropic Messages: POST …/v1/messages.
import {
  type Asked,
  type Json,
  newId,
  type Protocol,
  type Reply,
  type ServerEvent,
  textIn,
  OUTPUT_TOKENS,
} from "./exchange.ts";

export const anthropic: Protocol = {
  serves: (path) => path.endsWith("/messages"),
  read: (body) => ({
    model: String(body.model ?? ""),
    system: textIn(body.system ?? ""),
    turns: (body.messages ?? []).flatMap(turnsIn),
    tools: (body.tools ?? []).map((tool: Json) => String(tool.name)),
    isStream: body.stream === true,
  }),
  whole: (reply, asked) => ({
    ...message(asked),
    content: blocksOf(reply),
    stop_reason: reasonOf(reply),
    usage: usage(asked),
  }),
  events: (reply, asked) => [
    { name: "message_start", data: { type: "message_start", message: message(asked) } },
    ...blocksOf(reply).flatMap(blockEvents),
    {
      name: "message_delta",
      data: {
        type: "message_delta",
        delta: { stop_reason: reasonOf(reply), stop_sequence: null },
        usage: { output_tokens: OUTPUT_TOKENS },
      },
    },
    { name: "message_stop", data: { type: "message_stop" } },
  ],
};

function turnsIn({ role, content }: Json): Asked["turns"] {
  if (role === "assistant" || !Array.isArray(content)) return [{ role, text: textIn(content) }];
  const results = content.filter((block) => block.type === "tool_result");
  const rest = content.filter((block) => block.type !== "tool_result");
  return [
    ...results.map((block) => ({ role: "tool" as const, text: textIn(block.content) })),
    ...(rest.length > 0 ? [{ role, text: textIn(rest) }] : []),
  ];
}

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

function blocksOf({ thinking, text, call }: Reply): Block[] {
  const blocks: Block[] = [];
  if (thinking !== undefined) blocks.push({ type: "thinking", thinking, signature: "c3R1Yg==" });
  if (text !== undefined) blocks.push({ type: "text", text });
  if (call !== undefined) blocks.push({ type: "tool_use", id: newId("toolu_"), name: call.name, input: call.input });
  return blocks;
}

function blockEvents(block: Block, index: number): ServerEvent[] {
  const event = (name: string, data: object) => ({ name, data: { type: name, index, ...data } });
  const delta = (type: string, data: object) => event("content_block_delta", { delta: { type, ...data } });
  const pieces: Readonly<Record<string, () => [Block, ServerEvent[]]>> = {
    thinking: () => [
      { type: "thinking", thinking: "", signature: "" },
      [
        delta("thinking_delta", { thinking: block["thinking"] }),
        delta("signature_delta", { signature: block["signature"] }),
      ],
    ],
    text: () => [{ type: "text", text: "" }, [delta("text_delta", { text: block["text"] })]],
    tool_use: () => [
      { ...block, input: {} },
      [delta("input_json_delta", { partial_json: JSON.stringify(block["input"]) })],
    ],
  };
  const [start, deltas] = pieces[block.type]!();
  return [event("content_block_start", { content_block: start }), ...deltas, event("content_block_stop", {})];
}

function message(asked: Asked): object {
  return {
    id: newId("msg_"),
    type: "message",
    role: "assistant",
    model: asked.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage(asked), output_tokens: 1 },
  };
}

function usage({ inputTokens }: Asked): object {
  return {
    input_tokens: inputTokens,
    output_tokens: OUTPUT_TOKENS,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
}

function reasonOf({ call }: Reply): string {
  return call === undefined ? "end_turn" : "tool_use";
}
