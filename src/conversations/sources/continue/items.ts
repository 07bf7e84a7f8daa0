// One item of a Continue session: a message, what was attached to it, and the
// state of its tools. Pure; used by continue.ts.
import { boundedText, timeOf, type MessagePart, type Role, type Tokens } from "../source.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Said {
  readonly role: Role | "thinking" | "tool" | "system";
  /** In editors. */
  readonly id: string | undefined;
  readonly text: string;
  /** Ids of the tools that it called. */
  readonly calls: string;
  readonly model: string | undefined;
  /** A summary that the CLI put in place of all messages before. */
  readonly isCompaction: boolean;
}

/** Undefined if it is no message. */
export function saidIn(item: Fields): Said | undefined {
  const message = recordOf(item["message"]);
  const role = message?.["role"];
  if (message === undefined) return undefined;
  if (role !== "user" && role !== "assistant" && role !== "thinking" && role !== "tool" && role !== "system")
    return undefined;
  const content = textIn(message["content"]);
  const text = role === "user" ? (commandIn(item["editorState"]) ?? content) : content;
  const model =
    textOf(recordOf(message["usage"])?.["model"]) ?? textOf(recordsOf(item["promptLogs"]).at(-1)?.["modelTitle"]);
  const called = [...recordsOf(message["toolCalls"]).map(({ id }) => id), message["toolCallId"]];
  return {
    role,
    id: textOf(message["id"]),
    text,
    calls: called.filter((id) => typeof id === "string").join(" "),
    model: role === "assistant" ? model : undefined,
    isCompaction: role === "assistant" && textOf(item["conversationSummary"])?.trim() === content && content !== "",
  };
}

export function tokensOf(item: Fields): Tokens | undefined {
  const usage = recordOf(recordOf(item["message"])?.["usage"]);
  const cached = recordOf(usage?.["prompt_tokens_details"])?.["cached_tokens"];
  return tokensIn({ input: usage?.["prompt_tokens"], output: usage?.["completion_tokens"], cached });
}

/** Text, or parts of text and images. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content.trim();
  return recordsOf(content)
    .map((part) => (part["type"] === "imageUrl" ? "[image]" : (textOf(part["text"]) ?? "")))
    .filter((text) => text !== "")
    .join("\n\n")
    .trim();
}

/** What was typed with a slash command: the message has the command's whole prompt. Undefined without one. */
function commandIn(editorState: unknown): string | undefined {
  let command: string | undefined;
  const typed = recordsOf(recordOf(editorState)?.["content"]).map((block) => {
    if (/^prompt-?block$/i.test(String(block["type"]))) {
      command = textOf(recordOf(recordOf(block["attrs"])?.["item"])?.["name"]);
      return "";
    }
    return recordsOf(block["content"])
      .map((node) => {
        const attributes = recordOf(node["attrs"]);
        const label = textOf(attributes?.["renderInlineAs"]) ?? textOf(attributes?.["label"]) ?? "";
        if (node["type"] !== "slashcommand") return textOf(node["text"]) ?? label;
        command = label.replace(/^\//, "");
        return "";
      })
      .join("");
  });
  return command === undefined ? undefined : `/${command} ${typed.join("\n").trim()}`.trim();
}

export function* partsOfItem(
  item: Fields,
  { role, text, isCompaction }: Said,
  place: Pick<MessagePart, "conversation" | "message" | "order">,
): Generator<MessagePart> {
  const key = place.message;
  const common = { ...place, role: role === "user" ? ("user" as const) : ("assistant" as const) };
  const reasoning = recordOf(item["reasoning"]);
  const thought = role === "thinking" ? text : (textOf(reasoning?.["text"])?.trim() ?? "");
  if (thought !== "") {
    const time = timeOf(reasoning?.["startAt"]);
    const order = place.order - SHORTLY;
    yield { ...common, order, key: `${key}:thinking`, kind: "thinking", text: boundedText(thought), time };
  }
  if (text !== "" && (role === "user" || role === "assistant")) {
    const attached = recordsOf(item["contextItems"]).flatMap(({ uri }) => fileIn(recordOf(uri)) ?? []);
    const files = attached.length > 0 ? { files: attached } : {};
    if (isCompaction) yield { ...common, key, kind: "summary", text: boundedText(text) };
    else yield { ...common, key, kind: "prose", text, ...files };
  }
  if (role === "tool" && text !== "") yield { ...common, key, kind: "tool", tool: "tool", text: boundedText(text) };
  const summary = textOf(item["conversationSummary"]);
  if (summary !== undefined && !isCompaction)
    yield { ...common, key: `${key}:summary`, kind: "summary", text: boundedText(summary) };
  for (const [i, state] of recordsOf(item["toolCallStates"]).entries()) {
    const order = place.order + (i + 1) * SHORTLY;
    yield { ...common, ...toolIn(state), order, key: `${key}:tool${i}`, kind: "tool" as const };
  }
}

const SHORTLY = 0.001;

function fileIn(uri: Fields | undefined): string | undefined {
  const value = uri?.["type"] === "file" ? textOf(uri["value"]) : undefined;
  return value === undefined ? undefined : folderOfUri(value);
}

function toolIn(state: Fields): Pick<MessagePart, "tool" | "text" | "files"> {
  const called = recordOf(recordOf(state["toolCall"])?.["function"]);
  const tool = textOf(called?.["name"]) ?? "tool";
  const args = recordOf(state["parsedArgs"]);
  const output = recordsOf(state["output"]).flatMap(({ content }) => textOf(content) ?? []);
  const files = ["filepath", "file_path", "path"]
    .map((name) => textOf(args?.[name]))
    .filter((file) => file !== undefined);
  const asked = args === undefined ? (textOf(called?.["arguments"]) ?? "") : JSON.stringify(args);
  return { tool, text: boundedText([`${tool} ${asked}`, ...output].join("\n")), ...(files.length > 0 && { files }) };
}
