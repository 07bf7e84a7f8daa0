// Imports the memory of Claudesidian and Nexus, the plugins whose tools these
// are: turns the contents of their files into events. Pure, and tolerant: what is
// missing or malformed is skipped. Their files are never written. Used by
// event-files.ts.
//
// - `.workspaces/<id>.json`: one workspace with its sessions, in each of them
//   `memoryTraces` and `states`, all by id. `index.json` beside them repeats it.
// - `.nexus/workspaces/ws_<id>.jsonl`: one event per line, with `type`, `timestamp`
//   and `data`; what a workspace or a state is about is JSON in a text of it.
import { isRecord } from "../../kernel/kernel.ts";
import {
  isFields,
  isText,
  isTime,
  objectIn,
  type MemoryEvent,
  type RecordKind,
  type Statement,
  type TraceEvent,
  type Value,
  type Values,
} from "./event.ts";

type Found = Readonly<Record<string, unknown>>;

/** The events of a file of `.workspaces`. */
export function eventsOfWorkspaceFile(text: string): MemoryEvent[] {
  const file = objectIn(text);
  const id = file?.["id"];
  if (file === undefined || !isText(id)) return [];
  const created = timeIn(file, "created", "lastAccessed") ?? 0;
  return [
    found("workspace", id, created, workspaceFields(file, objectOf(file["context"]))),
    ...entriesOf(file["sessions"]).flatMap(([key, session]) => eventsOfSession(session, key, id, created)),
  ];
}

function eventsOfSession(session: Found, key: string, workspace: string, before: number): MemoryEvent[] {
  const id = textIn(session, "id") ?? key;
  const started = timeIn(session, "startTime", "created") ?? before;
  const ended = timeIn(session, "endTime");
  const traces = entriesOf(session["memoryTraces"]).map(([name, trace]) =>
    foundTrace(textIn(trace, "id") ?? name, timeIn(trace, "timestamp") ?? started, {
      session: id,
      workspace,
      content: trace["content"],
      type: trace["type"],
      metadata: objectOf(trace["metadata"]),
    }),
  );
  const states = entriesOf(session["states"]).map(([name, state]) => {
    const at = timeIn(state, "created", "timestamp") ?? started;
    const content = objectOf(state["state"] ?? state["snapshot"]);
    return found("state", textIn(state, "id") ?? name, at, { ...stateFields(state, content), session: id, workspace });
  });
  const fields = { ...sessionFields(session), workspace };
  // Of the end only the time is known: it counts as a mention.
  return [
    found("session", id, started, fields),
    ...(ended === undefined ? [] : [found("session", id, ended, {})]),
    ...states,
    ...traces,
  ];
}

/** The events of a line of `.nexus`. */
export function eventsOfNexusLine(line: string): MemoryEvent[] {
  const event = objectIn(line);
  if (event === undefined) return [];
  const at = timeIn(event, "timestamp") ?? 0;
  const data = objectOf(event["data"]);
  const workspace = textIn(event, "workspaceId");
  const session = textIn(event, "sessionId");
  // A creation may be logged later, by an import: it counts from its own time, an update from when it was logged.
  const isUpdate = textIn(event, "type")?.endsWith("_updated") === true;
  const about = (kind: RecordKind, id: string | undefined, set: Values, made = at) =>
    id === undefined ? [] : [found(kind, id, isUpdate ? at : made, set, textIn(event, "id"))];
  switch (event["type"]) {
    case "workspace_created":
    case "workspace_updated": {
      const id = workspace ?? textIn(data, "id");
      return about("workspace", id, workspaceFields(data, objectOf(data["contextJson"])), timeIn(data, "created"));
    }
    case "workspace_deleted":
      return about("workspace", workspace, { isDeleted: true });
    case "session_created":
    case "session_updated": {
      const id = session ?? textIn(data, "id");
      const set = { ...sessionFields(data), ...(workspace !== undefined && { workspace }) };
      return about("session", id, set, timeIn(data, "startTime"));
    }
    case "session_deleted":
      return about("session", session, { isDeleted: true });
    case "state_saved":
    case "state_updated": {
      const links = { ...(session !== undefined && { session }), ...(workspace !== undefined && { workspace }) };
      const set = { ...stateFields(data, objectOf(data["stateJson"])), ...links };
      return about("state", textIn(event, "stateId") ?? textIn(data, "id"), set, timeIn(data, "created"));
    }
    case "state_deleted":
      return about("state", textIn(event, "stateId"), { isDeleted: true });
    case "trace_added": {
      const id = textIn(data, "id");
      if (id === undefined || session === undefined || workspace === undefined) return [];
      const { content, traceType: type } = data;
      return [foundTrace(id, at, { session, workspace, content, type, metadata: objectOf(data["metadataJson"]) })];
    }
    default:
      return [];
  }
}

function workspaceFields(data: Found, context: Found): Values {
  const preferences = context["preferences"] ?? data["preferences"];
  return {
    ...texts(data, ["name", "description", "rootFolder"]),
    ...texts(context, ["purpose", "currentGoal"]),
    ...lists(context, ["workflows"]),
    ...filesIn(context["keyFiles"]),
    ...(Array.isArray(preferences)
      ? { preferences: preferences.filter(isText).join("\n") }
      : isText(preferences) && { preferences }),
    ...(typeof data["isActive"] === "boolean" && { isActive: data["isActive"] }),
  };
}

/** A list of paths in some versions, of paths with descriptions in others. */
function filesIn(keyFiles: unknown): Values {
  if (Array.isArray(keyFiles)) return { keyFiles: keyFiles.filter(isText) };
  return isRecord(keyFiles) ? { keyFiles: Object.keys(keyFiles) } : {};
}

function sessionFields(data: Found): Values {
  return {
    ...texts(data, ["name", "description"]),
    ...(typeof data["isActive"] === "boolean" && { isActive: data["isActive"] }),
  };
}

/** The fields of a state are in its `context`, in older versions in its `snapshot` or in the state itself. */
function stateFields(data: Found, content: Found): Values {
  const inner = [content["context"], content["snapshot"]].find(isRecord) ?? content;
  const metadata = objectOf(objectOf(content["state"])["metadata"]);
  const files = Array.isArray(inner["activeFiles"]) ? inner["activeFiles"].filter(isText) : [];
  const tags = [data["tags"], content["tags"], metadata["tags"]].find(Array.isArray) ?? [];
  return {
    ...texts(data, ["name", "description"]),
    ...texts(inner, ["conversationContext", "activeTask", "reasoning"]),
    ...lists(inner, ["nextSteps"]),
    ...(files.length > 0 && { activeFiles: files.map((path) => ({ path })) }),
    ...Object.fromEntries(tags.filter(isText).map((tag) => [`#${tag}`, true])),
  };
}

interface FoundTrace {
  readonly session: string;
  readonly workspace: string;
  readonly content: unknown;
  readonly type: unknown;
  readonly metadata: Found;
}

/** Some versions stored whole arguments and results; only what our traces have is imported. */
function foundTrace(id: string, at: number, { session, workspace, content, type, metadata }: FoundTrace): TraceEvent {
  const tool = metadata["tool"];
  const named = isRecord(tool) ? [tool["agent"], tool["mode"]].filter(isText).join("_") : tool;
  const context = objectOf(metadata["context"]);
  const input = objectOf(metadata["input"]);
  const outcome = objectOf(metadata["outcome"]);
  const files = [input["files"], objectOf(metadata["legacy"])["relatedFiles"], metadata["relatedFiles"]].find(
    Array.isArray,
  );
  const paths = (files ?? []).filter(isText);
  const why = [context["subgoal"], context["goal"], content].find(isText);
  const error = objectOf(outcome["error"])["message"];
  return {
    type: "trace",
    id,
    at,
    session,
    workspace,
    tool: isText(named) ? named : isText(type) ? type : "unknown",
    ...(paths.length > 0 && { paths: paths.slice(0, 8) }),
    ...(why !== undefined && { why: why.slice(0, 300).toWellFormed() }),
    ...(outcome["success"] === false && { error: isText(error) ? error.slice(0, 200).toWellFormed() : "failed" }),
  };
}

function found(type: RecordKind, of: string, at: number, set: Values, id = `${type}:${of}:${at}`): Statement {
  return { type, id, at, of, set: isFields(set) ? set : {}, weight: "found" };
}

function texts(data: Found, names: readonly string[]): Values {
  return Object.fromEntries(names.flatMap((name) => (isText(data[name]) ? [[name, data[name]]] : [])));
}

function lists(data: Found, names: readonly string[]): Values {
  return Object.fromEntries(names.flatMap((name) => (Array.isArray(data[name]) ? [[name, data[name] as Value]] : [])));
}

/** An object, or one in a JSON text; an empty object for anything else. */
function objectOf(value: unknown): Found {
  if (isRecord(value)) return value;
  return (typeof value === "string" ? objectIn(value) : undefined) ?? {};
}

function entriesOf(value: unknown): [string, Found][] {
  return Object.entries(objectOf(value)).filter((entry): entry is [string, Found] => isRecord(entry[1]));
}

function textIn(data: Found, name: string): string | undefined {
  return isText(data[name]) ? data[name] : undefined;
}

function timeIn(data: Found, ...names: readonly string[]): number | undefined {
  return names.map((name) => data[name]).find(isTime);
}
