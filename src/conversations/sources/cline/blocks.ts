// Messages in the form of the model's interface: a role, and blocks of text,
// thinking, tools and images. Pure; used for Cline's sessions, and for tasks of
// which nothing else is left.
import type { MessagePart } from "../source.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface SaidInBlocks {
  /** Texts of the message, one after the other. */
  readonly texts: readonly string[];
  readonly thinking: string;
  readonly hasImage: boolean;
  readonly tools: readonly ToolBlock[];
}

/** Its text is whole: what is stored of it is bounded. */
export interface ToolBlock extends Pick<MessagePart, "text" | "tool" | "files"> {
  /** The id of the call, and whether this is its result. */
  readonly call: string;
  readonly isResult: boolean;
}

export function saidInBlocks(content: unknown): SaidInBlocks {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
  const ofType = (type: string) => blocks.filter((block) => block["type"] === type);
  const isResult = ofType("tool_result").length > 0;
  return {
    texts: texts(ofType("text"), "text"),
    thinking: texts(ofType("thinking"), "thinking").join("\n\n"),
    // One beside a result is part of it.
    hasImage: !isResult && (ofType("image").length > 0 || ofType("media").length > 0),
    tools: blocks.flatMap((block) => toolIn(block) ?? []).filter(({ text }) => text !== ""),
  };
}

function texts(blocks: readonly Fields[], name: string): string[] {
  return blocks.map((block) => textOf(block[name])?.trim()).filter((text) => text !== undefined);
}

function toolIn(block: Fields): ToolBlock | undefined {
  const tool = textOf(block["name"]) ?? "tool";
  if (block["type"] === "tool_use") {
    const input = recordOf(block["input"]);
    const text = `${tool} ${JSON.stringify(input ?? {})}`;
    return { call: textOf(block["id"]) ?? tool, isResult: false, tool, text, files: filesIn(input) };
  }
  if (block["type"] !== "tool_result") return undefined;
  return {
    call: textOf(block["tool_use_id"]) ?? tool,
    isResult: true,
    tool,
    text: shown(block["content"]),
  };
}

/** Under whichever of these names; Cline's newer tools take several at once. */
function filesIn(input: Fields | undefined): string[] {
  const several = ["files", "paths", "edits"].flatMap((name) => (Array.isArray(input?.[name]) ? input[name] : []));
  return [input, ...several].flatMap((one: unknown) => {
    const fields = recordOf(one);
    const named = ["path", "file_path", "filePath"].map((name) => textOf(fields?.[name]));
    return [textOf(one), ...named].filter((file) => file !== undefined);
  });
}

/** Text, blocks of text, or Cline's own: `{query, result, error}`. */
function shown(content: unknown): string {
  if (typeof content === "string") return content;
  return recordsOf(content)
    .map((block) => {
      if (block["type"] === "image") return "[image]";
      const result = textOf(block["text"]) ?? textOf(block["result"]) ?? textOf(block["error"]);
      return [textOf(block["query"]), result].filter((text) => text !== undefined).join("\n");
    })
    .filter((text) => text !== "")
    .join("\n");
}
