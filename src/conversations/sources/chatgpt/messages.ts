// The content of one message of a ChatGPT conversation. Pure; used by chatgpt.ts.
import { parseJson } from "../../../kernel/kernel.ts";
import { joined } from "../kit/archived-messages.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import type { Said } from "../source.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Contents that the person never sees: what the model knows of them, and states of the page. */
const SILENT = new Set(["user_editable_context", "model_editable_context", "app_pairing_content", "super_widget"]);
/** Contents of tools: what they were asked, and what they gave. */
const TOOL = new Set([
  "code",
  "execution_output",
  "tether_quote",
  "tether_browsing_code",
  "tether_browsing_display",
  "sonic_webpage",
  "system_error",
  "computer_output",
  "citable_code_output",
]);

export function partsOf(message: Fields, skip: (type: string) => void): Said[] {
  const role = textOf(recordOf(message["author"])?.["role"]);
  const metadata = recordOf(message["metadata"]) ?? {};
  const content = recordOf(message["content"]) ?? {};
  const type = textOf(content["content_type"]) ?? "text";
  if (role === "system" || role === undefined || SILENT.has(type)) return [];
  if (metadata["is_visually_hidden_from_conversation"] === true) return [];
  const report = reportIn(metadata);
  if (report !== "") return [{ role: "assistant", kind: "prose", text: withoutMarks(report) }];
  if (type === "thoughts" || type === "reasoning_recap")
    return [{ role: "assistant", kind: "thinking", text: thoughtsIn(content) }];
  if (!TOOL.has(type) && type !== "text" && type !== "multimodal_text") {
    skip(type.slice(0, 40));
    return [];
  }
  if (role === "user") return typedIn(content, metadata);
  if (role === "tool") {
    const tool = textOf(recordOf(message["author"])?.["name"]) ?? "tool";
    return [{ role: "assistant", kind: "tool", tool, text: textIn(content) }];
  }
  return answeredIn(message, content, type);
}

function typedIn(content: Fields, metadata: Fields): Said[] {
  const names = recordsOf(metadata["attachments"])
    .map(({ name }) => textOf(name))
    .filter((name) => name !== undefined);
  // Pictures are among the attachments, but for those of voice and of old archives.
  const text = names.length > 0 ? textIn(content).replaceAll(/\[image\]\s*/g, "") : textIn(content);
  const files = names.length > 0 ? { files: names } : {};
  return [{ role: "user", kind: "prose", text: joined([text, names.map((name) => `[${name}]`).join("\n")]), ...files }];
}

function answeredIn(message: Fields, content: Fields, type: string): Said[] {
  const recipient = textOf(message["recipient"]) ?? "all";
  const text = withoutMarks(textIn(content));
  if (recipient !== "all" || TOOL.has(type)) {
    const canvas = recipient.startsWith("canmore.") ? canvasIn(text) : "";
    if (canvas !== "") return [{ role: "assistant", kind: "prose", text: canvas }];
    const tool = recipient === "all" ? type : recipient;
    return [{ role: "assistant", kind: "tool", tool, text: `${tool} ${text}`.trim() }];
  }
  const kind = message["channel"] === "analysis" ? ("thinking" as const) : ("prose" as const);
  return [{ role: "assistant", kind, text }];
}

/** The texts of a message, in either of its forms. */
function textIn(content: Fields): string {
  const { parts } = content;
  const own = [content["text"], content["result"]];
  if (!Array.isArray(parts)) return joined(own);
  return joined(
    parts.map((part) => {
      if (typeof part === "string") return part;
      const fields = recordOf(part);
      const kind = textOf(fields?.["content_type"]) ?? "";
      return kind.startsWith("image_asset") ? "[image]" : (textOf(fields?.["text"]) ?? "");
    }),
  );
}

/** In one of two forms: steps with a title each, or the one line that is shown of them. */
function thoughtsIn(content: Fields): string {
  const steps = recordsOf(content["thoughts"]).map((step) => joined([step["summary"], step["content"]]));
  return joined([...steps, content["content"]]);
}

/** A document that was written beside the conversation: all of it, or all of its new version. */
function canvasIn(text: string): string {
  const call = recordOf(parseJson(text));
  const content = textOf(call?.["content"]);
  if (content !== undefined) return joined([textOf(call?.["name"]), content]);
  const whole = recordsOf(call?.["updates"]).filter(({ pattern }) => pattern === ".*");
  return joined(whole.map(({ replacement }) => replacement));
}

/** The report of a deep research since 2026: in the state of the view that showed its progress. */
function reportIn(metadata: Fields): string {
  const state = textOf(recordOf(metadata["chatgpt_sdk"])?.["widget_state"]);
  const report = recordOf(
    recordOf(recordOf(state === undefined ? undefined : parseJson(state))?.["report_message"])?.["content"],
  );
  return report === undefined ? "" : textIn(report);
}

/** Marks for citations and names, between characters of the private use area: of names the name itself is kept. */
function withoutMarks(text: string): string {
  return text
    .replaceAll(/\uE200entity\uE202\["[^"]*","([^"]*)"[^\uE201]*\uE201/g, "$1")
    .replaceAll(/ ?\uE200[^\uE200\uE201]*\uE201/g, "")
    .replaceAll(/[\uE200-\uE20F]/g, "");
}

/** Of the last answer on the branch that the person was on. */
export function modelOf(mapping: Fields, leaf: string | undefined): string | undefined {
  const seen = new Set<string>();
  for (let id = leaf; id !== undefined && !seen.has(id);) {
    seen.add(id);
    const node = recordOf(mapping[id]);
    const message = recordOf(node?.["message"]);
    const model = textOf(recordOf(message?.["metadata"])?.["model_slug"]);
    if (model !== undefined && recordOf(message?.["author"])?.["role"] === "assistant") return model;
    id = textOf(node?.["parent"]);
  }
  return undefined;
}
