// pi (pi-coding-agent): one file per session in a folder per project. The first
// line is a header, the others are entries of a tree: `/tree` goes back to any of
// them, `/fork` copies a branch into a file of its own, entries with their ids.
// Version 1 of the format had neither ids nor branches; pi rewrites such a file
// when it is next opened.
import { basename, dirname, join } from "node:path";
import { cutIf, type CutKeys } from "../formats/brief-json.ts";
import { foundFile, listed, lookedInto } from "../transcript-search.ts";
import { readSessionLog, type Fields, type LogReader, type SessionLog } from "../formats/session-log.ts";
import { recordOf, textOf } from "../formats/stored-json.ts";
import { storedTimes } from "../formats/stored-times.ts";
import {
  boundedText,
  timeOf,
  type ConversationSource,
  type Finding,
  type Home,
  type SourceEvent,
  type Said,
} from "../source.ts";
import { usageOf } from "../formats/token-counts.ts";
import { saidIn, summaryOf, tokensOf } from "./entries.ts";

export const pi: ConversationSource = {
  name: "pi",
  reader: 2,
  title: "pi",
  emitsNonProseOnce: true,
  find,
  read: (transcript, checkpoint, signal, wanted) =>
    readSessionLog(
      transcript,
      checkpoint,
      signal,
      (log, state) => new Session(transcript.path, log, state),
      (line) => cutIf(wanted, isToolResult(line) ? TOOL_OUTPUT : IMAGES),
    ),
};

const IMAGES: CutKeys = [{ key: "data" }];
const TOOL_OUTPUT: CutKeys = [{ key: "content" }];

/** The role of a message is before its content. Within a text, these quotes would be escaped. */
function isToolResult(line: Buffer): boolean {
  return line.toString("latin1", 0, 400).includes('"role":"toolResult"');
}

function* find({ folder, environment }: Home): Generator<Finding> {
  const agent = environment["PI_CODING_AGENT_DIR"]?.replace(/^~(?=$|\/)/, folder) || join(folder, ".pi", "agent");
  const sessions = join(agent, "sessions");
  for (const entry of yield* lookedInto(sessions)) {
    if (entry.isDirectory()) yield* findFiles(join(sessions, entry.name));
    else if (entry.name.endsWith(".jsonl")) yield* foundFile(join(sessions, entry.name));
  }
  // Where version 0.30 kept them by mistake.
  for (const { name } of (yield* listed(agent)) ?? []) if (SESSION.test(name)) yield* foundFile(join(agent, name));
}

function* findFiles(folder: string): Generator<Finding> {
  for (const { name } of (yield* listed(folder)) ?? [])
    if (name.endsWith(".jsonl")) yield* foundFile(join(folder, name));
}

/** A time and the session's id. */
const SESSION = /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)\.jsonl$/;
/** Entries that change settings, or are notes of extensions and of the person. */
const SILENT = new Set(["model_change", "thinking_level_change", "custom", "custom_message", "label"]);

interface State {
  readonly session: string;
  readonly lines: number;
}

class Session implements LogReader {
  readonly #log: SessionLog;
  readonly #slug: string;
  #session: string;
  #lines: number;
  /** By the id of an entry, the id of its message. */
  readonly #messages: Map<string, string>;

  constructor(path: string, log: SessionLog, state: unknown) {
    this.#log = log;
    this.#slug = basename(dirname(path));
    const before = state as State | undefined;
    this.#session = before?.session ?? SESSION.exec(basename(path))?.[1] ?? basename(path, ".jsonl");
    this.#lines = before?.lines ?? 0;
    const messages = log.tree.saved.filter((value) => typeof value === "string");
    this.#messages = new Map(messages.map((message) => [message.slice(0, message.lastIndexOf("@")), message]));
  }

  state(): State {
    return { session: this.#session, lines: this.#lines };
  }

  ended(): Iterable<SourceEvent> {
    return this.#log.ended(this.#session, (message) => message);
  }

  *eventsOf(entry: Fields): Generator<SourceEvent> {
    const line = this.#lines++;
    const type = String(entry["type"]);
    const time = timeOf(entry["timestamp"]);
    if (type === "session") return yield* this.#header(entry, time);
    const message = this.#place(entry, line, time);
    if (type === "message") yield* this.#message(recordOf(entry["message"]) ?? {}, message, time);
    else if (type === "compaction" || type === "branch_summary")
      yield* this.#parts(summaryOf(entry["summary"]), message, time);
    else if (type === "session_info") yield* this.#name(textOf(entry["name"]));
    else if (!SILENT.has(type)) this.#log.skip(`entries of the unknown type ${type.slice(0, 40)}`);
  }

  /** Ids are of eight digits: with the time, which copies have too, they are unique. */
  #place(entry: Fields, line: number, time: number | undefined): string {
    const id = textOf(entry["id"]);
    const message = id === undefined ? `${this.#session}:${line}@` : `${id}@${time ?? this.#session}`;
    const parent = entry["parentId"];
    this.#log.tree.add(message, parent === null ? null : this.#messages.get(textOf(parent) ?? ""));
    if (id !== undefined) this.#messages.set(id, message);
    return message;
  }

  *#header(header: Fields, time: number | undefined): Generator<SourceEvent> {
    this.#session = textOf(header["id"]) ?? this.#session;
    // `branchedFrom` in version 1.
    const parent = textOf(header["parentSession"]) ?? textOf(header["branchedFrom"]);
    const continues = SESSION.exec(parent?.replace(/^.*[/\\]/, "") ?? "")?.[1];
    yield {
      kind: "conversation",
      facts: {
        id: this.#session,
        ...storedTimes(time),
        ...(parent !== undefined && time !== undefined && { copiedAt: time }),
        ...(continues !== undefined && { continues }),
      },
    };
    yield* this.#log.changedFacts(this.#session, {
      folder: textOf(header["cwd"]),
      workspace: this.#slug,
      model: textOf(header["modelId"]),
    });
  }

  *#name(title: string | undefined): Generator<SourceEvent> {
    if (title !== undefined)
      yield { kind: "conversation", facts: { id: this.#session, title: title.trim(), titleBy: "user" } };
  }

  *#message(message: Fields, id: string, time: number | undefined): Generator<SourceEvent> {
    const said = saidIn(message);
    if (said === undefined)
      return this.#log.skip(`messages of the unknown role ${String(message["role"]).slice(0, 40)}`);
    if (message["role"] === "assistant")
      yield* this.#log.changedFacts(this.#session, { model: textOf(message["model"]) });
    yield* this.#parts(said, id, time ?? timeOf(message["timestamp"]));
    yield* usageOf(tokensOf(message), { conversation: this.#session });
  }

  *#parts(said: readonly Said[], message: string, time: number | undefined): Generator<SourceEvent> {
    for (const [at, one] of said.entries())
      yield {
        kind: "part",
        part: {
          ...one,
          conversation: this.#session,
          key: one.kind === "prose" ? message : `${message}:${at}`,
          message,
          order: this.#log.nextOrder(time),
          text: one.kind === "prose" ? one.text : boundedText(one.text),
          time,
        },
      };
  }
}
