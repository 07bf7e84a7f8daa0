// Gemini CLI: one file per session below `tmp/<project>/chats/`. Once a JSON
// document that is rewritten with each message, now a log: a line for each
// state of a message, `$set` for the session's facts, `$rewindTo` if the person
// went back. A `$set` with messages replaces the model's history, for example
// after a compression: most of them were read before, some under other ids
// (messages.ts). Folders of sub-agents are beside it.
import { UnreadableFile } from "../../../files/files.ts";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { cutIf, type CutKeys } from "../kit/brief-json.ts";
import { parsedLine, readJsonLines } from "../kit/json-lines.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import {
  boundedText,
  timeOf,
  type Batch,
  type ConversationSource,
  type Finding,
  type Home,
  type MessagePart,
  type Retention,
  type SourceEvent,
  type TranscriptFile,
  type Wanted,
  UUID,
} from "../source.ts";
import { isContext, KnownMessages, saidIn, tokensOf, type Fields, type KnownMessage } from "./messages.ts";
import { INCOMPLETE, jsonDocument, recordAt, textAt } from "../kit/json-document.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { DocumentTokens, MessageTokens, usageOf, type CountedMessage } from "../kit/token-counts.ts";

export const gemini: ConversationSource = {
  name: "gemini",
  reader: 4,
  title: "Gemini CLI",
  resume: { command: ["gemini", "--resume", "ID"], idPattern: UUID },
  find,
  retention,
  read: (transcript, checkpoint, signal, wanted) =>
    transcript.path.endsWith(".jsonl")
      ? readLog(transcript, checkpoint, signal, wanted)
      : readDocument(transcript, checkpoint, wanted),
};

const TOOL_OUTPUT: CutKeys = [{ key: "toolCalls" }, { key: "functionResponse" }, { key: "inlineData" }];

const rootOf = ({ folder, environment }: Home) => join(environment["GEMINI_CLI_HOME"] || folder, ".gemini");

const DAYS: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 };

function retention(home: Home): Retention | undefined {
  const file = join(rootOf(home), "settings.json");
  const kept = recordOf(recordOf(recordAt(file)?.["general"])?.["sessionRetention"]);
  if (kept?.["enabled"] === false) return undefined;
  const [, count, unit] = /^(\d+)([hdwm])$/.exec(textOf(kept?.["maxAge"]) ?? "30d") ?? [];
  if (count === undefined) return undefined;
  return { days: Number(count) * DAYS[unit!]!, setting: "general.sessionRetention.maxAge", file };
}

function* find(home: Home): Generator<Finding> {
  const root = join(rootOf(home), "tmp");
  for (const project of yield* lookedInto(root)) {
    if (!project.isDirectory()) continue;
    const chats = join(root, project.name, "chats");
    for (const entry of (yield* listed(chats)) ?? []) {
      if (entry.isDirectory()) {
        for (const { name } of (yield* listed(join(chats, entry.name))) ?? [])
          if (/\.jsonl?$/.test(name)) yield* foundFile(join(chats, entry.name, name));
      } else if (/^session-.*\.jsonl?$/.test(entry.name)) yield* foundFile(join(chats, entry.name));
    }
  }
}

/** A log is read from where the last reading stopped. */
interface Checkpoint {
  readonly at: string;
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly messages: readonly KnownMessage[];
  readonly tokens?: readonly CountedMessage[];
}

async function* readLog(
  transcript: TranscriptFile,
  text: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  const cut = cutIf(wanted, TOOL_OUTPUT);
  let session = new Session(transcript, before);
  for await (const { isRewritten, lines, checkpoint } of readJsonLines(transcript, before?.at, signal)) {
    if (isRewritten) session = new Session(transcript, undefined);
    const events: SourceEvent[] = isRewritten ? [{ kind: "rewritten" }] : [];
    let skipped = 0;
    for (const line of lines) {
      const record = recordOf(parsedLine(line, cut));
      if (record === undefined) skipped++;
      else events.push(...session.eventsOfRecord(record));
    }
    if (skipped > 0) events.push({ kind: "skipped", count: skipped, reason: "lines that are no records" });
    yield [...events, { kind: "checkpoint", checkpoint: JSON.stringify(session.checkpoint(checkpoint)) }];
  }
}

/** Reads the whole document: parts that were read before stay unchanged. */
export async function* readDocument(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const { value, mark } = jsonDocument(transcript, cutIf(wanted, TOOL_OUTPUT));
  if (mark === checkpoint) return;
  const document = recordOf(value);
  if (document === undefined) throw new UnreadableFile(INCOMPLETE);
  const session = new Session(transcript, undefined);
  const tokens = new DocumentTokens();
  const events = [...session.eventsOfRecord(document)].filter((one) => {
    if (one.kind === "usage") tokens.add(one.usage.tokens);
    return one.kind !== "usage";
  });
  yield [...events, ...tokens.total(session.conversation), { kind: "checkpoint", checkpoint: mark }];
}

class Session {
  readonly #transcript: TranscriptFile;
  /** Below the folder of the session that it is a sub-agent of. */
  readonly #parent: string | undefined;
  readonly #project: string;
  readonly #messages: KnownMessages;
  readonly #tokens: MessageTokens;
  /** Looked up once: a log says after every prompt when the session was updated, and has thousands of these. */
  #folder: { readonly path: string | undefined } | undefined;
  #id: string | undefined;
  #model: string | undefined;

  constructor(transcript: TranscriptFile, before: Checkpoint | undefined) {
    this.#transcript = transcript;
    const folder = dirname(transcript.path);
    const isBelow = basename(folder) !== "chats";
    this.#parent = isBelow ? basename(folder) : undefined;
    this.#project = dirname(isBelow ? dirname(folder) : folder);
    this.#messages = new KnownMessages(before?.messages);
    this.#tokens = new MessageTokens(before?.tokens);
    this.#id = before?.id;
    this.#model = before?.model;
  }

  checkpoint(at: string): Checkpoint {
    return { at, id: this.#id, model: this.#model, messages: this.#messages.all, tokens: this.#tokens.saved };
  }

  *eventsOfRecord(record: Fields): Generator<SourceEvent> {
    const facts = recordOf(record["$set"]) ?? (textOf(record["sessionId"]) === undefined ? undefined : record);
    if (facts !== undefined) {
      yield* this.#eventsOfFacts(facts);
      const roles = this.#messages.rolesOf(recordsOf(facts["messages"]));
      for (const [message, role] of roles) yield* this.#eventsOfMessage(message, role);
      return;
    }
    const back = textOf(record["$rewindTo"]);
    if (back === undefined) return yield* this.#eventsOfMessage(record, "said");
    for (const id of this.#messages.rewindTo(back)) {
      const message = this.#keyOf(id);
      yield { kind: "abandoned", conversation: this.conversation, abandoned: { message } };
    }
  }

  *#eventsOfFacts(facts: Fields): Generator<SourceEvent> {
    this.#id ??= textOf(facts["sessionId"]);
    if (this.#parent !== undefined || facts["kind"] === "subagent") return;
    const created = timeOf(facts["startTime"]);
    const updated = timeOf(facts["lastUpdated"]);
    const directories = facts["directories"];
    yield {
      kind: "conversation",
      facts: {
        id: this.conversation,
        title: textOf(facts["summary"]),
        folder: (Array.isArray(directories) ? textOf(directories[0]) : undefined) ?? this.#folderOfProject(),
        workspace: textOf(facts["projectHash"]) ?? basename(this.#project),
        ...storedTimes(created, updated),
      },
    };
  }

  #folderOfProject(): string | undefined {
    this.#folder ??= { path: folderOfProject(this.#project) };
    return this.#folder.path;
  }

  get conversation(): string {
    return this.#parent ?? this.#id ?? basename(this.#transcript.path).replace(/\.jsonl?$/, "");
  }

  /** Messages that the program made up have the same ids in every session. */
  #keyOf(id: string): string {
    return `${(this.#id ?? this.conversation).slice(0, 8)}:${id}`;
  }

  *#eventsOfMessage(message: Fields, as: "said" | "summary"): Generator<SourceEvent> {
    const isUser = message["type"] === "user";
    // Notices of the program: info, warning, error.
    if (!isUser && message["type"] !== "gemini") return;
    const said = saidIn(message);
    if (isUser && isContext(said.text)) return;
    const time = timeOf(message["timestamp"]);
    const { id, order } = this.#messages.add(message, said.text, time);
    const key = this.#keyOf(id);
    const role = isUser ? ("user" as const) : ("assistant" as const);
    const common = { conversation: this.conversation, message: key, order, role, time };
    yield* this.#eventsOfModel(message);
    const side = this.#parent === undefined ? undefined : "subagent";
    if (said.thinking !== "")
      yield part({ ...common, key: `${key}:thinking`, kind: side ?? "thinking", text: boundedText(said.thinking) });
    if (said.text !== "") {
      const kind = side ?? (as === "summary" ? "summary" : "prose");
      yield part({ ...common, key, kind, text: kind === "prose" ? said.text : boundedText(said.text) });
    }
    for (const [at, call] of recordsOf(message["toolCalls"]).entries())
      yield toolPart(call, { ...common, key: `${key}:tool:${at}`, kind: side ?? "tool" });
    yield* usageOf(this.#tokens.added(id, tokensOf(message)), { conversation: this.conversation });
  }

  *#eventsOfModel(message: Fields): Generator<SourceEvent> {
    const model = textOf(message["model"]);
    if (model === undefined || model === this.#model || this.#parent !== undefined) return;
    this.#model = model;
    yield { kind: "conversation", facts: { id: this.conversation, model } };
  }
}

function part(one: MessagePart): SourceEvent {
  return { kind: "part", part: one };
}

function toolPart(call: Fields, common: Omit<MessagePart, "text">): SourceEvent {
  const tool = textOf(call["name"]) ?? "tool";
  const args = recordOf(call["args"]);
  const gave = recordsOf(call["result"]).map((one) => recordOf(recordOf(one["functionResponse"])?.["response"]));
  const output = gave.map(
    (response) => textOf(response?.["output"]) ?? (response === undefined ? "" : JSON.stringify(response)),
  );
  const text = boundedText(
    [`${tool} ${JSON.stringify(args ?? {})}`, ...output].filter((line) => line !== "").join("\n"),
  );
  const files = ["file_path", "absolute_path", "path"]
    .map((name) => textOf(args?.[name]))
    .filter((file) => file !== undefined);
  return part({ ...common, role: "assistant", tool, text, ...(files.length > 0 && { files }) });
}

/** The name of the folder is a hash or a short name; the path is stored in it, or in the list of all projects. */
export function folderOfProject(project: string): string | undefined {
  const root = textOf(textAt(join(project, ".project_root")))?.trim();
  if (root !== undefined) return root;
  const projects = recordOf(recordAt(join(dirname(dirname(project)), "projects.json"))?.["projects"]);
  const name = basename(project);
  return Object.entries(projects ?? {}).find(
    ([folder, short]) => short === name || createHash("sha256").update(folder).digest("hex") === name,
  )?.[0];
}
