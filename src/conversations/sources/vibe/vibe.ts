// Mistral Vibe: a folder per session with its messages, one per line, and its
// facts in `meta.json`. Messages have ids and no times. A fork, a rewind and a
// compaction begin a new session, which names its parent; the first two repeat
// its messages with their ids. Sub-agents are in `agents/` of their session.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { recordAt } from "../kit/json-document.ts";
import { saidInMessage } from "../kit/said.ts";
import { logSource, type Fields, type SessionLog } from "../kit/session-log.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { type Finding, type Home, type Said, type SourceEvent, timeOf, UUID } from "../source.ts";

interface Own {
  session: string;
  /** The session that it is a sub-agent of. */
  caller: string | undefined;
  lines: number;
}

const MESSAGES = "messages.jsonl";
const AGENTS = "agents";
/** A copy whose own messages cannot be told from those of its original by time: see `copiedAt`. */
const COPIED_LAST = Number.MAX_SAFE_INTEGER;

export const vibe = logSource<Own>({
  name: "vibe",
  title: "Mistral Vibe",
  reader: 1,
  resume: { command: ["vibe", "--resume", "ID"], idPattern: UUID },
  find,
  begin: (path, saved) => {
    const folder = dirname(path);
    const callers = basename(dirname(folder)) === AGENTS ? dirname(dirname(folder)) : undefined;
    return saved ?? { session: sessionAt(folder), caller: callers && sessionAt(callers), lines: 0 };
  },
  conversation: ({ session, caller }) => caller ?? session,
  isSubagent: ({ caller }) => caller !== undefined,
  eventsOf,
  ended,
  cut: (line) => (isToolResult(line) ? [{ key: "content" }] : [{ key: "images" }]),
});

/** The role is the first field of a message. */
function isToolResult(line: Buffer): boolean {
  return /^\{"role":\s?"tool"/.test(line.toString("latin1", 0, 40));
}

function* find({ folder, environment }: Home): Generator<Finding> {
  const root = environment["VIBE_HOME"]?.replace(/^~(?=$|\/)/, folder) || join(folder, ".vibe");
  const sessions = join(root, "logs", "session");
  for (const { name } of yield* lookedInto(sessions)) yield* findSession(join(sessions, name));
}

/** The id is in the facts, which are written after the first messages. */
function* findSession(folder: string): Generator<Finding> {
  const meta = metaOf(folder);
  if (existsSync(meta)) yield* foundFile(join(folder, MESSAGES), [meta]);
  for (const { name } of (yield* listed(join(folder, AGENTS))) ?? []) yield* findSession(join(folder, AGENTS, name));
}

function metaOf(session: string): string {
  return join(session, "meta.json");
}

function sessionAt(folder: string): string {
  return textOf(recordAt(metaOf(folder))?.["session_id"]) ?? basename(folder);
}

function* eventsOf(record: Fields, log: SessionLog<Own>): Generator<SourceEvent> {
  const line = log.own.lines++;
  if (line === 0) yield* start(log);
  const said = saidIn(record);
  if (said === undefined) return log.skipUnknown("messages", record["role"]);
  const call = textOf(record["tool_call_id"]);
  const id = textOf(record["message_id"]) ?? `${log.own.session}:${call ?? line}`;
  yield* log.parts(said, id, undefined);
}

function* start(log: SessionLog<Own>): Generator<SourceEvent> {
  const meta = recordAt(metaOf(dirname(log.path))) ?? {};
  const created = timeOf(meta["start_time"]);
  // Messages of a sub-agent come after those of its session: none of them has a time.
  log.nextOrder(created);
  if (log.isSubagent) return;
  const parent = textOf(meta["parent_session_id"]);
  yield log.fact({
    ...storedTimes(created),
    ...(parent !== undefined && { continues: parent, copiedAt: COPIED_LAST }),
  });
}

function* ended(log: SessionLog<Own>): Generator<SourceEvent> {
  const meta = recordAt(metaOf(dirname(log.path)));
  if (meta === undefined) return;
  if (!log.isSubagent) {
    // A title of the program is the beginning of the first prompt.
    const title = meta["title_source"] === "manual" ? textOf(meta["title"]) : undefined;
    yield log.fact({
      ...storedTimes(undefined, timeOf(meta["end_time"])),
      ...(title !== undefined && { title, titleBy: "user" }),
    });
    yield* log.changedFacts({
      folder: textOf(recordOf(meta["environment"])?.["working_directory"]),
      branch: textOf(meta["git_branch"]),
      model: textOf(recordOf(meta["config"])?.["active_model"]),
    });
  }
  const { session_prompt_tokens: input, session_completion_tokens: output } = recordOf(meta["stats"]) ?? {};
  yield* log.total(tokensIn({ input, output }));
}

/** The rest that a compaction leaves of the conversation before it. */
const SUMMARY = /<compaction_summary>\n([\s\S]*)\n<\/compaction_summary>$/;

/** Text that the program injects has the role of a user too. */
function saidIn(message: Fields): Said[] | undefined {
  if (message["role"] !== "user") return saidInMessage(message);
  const text = textOf(message["content"])?.trim() ?? "";
  if (message["injected"] === true) {
    const summary = SUMMARY.exec(text)?.[1];
    return summary === undefined ? [] : [{ role: "assistant", kind: "summary", text: summary }];
  }
  const images = recordsOf(message["images"]).map(() => "[image]");
  return [{ role: "user", kind: "prose", text: [text, ...images].filter((one) => one !== "").join("\n\n") }];
}
