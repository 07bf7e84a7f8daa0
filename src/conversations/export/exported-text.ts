// An exported conversation for people: as Markdown for Obsidian, or as plain text,
// message by message. Pure; used by export.ts.
import { fenced, selfContained } from "./embedded-markdown.ts";
import { headOf } from "./exported-json.ts";
import type { ConversationSummary, Message } from "../store/conversation-reader.ts";

const SPEAKERS = { user: "User", assistant: "Assistant" } as const;

export function* markdownOf(conversation: ConversationSummary, messages: Iterable<Message>): Generator<string> {
  const { format: _, version: __, ...properties } = headOf(conversation);
  yield `---\n${Object.entries(properties)
    .map(([name, value]) => `${name}: ${yamlOf(value)}\n`)
    .join("")}---\n\n`;
  yield `# ${headingText(conversation.title || "Untitled conversation")}\n`;
  for (const message of messages) yield `\n${markdownOfMessage(message)}\n`;
}

/** Every JSON string is a valid YAML scalar. */
function yamlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => yamlOf(item)).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value.toWellFormed()) : String(value);
}

/** On one line, and without links, tags or markup that the title may have. */
function headingText(title: string): string {
  return title
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_{}[\]<>#|~$%^=]/g, "\\$&");
}

function markdownOfMessage(message: Message): string {
  const { role, kind, text, tool } = message;
  const about = [timeOf(message), message.isAbandoned ? "edited away" : undefined].filter((one) => one !== undefined);
  const named = (name: string) => [name, ...about].join(" · ");
  switch (kind) {
    case "prose":
      return `## ${named(SPEAKERS[role])}\n\n${selfContained(text)}`;
    case "tool":
      return `### ${named(`Tool: ${headingText(tool ?? "tool")}`)}\n\n${fenced(text)}`;
    case "thinking":
      return `### ${named("Thinking")}\n\n${quoted(selfContained(text))}`;
    case "subagent":
      return `### ${named(`Sub-agent, ${role}`)}\n\n${quoted(selfContained(text))}`;
    case "summary":
      return `### ${named("Summary of what came before")}\n\n${quoted(selfContained(text))}`;
  }
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

function timeOf({ time }: Message): string | undefined {
  return time === undefined ? undefined : `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

export function* plainTextOf(conversation: ConversationSummary, messages: Iterable<Message>): Generator<string> {
  const head = headOf(conversation);
  const lines = [
    head.title || "Untitled conversation",
    `${head.source_tool} · ${head.created_at} to ${head.updated_at} · ${head.message_count} messages`,
    ...(head.project === "" ? [] : [`Project: ${head.project}`]),
    `Id: ${head.id}`,
    ...(head.tool_texts_dropped ? ["Of long tool texts only the beginning was left"] : []),
  ];
  yield `${lines.join("\n")}\n`;
  for (const message of messages) {
    const name =
      message.kind === "prose"
        ? SPEAKERS[message.role]
        : `${message.kind}${message.tool === undefined ? "" : ` ${message.tool}`}`;
    const about = [name, timeOf(message), message.isAbandoned ? "edited away" : undefined];
    yield `\n${"─".repeat(8)} ${about.filter((one) => one !== undefined).join(" · ")}\n${message.text}\n`;
  }
}
