// Messages, the protocol of Anthropic.
import type { Protocol } from "./protocol.ts";
import { countIn, isObject, objectsIn } from "./reading.ts";

const MAX_TOKENS = 2_000;

export const anthropic: Protocol = {
  path: "/v1/messages",
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) }),
  body: ({ model, instructions, words, listing }) => ({
    model,
    max_tokens: MAX_TOKENS,
    system: instructions,
    messages: [{ role: "user", content: words }],
    tools: listing.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    tool_choice: { type: "auto" },
  }),
  read(body) {
    if (!isObject(body) || !Array.isArray(body["content"])) throw new Error("the answer has no content");
    const { content, usage } = body;
    return {
      calls: objectsIn(content)
        .filter(({ type }) => type === "tool_use")
        .map(({ name, input }) => ({ tool: String(name), args: isObject(input) ? input : undefined })),
      tokensIn:
        countIn(usage, "input_tokens") +
        countIn(usage, "cache_creation_input_tokens") +
        countIn(usage, "cache_read_input_tokens"),
      tokensOut: countIn(usage, "output_tokens"),
    };
  },
};
