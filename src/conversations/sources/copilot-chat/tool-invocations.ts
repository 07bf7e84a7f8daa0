// Calls of tools in a response. The response has what the editor showed of each;
// arguments and output are, where Copilot kept them, in the result of the
// request. Pure; used by response-parts.ts and requests.ts.
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import { parseJson } from "../../../kernel/kernel.ts";
import { elementsOf, fieldsOf, markdownOf, valueOf } from "./chat-state.ts";
import type { Fields, Said } from "./response-parts.ts";

/** What Copilot kept of the calls of a request, by their ids. */
export class ToolCalls {
  readonly #calls = new Map<string, Fields>();
  readonly #results: Map<string, Buffer>;

  /** @param metadata of the result of a request */
  constructor(metadata: Map<string, Buffer>) {
    for (const round of elementsOf(metadata.get("toolCallRounds")) ?? [])
      for (const call of recordsOf(valueOf(fieldsOf(round).get("toolCalls"))))
        this.#calls.set(plainId(textOf(call["id"]) ?? ""), call);
    const results = fieldsOf(metadata.get("toolCallResults"));
    this.#results = new Map([...results].map(([id, result]) => [plainId(id), result]));
  }

  call(id: string): { readonly name: string | undefined; readonly args: string | undefined } | undefined {
    const call = this.#calls.get(plainId(id));
    return call === undefined ? undefined : { name: textOf(call["name"]), args: textOf(call["arguments"]) };
  }

  output(id: string): string | undefined {
    const parts = recordsOf(recordOf(valueOf(this.#results.get(plainId(id))))?.["content"]);
    const texts = parts.map(({ value }) => (typeof value === "string" ? value : textsOfPrompt(value).join("")));
    return textOf(texts.join("\n"));
  }
}

/** The editor makes ids unique. */
function plainId(id: string): string {
  return id.replace(/__vscode-\d+$/, "");
}

const DEEPEST = 100;

/** The texts of a prompt that is a tree of elements. */
function textsOfPrompt(value: unknown, depth = 0): string[] {
  if (depth > DEEPEST || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsOfPrompt(one, depth + 1));
  const { text, node, children } = value as Fields;
  if (typeof text === "string") return [text];
  return [...textsOfPrompt(node, depth + 1), ...textsOfPrompt(children, depth + 1)];
}

export function invocationOf(fields: Fields, calls: ToolCalls): Said {
  const id = textOf(fields["toolCallId"]) ?? "";
  const call = calls.call(id);
  const tool = call?.name ?? textOf(fields["toolId"]) ?? "tool";
  const specific = recordOf(fields["toolSpecificData"]) ?? {};
  if (specific["kind"] === "subagent") {
    const texts = [specific["prompt"], specific["result"]].map(textOf).filter((text) => text !== undefined);
    return { kind: "subagent", tool, text: texts.length > 0 ? texts.join("\n\n") : messageIn(fields) };
  }
  const details = recordOf(fields["resultDetails"]) ?? {};
  const given =
    call?.args ?? commandIn(specific) ?? rawInputIn(specific) ?? textOf(details["input"]) ?? messageIn(fields);
  const output =
    textOf(recordOf(specific["terminalCommandOutput"])?.["text"]) ?? outputIn(details["output"]) ?? calls.output(id);
  const files = [...filesGiven(call?.args), ...filesShown(fields)];
  return {
    kind: "tool",
    tool,
    text: [`${tool} ${given}`.trim(), output].filter((text) => text !== undefined).join("\n"),
    ...(files.length > 0 && { files: [...new Set(files)] }),
  };
}

function messageIn({ pastTenseMessage, invocationMessage }: Fields): string {
  return markdownOf(pastTenseMessage) ?? markdownOf(invocationMessage) ?? "";
}

/** `command` in versions before 2025-09. */
function commandIn({ kind, commandLine, command }: Fields): string | undefined {
  if (kind !== "terminal" && kind !== "terminal2") return undefined;
  const line = recordOf(commandLine);
  return textOf(line?.["userEdited"]) ?? textOf(line?.["toolEdited"]) ?? textOf(line?.["original"]) ?? textOf(command);
}

function rawInputIn({ kind, rawInput }: Fields): string | undefined {
  return kind === "input" && rawInput !== undefined ? JSON.stringify(rawInput) : undefined;
}

/** Text, or pieces of which some are text. */
function outputIn(output: unknown): string | undefined {
  if (typeof output === "string") return textOf(output);
  const texts = recordsOf(output).filter((piece) => piece["isText"] !== false && typeof piece["value"] === "string");
  return textOf(texts.map(({ value }) => String(value)).join("\n"));
}

function filesGiven(args: string | undefined): string[] {
  const fields = args === undefined ? undefined : recordOf(parseJson(args));
  return ["filePath", "path", "file_path"].flatMap((name) => textOf(fields?.[name]) ?? []);
}

/** Messages are a sentence. */
const MAX_MESSAGE_LENGTH = 10_000;

/** Files that the message about a call links to. */
function filesShown(fields: Fields): string[] {
  const links = messageIn(fields)
    .slice(0, MAX_MESSAGE_LENGTH)
    .matchAll(/\]\(((?:file|vscode-remote):\/\/[^)\s]+)\)/g);
  return [...links].flatMap(([, uri]) => folderOfUri(uri!) ?? []);
}
