// Kimi: a folder per session with `wire.jsonl`, what the program and its model
// sent each other. Its second version ("Kimi Code", also in the desktop app) has
// other records, and a file for each agent of a session.
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { recordAt } from "../kit/json-document.ts";
import { messageLogSource, type Meaning } from "../kit/message-program.ts";
import type { Fields } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { UUID, type Finding, type Home } from "../source.ts";

const WIRE = "wire.jsonl";
const AGENTS = "agents";

export const kimi = messageLogSource({
  name: "kimi",
  title: "Kimi",
  reader: 1,
  resume: { command: ["kimi", "--session", "ID"], idPattern: UUID },
  find,
  sessionOf: (path) => basename(sessionFolder(path)),
  callerOf: (path) => (isOfSubagent(path) ? basename(sessionFolder(path)) : undefined),
  factsAt: (path) => {
    const session = sessionFolder(path);
    const title = textOf(recordAt(join(session, "state.json"))?.["custom_title"]);
    return { ...(title !== undefined && { title, titleBy: "user" }), folder: folderOf(session) };
  },
  meaningOf: (record, { path, session, at }) => {
    const message = recordOf(record["message"]);
    const time = record["timestamp"] ?? record["time"];
    const meaning = message === undefined ? meaningIn(record) : meaningOfWire(message);
    const agent = isOfSubagent(path) ? `${basename(dirname(path))}:` : "";
    return meaning && { ...meaning, time, id: `${session}:${agent}${at}` };
  },
});

function* find({ folder, environment }: Home): Generator<Finding> {
  const share = environment["KIMI_SHARE_DIR"] || join(folder, ".kimi");
  const desktop = join("kimi-desktop", "daimon-share", "daimon", "runtime", "kimi-code", "home");
  const apps = [join("Library", "Application Support"), ".config", join(".local", "share"), join("AppData", "Roaming")];
  yield* findSessions(join(share, "sessions"), /./);
  yield* findSessions(join(folder, ".kimi-code", "sessions"), /./);
  for (const app of apps) yield* findSessions(join(folder, app, desktop, "sessions"), /^conv-/);
}

/** @param wanted the names of sessions: the desktop app has others, in which titles are made */
function* findSessions(sessions: string, wanted: RegExp): Generator<Finding> {
  for (const project of yield* lookedInto(sessions))
    for (const { name } of (yield* listed(join(sessions, project.name))) ?? []) {
      const session = join(sessions, project.name, name);
      if (!wanted.test(name)) continue;
      yield* foundFile(join(session, WIRE), [join(session, "state.json")]);
      for (const agent of (yield* listed(join(session, AGENTS))) ?? [])
        yield* foundFile(join(session, AGENTS, agent.name, WIRE), [join(session, "state.json")]);
    }
}

function sessionFolder(path: string): string {
  const folder = dirname(path);
  return basename(dirname(folder)) === AGENTS ? dirname(dirname(folder)) : folder;
}

function isOfSubagent(path: string): boolean {
  return sessionFolder(path) !== dirname(path) && basename(dirname(path)) !== "main";
}

/** Sessions are in a folder with the hash of the project's path; the list of projects is beside all of them. */
function folderOf(session: string): string | undefined {
  const hash = basename(dirname(session));
  const projects = recordsOf(recordAt(join(dirname(dirname(dirname(session))), "kimi.json"))?.["work_dirs"]);
  return projects
    .flatMap(({ path }) => textOf(path) ?? [])
    .find((path) => createHash("md5").update(path).digest("hex") === hash);
}

const SILENT =
  /^(?:TurnEnd|Step\w+|Compaction\w+|Hook\w+|MCP\w+|Notification|PlanDisplay|Approval\w+|Question\w+|ToolCallPart|DisplayBlock)$/;

/** The wire of the first version. */
function meaningOfWire({ type, payload: sent }: Fields): Meaning | undefined {
  const payload = recordOf(sent) ?? {};
  switch (type) {
    case "TurnBegin":
    case "SteerInput":
      return { message: { role: "user", content: payload["user_input"] } };
    case "BtwBegin":
      return { message: { role: "user", content: payload["question"] } };
    case "BtwEnd":
      return { message: { role: "assistant", content: payload["response"] ?? [] } };
    case "ContentPart":
      return { message: { role: "assistant", content: [payload] } };
    case "ToolCall":
      return { message: { role: "assistant", content: [], tool_calls: [payload] } };
    case "ToolResult": {
      const content = recordOf(payload["return_value"])?.["output"];
      return { message: { role: "tool", tool_call_id: payload["tool_call_id"], content } };
    }
    case "SubagentEvent": {
      const event = meaningOfWire(recordOf(payload["event"]) ?? {});
      return event && { ...event, isSubagent: true };
    }
    case "StatusUpdate": {
      const { input_other: input, output, ...cache } = recordOf(payload["token_usage"]) ?? {};
      const cached = { cached: cache["input_cache_read"], written: cache["input_cache_creation"] };
      return { tokens: tokensIn({ input, output, ...cached }, true) };
    }
    default:
      return SILENT.test(String(type)) ? {} : undefined;
  }
}

/** A record of the second version. Its counts of tokens are there twice, in forms that differ: they are left out. */
function meaningIn(record: Fields): Meaning | undefined {
  const event = recordOf(record["event"]) ?? {};
  switch (record["type"]) {
    case "config.update":
      return { facts: { folder: textOf(record["cwd"]), model: textOf(record["modelAlias"]) } };
    case "turn.prompt":
    case "turn.steer":
      return { message: { role: "user", content: record["input"] } };
    case "context.append_loop_event":
      if (event["type"] === "content.part") return { message: { role: "assistant", content: [event["part"]] } };
      if (event["type"] === "tool.call")
        return { message: { role: "assistant", content: [{ ...event, type: "tool-call", toolName: event["name"] }] } };
      if (event["type"] === "tool.result") {
        const result = recordOf(event["result"]);
        const content = result?.["output"] ?? result?.["message"];
        return { message: { role: "tool", tool_call_id: event["toolCallId"], content } };
      }
      return {};
    default:
      // Other records are settings and states.
      return {};
  }
}
