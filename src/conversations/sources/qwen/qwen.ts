// Qwen Code: one file per session below `projects/<slug>/chats/`, archived ones
// in `chats/archive/`, sub-agents in `subagents/<session>/`. Records form a tree;
// `/branch` copies a session with the ids of its records.
//
// Until December 2025 it kept sessions as Gemini CLI does, of which it is a fork:
// documents below `tmp/<hash>/chats/`. Before that it kept only what was typed,
// in `tmp/<hash>/logs.json`.
import { basename, dirname, join } from "node:path";
import { cutIf, type CutKeys } from "../formats/brief-json.ts";
import { foundFile, listed, lookedInto } from "../transcript-search.ts";
import { readSessionLog, type Fields, type LogReader, type SessionLog } from "../formats/session-log.ts";
import { recordOf, textOf } from "../formats/stored-json.ts";
import { usageOf } from "../formats/token-counts.ts";
import { readDocument } from "../gemini/gemini.ts";
import { boundedText, timeOf, type ConversationSource, type Finding, type Home, type SourceEvent } from "../source.ts";
import { readPrompts } from "./prompts.ts";
import { saidIn, summaryIn, tokensOf } from "./records.ts";

export const qwen: ConversationSource = {
  name: "qwen",
  reader: 3,
  title: "Qwen Code",
  find,
  read: (transcript, checkpoint, signal, wanted) => {
    if (basename(transcript.path) === PROMPTS) return readPrompts(transcript, checkpoint);
    if (transcript.path.endsWith(".json")) return readDocument(transcript, checkpoint, wanted);
    return readSessionLog(
      transcript,
      checkpoint,
      signal,
      (log, state) => new Session(transcript.path, log, state),
      () => cutIf(wanted, TOOL_OUTPUT),
    );
  },
};

const TOOL_OUTPUT: CutKeys = [{ key: "functionResponse" }, { key: "toolCallResult" }, { key: "inlineData" }];

const PROMPTS = "logs.json";

function* find({ folder, environment }: Home): Generator<Finding> {
  const home = environment["QWEN_HOME"] || join(folder, ".qwen");
  const runtime = environment["QWEN_RUNTIME_DIR"] || home;
  const projects = join(runtime, "projects");
  for (const project of yield* lookedInto(projects)) {
    if (!project.isDirectory()) continue;
    const chats = join(projects, project.name, "chats");
    yield* findFiles(chats, SESSION);
    yield* findFiles(join(chats, "archive"), SESSION);
    const agents = join(projects, project.name, "subagents");
    for (const { name } of (yield* listed(agents)) ?? []) yield* findFiles(join(agents, name), /^agent-.*\.jsonl$/);
  }
  for (const project of (yield* listed(join(runtime, "tmp"))) ?? []) {
    if (!project.isDirectory()) continue;
    yield* findFiles(join(runtime, "tmp", project.name, "chats"), /^session-.*\.json$/);
    yield* foundFile(join(runtime, "tmp", project.name, PROMPTS));
  }
}

/** The program's own pattern: ledgers and other files are beside them. */
const SESSION = /^[0-9a-fA-F-]{32,36}\.jsonl$/;

function* findFiles(folder: string, pattern: RegExp): Generator<Finding> {
  for (const { name } of (yield* listed(folder)) ?? []) if (pattern.test(name)) yield* foundFile(join(folder, name));
}

/** System records without content of their own, or whose content is elsewhere too. */
const SILENT =
  /^(?:slash_command|ui_telemetry|attribution_snapshot|parent_session|session_source|session_model|rewind|agent_bootstrap|agent_launch_prompt|agent_retry|file_history_snapshot|user_text_elements|session_artifact_event|session_artifact_snapshot|branch_checkpoint|goal_state|turn_result)$/;

/** A copy whose own messages were not read yet: see `copiedAt`. */
const COPIED_LAST = Number.MAX_SAFE_INTEGER;

interface State {
  readonly session: string;
  readonly isCopy: boolean;
  readonly isBegun: boolean;
}

class Session implements LogReader {
  readonly #log: SessionLog;
  readonly #isSubagent: boolean;
  readonly #slug: string;
  #session: string;
  /** The records so far were copied from another session. */
  #isCopy: boolean;
  #isBegun: boolean;

  constructor(path: string, log: SessionLog, state: unknown) {
    this.#log = log;
    const folder = dirname(path);
    this.#isSubagent = basename(dirname(folder)) === "subagents";
    this.#slug = basename(dirname(basename(folder) === "chats" ? folder : dirname(folder)));
    const before = state as State | undefined;
    this.#session = before?.session ?? (this.#isSubagent ? basename(folder) : basename(path, ".jsonl"));
    this.#isCopy = before?.isCopy ?? false;
    this.#isBegun = before?.isBegun ?? false;
  }

  state(): State {
    return { session: this.#session, isCopy: this.#isCopy, isBegun: this.#isBegun };
  }

  ended(): Iterable<SourceEvent> {
    return this.#log.ended(this.#session, (id) => id);
  }

  *eventsOf(record: Fields): Generator<SourceEvent> {
    const uuid = textOf(record["uuid"]);
    if (uuid === undefined) return this.#log.skip("records without an id");
    this.#log.tree.add(uuid, record["parentUuid"] === null ? null : textOf(record["parentUuid"]));
    const time = timeOf(record["timestamp"]);
    if (!this.#isSubagent) yield* this.#facts(record, time);
    const type = String(record["type"]);
    if (type === "system") yield* this.#system(record, uuid, time);
    else if (type === "user" || type === "assistant" || type === "tool_result")
      yield* this.#message(record, uuid, time);
    else this.#log.skip(`records of the unknown type ${type.slice(0, 40)}`);
  }

  *#facts(record: Fields, time: number | undefined): Generator<SourceEvent> {
    const from = textOf(recordOf(record["forkedFrom"])?.["sessionId"]);
    const isFirst = !this.#isBegun;
    this.#isBegun = true;
    if (isFirst && from !== undefined) {
      this.#isCopy = true;
      yield { kind: "conversation", facts: { id: this.#session, copiedAt: COPIED_LAST, continues: from } };
    } else if (this.#isCopy && from === undefined && time !== undefined) {
      this.#isCopy = false;
      yield { kind: "conversation", facts: { id: this.#session, copiedAt: time } };
    }
    yield* this.#log.changedFacts(this.#session, {
      workspace: this.#slug,
      folder: textOf(record["cwd"]),
      branch: textOf(record["gitBranch"]),
      model: record["type"] === "assistant" ? textOf(record["model"]) : undefined,
    });
  }

  *#system(record: Fields, uuid: string, time: number | undefined): Generator<SourceEvent> {
    const subtype = String(record["subtype"]);
    const payload = recordOf(record["systemPayload"]);
    if (subtype === "custom_title") {
      // Versions before 2026 generated none.
      const titleBy = payload?.["titleSource"] === "auto" ? ("program" as const) : ("user" as const);
      const title = textOf(payload?.["customTitle"]);
      if (title !== undefined && !this.#isSubagent)
        yield { kind: "conversation", facts: { id: this.#session, title, titleBy } };
    } else if (subtype === "chat_compression") {
      yield* this.#part(uuid, 0, { role: "assistant", kind: "summary", text: summaryIn(payload) }, uuid, time);
    } else if (subtype === "at_command") {
      const read = payload?.["filesRead"];
      const files = Array.isArray(read) ? read.filter((file) => typeof file === "string") : [];
      const text = files.join("\n");
      yield* this.#part(uuid, 0, { role: "user", kind: "tool", tool: "@", text, files }, uuid, time);
    } else if (!SILENT.test(subtype)) this.#log.skip(`records of the unknown type ${subtype.slice(0, 40)}`);
  }

  *#message(record: Fields, uuid: string, time: number | undefined): Generator<SourceEvent> {
    for (const [at, said] of saidIn(record).entries()) yield* this.#part(uuid, at, said, uuid, time);
    if (!this.#isCopy) yield* usageOf(tokensOf(record), { conversation: this.#session });
  }

  *#part(
    uuid: string,
    at: number,
    said: ReturnType<typeof saidIn>[number],
    message: string,
    time: number | undefined,
  ): Generator<SourceEvent> {
    if (said.text === "") return;
    const { kind: own, ...rest } = said;
    const kind = this.#isSubagent ? "subagent" : own;
    yield {
      kind: "part",
      part: {
        ...rest,
        conversation: this.#session,
        key: kind === "prose" ? uuid : `${uuid}:${at}`,
        message,
        order: this.#log.nextOrder(time),
        kind,
        text: kind === "prose" ? said.text : boundedText(said.text),
        time,
      },
    };
  }
}
