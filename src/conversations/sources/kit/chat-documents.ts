// Conversations in a JSON document of unknown form: editors have stored them
// under many keys and names. An object with an id and a list of messages is
// taken for a conversation, one with a role and a text for a message. Pure; used
// by windsurf.ts.
import { plainTextOf } from "./rich-text.ts";
import { timeOf, type Role } from "../source.ts";
import { recordOf, recordsOf, textOf } from "./stored-json.ts";

export interface ChatMessage {
  readonly id: string | undefined;
  readonly role: Role;
  readonly kind: "prose" | "tool";
  readonly text: string;
  readonly time: number | undefined;
}

export interface ChatDocument {
  readonly id: string;
  readonly title: string | undefined;
  readonly created: number | undefined;
  readonly updated: number | undefined;
  /** Empty if the document only lists the conversation. */
  readonly messages: readonly ChatMessage[];
}

type Fields = Readonly<Record<string, unknown>>;

const LISTS = ["tabs", "sessions", "conversations", "chats", "entries", "history", "items", "trajectories"];
const MESSAGES = ["messages", "bubbles", "conversation", "requests", "turns", "steps", "history"];
const DEEPEST = 3;

export function chatsIn(document: unknown, depth = 0): ChatDocument[] {
  const entries = entriesOf(document);
  if (entries !== undefined)
    return entries.flatMap(([id, entry]) => chatOf(entry, id) ?? (depth < DEEPEST ? chatsIn(entry, depth + 1) : []));
  const fields = recordOf(document);
  if (fields === undefined) return [];
  const own = chatOf(fields, undefined);
  if (own !== undefined && own.messages.length > 0) return [own];
  const lists = LISTS.map((name) => fields[name]).filter((list) => list !== undefined);
  return depth < DEEPEST ? lists.flatMap((list) => chatsIn(asList(list), depth + 1)) : [];
}

/** A list, or an object whose keys are the ids. */
function entriesOf(value: unknown): [id: string | undefined, entry: Fields][] | undefined {
  if (value instanceof Map) return [...(value as Map<string, Fields>)];
  return Array.isArray(value) ? recordsOf(value).map((entry) => [undefined, entry]) : undefined;
}

function asList(value: unknown): unknown {
  const fields = recordOf(value);
  if (fields === undefined) return value;
  return new Map(
    Object.entries(fields).flatMap(([id, entry]) => (recordOf(entry) === undefined ? [] : [[id, recordOf(entry)!]])),
  );
}

function chatOf(fields: Fields, key: string | undefined): ChatDocument | undefined {
  const names = ["sessionId", "tabId", "conversationId", "cascadeId", "trajectoryId", "id", "uuid"];
  const id = names.map((name) => textOf(fields[name])).find((name) => name !== undefined) ?? key;
  const title = ["chatTitle", "customTitle", "title", "name", "summary"]
    .map((name) => textOf(fields[name]))
    .find((one) => one !== undefined);
  const list = MESSAGES.map((name) => fields[name]).find((value) => Array.isArray(value) && value.length > 0);
  const isDraft = fields["isEmpty"] === true;
  if (id === undefined || (list === undefined && (title === undefined || isDraft))) return undefined;
  const time = (...candidates: string[]) =>
    candidates.map((name) => timeOf(fields[name])).find((one) => one !== undefined);
  return {
    id,
    title,
    created: time("createdAt", "creationDate", "startTime", "created"),
    updated: time("lastUpdatedAt", "updatedAt", "lastMessageDate", "lastSendTime", "lastModified", "timestamp"),
    messages: recordsOf(list).flatMap(messagesOf),
  };
}

function messagesOf(fields: Fields): ChatMessage[] {
  const time = ["timestamp", "createdAt", "time", "date"]
    .map((name) => timeOf(fields[name]))
    .find((one) => one !== undefined);
  const id =
    textOf(fields["id"]) ?? textOf(fields["messageId"]) ?? textOf(fields["bubbleId"]) ?? textOf(fields["requestId"]);
  // VS Code's own form: a question with its answer.
  const question = textOf(recordOf(fields["message"])?.["text"]);
  if (question !== undefined && fields["response"] !== undefined) {
    const answer = recordsOf(fields["response"])
      .map((part) => textOf(part["value"]) ?? textOf(recordOf(part["value"])?.["value"]) ?? "")
      .join("")
      .trim();
    const both: ChatMessage[] = [{ id: id && `${id}:asked`, role: "user", kind: "prose", text: question.trim(), time }];
    return answer === ""
      ? both
      : [...both, { id: id && `${id}:answered`, role: "assistant", kind: "prose", text: answer, time }];
  }
  const by = speakerOf(fields);
  const text = textIn(fields);
  return by === undefined || text === "" ? [] : [{ id, ...by, text, time }];
}

function speakerOf(fields: Fields): { role: Role; kind: "prose" | "tool" } | undefined {
  const named = ["role", "type", "author", "sender", "source", "from"].map((name) => fields[name]);
  for (const name of named) {
    if (name === 1 || (typeof name === "string" && /^(?:user|human|me)$|user[-_]?(?:input|message)/i.test(name)))
      return { role: "user", kind: "prose" };
    if (typeof name === "string" && /tool|function|command/i.test(name)) return { role: "assistant", kind: "tool" };
    if (
      name === 2 ||
      (typeof name === "string" &&
        /^(?:ai|assistant|bot|model|cascade|agent|system_response)$|assistant|planner|response/i.test(name))
    )
      return { role: "assistant", kind: "prose" };
  }
  return undefined;
}

function textIn(fields: Fields): string {
  for (const name of ["text", "content", "message", "rawText", "markdown", "value", "body", "parts"]) {
    const text = textOfContent(fields[name]);
    if (text !== "") return text;
  }
  return plainTextOf(fields["richText"]);
}

function textOfContent(content: unknown): string {
  if (typeof content === "string") return content.trim();
  if (Array.isArray(content))
    return content
      .map((part) => (typeof part === "string" ? part : (textOf(recordOf(part)?.["text"]) ?? "")))
      .join("\n\n")
      .trim();
  return textOf(recordOf(content)?.["text"])?.trim() ?? "";
}
