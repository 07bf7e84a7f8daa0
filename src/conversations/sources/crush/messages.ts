// The messages of a Crush session: a role, and parts, each with its type. Pure;
// used by database.ts.
import { parseJson } from "../../../kernel/kernel.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { boundedText, type MessagePart, type SourceEvent } from "../source.ts";

export interface Message {
  readonly id: string;
  readonly role: unknown;
  readonly isSummary: boolean;
  readonly time: number | undefined;
  readonly order: number;
}

export interface Place {
  readonly conversation: string;
  readonly isSubagent: boolean;
}

const ROLES: Readonly<Record<string, "user" | "assistant" | undefined>> = {
  user: "user",
  assistant: "assistant",
  // A message that has only results.
  tool: "assistant",
};

/** The events of a message, and how many of its parts have an unknown type. */
export function eventsOfMessage(
  parts: unknown,
  message: Message,
  { conversation, isSubagent }: Place,
): { readonly events: readonly SourceEvent[]; readonly unknown: number } {
  const role = ROLES[String(message.role)];
  const events: SourceEvent[] = [];
  let unknown = 0;
  // Prompts of the system come from the program.
  if (role === undefined) return { events, unknown: message.role === "system" ? 0 : 1 };
  for (const [index, { type, data }] of recordsOf(parts).entries()) {
    const read = contentIn(type, recordOf(data) ?? {}, message);
    if (read === undefined) unknown++;
    if (read === undefined || read.text === "") continue;
    const kind = isSubagent ? "subagent" : read.kind;
    const part: MessagePart = {
      conversation,
      key: `${message.id}:${index}`,
      message: message.id,
      order: message.order + Math.min(index, 900) * 1e-6,
      role,
      time: message.time,
      ...read,
      kind,
      text: kind === "prose" ? read.text : boundedText(read.text),
    };
    events.push({ kind: "part", part });
  }
  return { events, unknown };
}

type Fields = Readonly<Record<string, unknown>>;
type Content = Pick<MessagePart, "kind" | "text" | "tool" | "files">;

const NOTHING: Content = { kind: "prose", text: "" };

/** Undefined for an unknown type. */
function contentIn(type: unknown, data: Fields, { isSummary }: Message): Content | undefined {
  const text = (name: string) => textOf(data[name])?.trim() ?? "";
  switch (type) {
    case "text":
      return { kind: isSummary ? "summary" : "prose", text: text("text") };
    case "reasoning":
      return { kind: "thinking", text: text("thinking") };
    case "image_url":
      return { kind: "prose", text: "[image]" };
    case "binary":
      return text("MIMEType").startsWith("image/") ? { kind: "prose", text: "[image]" } : NOTHING;
    case "tool_call": {
      const tool = text("name") || "tool";
      const input = recordOf(parseJson(text("input")));
      const files = ["file_path", "path"].flatMap((name) => textOf(input?.[name]) ?? []);
      return { kind: "tool", tool, text: `${tool} ${text("input")}`.trimEnd(), ...(files.length > 0 && { files }) };
    }
    case "tool_result": {
      const tool = text("name") || "tool";
      const output = text("content") || (text("mime_type") === "" ? "" : `[${text("mime_type")}]`);
      return { kind: "tool", tool, text: data["is_error"] === true && output !== "" ? `(error) ${output}` : output };
    }
    // A command that the person ran.
    case "shell_command":
      return { kind: "tool", tool: "shell", text: [`shell ${text("command")}`, text("output")].join("\n").trim() };
    case "finish":
      return NOTHING;
    default:
      return undefined;
  }
}
