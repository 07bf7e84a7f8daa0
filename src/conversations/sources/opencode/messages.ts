// The messages of an opencode session: a role, and parts of text, thinking,
// tools and files. The same fields in its database and in the files that older
// versions wrote. Pure; used by session-messages.ts,
// next-messages.ts and json-storage.ts.
import { recordOf, textOf } from "../kit/stored-json.ts";
import { boundedText, type MessageKind, type MessagePart, type SourceEvent } from "../source.ts";

/** The fields of a message that are used. */
export interface Message {
  readonly id: string;
  readonly role: unknown;
  /** Of an assistant's message. */
  readonly model?: string | undefined;
  /** An assistant's message that is the summary of a compacted session. */
  readonly isSummary: boolean;
}

/** The fields of a part that are used. */
export interface Part {
  readonly type: unknown;
  readonly text?: string | undefined;
  /** Added by the program: contents of files, reminders, what a command expands to. */
  readonly isSynthetic?: boolean;
  /** Shown to the person, but never sent to the model. */
  readonly isIgnored?: boolean;
  /** Of a file. */
  readonly mime?: string | undefined;
  readonly tool?: string | undefined;
  readonly status?: string | undefined;
  /** Arguments of a tool as JSON, and what it gave. */
  readonly input?: string | undefined;
  readonly output?: string | undefined;
  /** The file that a tool read or wrote. */
  readonly file?: string | undefined;
}

/** A part as it is stored, in a row or in a file. */
export function partIn(fields: Readonly<Record<string, unknown>>): Part {
  const state = recordOf(fields["state"]);
  const input = state?.["input"];
  return {
    type: fields["type"],
    text: textOf(fields["text"]) ?? textOf(fields["prompt"]),
    isSynthetic: fields["synthetic"] === true,
    isIgnored: fields["ignored"] === true,
    mime: textOf(fields["mime"]),
    tool: textOf(fields["tool"]),
    status: textOf(state?.["status"]),
    input: input === undefined ? undefined : JSON.stringify(input),
    output: textOf(state?.["output"]) ?? textOf(state?.["error"]),
    file: textOf(recordOf(input)?.["filePath"]),
  };
}

/** Where a part stands. */
export interface Place {
  readonly conversation: string;
  readonly isSubagent: boolean;
  readonly key: string;
  /** The message's id: that of the original in a fork. */
  readonly message: string;
  readonly order: number;
  readonly time: number | undefined;
  /** The message before this one; undefined for the first. */
  readonly follows: string | undefined;
}

/** Parts without content of their own: steps, snapshots, mentions, which the text repeats. */
const SILENT = new Set(["step-start", "step-finish", "snapshot", "patch", "agent", "retry", "compaction"]);

/** Undefined for a part of an unknown type, and of a message of an unknown role. */
export function eventsOfPart(part: Part, message: Message, place: Place): SourceEvent[] | undefined {
  const { role } = message;
  if (role !== "user" && role !== "assistant") return undefined;
  const { conversation, key, order, time } = place;
  const common = { conversation, key, message: place.message, order, role, time } as const;
  const side = place.isSubagent ? ("subagent" as const) : undefined;
  switch (part.type) {
    case "text": {
      if (part.isSynthetic || part.isIgnored) return [];
      const text = (role === "user" ? unquoted(part.text ?? "") : (part.text ?? "")).trim();
      const kind: MessageKind = side ?? (message.isSummary ? "summary" : "prose");
      return said(common, kind, text, place);
    }
    case "file":
      // Other files are named in the text.
      return role === "user" && part.mime?.startsWith("image/") && !part.isSynthetic
        ? said(common, side ?? "prose", "[image]", place)
        : [];
    case "reasoning":
      return said(common, side ?? "thinking", (part.text ?? "").trim(), place);
    case "tool":
      return [toolEvent(part, common, side)];
    // What a command asks of a sub-agent.
    case "subtask":
      return said(common, "subagent", (part.text ?? "").trim(), place);
    default:
      return typeof part.type === "string" && SILENT.has(part.type) ? [] : undefined;
  }
}

type Common = Pick<MessagePart, "conversation" | "key" | "message" | "order" | "role" | "time">;

function said(common: Common, kind: MessageKind, text: string, place: Place): SourceEvent[] {
  if (text === "") return [];
  const part: MessagePart = {
    ...common,
    kind,
    text: kind === "prose" ? text : boundedText(text),
    ...(kind === "prose" && common.role === "user" && { follows: place.follows ?? place.conversation }),
  };
  return [{ kind: "part", part }];
}

function toolEvent(part: Part, common: Common, side: "subagent" | undefined): SourceEvent {
  const tool = part.tool ?? "tool";
  const status = part.status === "error" ? " (error)" : "";
  const asked = `${tool}${status} ${part.input ?? ""}`.trimEnd();
  const text = boundedText([asked, part.output ?? ""].filter((line) => line !== "").join("\n"));
  const files = part.file === undefined ? {} : { files: [part.file] };
  return { kind: "part", part: { ...common, kind: side ?? "tool", tool, text, ...files } };
}

/** `opencode run` puts a prompt with spaces between quotes, and a backslash before each of its own. */
function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  const inner = text.slice(1, -1);
  return !inner.includes(" ") || /(?<!\\)"/.test(inner) ? text : inner.replaceAll('\\"', '"');
}

/** The title until one is generated. */
const UNTITLED = /^(?:New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z$/;

export function titleIn(title: string | undefined): string | undefined {
  return title === undefined || UNTITLED.test(title) ? undefined : title;
}

/** In milliseconds, after the message's own time: less than between two messages, however many parts there are. */
export function orderOf(time: number, index: number): number {
  return time + Math.min(index, 900) * 0.001;
}
