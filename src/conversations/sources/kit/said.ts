// What a message says, in the forms of models' interfaces: blocks as Anthropic
// has them, calls beside a text as OpenAI has them, and what programs made of
// either. Pure; used by most descriptions.
import type { Said } from "../source.ts";
import type { Fields } from "./session-log.ts";
import { recordOf, recordsOf, textOf } from "./stored-json.ts";

/** Arguments of tools that name a file, under all the names that programs give them. */
const FILE_ARGUMENTS = ["file_path", "absolute_path", "filePath", "filepath", "path", "notebook_path", "TargetFile"];

export interface SaidOptions {
  /** The name of the tool by the id of its call: most results have only that. */
  readonly toolOf?: (call: string) => string | undefined;
  /** What was typed of a text in the user's name; possibly nothing. */
  readonly typed?: (text: string) => string;
  readonly fileArguments?: readonly string[];
}

/** Undefined for an unknown role. What the program itself says in a conversation is nothing. */
export function saidInMessage(message: Fields, options: SaidOptions = {}): Said[] | undefined {
  const { role } = message;
  if (role === "system" || role === "developer") return [];
  const blocks = blocksOf(message["content"]);
  if (role === "tool") {
    const results = blocks.some(isResult) ? blocks.filter(isResult) : [{ ...message, content: blocks }];
    return results.map((result) => resultOf(result, options)).filter(isNotEmpty);
  }
  if (role === "user") {
    const typed = joined(blocks.map((block) => (isResult(block) ? "" : shownIn(block, options.typed))));
    const results = blocks.filter(isResult).map((block) => resultOf(block, options));
    return [{ role: "user" as const, kind: "prose" as const, text: typed }, ...results].filter(isNotEmpty);
  }
  if (role !== "assistant") return undefined;
  const thoughts = blocks.map(({ type, thinking, think, text }) =>
    THOUGHT.test(String(type)) ? (thinking ?? think ?? text) : "",
  );
  const beside = message["reasoning_content"] ?? message["reasoning"] ?? message["thinking"];
  const calls = [...blocks.filter(isCall), ...recordsOf(message["tool_calls"])];
  return [
    { role: "assistant" as const, kind: "thinking" as const, text: joined([...thoughts, beside]) },
    { role: "assistant" as const, kind: "prose" as const, text: joined(blocks.filter(isText).map(textIn)) },
    ...calls.map((call) => callOf(call, options)),
    ...blocks.filter(isResult).map((block) => resultOf(block, options)),
  ].filter(isNotEmpty);
}

/** The id and the tool of each call in a message. */
export function callsIn(message: Fields): { readonly id: string; readonly tool: string }[] {
  return [...blocksOf(message["content"]).filter(isCall), ...recordsOf(message["tool_calls"])].flatMap((call) => {
    const id = textOf(call["id"]) ?? textOf(call["toolCallId"]) ?? textOf(call["call_id"]);
    return id === undefined ? [] : [{ id, tool: nameOf(call) }];
  });
}

/** A call as `name {arguments}`; arguments may be JSON already. */
export function callOf(call: Fields, { fileArguments = FILE_ARGUMENTS }: SaidOptions = {}): Said {
  const body = recordOf(call["function"]) ?? call;
  const tool = nameOf(call);
  const given = body["input"] ?? body["arguments"] ?? body["args"] ?? {};
  const input = recordOf(typeof given === "string" ? parsed(given) : given);
  const text = `${tool} ${typeof given === "string" ? given : JSON.stringify(given)}`;
  const files = [...fileArguments.flatMap((name) => textOf(input?.[name]) ?? []), ...patchedFiles(text)];
  return { role: "assistant", kind: "tool", tool, text, ...(files.length > 0 && { files }) };
}

/** The files of a patch, in a text or in JSON. */
export function patchedFiles(text: string): string[] {
  if (!text.includes("*** ")) return [];
  const named = text.matchAll(/\*\*\* (?:Add|Update|Delete) File: ([^\n\\"]{1,400})/g);
  return [...new Set([...named].map((match) => match[1]!.trim()))];
}

export function joined(texts: readonly unknown[]): string {
  return texts
    .map((text) => textOf(text)?.trim() ?? "")
    .filter((text) => text !== "")
    .join("\n\n");
}

/** The text of a content: a text, or blocks of which some have one. */
export function textOfContent(content: unknown): string {
  return joined(blocksOf(content).map((block) => shownIn(block)));
}

/** The text without the reminders that programs add. */
export function withoutReminders(text: string): string {
  return text.replaceAll(/<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g, "");
}

function nameOf(call: Fields): string {
  return textOf(call["name"]) ?? textOf(call["toolName"]) ?? textOf(recordOf(call["function"])?.["name"]) ?? "tool";
}

function resultOf(result: Fields, { toolOf }: SaidOptions): Said {
  const call = textOf(result["tool_use_id"]) ?? textOf(result["tool_call_id"]) ?? textOf(result["toolCallId"]) ?? "";
  const tool = toolOf?.(call) ?? textOf(result["name"]) ?? textOf(result["toolName"]) ?? "tool";
  return { role: "assistant", kind: "tool", tool, text: outputIn(result["content"] ?? result["output"]) };
}

/** A text, blocks, or `{ value }` with either. */
function outputIn(output: unknown): string {
  const value = recordOf(output)?.["value"] ?? output;
  return textOfContent(value) || (recordOf(value) === undefined ? "" : JSON.stringify(value));
}

function blocksOf(content: unknown): Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return recordsOf([content]);
  return content.flatMap((one): Fields[] =>
    typeof one === "string" ? [{ type: "text", text: one }] : recordsOf([one]),
  );
}

function isText({ type, text }: Fields): boolean {
  return typeof text === "string" && (type === undefined || /^(?:input_|output_)?text$/.test(String(type)));
}

function textIn(block: Fields): unknown {
  return block["text"];
}

function shownIn(block: Fields, typed = (text: string) => text): string {
  const text = textOf(block["text"]);
  return text === undefined ? attachedIn(block) : typed(text);
}

const THOUGHT = /^(?:thinking|think|reasoning)$/;

/** What stands for a picture or a document. */
function attachedIn({ type, source }: Fields): string {
  if (type === "document") return `[${textOf(recordOf(source)?.["name"]) ?? "document"}]`;
  return /^(?:image|image_url|input_image|media)$/.test(String(type)) ? "[image]" : "";
}

function isCall({ type }: Fields): boolean {
  return type === "tool_use" || type === "toolCall" || type === "tool-call";
}

function isResult({ type }: Fields): boolean {
  return type === "tool_result" || type === "tool-result";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isNotEmpty({ text }: { readonly text: string }): boolean {
  return text !== "";
}
