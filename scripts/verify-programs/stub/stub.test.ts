import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atTheEnd, temporaryFolder } from "../../../test/temporary-folder.ts";
import { marker, promptText } from "../markers.ts";
import type { Asked, Json } from "./exchange.ts";
import { replyTo, type ToolNames } from "./script.ts";
import { startStub } from "./server.ts";

const TOOLS: ToolNames = {
  shell: (command) => ({ name: "shell", input: { command } }),
  helper: [
    (prompt) => ({ name: "start", input: { prompt } }),
    (_, result) => ({ name: "wait", input: { for: result } }),
  ],
};

interface Said {
  thinking?: string;
  text?: string;
  call?: { name: string; input: unknown };
}

/** One protocol as a client knows it. */
interface Client {
  readonly path: string;
  readonly body: (isStream: boolean, prompt: string, results: readonly string[]) => object;
  readonly whole: (answer: Json) => Said;
  /** What the pieces of a stream add up to. */
  readonly streamed: (events: readonly Json[]) => Said;
}

const joined = (pieces: readonly (string | undefined)[]) => pieces.join("") || undefined;
const said = (thinking?: string, text?: string, name?: string, input?: string): Said => ({
  ...(thinking ? { thinking } : {}),
  ...(text ? { text } : {}),
  ...(name ? { call: { name, input: JSON.parse(input!) } } : {}),
});

const CLIENTS: Readonly<Record<string, Client>> = {
  "Anthropic Messages": {
    path: "/v1/messages",
    body: (stream, prompt, results) => ({
      model: "m",
      stream,
      tools: [{ name: "shell" }],
      messages: [
        { role: "user", content: [{ type: "text", text: prompt }] },
        ...results.map((content) => ({ role: "user", content: [{ type: "tool_result", content }] })),
      ],
    }),
    whole: ({ content }) => {
      const block = (type: string) => content.find((one: Json) => one.type === type);
      const call = block("tool_use");
      return said(block("thinking")?.thinking, block("text")?.text, call?.name, JSON.stringify(call?.input));
    },
    streamed: (events) => {
      const starts = events.filter(({ type }) => type === "content_block_start");
      expect(events.filter(({ type }) => type === "content_block_stop")).toHaveLength(starts.length);
      expect(events.at(-1).type).toBe("message_stop");
      const deltas = events.flatMap(({ delta }) => delta ?? []);
      return said(
        joined(deltas.map(({ thinking }) => thinking)),
        joined(deltas.map(({ text }) => text)),
        starts.find((one) => one.content_block.type === "tool_use")?.content_block.name,
        joined(deltas.map((delta) => delta.partial_json)),
      );
    },
  },
  "Chat Completions": {
    path: "/v1/chat/completions",
    body: (stream, prompt, results) => ({
      model: "m",
      stream,
      tools: [{ type: "function", function: { name: "shell" } }],
      messages: [
        { role: "system", content: "You are helpful." },
        { role: "user", content: prompt },
        ...results.map((content) => ({ role: "tool", content })),
      ],
    }),
    whole: ({ choices: [{ message }] }) => {
      const call = message.tool_calls?.[0].function;
      return said(message.reasoning_content, message.content, call?.name, call?.arguments);
    },
    streamed: (events) => {
      expect(events.at(-1)).toBe("[DONE]");
      const deltas = events.flatMap(({ choices = [] }) => choices.map(({ delta }: Json) => delta));
      const calls = deltas.flatMap((delta) => delta.tool_calls ?? []).map((call) => call.function);
      return said(
        joined(deltas.map((delta) => delta.reasoning_content)),
        joined(deltas.map(({ content }) => content)),
        calls[0]?.name,
        joined(calls.map((call) => call.arguments)),
      );
    },
  },
  Responses: {
    path: "/v1/responses",
    body: (stream, prompt, results) => ({
      model: "m",
      stream,
      tools: [{ type: "function", name: "shell" }],
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: prompt }] },
        ...results.map((output) => ({ type: "function_call_output", output })),
      ],
    }),
    whole: ({ output }) => {
      const item = (type: string) => output.find((one: Json) => one.type === type);
      const call = item("function_call");
      return said(item("reasoning")?.summary[0].text, item("message")?.content[0].text, call?.name, call?.arguments);
    },
    streamed: (events) => {
      expect(events.at(-1).type).toBe("response.completed");
      const deltas = (type: string) => joined(events.filter((event) => event.type === type).map(({ delta }) => delta));
      return said(
        deltas("response.reasoning_summary_text.delta"),
        deltas("response.output_text.delta"),
        events.find(({ type, item }) => type === "response.output_item.added" && item.type === "function_call")?.item
          .name,
        deltas("response.function_call_arguments.delta"),
      );
    },
  },
  Gemini: {
    path: "/v1beta/models/m:generateContent",
    body: (_, prompt, results) => ({
      tools: [{ functionDeclarations: [{ name: "shell" }] }],
      contents: [
        { role: "user", parts: [{ text: prompt }] },
        ...results.map((output) => ({ role: "user", parts: [{ functionResponse: { response: { output } } }] })),
      ],
    }),
    whole: (answer) => saidInParts(answer.candidates[0].content.parts),
    streamed: (events) => {
      expect(events.at(-1).candidates[0].finishReason).toBe("STOP");
      return saidInParts(events.flatMap(({ candidates }) => candidates[0].content.parts));
    },
  },
};

function saidInParts(parts: readonly Json[]): Said {
  const call = parts.find((part) => part.functionCall !== undefined)?.functionCall;
  const texts = (thought: true | undefined) =>
    joined(parts.filter((part) => part.thought === thought).map(({ text }) => text));
  return said(texts(true), texts(undefined), call?.name, JSON.stringify(call?.args));
}

describe.each(Object.entries(CLIENTS))("the stub that speaks %s", (_, { path, body, whole, streamed }) => {
  it("thinks and calls a tool, then answers, streamed or whole", async () => {
    const log = join(temporaryFolder(), "requests.jsonl");
    const stub = await startStub(TOOLS, "m", log);
    atTheEnd(stub.close);
    const ask = async (isStream: boolean, results: readonly string[]) => {
      const url = `http://127.0.0.1:${stub.port}${isStream ? path.replace(":generate", ":streamGenerate") : path}`;
      const sent = JSON.stringify(body(isStream, promptText(1, ["thinking", "tool"]), results));
      const answer = await fetch(url, { method: "POST", body: sent });
      if (!isStream) return whole(await answer.json());
      const lines = (await answer.text()).split("\n").filter((line) => line.startsWith("data: "));
      return streamed(lines.map((line) => (line === "data: [DONE]" ? "[DONE]" : JSON.parse(line.slice(6)))));
    };
    const call = { name: "shell", input: { command: expect.stringContaining("output1") } };
    for (const isStream of [false, true]) {
      expect(await ask(isStream, [])).toEqual({ thinking: marker.thought(1), call });
      expect(await ask(isStream, [marker.output(1)])).toEqual({ text: marker.answer(1) });
    }
    expect(readFileSync(log, "utf8").trim().split("\n")).toHaveLength(4);
  });
});

describe("the stub", () => {
  const asked = (turns: Asked["turns"], more: Partial<Asked> = {}): Asked => ({
    model: "m",
    system: "You are a coding assistant that can compact and title things.",
    turns,
    tools: ["shell"],
    isStream: false,
    inputTokens: 100,
    ...more,
  });
  const user = (text: string) => ({ role: "user", text }) as const;
  const tool = (text: string) => ({ role: "tool", text }) as const;
  const model = (text: string) => ({ role: "assistant", text }) as const;

  it("answers the last prompt, not an earlier one", () => {
    const turns = [user(promptText(1)), model(marker.answer(1)), user(promptText(12)), user("<reminder/>")];
    expect(replyTo(asked(turns), TOOLS)).toEqual({ text: marker.answer(12) });
  });

  it("calls the tools of a sub-agent one after the other, and answers as one", () => {
    const prompt = user(promptText(3, ["helper"]));
    expect(replyTo(asked([prompt]), TOOLS).call).toEqual({ name: "start", input: { prompt: marker.helperPrompt(3) } });
    expect(replyTo(asked([prompt, tool("id 7")]), TOOLS).call).toEqual({ name: "wait", input: { for: "id 7" } });
    expect(replyTo(asked([prompt, tool("id 7"), tool("done")]), TOOLS)).toEqual({ text: marker.answer(3) });
    expect(replyTo(asked([user(marker.helperPrompt(3))]), TOOLS)).toEqual({ text: marker.helperAnswer(3) });
  });

  it("gives titles and summaries where a program asks for them", () => {
    const system = "You are a title generator.";
    expect(replyTo(asked([user(promptText(1))], { system, tools: [] }), TOOLS)).toEqual({ text: marker.title });
    const turns = [user(promptText(1)), model(marker.answer(1)), user("Summarize the conversation.")];
    expect(replyTo(asked(turns), TOOLS).text).toContain(marker.summary);
    const long = `You are an assistant. ${"Be brief. ".repeat(40)} Give tabs a title.`;
    expect(replyTo(asked(turns, { system: long, tools: [] }), TOOLS).text).toContain(marker.summary);
  });
});
