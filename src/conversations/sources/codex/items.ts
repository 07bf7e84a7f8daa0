// The content of one item of a Codex session: a message, thinking, a tool call
// or output, a summary. Pure; used by codex.ts.
import type { Said } from "../source.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What Codex puts before a prompt as if the person had typed it. */
const WRAPPER =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|user_shell_command|skill|permissions instructions|collaboration_mode|subagent_notification|INSTRUCTIONS|system-reminder)\b|# AGENTS\.md instructions for )/;
/** The editor's extension puts the open files before the prompt. */
const REQUEST = "## My request for Codex:";

const TOOLS = /^(?:tool_call|tool_result|.*_call|.*_call_output)$/;
/** Only for the model, and encrypted. */
const SILENT = /^(?:ghost_snapshot|compaction|compaction_summary|context_compaction|compaction_trigger|other)$/;

export function isItem({ type }: Fields): boolean {
  return typeof type === "string" && (/^(?:message|reasoning)$/.test(type) || TOOLS.test(type));
}

/** Undefined for an unknown item. */
export function saidBy(item: Fields): Said | undefined {
  const type = String(item["type"]);
  switch (type) {
    case "message": {
      const role = item["role"];
      if (role === "user") return { role, kind: "prose", text: typedIn(item["content"]) };
      // Messages of the developer or the system come from Codex itself.
      return { role: "assistant", kind: "prose", text: role === "assistant" ? textIn(item["content"]) : "" };
    }
    case "reasoning":
      return {
        role: "assistant",
        kind: "thinking",
        text: `${textIn(item["summary"])}\n\n${textIn(item["content"])}`.trim(),
      };
    case "compacted":
      return { role: "assistant", kind: "summary", text: textOf(item["message"]) ?? "" };
    default:
      if (SILENT.test(type)) return { role: "assistant", kind: "tool", text: "" };
      return TOOLS.test(type) ? toolOf(type, item) : undefined;
  }
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content.trim();
  const texts = recordsOf(content).map((block) => textOf(block["text"])?.trim());
  return texts.filter((text) => text !== undefined).join("\n\n");
}

function typedIn(content: unknown): string {
  const blocks = typeof content === "string" ? [{ type: "input_text", text: content }] : recordsOf(content);
  const typed = blocks
    .map((block) => textOf(block["text"]))
    .filter((text) => text !== undefined && !WRAPPER.test(text) && !/^\s*<\/?image\b[^>]*>\s*$/.test(text))
    .map((text) => text!.slice(text!.includes(REQUEST) ? text!.indexOf(REQUEST) + REQUEST.length : 0).trim());
  const images = blocks.some(({ type }) => type === "input_image") ? ["[image]"] : [];
  return [...typed, ...images].filter((text) => text !== "").join("\n\n");
}

function toolOf(type: string, item: Fields): Said {
  const tool =
    textOf(item["name"]) ?? textOf(recordOf(item["function"])?.["name"]) ?? type.replace(/_call.*$|^tool_/, "");
  const isResult = /_output$|^tool_result$/.test(type);
  const value = isResult
    ? (item["output"] ?? item["result"])
    : (item["arguments"] ?? item["input"] ?? item["action"] ?? recordOf(item["function"])?.["arguments"]);
  const text = shown(value);
  const files = isResult ? [] : filesIn(text);
  return {
    role: "assistant",
    kind: "tool",
    tool,
    text: isResult ? text : `${tool} ${text}`.trim(),
    ...(files.length > 0 && { files }),
  };
}

/** An output is text, text in JSON, or blocks of text. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return textIn(value) || JSON.stringify(value);
  if (!value.startsWith('{"output":')) return value;
  try {
    return textOf(recordOf(JSON.parse(value))?.["output"]) ?? value;
  } catch {
    return value;
  }
}

/** The files of a patch. */
function filesIn(text: string): string[] {
  const named = text.matchAll(/\*\*\* (?:Add|Update|Delete) File: ([^\n\\"]{1,400})/g);
  return [...new Set([...named].map((match) => match[1]!.trim()))];
}
