// Cline since version 4 and its CLI since version 3: a folder for each session,
// with the messages of the session and of its sub-agents, written again as a
// whole with every turn. Messages get new ids when a session is resumed or
// forked, so they are known by what they say. Used by cline.ts.
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { cutIf, type CutKeys } from "../kit/brief-json.ts";
import { jsonDocument, listDocument, recordAt } from "../kit/json-document.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { tagged, withoutTags } from "../kit/tagged-text.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import {
  boundedText,
  timeOf,
  type Batch,
  type Finding,
  type MessagePart,
  type SourceEvent,
  type TranscriptFile,
  type Wanted,
} from "../source.ts";
import { tokensIn, usageOf } from "../kit/token-counts.ts";
import { saidInBlocks } from "./blocks.ts";

type Fields = Readonly<Record<string, unknown>>;

export const MESSAGES = ".messages.json";

/** `<session>/<session>.messages.json`, and `<session>/<agent>.messages.json` for each sub-agent. */
export function* findSessions(sessions: string): Generator<Finding> {
  for (const { name } of yield* lookedInto(sessions))
    for (const file of (yield* listed(join(sessions, name))) ?? [])
      if (file.name.endsWith(MESSAGES))
        yield* foundFile(join(sessions, name, file.name), [join(sessions, name, `${name}.json`)]);
}

const MESSAGES_AT_ONCE = 100;

/** What tools gave: `messages[].content[].content`. */
const TOOL_OUTPUT: CutKeys = [{ key: "content", depth: 5 }];

export async function* readSession(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const folder = dirname(transcript.path);
  const id = basename(folder);
  const { bytes, mark: content } = jsonDocument(transcript);
  const manifest = recordAt(join(folder, `${id}.json`));
  const mark = `${content} ${hashOf(JSON.stringify(manifest ?? null))}`;
  if (mark === checkpoint) return;
  const { records: messages } = listDocument(bytes, "messages", cutIf(wanted, TOOL_OUTPUT));
  const isSubagent = basename(transcript.path) !== `${id}${MESSAGES}`;
  const session = new Session(
    id,
    rootOf(folder, manifest),
    isSubagent ? basename(transcript.path, MESSAGES) : undefined,
  );
  let events: SourceEvent[] = [{ kind: "rewritten" }];
  if (!isSubagent) events.push(factsOf(id, manifest));
  let count = 0;
  for (const message of bytes.includes(MIGRATED) ? withoutMigrated(messages) : messages) {
    events.push(...session.eventsOf(message));
    if (++count % MESSAGES_AT_ONCE !== 0) continue;
    yield events;
    if (signal.aborted) return;
    events = [];
  }
  if (session.skipped > 0)
    events.push({ kind: "skipped", count: session.skipped, reason: "messages in a form that is not known" });
  yield [...events, { kind: "checkpoint", checkpoint: mark }];
}

function factsOf(id: string, manifest: Fields | undefined): SourceEvent {
  const metadata = recordOf(manifest?.["metadata"]);
  const created = timeOf(manifest?.["started_at"]);
  const updated = timeOf(manifest?.["ended_at"]);
  const folder = textOf(manifest?.["workspace_root"]) ?? textOf(manifest?.["cwd"]);
  const title = textOf(metadata?.["title"]);
  return {
    kind: "conversation",
    facts: {
      id,
      title: title === undefined ? undefined : textOf(typedIn([title])),
      folder: folder === undefined ? undefined : folderOfUri(folder),
      branch: textOf(recordOf(metadata?.["git"])?.["branch"]),
      model: textOf(manifest?.["model"]),
      copiedAt:
        timeOf(recordOf(metadata?.["fork"])?.["forkedAt"]) ?? (parentIn(manifest) === undefined ? undefined : created),
      ...storedTimes(created, updated),
    },
  };
}

/** The session that it was forked from, or made from by going back to a checkpoint. */
function parentIn(manifest: Fields | undefined): string | undefined {
  const metadata = recordOf(manifest?.["metadata"]);
  return textOf(recordOf(metadata?.["fork"])?.["forkedFromSessionId"]) ?? textOf(metadata?.["restoredFromSessionId"]);
}

/** Forks of forks: no more than a person makes. */
const MAX_FORKS = 50;

/** The session that this one was copied from in the end: messages that both have get the same keys. */
function rootOf(folder: string, manifest: Fields | undefined): string {
  const seen = new Set([basename(folder)]);
  let root = basename(folder);
  let at = manifest;
  while (seen.size < MAX_FORKS) {
    const parent = parentIn(at);
    if (parent === undefined || seen.has(parent) || /[/\\]/.test(parent)) return root;
    seen.add(parent);
    root = parent;
    at = recordAt(join(dirname(folder), parent, `${parent}.json`));
  }
  return root;
}

/** Ends the messages that were copied from a task of an older version, which is read by itself. */
const MIGRATED = "Warning: this is a legacy conversation, which means tool names may have changed.";

function* withoutMigrated(messages: Iterable<Fields | undefined>): Generator<Fields | undefined> {
  let before: (Fields | undefined)[] = [];
  for (const message of messages) {
    before.push(message);
    if (message?.["role"] === "user" && saidInBlocks(message["content"]).texts.some((text) => text.includes(MIGRATED)))
      before = [];
  }
  yield* before;
}

/** `metadata.kind` of messages in the user's name that the program wrote. */
const WRITTEN_BY_PROGRAM =
  /^(?:auto_compaction|manual_compaction|compaction_budget_emergency|completion_reminder|loop_detection_notice|mistake_stop_notice|recovery_notice)$/;
const SUMMARY = /^compaction(?:_summary)?$/;
const CONTINUATION =
  /^(?:\[TASK RESUMPTION\]|The user approved switching to act mode\. Continue with the approved plan)/;

class Session {
  readonly #conversation: string;
  readonly #root: string;
  readonly #agent: string | undefined;
  readonly #seen = new Map<string, number>();
  #order = Number.NEGATIVE_INFINITY;
  #model: string | undefined;
  skipped = 0;

  /** @param agent the name of the sub-agent whose messages these are */
  constructor(conversation: string, root: string, agent: string | undefined) {
    this.#conversation = conversation;
    this.#root = agent === undefined ? root : `${conversation}:${agent}`;
    this.#agent = agent;
  }

  *eventsOf(message: Fields | undefined): Generator<SourceEvent> {
    const role = message?.["role"];
    if (message === undefined || (role !== "user" && role !== "assistant")) {
      this.skipped++;
      return;
    }
    const metadata = recordOf(message["metadata"]);
    const kind = textOf(metadata?.["kind"]) ?? "";
    if (WRITTEN_BY_PROGRAM.test(kind) || /^(?:system|status|error)$/.test(textOf(metadata?.["displayRole"]) ?? ""))
      return;
    yield* this.#eventsOfModel(message);
    const time = timeOf(message["ts"]);
    this.#order = Math.max(time ?? this.#order, this.#order, 0);
    const said = saidInBlocks(message["content"]);
    const text = role === "user" ? promptIn(said.texts, said.hasImage) : said.texts.join("\n\n");
    const key = this.#keyOf(`${role} ${text === "" ? JSON.stringify(said.tools.map(({ call }) => call)) : text}`);
    const common = { conversation: this.#conversation, message: key, role, time } as const;
    const next = () => ({ ...common, order: (this.#order += SHORTLY) });
    const side = this.#agent === undefined ? undefined : "subagent";
    if (said.thinking !== "")
      yield part({ ...next(), key: `${key}:thinking`, kind: side ?? "thinking", text: boundedText(said.thinking) });
    if (text !== "") {
      const of = side ?? (SUMMARY.test(kind) ? "summary" : "prose");
      yield part({ ...next(), key, kind: of, text: of === "prose" ? text : boundedText(text) });
    }
    for (const { call, isResult, ...tool } of said.tools) {
      const own = { ...tool, text: boundedText(tool.text), key: this.#keyOf(`${call} ${isResult}`) };
      yield part({ ...next(), ...own, role: "assistant", kind: side ?? "tool" });
    }
    const { inputTokens: input, outputTokens: output, cacheReadTokens: cached } = recordOf(message["metrics"]) ?? {};
    yield* usageOf(tokensIn({ input, output, cached }), { conversation: this.#conversation });
  }

  *#eventsOfModel(message: Fields): Generator<SourceEvent> {
    const model = textOf(recordOf(message["modelInfo"])?.["id"]);
    if (model === undefined || model === this.#model || this.#agent !== undefined) return;
    this.#model = model;
    yield { kind: "conversation", facts: { id: this.#conversation, model } };
  }

  /** Of what a message says, and how often it was said before. */
  #keyOf(content: string): string {
    const hash = hashOf(content);
    const times = (this.#seen.get(hash) ?? 0) + 1;
    this.#seen.set(hash, times);
    return `${this.#root}:${hash}${times === 1 ? "" : `:${times}`}`;
  }
}

const SHORTLY = 0.001;

function part(one: MessagePart): SourceEvent {
  return { kind: "part", part: one };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function promptIn(texts: readonly string[], hasImage: boolean): string {
  const typed = typedIn(texts);
  if (CONTINUATION.test(typed)) return "";
  return [...(typed === "" ? [] : [typed]), ...(hasImage ? ["[image]"] : [])].join("\n\n");
}

/** What was typed is in an element of its own since 2026; before, files and notices are in elements around it. */
function typedIn(texts: readonly string[]): string {
  return texts
    .flatMap((text) => {
      const inputs = tagged(text, "user_input").within.map((input) => input.text);
      return inputs.length > 0 ? inputs : [text];
    })
    .map((text) => {
      const [command] = tagged(text, "user_command").within;
      const slash = /slash="([^"]+)"/.exec(command?.attributes ?? "")?.[1];
      const plain = command === undefined ? text : `/${slash ?? ""} ${command.text}`;
      return withoutTags(plain, ["mode_notice", "file_content"]).trim();
    })
    .filter((text) => text !== "")
    .join("\n\n");
}
