// A thread as Zed serializes it: version 0.3.0, and the earlier ones in which a
// message is a role with segments. Both become turns: a prompt, and the messages
// until the next. Pure; used by thread-events.ts.
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { tokensIn } from "../kit/token-counts.ts";
import type { Tokens } from "../source.ts";

type Fields = Readonly<Record<string, unknown>>;

export type Content =
  | { readonly kind: "text" | "thinking" | "summary"; readonly text: string; readonly files?: readonly string[] }
  | { readonly kind: "tool"; readonly text: string; readonly tool: string; readonly files?: readonly string[] };

export interface Turn {
  /** The prompt's id. Earlier versions number prompts: `#3`. Undefined for what comes before the first. */
  readonly id: string | undefined;
  readonly prompt: readonly Content[];
  readonly answers: readonly (readonly Content[])[];
}

export interface Thread {
  readonly turns: readonly Turn[];
  /** Messages of an unknown form. */
  readonly unknown: number;
  readonly model: string | undefined;
  readonly tokens: Tokens | undefined;
  /** Of the project when the thread began. */
  readonly folder: string | undefined;
  readonly branch: string | undefined;
  readonly began: unknown;
}

/** Undefined if it is no thread. */
export function threadIn(document: unknown): Thread | undefined {
  const fields = recordOf(document);
  const messages = fields?.["messages"];
  if (fields === undefined || !Array.isArray(messages)) return undefined;
  const turns: { id: string | undefined; prompt: Content[]; answers: Content[][] }[] = [];
  let unknown = 0;
  for (const message of messages) {
    const read = fields["version"] === "0.3.0" ? messageIn(message) : earlierMessageIn(message);
    if (read === undefined) unknown++;
    else if (read.kind === "prompt") turns.push({ id: read.id, prompt: [...read.content], answers: [] });
    else if (read.content.length > 0) {
      if (turns.length === 0) turns.push({ id: undefined, prompt: [], answers: [] });
      turns.at(-1)!.answers.push([...read.content]);
    }
  }
  const snapshot = recordOf(fields["initial_project_snapshot"]);
  const worktree = recordsOf(snapshot?.["worktree_snapshots"])[0];
  return {
    turns,
    unknown,
    model: textOf(recordOf(fields["model"])?.["model"]),
    tokens: tokensOf(recordOf(fields["cumulative_token_usage"])),
    folder: textOf(worktree?.["worktree_path"]),
    branch: textOf(recordOf(worktree?.["git_state"])?.["current_branch"]),
    began: snapshot?.["timestamp"],
  };
}

function tokensOf(usage: Readonly<Record<string, unknown>> | undefined): Tokens | undefined {
  const counted = {
    input: usage?.["input_tokens"],
    output: usage?.["output_tokens"],
    cached: usage?.["cache_read_input_tokens"],
    written: usage?.["cache_creation_input_tokens"],
  };
  return tokensIn(counted, true);
}

interface ReadMessage {
  readonly kind: "prompt" | "answer";
  readonly id?: string;
  readonly content: readonly Content[];
}

/** A variant of an enumeration: its name alone, or with a value. */
function variantIn(value: unknown): readonly [name: string, value: unknown] {
  if (typeof value === "string") return [value, undefined];
  return Object.entries(recordOf(value) ?? {})[0] ?? ["", undefined];
}

const NOTHING: ReadMessage = { kind: "answer", content: [] };

function messageIn(message: unknown): ReadMessage | undefined {
  const [name, value] = variantIn(message);
  const fields = recordOf(value) ?? {};
  switch (name) {
    case "User": {
      const id = textOf(fields["id"]);
      return id === undefined ? undefined : { kind: "prompt", id, content: promptIn(fields["content"]) };
    }
    case "Agent":
      return { kind: "answer", content: answerIn(fields) };
    case "Compaction": {
      const [kind, summary] = variantIn(value);
      const text = kind === "Summary" ? textOf(summary) : undefined;
      return text === undefined ? NOTHING : { kind: "answer", content: [{ kind: "summary", text }] };
    }
    // The assistant was asked to go on.
    case "Resume":
      return NOTHING;
    default:
      return undefined;
  }
}

/** What was typed, with the names of what was mentioned in their places; the contents of these were attached. */
function promptIn(content: unknown): Content[] {
  const files: string[] = [];
  let images = 0;
  const typed = (Array.isArray(content) ? content : []).map((one) => {
    const [name, value] = variantIn(one);
    if (name === "Text") return typeof value === "string" ? value : "";
    if (name === "Image") images++;
    if (name !== "Mention") return "";
    const [kind, mentioned] = variantIn(recordOf(value)?.["uri"]);
    const fields = recordOf(mentioned) ?? {};
    const path = textOf(fields["abs_path"]) ?? textOf(fields["file_path"]);
    if (path !== undefined && kind !== "Directory") files.push(path);
    const named = textOf(fields["name"]) ?? path?.replace(/^.*[/\\](?=[^/\\])/, "") ?? textOf(fields["url"]);
    return `@${named ?? kind.toLowerCase()}`;
  });
  const text = [typed.join("").trim(), ...(images > 0 ? ["[image]"] : [])].filter((one) => one !== "").join("\n\n");
  return text === "" ? [] : [{ kind: "text", text, ...(files.length > 0 && { files }) }];
}

function answerIn(fields: Fields): Content[] {
  const results = recordOf(fields["tool_results"]) ?? {};
  const content = fields["content"];
  return (Array.isArray(content) ? content : []).flatMap((one): Content[] => {
    const [name, value] = variantIn(one);
    if (name === "Text") return said("text", value);
    if (name === "Thinking") return said("thinking", recordOf(value)?.["text"]);
    const call = recordOf(value);
    if (name !== "ToolUse" || call === undefined) return [];
    return [toolIn(call, recordOf(results[textOf(call["id"]) ?? ""]))];
  });
}

function said(kind: "text" | "thinking", value: unknown): Content[] {
  const text = textOf(value)?.trim();
  return text === undefined ? [] : [{ kind, text }];
}

function toolIn(call: Fields, result: Fields | undefined): Content {
  const tool = textOf(call["name"]) ?? "tool";
  const given = recordOf(call["input"]);
  // Since 2026 with its type: `{type: "json", value}`.
  const isTyped = given !== undefined && Object.keys(given).length === 2 && "type" in given && "value" in given;
  const input = isTyped ? given["value"] : call["input"];
  const asked = typeof input === "string" ? input : input === undefined ? "" : JSON.stringify(input);
  const status = result?.["is_error"] === true ? " (error)" : "";
  const text = [`${tool}${status} ${asked}`.trimEnd(), outputIn(result?.["content"])].filter((line) => line !== "");
  const file = textOf(recordOf(input)?.["path"]) ?? textOf(recordOf(input)?.["source_path"]);
  return { kind: "tool", tool, text: text.join("\n"), ...(file !== undefined && { files: [file] }) };
}

/** A text, `{Text}`, `{type: "text", text}`, or a list of these. */
function outputIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content))
    return content
      .map(outputIn)
      .filter((text) => text !== "")
      .join("\n");
  const fields = recordOf(content);
  return textOf(fields?.["Text"]) ?? textOf(fields?.["text"]) ?? (fields === undefined ? "" : "[image]");
}

/** Before 0.3.0: a role, segments, and tools beside them; in the first version a text. */
function earlierMessageIn(message: unknown): ReadMessage | undefined {
  const fields = recordOf(message);
  const role = fields?.["role"];
  if (fields === undefined || (role !== "user" && role !== "assistant" && role !== "system")) return undefined;
  const results = recordsOf(fields["tool_results"]);
  // Results of tools had messages of their own in 0.1.0; hidden ones are the program's.
  if (role === "user" && results.length > 0) return { kind: "answer", content: results.map(resultIn) };
  if (role === "system" || fields["is_hidden"] === true) return NOTHING;
  const segments =
    typeof fields["text"] === "string" ? [{ type: "text", text: fields["text"] }] : recordsOf(fields["segments"]);
  const texts = segments.flatMap(({ type, text }) =>
    type === "text" ? said("text", text) : type === "thinking" ? said("thinking", text) : [],
  );
  if (role === "user") return { kind: "prompt", id: `#${String(fields["id"])}`, content: texts };
  const calls = recordsOf(fields["tool_uses"]).map((call) =>
    toolIn(
      call,
      results.find((result) => result["tool_use_id"] === call["id"]),
    ),
  );
  return { kind: "answer", content: [...texts, ...calls] };
}

function resultIn(result: Fields): Content {
  return { kind: "tool", tool: "tool", text: outputIn(result["content"]) };
}
