// OpenAI Responses: POST …/responses.
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

export const responses: Protocol = {
  serves: (path) => path.endsWith("/responses"),
  read: (body) => ({
    model: String(body.model ?? ""),
    system: textIn(body.instructions ?? ""),
    turns: typeof body.input === "string" ? [{ role: "user", text: body.input }] : (body.input ?? []).flatMap(turnsIn),
    tools: (body.tools ?? []).map((tool: Json) => String(tool.name ?? tool.type)),
    isStream: body.stream === true,
  }),
  whole: (reply, asked) => response(asked, "completed", itemsOf(reply)),
  events: (reply, asked) => {
    const id = newId("resp_");
    const items = itemsOf(reply);
    const events = [
      { type: "response.created", response: { ...response(asked, "in_progress", []), id } },
      ...items.flatMap(itemEvents),
      { type: "response.completed", response: { ...response(asked, "completed", items), id } },
    ];
    return events.map((event, number): ServerEvent => ({
      name: event.type,
      data: { ...event, sequence_number: number },
    }));
  },
};

function turnsIn(item: Json): Asked["turns"] {
  if (String(item.type).endsWith("_output")) return [{ role: "tool", text: textIn(item.output) }];
  if (item.role === "user" || item.role === "assistant") return [{ role: item.role, text: textIn(item.content) }];
  return [];
}

type Item = Readonly<Record<string, Json>> & { readonly type: string };
type Event = Readonly<Record<string, unknown>> & { readonly type: string };

function itemsOf({ thinking, text, call }: Reply): Item[] {
  const items: Item[] = [];
  if (thinking !== undefined)
    items.push({ type: "reasoning", id: newId("rs_"), summary: [{ type: "summary_text", text: thinking }] });
  if (text !== undefined)
    items.push({
      type: "message",
      id: newId("msg_"),
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    });
  if (call !== undefined)
    items.push({
      type: "function_call",
      id: newId("fc_"),
      call_id: newId("call_"),
      status: "completed",
      name: call.name,
      ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
      arguments: JSON.stringify(call.input),
    });
  return items;
}

function itemEvents(item: Item, index: number): Event[] {
  const at = { item_id: item["id"], output_index: index };
  const pieces: Readonly<Record<string, () => Event[]>> = {
    reasoning: () => [
      {
        type: "response.reasoning_summary_part.added",
        ...at,
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      },
      { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: item["summary"][0].text },
      { type: "response.reasoning_summary_text.done", ...at, summary_index: 0, text: item["summary"][0].text },
      { type: "response.reasoning_summary_part.done", ...at, summary_index: 0, part: item["summary"][0] },
    ],
    message: () => [
      { type: "response.content_part.added", ...at, content_index: 0, part: { ...item["content"][0], text: "" } },
      { type: "response.output_text.delta", ...at, content_index: 0, delta: item["content"][0].text },
      { type: "response.output_text.done", ...at, content_index: 0, text: item["content"][0].text },
      { type: "response.content_part.done", ...at, content_index: 0, part: item["content"][0] },
    ],
    function_call: () => [
      { type: "response.function_call_arguments.delta", ...at, delta: item["arguments"] },
      { type: "response.function_call_arguments.done", ...at, arguments: item["arguments"] },
    ],
  };
  return [
    { type: "response.output_item.added", output_index: index, item: beginningOf(item) },
    ...pieces[item.type]!(),
    { type: "response.output_item.done", output_index: index, item },
  ];
}

/** The item before any of its pieces has come. */
function beginningOf(item: Item): Item {
  if (item.type === "reasoning") return { ...item, summary: [] };
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  return { ...item, status: "in_progress", arguments: "" };
}

function response({ model, inputTokens }: Asked, status: string, output: readonly Item[]): object {
  return {
    id: newId("resp_"),
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status,
    model,
    output,
    usage:
      status === "completed"
        ? {
            input_tokens: inputTokens,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: OUTPUT_TOKENS,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: inputTokens + OUTPUT_TOKENS,
          }
        : null,
  };
}
