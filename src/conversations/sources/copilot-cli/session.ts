// Reads the events of one Copilot CLI session, in their order. Used by
// copilot-cli.ts.
import { OpenCalls, type LogProgram, type SessionLog } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { timeOf, type SourceEvent, type Said } from "../source.ts";
import { callOf, folderInPrompt, isSilent, outputOf, tokensOf, totalOf, typedIn, type Fields } from "./events.ts";
import { legacySession } from "./legacy-session.ts";

interface Own {
  /** Of another session if this one runs in its background. */
  conversation: string;
  isSubagent: boolean;
  events: number;
  start: number | undefined;
  hasFolder: boolean;
  readonly calls: OpenCalls;
  /** What was last said: `session.task_complete` may repeat it. */
  answer: string | undefined;
  /** Whether each request is counted in a record of its own. Older versions only sum them up when the session ends. */
  countsRequests: boolean;
  reasoning: string | undefined;
}

/** Between the start of a session and that of its workspace, in milliseconds: longer in a fork. */
const SOON = 60_000;

/** @param workspaceCreated in milliseconds; of a fork, when it was made */
export function sessionOf(id: string, workspaceCreated: number | undefined): LogProgram<Own> {
  return {
    begin: (_path, saved) => ({
      conversation: saved?.conversation ?? id,
      isSubagent: saved?.isSubagent ?? false,
      events: saved?.events ?? 0,
      start: saved?.start,
      hasFolder: saved?.hasFolder ?? false,
      calls: new OpenCalls(saved?.calls),
      answer: saved?.answer,
      countsRequests: saved?.countsRequests ?? false,
      reasoning: undefined,
    }),
    save: ({ reasoning: _, ...saved }) => saved,
    conversation: ({ conversation }) => conversation,
    isSubagent: ({ isSubagent }) => isSubagent,
    eventsOf: (event, log) => eventsOf(event, log, workspaceCreated),
    cut: [{ key: "result" }, { key: "transformedContent" }],
  };
}

function* eventsOf(event: Fields, log: SessionLog<Own>, workspaceCreated: number | undefined): Generator<SourceEvent> {
  const { own } = log;
  const at = own.events++;
  const type = textOf(event["type"]);
  const data = recordOf(event["data"]);
  if (type === undefined || data === undefined) return log.skip("lines that are no records");
  const time = timeOf(event["timestamp"]);
  if (at === 1 && own.start !== undefined && time !== undefined && time < own.start)
    yield log.fact({ copiedAt: own.start });
  const id = textOf(event["id"]) ?? `${own.conversation}:${at}`;
  const isSubagent =
    own.isSubagent || textOf(event["agentId"]) !== undefined || textOf(data["parentToolCallId"]) !== undefined;
  switch (type) {
    case "session.start":
      return yield* started(data, log, workspaceCreated);
    case "session.resume":
      return yield* context(recordOf(data["context"]), log);
    case "session.context_changed":
      return isSubagent ? undefined : yield* context(data, log);
    case "session.model_change":
      return isSubagent ? undefined : yield* model(data["newModel"], log);
    case "session.title_changed":
      return yield log.fact({ title: textOf(data["title"]) });
    case "session.import_legacy": {
      // A session of 2025 that was resumed by a newer version.
      const session = recordOf(data["legacySession"]);
      const { conversation } = own;
      return session === undefined
        ? undefined
        : yield* legacySession({ ...session, sessionId: conversation }, conversation);
    }
    case "session.usage_record":
      own.countsRequests = true;
      return yield* log.usage(tokensOf(recordOf(data["usage"])));
    case "session.shutdown":
      return own.countsRequests ? undefined : yield* log.total(totalOf(data));
    case "system.message": {
      const folder = isSubagent || own.hasFolder ? undefined : folderInPrompt(data["content"]);
      return folder === undefined ? undefined : yield* context({ cwd: folder }, log);
    }
    default: {
      if (isSilent(type)) return;
      const said = saidBy(type, data, isSubagent, own);
      if (said === undefined) return log.skipUnknown("events", type);
      if (type === "assistant.message" && !isSubagent) yield* model(data["model"], log);
      yield* log.parts(said, id, time, messageOf(data), isSubagent);
    }
  }
}

function* started(data: Fields, log: SessionLog<Own>, workspace: number | undefined): Generator<SourceEvent> {
  const { own } = log;
  const parent = textOf(data["detachedFromSpawningParentSessionId"]);
  if (parent !== undefined) {
    own.conversation = parent;
    own.isSubagent = true;
    return;
  }
  own.conversation = textOf(data["sessionId"]) ?? own.conversation;
  const start = timeOf(data["startTime"]);
  own.start = start;
  if (start !== undefined) yield log.fact({ created: { at: start, known: "stored" } });
  // Version 1.0.40 left the start of a fork as it was in the original.
  if (start !== undefined && workspace !== undefined && workspace > start + SOON)
    yield log.fact({ copiedAt: workspace });
  yield* context(recordOf(data["context"]), log);
  yield* model(data["selectedModel"], log);
}

function* context(fields: Fields | undefined, log: SessionLog<Own>): Generator<SourceEvent> {
  const folder = textOf(fields?.["cwd"]);
  if (folder === undefined || log.isSubagent) return;
  log.own.hasFolder = true;
  yield* log.changedFacts({ folder, branch: textOf(fields?.["branch"]) });
}

function* model(name: unknown, log: SessionLog<Own>): Generator<SourceEvent> {
  if (!log.isSubagent) yield* log.changedFacts({ model: textOf(name) });
}

/** Undefined for an unknown event. */
function saidBy(type: string, data: Fields, isSubagent: boolean, own: Own): Said[] | undefined {
  switch (type) {
    case "user.message": {
      const isOfAgent = isSubagent || textOf(data["source"])?.startsWith("agent-") === true;
      const text = isOfAgent ? (textOf(data["content"]) ?? "") : typedIn(data);
      return [{ role: "user", kind: isOfAgent ? "subagent" : "prose", text }];
    }
    case "assistant.message":
      return answered(data, own);
    case "assistant.reasoning":
      own.reasoning = textOf(data["content"]);
      return [{ role: "assistant", kind: "thinking", text: own.reasoning ?? "" }];
    case "tool.user_requested":
    case "tool.execution_start": {
      const call = textOf(data["toolCallId"]) ?? "";
      if (own.calls.toolOf(call) !== undefined) return [];
      const said = callOf(data["toolName"], data["arguments"]);
      own.calls.add(call, said.tool!);
      return [type === "tool.user_requested" ? { ...said, role: "user" } : said];
    }
    case "tool.execution_complete": {
      const call = textOf(data["toolCallId"]) ?? "";
      return [outputOf(data, own.calls.take(call) ?? "tool")];
    }
    case "session.compaction_complete":
      return [{ role: "assistant", kind: "summary", text: textOf(data["summaryContent"]) ?? "" }];
    case "session.handoff":
      return [{ role: "assistant", kind: "summary", text: textOf(data["summary"]) ?? "" }];
    case "session.task_complete": {
      const text = textOf(data["summary"])?.trim() ?? "";
      return [{ role: "assistant", kind: "prose", text: text === own.answer ? "" : text }];
    }
    default:
      return undefined;
  }
}

function answered(data: Fields, own: Own): Said[] {
  const thinking = textOf(data["reasoningText"]);
  const isRepeated = thinking !== undefined && thinking === own.reasoning;
  own.reasoning = undefined;
  const text = textOf(data["content"])?.trim() ?? "";
  if (text !== "") own.answer = text.length > 10_000 ? undefined : text;
  const calls = recordsOf(data["toolRequests"]).map((call): Said => {
    const said = callOf(call["name"], call["arguments"]);
    own.calls.add(textOf(call["toolCallId"]) ?? "", said.tool!);
    return said;
  });
  return [
    ...(isRepeated ? [] : [{ role: "assistant", kind: "thinking", text: thinking ?? "" } as const]),
    { role: "assistant", kind: "prose", text },
    ...calls,
  ];
}

/** A response of a model may be split into several events. */
function messageOf(data: Fields): string | undefined {
  return typeof data["chunkIndex"] === "number" ? textOf(data["apiCallId"]) : undefined;
}
