// Chat Completions, the protocol of OpenAI, and of llama.cpp, Ollama, vLLM,
// LM Studio, OpenRouter …
import type { Call, Protocol } from "./protocol.ts";
import { countIn, isObject, objectsIn, type Unsure } from "./reading.ts";

export const openai: Protocol = {
  path: "/chat/completions",
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  // No limit of tokens and no temperature: some models refuse the one or the other.
  body: ({ model, instructions, words, listing }) => ({
    model,
    messages: [
      { role: "system", content: instructions },
      { role: "user", content: words },
    ],
    tools: listing.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
    tool_choice: "auto",
  }),
  read(body) {
    const [choice] = isObject(body) ? objectsIn(body["choices"]) : [];
    const message = choice?.["message"];
    if (!isObject(message)) throw new Error("the answer has no message");
    const usage = (body as Unsure)["usage"];
    return {
      calls: objectsIn(message["tool_calls"]).map(readCall),
      tokensIn: countIn(usage, "prompt_tokens"),
      tokensOut: countIn(usage, "completion_tokens"),
    };
  },
};

function readCall(call: Unsure): Call {
  const { name, arguments: written } = isObject(call["function"]) ? call["function"] : ({} as Unsure);
  return { tool: String(name), args: argumentsIn(written) };
}

/** A text in JSON; some servers send the object itself, or nothing where there are none. */
function argumentsIn(written: unknown): Unsure | undefined {
  if (written === undefined || written === "") return {};
  try {
    const read: unknown = typeof written === "string" ? JSON.parse(written) : written;
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
