// A session as Copilot CLI kept it until November 2025: a document with the
// messages for the model, and the timeline that the person saw. Newer versions
// copy it into an event when such a session is resumed. Pure; used by
// copilot-cli.ts and session.ts.
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { boundedText, timeOf, type SourceEvent, type Said } from "../source.ts";
import { callOf, folderInPrompt, withoutReminder, type Fields } from "./events.ts";

/** In milliseconds: less than between any two entries. */
const SHORTLY = 0.001;

export function* legacySession(document: Fields, name: string): Generator<SourceEvent> {
  const id = textOf(document["sessionId"]) ?? name;
  const start = timeOf(document["startTime"]);
  const messages = recordsOf(document["chatMessages"]);
  const system = messages.find(({ role }) => role === "system");
  yield {
    kind: "conversation",
    facts: {
      id,
      folder: folderInPrompt(textIn(system?.["content"])),
      model: textOf(document["selectedModel"]),
      ...storedTimes(start),
    },
  };
  const timeline = recordsOf(document["timeline"]);
  const entries = timeline.length > 0 ? timeline : messages;
  let order = start ?? 0;
  for (const [at, entry] of entries.entries()) {
    const said = timeline.length > 0 ? shown(entry) : sent(entry);
    if (said === undefined || said.text === "") continue;
    const time = timeOf(entry["timestamp"]);
    order = Math.max(time ?? 0, order + SHORTLY);
    const key = `${id}:${textOf(entry["id"]) ?? at}`;
    yield {
      kind: "part",
      part: {
        ...said,
        conversation: id,
        key,
        message: key,
        order,
        text: said.kind === "prose" ? said.text : boundedText(said.text),
        time,
        // It is in the old file, and in the event of its import.
        ...(said.kind !== "prose" && { mayRepeat: true }),
      },
    };
  }
}

/** An entry of the timeline; undefined for notices. */
function shown(entry: Fields): Said | undefined {
  const text = textOf(entry["text"]) ?? "";
  switch (entry["type"]) {
    case "user":
      return { role: "user", kind: "prose", text: withoutReminder(text) };
    case "copilot":
      return { role: "assistant", kind: "prose", text: text.trim() };
    case "tool_call_requested":
      return callOf(entry["name"], entry["arguments"]);
    case "tool_call_completed": {
      const call = callOf(entry["name"], entry["arguments"]);
      return { ...call, text: `${call.text}\n${textOf(recordOf(entry["result"])?.["log"]) ?? ""}`.trim() };
    }
    default:
      return undefined;
  }
}

/** A message for the model: sessions that ran without a terminal have no timeline. */
function sent({ role, content }: Fields): Said | undefined {
  if (role === "tool") return { role: "assistant", kind: "tool", tool: "tool", text: textIn(content) };
  if (role !== "user" && role !== "assistant") return undefined;
  return { role, kind: "prose", text: withoutReminder(textIn(content)) };
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return recordsOf(content)
    .map((part) => (part["type"] === "image_url" ? "[image]" : (textOf(part["text"]) ?? "")))
    .filter((text) => text !== "")
    .join("\n\n");
}
