// The content of one message of a pi session. Pure; used by pi.ts.
import type { Said, Tokens } from "../source.ts";
import { tokensIn } from "../formats/token-counts.ts";
import type { Fields } from "../formats/session-log.ts";
import { recordOf, recordsOf, textOf } from "../formats/stored-json.ts";

export function tokensOf(message: Fields): Tokens | undefined {
  const usage = recordOf(message["usage"]);
  if (usage === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite } = usage;
  return tokensIn({ input, output, cached: cacheRead, written: cacheWrite }, true);
}

/** Undefined for an unknown role. */
export function saidIn(message: Fields): Said[] | undefined {
  const { role, content } = message;
  switch (role) {
    // The instructions of the program, since 0.87.
    case "system":
      return [];
    case "user":
      return [{ role: "user" as const, kind: "prose" as const, ...typedIn(textIn(content)) }].filter(isNotEmpty);
    case "assistant":
      return answeredIn(content);
    case "toolResult": {
      const tool = textOf(message["toolName"]) ?? "tool";
      return [{ role: "assistant" as const, kind: "tool" as const, tool, text: textIn(content) }].filter(isNotEmpty);
    }
    // A command that the person ran.
    case "bashExecution": {
      const text = `${textOf(message["command"]) ?? ""}\n${textOf(message["output"]) ?? ""}`.trim();
      return [{ role: "user" as const, kind: "tool" as const, tool: "bash", text }].filter(isNotEmpty);
    }
    case "branchSummary":
    case "compactionSummary":
      return summaryOf(message["summary"]);
    // Of extensions, which add them to the model's context; `hookMessage` until version 3.
    case "custom":
    case "hookMessage":
      return [];
    default:
      return undefined;
  }
}

export function summaryOf(summary: unknown): Said[] {
  return [{ role: "assistant" as const, kind: "summary" as const, text: textOf(summary) ?? "" }].filter(isNotEmpty);
}

function answeredIn(content: unknown): Said[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
  const texts = (type: string, name: string) =>
    blocks
      .filter((block) => block["type"] === type)
      .map((block) => textOf(block[name])?.trim())
      .filter((text) => text !== undefined)
      .join("\n\n");
  const prose = texts("text", "text");
  const calls = blocks.filter(({ type }) => type === "toolCall").map(callOf);
  return [
    { role: "assistant" as const, kind: "thinking" as const, text: texts("thinking", "thinking") },
    { role: "assistant" as const, kind: "prose" as const, text: prose },
    ...calls,
  ].filter(isNotEmpty);
}

function callOf(block: Fields): Said {
  const tool = textOf(block["name"]) ?? "tool";
  const given = recordOf(block["arguments"]) ?? {};
  const file = textOf(given["path"]) ?? textOf(given["file_path"]);
  return {
    role: "assistant",
    kind: "tool",
    tool,
    text: `${tool} ${JSON.stringify(given)}`,
    ...(file !== undefined && { files: [file] }),
  };
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content.trim();
  return recordsOf(content)
    .map((block) => (block["type"] === "image" ? "[image]" : (textOf(block["text"])?.trim() ?? "")))
    .filter((text) => text !== "")
    .join("\n\n");
}

/** `/skill:name …` is stored as the whole skill with the rest of the prompt behind it. */
const SKILL = /^<skill name="([^"]+)" location="[^"]*">\n[\s\S]*?\n<\/skill>(?:\n\n([\s\S]+))?$/;
/** Files that were named on the command line, before the prompt. */
const FILE = /<file name="([^"]+)">[\s\S]*?<\/file>\n?/g;

function typedIn(text: string): { readonly text: string; readonly files?: readonly string[] } {
  const [, skill, rest] = SKILL.exec(text) ?? [];
  if (skill !== undefined) return { text: `/skill:${skill} ${rest ?? ""}`.trim() };
  if (!text.startsWith("<file name=")) return { text };
  return { text: text.replaceAll(FILE, "").trim(), files: [...text.matchAll(FILE)].map((match) => match[1]!) };
}

function isNotEmpty({ text }: { readonly text: string }): boolean {
  return text !== "";
}
