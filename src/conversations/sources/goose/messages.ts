// The messages of a Goose session: a role, contents of several types, and for whom
// it is visible. Compaction hides what came before from the model and adds a
// summary that is hidden from the person. Used by database.ts and goose.ts.
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { boundedText, timeOf, type MessagePart, type SourceEvent } from "../source.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Message {
  /** Undefined in older versions. */
  readonly id: string | undefined;
  readonly role: unknown;
  readonly content: unknown;
  readonly metadata: unknown;
  /** In seconds. */
  readonly created: unknown;
}

/** Contents that only the program uses, of this version and of earlier ones. */
const SILENT = new Set([
  "redactedThinking",
  "systemNotification",
  "toolConfirmationRequest",
  "actionRequired",
  "conversationCompacted",
  "summarizationRequested",
  "contextLengthExceeded",
]);

/** Reads the messages of one session, in their order. */
export class MessageReader {
  readonly #session: string;
  readonly #conversation: string;
  readonly #isSubagent: boolean;
  /** Unique, for keys of messages that have no ids. */
  readonly #name: string;
  /** How many messages were of a second, or had an id. */
  readonly #counts = new Map<string, number>();
  /** Prompts that a compaction has hidden from everybody, since it adds a copy of them. */
  readonly #hidden = new Set<string>();
  /** The summary, if the next message shows that it is one. */
  #pending: SourceEvent[] = [];
  #follows: string;
  /** Contents of an unknown type. */
  unknown = 0;

  /**
   * @param session its id in the store
   * @param conversation the id of its conversation as it is emitted: that of another session for a sub-agent
   */
  constructor(session: string, conversation: string, isSubagent = false) {
    this.#session = session;
    this.#conversation = conversation;
    this.#isSubagent = isSubagent;
    this.#name = isSubagent ? `${conversation}/${session}` : conversation;
    this.#follows = conversation;
  }

  /** @param isWanted false for a message that was read before: only its place counts */
  eventsOf(message: Message, isWanted: boolean): SourceEvent[] {
    const events = this.#eventsOf(message, isWanted);
    return this.#isSubagent ? events.map(ofSubagent) : events;
  }

  #eventsOf(message: Message, isWanted: boolean): SourceEvent[] {
    const role = message.role === "user" || message.role === "assistant" ? message.role : undefined;
    const time = timeOf(message.created);
    const second = this.#count(`at ${time ?? 0}`);
    const key = this.#keyOf(message.id, time, second);
    const { isForPerson, isForModel } = visibilityIn(message.metadata);
    const before = this.#pending;
    this.#pending = [];
    if (role === undefined || !isWanted) {
      if (role !== undefined && (isForPerson || !isForModel)) this.#follows = key.message;
      return [];
    }
    const order = (time ?? 0) + Math.min(second, 900) * 0.001;
    const common = { conversation: this.#conversation, message: key.message, role, time } as const;
    const place = (index: number) => ({ ...common, key: `${key.row}:${index}`, order: order + index * 1e-6 });
    const contents = recordsOf(message.content);
    if (!isForPerson && isForModel && contents.every(({ type }) => type === "text")) {
      // What the model gets to go on after a summary; anything else that is for it alone is no summary.
      if (role === "assistant") return before;
      const text = boundedText(this.#textOf(contents));
      if (text !== "")
        this.#pending = [{ kind: "part", part: { ...place(0), role: "assistant", kind: "summary", text } }];
      return [];
    }
    const text = this.#textOf(contents);
    if (role === "user" && text !== "") {
      if (!isForPerson && !isForModel) this.#hidden.add(text);
      else if (this.#hidden.delete(text)) return [];
    }
    const events = this.#eventsOfContents(contents, text, role, place);
    this.#follows = key.message;
    return events;
  }

  #eventsOfContents(
    contents: readonly Fields[],
    text: string,
    role: "user" | "assistant",
    place: (index: number) => Omit<MessagePart, "kind" | "text">,
  ): SourceEvent[] {
    const events: SourceEvent[] = [];
    const add = (part: MessagePart) => events.push({ kind: "part", part });
    for (const [index, content] of contents.entries()) {
      const thought = thinkingIn(content);
      const tool = toolIn(content);
      if (thought !== undefined) add({ ...place(index), kind: "thinking", text: boundedText(thought) });
      else if (tool !== undefined) add({ ...place(index), role: "assistant", kind: "tool", ...tool });
      else if (content["type"] !== "text" && content["type"] !== "image" && !SILENT.has(String(content["type"])))
        this.unknown++;
    }
    const follows = role === "user" ? { follows: this.#follows } : {};
    if (text !== "") add({ ...place(contents.length), kind: "prose", text, ...follows });
    return events;
  }

  #count(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return count;
  }

  /** Ids were added later, then to all messages; those that were read without have keys of their times. */
  #keyOf(id: string | undefined, time: number | undefined, second: number): { row: string; message: string } {
    const isAdded = id === undefined || LEGACY.test(this.#session) || id.startsWith(`msg_${this.#session}_`);
    const message = isAdded ? `${this.#name}:${time ?? 0}.${second}` : id;
    // A message that is streamed with tools between has several rows.
    const times = isAdded ? 0 : this.#count(`id ${id}`);
    return { row: times === 0 ? message : `${message}.${times}`, message };
  }

  /** What was said to the person, or by them. */
  #textOf(contents: readonly Fields[]): string {
    const texts = contents.map((content) => {
      const audience = recordOf(content["annotations"])?.["audience"];
      if (Array.isArray(audience) && !audience.includes("user")) return "";
      if (content["type"] === "image") return "[image]";
      return content["type"] === "text" ? (textOf(content["text"])?.trim() ?? "") : "";
    });
    return texts.filter((text) => text !== "").join("\n\n");
  }
}

function ofSubagent(event: SourceEvent): SourceEvent {
  if (event.kind !== "part") return event;
  const { follows: _, ...part } = event.part;
  return { kind: "part", part: { ...part, kind: "subagent", text: boundedText(part.text) } };
}

/** The session that a call of the tool `delegate` started, as its result says since 2026. */
export function startedBy(content: unknown): string[] {
  return recordsOf(content).flatMap((one) => {
    const result = recordOf(recordOf(one["toolResult"])?.["value"]);
    return textOf(recordOf(result?.["_meta"])?.["subagent_session_id"]) ?? [];
  });
}

/** Sessions of 2025 are named after the second in which they began; they were imported from files without ids. */
export const LEGACY = /^\d{8}_\d{6}$/;

function visibilityIn(metadata: unknown): { readonly isForPerson: boolean; readonly isForModel: boolean } {
  const fields = recordOf(metadata);
  return { isForPerson: fields?.["userVisible"] !== false, isForModel: fields?.["agentVisible"] !== false };
}

function thinkingIn({ type, thinking, text }: Fields): string | undefined {
  return type === "thinking" ? textOf(thinking) : type === "reasoning" ? textOf(text) : undefined;
}

function toolIn(content: Fields): Pick<MessagePart, "text" | "tool" | "files"> | undefined {
  switch (content["type"]) {
    case "toolRequest":
    case "frontendToolRequest": {
      const call = recordOf(content["toolCall"]);
      const value = recordOf(call?.["value"]);
      const tool = textOf(value?.["name"]) ?? "tool";
      const input = recordOf(value?.["arguments"]);
      const asked = input === undefined ? (textOf(call?.["error"]) ?? "") : JSON.stringify(input);
      const files = ["path", "file_path"].flatMap((name) => textOf(input?.[name]) ?? []);
      const text = boundedText(`${tool} ${asked}`.trimEnd());
      return { tool, text, ...(files.length > 0 && { files }) };
    }
    case "toolResponse": {
      const result = recordOf(content["toolResult"]);
      const value = result?.["value"];
      const contents = recordsOf(Array.isArray(value) ? value : recordOf(value)?.["content"]);
      const texts = contents.map(
        (one) => textOf(one["text"]) ?? textOf(recordOf(one["resource"])?.["text"]) ?? `[${String(one["type"])}]`,
      );
      const gave = texts.length > 0 ? texts.join("\n") : (textOf(result?.["error"]) ?? "");
      return { text: boundedText(gave) };
    }
    default:
      return undefined;
  }
}
