// Qwen Code: one file per session below `projects/<slug>/chats/`, archived ones
// in `chats/archive/`, sub-agents in `subagents/<session>/`. Records form a tree;
// `/branch` copies a session with the ids of its records.
//
// Until December 2025 it kept sessions as Gemini CLI does, of which it is a fork:
// documents below `tmp/<hash>/chats/`. Before that it kept only what was typed,
// in `tmp/<hash>/logs.json`.
import { basename, dirname, join } from "node:path";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { readSessionLog, type Fields, type LogProgram, type SessionLog } from "../kit/session-log.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { readDocument } from "../gemini/gemini.ts";
import { type ConversationSource, type Finding, type Home, type SourceEvent, timeOf, UUID } from "../source.ts";
import { readPrompts } from "./prompts.ts";
import { saidIn, summaryIn, tokensOf } from "./records.ts";

export const qwen: ConversationSource = {
  name: "qwen",
  reader: 3,
  resume: { command: ["qwen", "--resume", "ID"], idPattern: UUID },
  title: "Qwen Code",
  find,
  read: (transcript, checkpoint, signal, wanted) => {
    if (basename(transcript.path) === PROMPTS) return readPrompts(transcript, checkpoint);
    if (transcript.path.endsWith(".json")) return readDocument(transcript, checkpoint, wanted);
    return readSessionLog(SESSIONS, transcript, checkpoint, signal, wanted);
  },
};

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

interface Own {
  readonly session: string;
  /** The records so far were copied from another session. */
  isCopy: boolean;
  isBegun: boolean;
  readonly isSubagent: boolean;
  /** The folder of the project. */
  readonly slug: string;
}

const SESSIONS: LogProgram<Own> = {
  begin: (path, saved) => {
    const folder = dirname(path);
    const isSubagent = basename(dirname(folder)) === "subagents";
    return {
      session: saved?.session ?? (isSubagent ? basename(folder) : basename(path, ".jsonl")),
      isCopy: saved?.isCopy ?? false,
      isBegun: saved?.isBegun ?? false,
      isSubagent,
      slug: basename(dirname(basename(folder) === "chats" ? folder : dirname(folder))),
    };
  },
  save: ({ session, isCopy, isBegun }) => ({ session, isCopy, isBegun }),
  conversation: ({ session }) => session,
  isSubagent: ({ isSubagent }) => isSubagent,
  eventsOf,
  cut: [{ key: "functionResponse" }, { key: "toolCallResult" }, { key: "inlineData" }],
};

function* eventsOf(record: Fields, log: SessionLog<Own>): Generator<SourceEvent> {
  const uuid = textOf(record["uuid"]);
  if (uuid === undefined) return log.skip("records without an id");
  log.tree.add(uuid, record["parentUuid"] === null ? null : textOf(record["parentUuid"]));
  const time = timeOf(record["timestamp"]);
  if (!log.isSubagent) yield* facts(record, time, log);
  const type = String(record["type"]);
  if (type === "system") yield* system(record, uuid, time, log);
  else if (type === "user" || type === "assistant" || type === "tool_result") {
    yield* log.parts(saidIn(record), uuid, time);
    if (!log.own.isCopy) yield* log.usage(tokensOf(record));
  } else log.skipUnknown("records", type);
}

function* facts(record: Fields, time: number | undefined, log: SessionLog<Own>): Generator<SourceEvent> {
  const { own } = log;
  const from = textOf(recordOf(record["forkedFrom"])?.["sessionId"]);
  const isFirst = !own.isBegun;
  own.isBegun = true;
  if (isFirst && from !== undefined) {
    own.isCopy = true;
    yield log.fact({ copiedAt: COPIED_LAST, continues: from });
  } else if (own.isCopy && from === undefined && time !== undefined) {
    own.isCopy = false;
    yield log.fact({ copiedAt: time });
  }
  yield* log.changedFacts({
    workspace: own.slug,
    folder: textOf(record["cwd"]),
    branch: textOf(record["gitBranch"]),
    model: record["type"] === "assistant" ? textOf(record["model"]) : undefined,
  });
}

function* system(record: Fields, uuid: string, time: number | undefined, log: SessionLog<Own>): Generator<SourceEvent> {
  const subtype = String(record["subtype"]);
  const payload = recordOf(record["systemPayload"]);
  if (subtype === "custom_title") {
    // Versions before 2026 generated none.
    const titleBy = payload?.["titleSource"] === "auto" ? "program" : "user";
    const title = textOf(payload?.["customTitle"]);
    if (title !== undefined && !log.isSubagent) yield log.fact({ title, titleBy });
  } else if (subtype === "chat_compression") {
    yield* log.parts([{ role: "assistant", kind: "summary", text: summaryIn(payload) }], uuid, time);
  } else if (subtype === "at_command") {
    const read = payload?.["filesRead"];
    const files = Array.isArray(read) ? read.filter((file) => typeof file === "string") : [];
    yield* log.parts([{ role: "user", kind: "tool", tool: "@", text: files.join("\n"), files }], uuid, time);
  } else if (!SILENT.test(subtype)) log.skipUnknown("records", subtype);
}
