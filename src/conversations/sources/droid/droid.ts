// Factory's droid: one file per session in a folder per project, older ones
// beside the folders. The first line names the session, and is rewritten in
// place when its title changes. Sub-agents have sessions of their own, which name
// the one that called them. Model and tokens are in `<session>.settings.json`.
import { basename, dirname, join } from "node:path";
import { readText } from "../../../files/files.ts";
import { cutIf, type CutKeys } from "../formats/brief-json.ts";
import { foundFile, listed, lookedInto } from "../transcript-search.ts";
import { readSessionLog, type Fields, type LogReader, type SessionLog } from "../formats/session-log.ts";
import { recordOf, recordsOf, storedJson, textOf } from "../formats/stored-json.ts";
import {
  boundedText,
  timeOf,
  type ConversationSource,
  type Finding,
  type Home,
  type SourceEvent,
  type Said,
  type Tokens,
} from "../source.ts";
import { tokensIn, usageOf } from "../formats/token-counts.ts";
import { saidIn } from "./messages.ts";

export const droid: ConversationSource = {
  name: "droid",
  reader: 3,
  title: "Factory droid",
  emitsNonProseOnce: true,
  find,
  read: (transcript, checkpoint, signal, wanted) =>
    readSessionLog(
      transcript,
      checkpoint,
      signal,
      (log, state) => new Session(transcript.path, log, state),
      () => cutIf(wanted, TOOL_OUTPUT),
    ),
};

function* find({ folder, environment }: Home): Generator<Finding> {
  const sessions = join(environment["FACTORY_HOME_OVERRIDE"] || folder, ".factory", "sessions");
  for (const entry of yield* lookedInto(sessions)) {
    const path = join(sessions, entry.name);
    if (!entry.isDirectory()) yield* findSession(path);
    else for (const { name } of (yield* listed(path)) ?? []) yield* findSession(join(path, name));
  }
}

function* findSession(path: string): Generator<Finding> {
  if (path.endsWith(".jsonl")) yield* foundFile(path, [settingsOf(path)]);
}

function settingsOf(path: string): string {
  return path.replace(/\.jsonl$/, ".settings.json");
}

/** The content of a block in the content of a message; and images. */
const TOOL_OUTPUT: CutKeys = [{ key: "content", depth: 4 }, { key: "source" }];
/** Records without content of their own. */
const SILENT = new Set(["todo_state", "agent_turn_outcome", "session_settings"]);
/** Until the program has found a title. */
const UNTITLED = "New Session";
/** A copy whose own messages cannot be told from those of its original by time: see `copiedAt`. */
const COPIED_LAST = Number.MAX_SAFE_INTEGER;
/** Calls without a result yet: more than ever run at the same time. */
const MOST_CALLS = 50;

interface State {
  readonly session: string;
  readonly caller: string | undefined;
  readonly lines: number;
  readonly calls: readonly (readonly [call: string, tool: string])[];
}

class Session implements LogReader {
  readonly #log: SessionLog;
  readonly #path: string;
  #session: string;
  /** The session that it is a sub-agent of. */
  #caller: string | undefined;
  #lines: number;
  #modelOfMessage: string | undefined;
  /** By call, the name of the tool, for its result. */
  readonly #calls: Map<string, string>;

  constructor(path: string, log: SessionLog, state: unknown) {
    this.#log = log;
    this.#path = path;
    const before = state as State | undefined;
    this.#session = before?.session ?? basename(path, ".jsonl");
    this.#caller = before?.caller;
    this.#lines = before?.lines ?? 0;
    this.#calls = new Map(before?.calls);
  }

  state(): State {
    const calls = [...this.#calls].slice(-MOST_CALLS);
    return { session: this.#session, caller: this.#caller, lines: this.#lines, calls };
  }

  *ended(): Generator<SourceEvent> {
    const settings = settingsAt(settingsOf(this.#path));
    const model = this.#modelOfMessage ?? textOf(settings?.["model"]);
    if (this.#caller === undefined) yield* this.#log.changedFacts(this.#session, { model });
    yield* usageOf(tokensOf(recordOf(settings?.["tokenUsage"])), { conversation: this.#conversation, isTotal: true });
    yield* this.#log.ended(this.#conversation, (id) => id);
  }

  *eventsOf(record: Fields): Generator<SourceEvent> {
    const line = this.#lines++;
    const type = String(record["type"]);
    const time = timeOf(record["timestamp"]);
    if (type === "session_start") yield* this.#start(record);
    else if (type === "message") yield* this.#message(record, line, time);
    else if (type === "compaction_state") {
      const text = textOf(record["summaryText"]) ?? "";
      const id = textOf(record["id"]) ?? `${this.#session}:${line}`;
      if (text !== "") yield* this.#parts([{ role: "assistant", kind: "summary", text }], id, time);
    } else if (!SILENT.has(type)) this.#log.skip(`records of the unknown type ${type.slice(0, 40)}`);
  }

  get #conversation(): string {
    return this.#caller ?? this.#session;
  }

  *#start(start: Fields): Generator<SourceEvent> {
    this.#session = textOf(start["id"]) ?? this.#session;
    this.#caller = textOf(start["callingSessionId"]);
    if (this.#caller !== undefined) return;
    const title = textOf(start["title"])?.trim();
    const isNamed = start["isSessionTitleManuallySet"] === true;
    const parent = textOf(start["parent"]);
    yield {
      kind: "conversation",
      facts: {
        id: this.#session,
        ...(title !== undefined && title !== UNTITLED && { title, titleBy: isNamed ? "user" : "program" }),
        ...(parent !== undefined && { continues: parent, copiedAt: COPIED_LAST }),
      },
    };
    const folder = textOf(start["cwd"]);
    yield* this.#log.changedFacts(this.#session, { folder, workspace: basename(dirname(this.#path)) });
  }

  *#message(record: Fields, line: number, time: number | undefined): Generator<SourceEvent> {
    const message = recordOf(record["message"]);
    const role = message?.["role"];
    if (message === undefined || (role !== "user" && role !== "assistant"))
      return this.#log.skip("messages of an unknown form");
    const id = textOf(record["id"]) ?? `${this.#session}:${line}`;
    this.#log.tree.add(id, textOf(record["parentId"]));
    if (role === "assistant") this.#modelOfMessage = textOf(message["modelId"]) ?? this.#modelOfMessage;
    for (const { type, id: call, name } of recordsOf(message["content"]))
      if (type === "tool_use" && typeof call === "string" && typeof name === "string") this.#calls.set(call, name);
    yield* this.#parts(
      saidIn(message, (call) => this.#calls.get(call)),
      id,
      time,
    );
  }

  *#parts(said: readonly Said[], message: string, time: number | undefined): Generator<SourceEvent> {
    for (const [at, one] of said.entries()) {
      const kind = this.#caller === undefined ? one.kind : "subagent";
      yield {
        kind: "part",
        part: {
          ...one,
          kind,
          conversation: this.#conversation,
          key: kind === "prose" ? message : `${message}:${at}`,
          message,
          order: this.#log.nextOrder(time),
          text: kind === "prose" ? one.text : boundedText(one.text),
          time,
        },
      };
    }
  }
}

function tokensOf(usage: Fields | undefined): Tokens | undefined {
  if (usage === undefined) return undefined;
  const { inputTokens: input, outputTokens: output, cacheReadTokens: cached, cacheCreationTokens: written } = usage;
  return tokensIn({ input, output, cached, written }, true);
}

/** Undefined if there are none, or if they are just being written. */
function settingsAt(path: string): Fields | undefined {
  try {
    return recordOf(storedJson(readText(path, { followsLinks: true })));
  } catch {
    return undefined;
  }
}
