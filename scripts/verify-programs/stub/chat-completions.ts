// OpenAI Chat Completions: POST …/chat/completions. Thinking is in
// `reasoning_content`, as the servers of open models have it.
import { type Asked, type Json, newId, type Protocol, type Reply, textIn, OUTPUT_TOKENS } from "./exchange.ts";

export const chatCompletions: Protocol = {
  serves: (path) => path.endsWith("/chat/completions"),
  read: (body) => {
    const messages: readonly Json[] = body.messages ?? [];
    return {
      model: String(body.model ?? ""),
      system: messages
        .filter(isSystem)
        .map(({ content }) => textIn(content))
        .join("\n"),
      turns: messages
        .filter((message) => !isSystem(message))
        .map(({ role, content }) => ({ role: role === "function" ? "tool" : role, text: textIn(content) })),
      tools: (body.tools ?? []).map((tool: Json) => String(tool.function?.name)),
      isStream: body.stream === true,
    };
  },
  whole: (reply, asked) => ({
    ...head(asked, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: reply.text ?? null, ...extrasOf(reply) },
        finish_reason: reasonOf(reply),
      },
    ],
    usage: usage(asked),
  }),
  events: (reply, asked) => {
    const shared = head(asked, "chat.completion.chunk");
    const chunk = (delta: object, reason: string | null = null) => ({
      data: { ...shared, choices: [{ index: 0, delta, finish_reason: reason }] },
    });
    const { tool_calls, reasoning_content } = extrasOf(reply);
    return [
      chunk({ role: "assistant", content: "" }),
      ...(reasoning_content === undefined ? [] : [chunk({ reasoning_content })]),
      ...(reply.text === undefined ? [] : [chunk({ content: reply.text })]),
      ...(tool_calls === undefined ? [] : [chunk({ tool_calls })]),
      chunk({}, reasonOf(reply)),
      { data: { ...shared, choices: [], usage: usage(asked) } },
      { data: "[DONE]" },
    ];
  },
};

function isSystem({ role }: Json): boolean {
  return role === "system" || role === "developer";
}

function extrasOf({ thinking, call }: Reply): { reasoning_content?: string; tool_calls?: object[] } {
  return {
    ...(thinking === undefined ? {} : { reasoning_content: thinking }),
    ...(call === undefined
      ? {}
      : {
          tool_calls: [
            {
              index: 0,
              id: newId("call_"),
              type: "function",
              function: { name: call.name, arguments: JSON.stringify(call.input) },
            },
          ],
        }),
  };
}

function head({ model }: Asked, object: string): object {
  return { id: newId("chatcmpl-"), object, created: Math.floor(Date.now() / 1000), model };
}

function usage({ inputTokens }: Asked): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: OUTPUT_TOKENS,
    total_tokens: inputTokens + OUTPUT_TOKENS,
  };
}

function reasonOf({ call }: Reply): string {
  return call === undefined ? "stop" : "tool_calls";
}
