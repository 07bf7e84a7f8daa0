// The content of one message of a droid session: Anthropic's blocks. Pure; used
// by droid.ts.
import type { Fields } from "../formats/session-log.ts";
import { recordOf, recordsOf, textOf } from "../formats/stored-json.ts";
import type { Said } from "../source.ts";

/** @param toolOf the name of the tool by the id of its call */
export function saidIn(message: Fields, toolOf: (call: string) => string | undefined): Said[] {
  const { role, content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
  if (role === "user") {
    const results = blocks.filter(({ type }) => type === "tool_result").map((block) => resultOf(block, toolOf));
    const typed = isTyped(message) ? joined(blocks.map(typedIn)) : "";
    return [{ role: "user" as const, kind: "prose" as const, text: typed }, ...results].filter(isNotEmpty);
  }
  const thinking = joined(blocks.map((block) => (block["type"] === "thinking" ? block["thinking"] : undefined)));
  const prose = joined(blocks.map((block) => (block["type"] === "text" ? block["text"] : undefined)));
  const calls = blocks.filter(({ type }) => type === "tool_use").map(callOf);
  return [
    { role: "assistant" as const, kind: "thinking" as const, text: thinking },
    { role: "assistant" as const, kind: "prose" as const, text: prose },
    ...calls,
  ].filter(isNotEmpty);
}

/** Context for the model, notices for the person, hooks and automations have the role of a user too. */
function isTyped({ visibility, hookEventName, userMessageSource }: Fields): boolean {
  return visibility === undefined && hookEventName === undefined && userMessageSource !== "automation";
}

function typedIn(block: Fields): string {
  if (block["type"] === "image") return "[image]";
  if (block["type"] === "document") return `[${textOf(recordOf(block["source"])?.["name"]) ?? "document"}]`;
  const text = block["type"] === "text" ? textOf(block["text"]) : undefined;
  return text?.replaceAll(/<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g, "") ?? "";
}

function callOf(block: Fields): Said {
  const tool = textOf(block["name"]) ?? "tool";
  const input = recordOf(block["input"]) ?? {};
  const named = ["file_path", "path", "directory_path"].map((name) => textOf(input[name]));
  const files = [...named.filter((file) => file !== undefined), ...patchedIn(textOf(input["input"]) ?? "")];
  const text = `${tool} ${JSON.stringify(input)}`;
  return { role: "assistant", kind: "tool", tool, text, ...(files.length > 0 && { files }) };
}

function patchedIn(patch: string): string[] {
  const named = patch.matchAll(/\*\*\* (?:Add|Update|Delete) File: ([^\n]{1,400})/g);
  return [...new Set([...named].map((match) => match[1]!.trim()))];
}

function resultOf(block: Fields, toolOf: (call: string) => string | undefined): Said {
  const { content } = block;
  const text = typeof content === "string" ? content.trim() : joined(recordsOf(content).map(({ text: one }) => one));
  return { role: "assistant", kind: "tool", tool: toolOf(textOf(block["tool_use_id"]) ?? "") ?? "tool", text };
}

function joined(texts: readonly unknown[]): string {
  return texts
    .map((text) => textOf(text)?.trim() ?? "")
    .filter((text) => text !== "")
    .join("\n\n");
}

function isNotEmpty({ text }: { readonly text: string }): boolean {
  return text !== "";
}
