// claude.ai: `conversations.json` of the archive that it sends on request
// (Settings, Privacy, Export data). A conversation has a list of messages; in
// archives since 2025 each names the one that it follows, so that edited prompts
// and repeated answers are there too.
import {
  archivedConversation,
  archiveSource,
  counting,
  joined,
  type ArchivedMessage,
} from "../kit/archived-messages.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { timeOf, type ArchivedConversation, type Said } from "../source.ts";

export const claudeAi = archiveSource("claude-ai", "claude.ai", fromArchive);

type Fields = Readonly<Record<string, unknown>>;

function fromArchive(conversation: Fields): ArchivedConversation | undefined {
  const id = textOf(conversation["uuid"]);
  const list = conversation["chat_messages"];
  if (id === undefined || !Array.isArray(list)) return undefined;
  const skipped = new Map<string, number>();
  return archivedConversation({
    id,
    title: textOf(conversation["name"]),
    model: textOf(conversation["model"]),
    workspace: textOf(recordOf(conversation["project"])?.["name"]) ?? textOf(conversation["project_uuid"]),
    created: timeOf(conversation["created_at"]),
    updated: timeOf(conversation["updated_at"]),
    messages: messagesIn(recordsOf(list), counting(skipped)),
    leaf: textOf(conversation["current_leaf_message_uuid"]),
    skipped,
    skippedName: "blocks",
  });
}

/** Until 2025 messages named none that they follow: each followed the one before. */
function messagesIn(list: readonly Fields[], skip: (type: string) => void): ArchivedMessage[] {
  const isTree = list.some((message) => textOf(message["parent_message_uuid"]) !== undefined);
  let before: string | undefined;
  return list.map((message, at) => {
    const id = textOf(message["uuid"]) ?? String(at);
    const parent = isTree ? textOf(message["parent_message_uuid"]) : before;
    before = id;
    return { id, parent, time: timeOf(message["created_at"]), parts: partsIn(message, skip) };
  });
}

/** What archives have in place of blocks that the person's device could not show. */
const PLACEHOLDER = /```\s*This block is not supported on your current device yet\.\s*```/g;

function partsIn(message: Fields, skip: (type: string) => void): Said[] {
  const role = message["sender"] === "human" ? ("user" as const) : ("assistant" as const);
  const blocks = recordsOf(message["content"]);
  const said: string[] = [];
  // A message is one text, which stands where its last words do: an answer comes after the search for it.
  const before: Said[] = [];
  let after: Said[] = [];
  for (const block of blocks) {
    const type = textOf(block["type"]) ?? "";
    if (type === "text" || type === "voice_note") {
      said.push(textOf(block["text"]) ?? "");
      before.push(...after);
      after = [];
    } else if (type === "thinking") after.push({ role, kind: "thinking", text: textOf(block["thinking"]) ?? "" });
    else if (type === "tool_use" || type === "tool_result") after.push(toolPart(block, type));
    else if (!SILENT.has(type)) skip(type.slice(0, 40));
  }
  const text = said.length > 0 ? joined(said) : (textOf(message["text"])?.replaceAll(PLACEHOLDER, "").trim() ?? "");
  const attached = [...attachmentsIn(message)];
  const names = attached.map(({ name }) => `[${name ?? "pasted text"}]`);
  // Texts that were attached, or were pasted and too long for the message.
  const contents = attached.map(({ name, content }): Said => {
    const files = name === undefined ? {} : { files: [name] };
    return { role, kind: "tool", tool: "attachment", text: content, ...files };
  });
  return [...before, { role, kind: "prose", text: joined([text, names.join("\n")]) }, ...contents, ...after];
}

/** Blocks that say nothing: how much may be written, and notices. */
const SILENT = new Set(["token_budget", "flag", "redacted_thinking"]);

function toolPart(block: Fields, type: string): Said {
  const tool = textOf(block["name"]) ?? "tool";
  if (type === "tool_use")
    return { role: "assistant", kind: "tool", tool, text: `${tool} ${JSON.stringify(block["input"] ?? {})}` };
  const { content } = block;
  const text = typeof content === "string" ? content : joined(recordsOf(content).map((one) => one["text"]));
  return { role: "assistant", kind: "tool", tool, text };
}

/** A file is listed once or twice: in a new list and in the one that it replaced. */
function* attachmentsIn(message: Fields): Generator<{ readonly name: string | undefined; readonly content: string }> {
  const seen = new Set<string>();
  for (const list of ["attachments", "files", "files_v2"])
    for (const one of recordsOf(message[list])) {
      const name = textOf(one["file_name"]);
      if (name !== undefined && seen.has(name)) continue;
      if (name !== undefined) seen.add(name);
      yield { name, content: textOf(one["extracted_content"]) ?? "" };
    }
}
