// An exported conversation as JSON: written message by message, and read back.
// Pure; used by export.ts. The shape is `ExportedConversation`, which
// docs/internals/exported-conversations.md describes.
import { Problem } from "../../kernel/kernel.ts";
import type { ConversationSummary, Message } from "../store/conversation-reader.ts";

const EXPORT_FORMAT = "commonplace-conversation";
const EXPORT_VERSION = 1;

export interface ExportedMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  /** prose, tool, thinking, subagent or summary. */
  readonly kind: string;
  readonly text: string;
  /** ISO 8601; missing if the program stored none. */
  readonly time?: string;
  readonly tool?: string;
  /** On a branch that was abandoned when its prompt was edited. */
  readonly abandoned?: true;
}

export interface ExportedConversation {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: number;
  readonly id: string;
  readonly source_tool: string;
  readonly title: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** How both times are known: stored, inferred or file. */
  readonly times_from: string;
  readonly project: string;
  readonly workspace_id: string;
  readonly branch?: string;
  readonly conversation_type: string;
  /** Prompts and answers: fewer than `messages`, which includes tools and thinking. */
  readonly message_count: number;
  readonly keywords: readonly string[];
  /** The id of the conversation that it continues. */
  readonly continues?: string;
  /** Its program has deleted it. */
  readonly archived?: true;
  /** Of some tool texts only the beginning was left. */
  readonly tool_texts_dropped?: true;
  readonly messages: readonly ExportedMessage[];
}

export function headOf(conversation: ConversationSummary): Omit<ExportedConversation, "messages"> {
  const { branch, continues } = conversation;
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    id: conversation.id,
    source_tool: conversation.source,
    title: conversation.title,
    created_at: new Date(conversation.created).toISOString(),
    updated_at: new Date(conversation.updated).toISOString(),
    times_from: conversation.timeKnown,
    project: conversation.folder ?? "",
    workspace_id: conversation.workspace ?? "",
    ...(branch !== undefined && { branch }),
    conversation_type: conversation.type,
    message_count: conversation.messages,
    keywords: conversation.keywords,
    ...(continues !== undefined && { continues }),
    ...(conversation.isArchived && { archived: true }),
    ...(conversation.hasDroppedTexts && { tool_texts_dropped: true }),
  };
}

export function exportedMessage({ id, role, kind, text, time, tool, isAbandoned }: Message): ExportedMessage {
  return {
    id,
    role,
    kind,
    text,
    ...(time !== undefined && { time: new Date(time).toISOString() }),
    ...(tool !== undefined && { tool }),
    ...(isAbandoned && { abandoned: true }),
  };
}

/** One message per line, so that a diff of two exports is readable. */
export function* jsonOf(conversation: ConversationSummary, messages: Iterable<Message>): Generator<string> {
  const head = JSON.stringify(headOf(conversation), null, 2);
  yield `${head.slice(0, -2)},\n  "messages": [`;
  let isFirst = true;
  for (const message of messages) {
    yield `${isFirst ? "" : ","}\n    ${JSON.stringify(exportedMessage(message))}`;
    isFirst = false;
  }
  yield isFirst ? "]\n}\n" : "\n  ]\n}\n";
}

/** Reads an export. Unknown fields are dropped; a missing one is a Problem. */
export function readExported(json: string): ExportedConversation {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw notExported((error as Error).message);
  }
  const fields = fieldsOf(value, "it");
  if (fields["format"] !== EXPORT_FORMAT) throw notExported(`its format is not ${EXPORT_FORMAT}`);
  if (fields["version"] !== EXPORT_VERSION) throw notExported(`version ${String(fields["version"])} is not known`);
  const texts = [
    "id",
    "source_tool",
    "title",
    "created_at",
    "updated_at",
    "times_from",
    "project",
    "workspace_id",
    "conversation_type",
  ];
  for (const name of texts) if (typeof fields[name] !== "string") throw notExported(`${name} must be a text`);
  for (const name of ["created_at", "updated_at"])
    if (Number.isNaN(Date.parse(String(fields[name])))) throw notExported(`${name} must be a time`);
  if (!Number.isInteger(fields["message_count"])) throw notExported("message_count must be a whole number");
  for (const name of ["keywords", "messages"])
    if (!Array.isArray(fields[name])) throw notExported(`${name} must be a list`);
  for (const [at, message] of (fields["messages"] as unknown[]).entries()) checkMessage(message, `messages[${at}]`);
  return fields as unknown as ExportedConversation;
}

function checkMessage(value: unknown, name: string): void {
  const fields = fieldsOf(value, name);
  for (const key of ["id", "kind", "text"])
    if (typeof fields[key] !== "string") throw notExported(`${name}.${key} must be a text`);
  if (fields["role"] !== "user" && fields["role"] !== "assistant")
    throw notExported(`${name}.role must be user or assistant`);
  if (fields["time"] !== undefined && Number.isNaN(Date.parse(String(fields["time"]))))
    throw notExported(`${name}.time must be a time`);
}

function fieldsOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw notExported(`${name} must be an object`);
  return value as Record<string, unknown>;
}

function notExported(reason: string): Problem {
  return new Problem("invalid", `This is no exported conversation: ${reason}.`);
}
