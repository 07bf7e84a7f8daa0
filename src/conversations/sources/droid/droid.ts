// Factory's droid: one file per session in a folder per project, older ones
// beside the folders. The first line names the session, and is rewritten in
// place when its title changes. Sub-agents have sessions of their own, which name
// the one that called them. Model and tokens are in `<session>.settings.json`.
import { basename, dirname, join } from "node:path";
import { recordAt } from "../kit/json-document.ts";
import { callsIn, saidInMessage, withoutReminders } from "../kit/said.ts";
import { logSource, OpenCalls, type Fields, type SessionLog } from "../kit/session-log.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { type Finding, type Home, type Said, type SourceEvent, timeOf, UUID } from "../source.ts";

interface Own {
  session: string;
  /** The session that it is a sub-agent of. */
  caller: string | undefined;
  lines: number;
  readonly calls: OpenCalls;
  /** Of the last message that names one. */
  model: string | undefined;
}

export const droid = logSource<Own>({
  name: "droid",
  title: "Factory droid",
  reader: 3,
  resume: { command: ["droid", "--resume", "ID"], idPattern: UUID },
  find,
  begin: (path, saved) => ({
    session: saved?.session ?? basename(path, ".jsonl"),
    caller: saved?.caller,
    lines: saved?.lines ?? 0,
    calls: new OpenCalls(saved?.calls),
    model: undefined,
  }),
  save: ({ model: _, ...saved }) => saved,
  conversation: ({ session, caller }) => caller ?? session,
  isSubagent: ({ caller }) => caller !== undefined,
  eventsOf,
  ended,
  // The content of a block in the content of a message; and images.
  cut: [{ key: "content", depth: 4 }, { key: "source" }],
});

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

/** Records without content of their own. */
const SILENT = new Set(["todo_state", "agent_turn_outcome", "session_settings"]);
/** Until the program has found a title. */
const UNTITLED = "New Session";
/** A copy whose own messages cannot be told from those of its original by time: see `copiedAt`. */
const COPIED_LAST = Number.MAX_SAFE_INTEGER;

function* ended(log: SessionLog<Own>): Generator<SourceEvent> {
  const settings = recordAt(settingsOf(log.path));
  if (!log.isSubagent) yield* log.changedFacts({ model: log.own.model ?? textOf(settings?.["model"]) });
  const usage = recordOf(settings?.["tokenUsage"]) ?? {};
  const { inputTokens: input, outputTokens: output, cacheReadTokens: cached, cacheCreationTokens: written } = usage;
  yield* log.total(tokensIn({ input, output, cached, written }, true));
}

function* eventsOf(record: Fields, log: SessionLog<Own>): Generator<SourceEvent> {
  const line = log.own.lines++;
  const type = String(record["type"]);
  const time = timeOf(record["timestamp"]);
  const id = textOf(record["id"]) ?? `${log.own.session}:${line}`;
  if (type === "session_start") yield* start(record, log);
  else if (type === "message") yield* message(record, id, time, log);
  else if (type === "compaction_state") {
    const text = textOf(record["summaryText"]) ?? "";
    yield* log.parts([{ role: "assistant", kind: "summary", text }], id, time);
  } else if (!SILENT.has(type)) log.skipUnknown("records", type);
}

function* start(record: Fields, log: SessionLog<Own>): Generator<SourceEvent> {
  log.own.session = textOf(record["id"]) ?? log.own.session;
  log.own.caller = textOf(record["callingSessionId"]);
  if (log.own.caller !== undefined) return;
  const title = textOf(record["title"])?.trim();
  const isNamed = record["isSessionTitleManuallySet"] === true;
  const parent = textOf(record["parent"]);
  yield log.fact({
    ...(title !== undefined && title !== UNTITLED && { title, titleBy: isNamed ? "user" : "program" }),
    ...(parent !== undefined && { continues: parent, copiedAt: COPIED_LAST }),
  });
  yield* log.changedFacts({ folder: textOf(record["cwd"]), workspace: basename(dirname(log.path)) });
}

function* message(record: Fields, id: string, time: number | undefined, log: SessionLog<Own>): Generator<SourceEvent> {
  const fields = recordOf(record["message"]);
  const role = fields?.["role"];
  if (fields === undefined || (role !== "user" && role !== "assistant")) return log.skip("messages of an unknown form");
  log.tree.add(id, textOf(record["parentId"]));
  if (role === "assistant") log.own.model = textOf(fields["modelId"]) ?? log.own.model;
  for (const { id: call, tool } of callsIn(fields)) log.own.calls.add(call, tool);
  yield* log.parts(saidIn(fields, log.own.calls), id, time);
}

/** Context for the model, notices for the person, hooks and automations have the role of a user too. */
function saidIn(message: Fields, calls: OpenCalls): Said[] {
  const { visibility, hookEventName, userMessageSource } = message;
  const isTyped = visibility === undefined && hookEventName === undefined && userMessageSource !== "automation";
  const said = saidInMessage(message, {
    toolOf: (call) => calls.toolOf(call),
    typed: withoutReminders,
    fileArguments: ["file_path", "path", "directory_path"],
  });
  return (said ?? []).filter(({ role, kind }) => isTyped || role === "assistant" || kind !== "prose");
}
