// The content of one message of Cursor's agent, in its store or its transcripts:
// a role, and blocks of text, thinking, tools and images. Pure; used by
// agent-store.ts.
import { boundedText, type MessagePart, type SourceEvent } from "../source.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import type { Fields } from "./bubbles.ts";

export interface Place {
  readonly conversation: string;
  readonly key: string;
  readonly order: number;
  readonly follows: string | undefined;
  readonly isSubagent: boolean;
}

/** @param role messages of other roles than user, assistant and tool are not emitted */
export function* eventsOfMessage(role: unknown, content: unknown, place: Place): Generator<SourceEvent> {
  if (role !== "user" && role !== "assistant" && role !== "tool") return;
  const { conversation, key, order } = place;
  const common = {
    conversation,
    message: key,
    order,
    role: role === "user" ? ("user" as const) : ("assistant" as const),
  };
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
  const said = blocks
    .filter(({ type }) => type === "text")
    .map(({ text }) => textOf(text))
    .filter((text) => text !== undefined);
  const images = blocks.some(({ type }) => type === "image" || type === "file") ? ["[image]"] : [];
  const text = role === "user" ? typedIn(said, images) : role === "assistant" ? said.join("\n\n").trim() : "";
  const thought = blocks.filter(({ type }) => type === "reasoning" || type === "thinking");
  const thinking = thought
    .map((block) => textOf(block["text"]) ?? textOf(block["thinking"]) ?? "")
    .join("\n")
    .trim();
  const side = place.isSubagent ? "subagent" : undefined;
  if (thinking !== "")
    yield part({ ...common, key: `${key}:thinking`, kind: side ?? "thinking", text: boundedText(thinking) });
  if (text !== "") {
    if (side !== undefined) yield part({ ...common, key, kind: side, text: boundedText(text) });
    else
      yield part({
        ...common,
        key,
        kind: "prose",
        text,
        ...(role === "user" && { follows: place.follows ?? conversation }),
      });
  }
  for (const [at, block] of blocks.entries()) {
    const tool = toolIn(block);
    if (tool !== undefined)
      yield part({ ...common, ...tool, key: `${key}:tool:${at}`, role: "assistant", kind: side ?? "tool" });
  }
}

function part(one: MessagePart): SourceEvent {
  return { kind: "part", part: one };
}

/** What the person typed is between tags; what is around it, and messages without tags, Cursor added. */
function typedIn(said: readonly string[], images: readonly string[]): string {
  const whole = said.join("\n\n");
  const queries = [...whole.matchAll(/<user_query>\n?([\s\S]*?)\n?<\/user_query>/g)].map((match) => match[1]!.trim());
  const typed = queries.length > 0 ? queries : said.filter((text) => !/^\s*<[a-z_]+[>\s]/.test(text));
  const text = typed.join("\n\n").trim();
  return text === "" ? "" : [text, ...images].join("\n\n");
}

function toolIn(block: Fields): { tool: string; text: string; files?: string[] } | undefined {
  const tool = textOf(block["toolName"]) ?? textOf(block["name"]) ?? "tool";
  switch (block["type"]) {
    case "tool-call":
    case "tool_use": {
      const asked = block["args"] ?? block["input"];
      const fields = recordOf(asked);
      const files = ["path", "file_path", "filePath", "target_file"].map((name) => textOf(fields?.[name]));
      return { tool, text: boundedText(`${tool} ${shown(asked)}`), files: files.filter((file) => file !== undefined) };
    }
    case "tool-result":
    case "tool_result":
      return { tool, text: boundedText(shown(block["result"] ?? block["output"] ?? block["content"])) };
    default:
      return undefined;
  }
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  const texts = recordsOf(value).map(({ text }) => textOf(text));
  return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : JSON.stringify(value);
}
