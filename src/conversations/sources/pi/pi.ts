// pi (pi-coding-agent) and programs that were made from it: one file per session
// in a folder per project. The first line is a header, the others are entries of
// a tree: `/tree` goes back to any of them, `/fork` copies a branch into a file of
// its own, entries with their ids. Version 1 of the format had neither ids nor
// branches; pi rewrites such a file when it is next opened.
import { closeSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openForReading } from "../../../files/files.ts";
import { parseJson } from "../../../kernel/kernel.ts";
import type { CutKeys } from "../kit/brief-json.ts";
import { isNotEmpty, saidInMessage, textOfContent } from "../kit/said.ts";
import { logSource, type Fields, type LogProgram, type SessionLog } from "../kit/session-log.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { type Finding, type Said, type SourceEvent, timeOf, UUID } from "../source.ts";

const IMAGES: CutKeys = [{ key: "data" }];
const TOOL_OUTPUT: CutKeys = [{ key: "content" }];

/** The role of a message is before its content. Within a text, these quotes would be escaped. */
function isToolResult(line: Buffer): boolean {
  return line.toString("latin1", 0, 400).includes('"role":"toolResult"');
}

export const pi = logSource({
  name: "pi",
  title: "pi",
  reader: 2,
  resume: { command: ["pi", "--session", "ID"], idPattern: UUID },
  find: ({ folder, environment }) =>
    findSessions(environment["PI_CODING_AGENT_DIR"]?.replace(/^~(?=$|\/)/, folder) || join(folder, ".pi", "agent")),
  ...piLog(),
});

/** Sub-agents are in a folder with the name of their session's file; its title is in a line that is written in place. */
export const omp = logSource({
  name: "omp",
  title: "Oh My Pi",
  reader: 1,
  *find({ folder }) {
    const sessions = join(folder, ".omp", "agent", "sessions");
    for (const { name } of yield* lookedInto(sessions)) yield* findBelow(join(sessions, name));
  },
  ...piLog(),
  *ended(log) {
    const { type, title } = log.isSubagent ? {} : (firstRecordAt(log.path) ?? {});
    if (type === "title") yield* titled(title, "program", log);
  },
});

/** The line of the title has a fixed length. */
const FIRST_LINE = 4_096;

function firstRecordAt(path: string): Fields | undefined {
  const file = openForReading(path, { followsLinks: true });
  try {
    const bytes = Buffer.alloc(FIRST_LINE);
    const length = readSync(file, bytes, 0, FIRST_LINE, 0);
    return recordOf(parseJson(bytes.toString("utf8", 0, length).split("\n", 1)[0]!));
  } finally {
    closeSync(file);
  }
}

function* findBelow(folder: string): Generator<Finding> {
  yield* findFiles(folder);
  for (const entry of (yield* listed(folder)) ?? [])
    if (entry.isDirectory()) yield* findBelow(join(folder, entry.name));
}

export const prime = logSource({
  name: "prime",
  title: "Prime Agent",
  reader: 1,
  find: ({ folder }) => findSessions(join(folder, ".prime", "agent")),
  ...piLog(),
});

export const openclaw = logSource({
  name: "openclaw",
  title: "OpenClaw",
  reader: 1,
  find: ({ folder, environment }) =>
    findAgents(environment["OPENCLAW_STATE_DIR"]?.replace(/^~(?=$|\/)/, folder) || join(folder, ".openclaw")),
  ...piLog(),
});

export const qclaw = logSource({
  name: "qclaw",
  title: "QClaw",
  reader: 1,
  find: ({ folder }) => findAgents(join(folder, ".qclaw")),
  ...piLog(),
});

/** A session that was reset or deleted stays under another name. */
function* findAgents(root: string): Generator<Finding> {
  const agents = join(root, "agents");
  for (const agent of yield* lookedInto(agents)) {
    const sessions = join(agents, agent.name, "sessions");
    for (const { name } of (yield* listed(sessions)) ?? [])
      if (/\.jsonl(?:\.(?:deleted|reset)\..+)?$/.test(name)) yield* foundFile(join(sessions, name));
  }
}

/** @param agent the folder of the program's data */
function* findSessions(agent: string): Generator<Finding> {
  const sessions = join(agent, "sessions");
  for (const entry of yield* lookedInto(sessions)) {
    if (entry.isDirectory()) yield* findFiles(join(sessions, entry.name));
    else if (entry.name.endsWith(".jsonl")) yield* foundFile(join(sessions, entry.name));
  }
  // Where version 0.30 kept them by mistake.
  for (const { name } of (yield* listed(agent)) ?? []) if (SESSION.test(name)) yield* foundFile(join(agent, name));
}

function* findFiles(folder: string): Generator<Finding> {
  for (const { name } of (yield* listed(folder)) ?? [])
    if (name.endsWith(".jsonl")) yield* foundFile(join(folder, name));
}

/** A time and the session's id. */
const SESSION = /^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)\.jsonl$/;
/** Entries that change settings, or are notes of extensions and of the person. */
const SILENT = new Set(["model_change", "thinking_level_change", "custom", "custom_message", "label"]);

interface Own {
  session: string;
  /** The session that it is a sub-agent of. */
  readonly caller: string | undefined;
  lines: number;
  /** By the id of an entry, the id of its message. */
  readonly messages: Map<string, string>;
}

/** The log of pi, for programs that write the same. */
function piLog(): LogProgram<Own> {
  return {
    begin: (path, saved, tree) => {
      const name = basename(path).replace(/\.(?:deleted|reset)\..+$/, "");
      const messages = tree.saved.filter((value) => typeof value === "string");
      return {
        session: saved?.session ?? SESSION.exec(name)?.[1] ?? basename(name, ".jsonl"),
        caller: callerOf(path),
        lines: saved?.lines ?? 0,
        messages: new Map(messages.map((message) => [message.slice(0, message.lastIndexOf("@")), message])),
      };
    },
    save: ({ session, lines }) => ({ session, lines }),
    conversation: ({ session, caller }) => caller ?? session,
    isSubagent: ({ caller }) => caller !== undefined,
    eventsOf,
    cut: (line) => (isToolResult(line) ? TOOL_OUTPUT : IMAGES),
  };
}

/** The session in whose folder a transcript is, however deep. */
function callerOf(path: string): string | undefined {
  const names = dirname(path).split(/[/\\]/);
  return names.map((name) => SESSION.exec(`${name}.jsonl`)?.[1]).find((session) => session !== undefined);
}

function* eventsOf(entry: Fields, log: SessionLog<Own>): Generator<SourceEvent> {
  const line = log.own.lines++;
  const type = String(entry["type"]);
  const time = timeOf(entry["timestamp"]);
  if (type === "session") return yield* header(entry, time, log);
  if (type === "title") return;
  const id = messageOf(entry, line, time, log);
  if (type === "message") yield* message(recordOf(entry["message"]) ?? {}, id, time, log);
  else if (type === "compaction" || type === "branch_summary") yield* log.parts(summaryOf(entry["summary"]), id, time);
  else if (type === "session_info") yield* titled(entry["name"], "user", log);
  else if (!SILENT.has(type)) log.skipUnknown("entries", type);
}

function* titled(text: unknown, titleBy: "user" | "program", log: SessionLog<Own>): Generator<SourceEvent> {
  const title = textOf(text)?.trim();
  if (title !== undefined) yield log.fact({ title, titleBy });
}

/** Ids are of eight digits: with the time, which copies have too, they are unique. */
function messageOf(entry: Fields, line: number, time: number | undefined, { own, tree }: SessionLog<Own>): string {
  const id = textOf(entry["id"]);
  const message = id === undefined ? `${own.session}:${line}@` : `${id}@${time ?? own.session}`;
  const parent = entry["parentId"];
  tree.add(message, parent === null ? null : own.messages.get(textOf(parent) ?? ""));
  if (id !== undefined) own.messages.set(id, message);
  return message;
}

function* header(header: Fields, time: number | undefined, log: SessionLog<Own>): Generator<SourceEvent> {
  log.own.session = textOf(header["id"]) ?? log.own.session;
  if (log.isSubagent) return;
  // `branchedFrom` in version 1.
  const parent = textOf(header["parentSession"]) ?? textOf(header["branchedFrom"]);
  // As a path, or as an id.
  const name = parent?.replace(/^.*[/\\]/, "") ?? "";
  const continues = SESSION.exec(name)?.[1] ?? (UUID.test(name) ? name : undefined);
  yield log.fact({
    ...storedTimes(time),
    ...(parent !== undefined && time !== undefined && { copiedAt: time }),
    ...(continues !== undefined && { continues }),
  });
  yield* log.changedFacts({
    folder: textOf(header["cwd"]),
    workspace: basename(dirname(log.path)),
    model: textOf(header["modelId"]),
  });
}

function* message(fields: Fields, id: string, time: number | undefined, log: SessionLog<Own>): Generator<SourceEvent> {
  const said = saidIn(fields);
  if (said === undefined) return log.skipUnknown("messages", fields["role"]);
  if (fields["role"] === "assistant" && !log.isSubagent) yield* log.changedFacts({ model: textOf(fields["model"]) });
  yield* log.parts(said, id, time ?? timeOf(fields["timestamp"]));
  const { input, output, cacheRead: cached, cacheWrite: written } = recordOf(fields["usage"]) ?? {};
  yield* log.usage(tokensIn({ input, output, cached, written }, true));
}

/** Undefined for an unknown role. */
function saidIn(fields: Fields): Said[] | undefined {
  const { role, content } = fields;
  switch (role) {
    case "user":
      return [{ role: "user" as const, kind: "prose" as const, ...typedIn(textOfContent(content)) }].filter(isNotEmpty);
    case "toolResult": {
      const tool = textOf(fields["toolName"]) ?? "tool";
      return [{ role: "assistant" as const, kind: "tool" as const, tool, text: textOfContent(content) }];
    }
    // A command that the person ran.
    case "bashExecution": {
      const text = `${textOf(fields["command"]) ?? ""}\n${textOf(fields["output"]) ?? ""}`.trim();
      return [{ role: "user", kind: "tool", tool: "bash", text }];
    }
    case "branchSummary":
    case "compactionSummary":
      return summaryOf(fields["summary"]);
    // Of extensions, which add them to the model's context; `hookMessage` until version 3.
    case "custom":
    case "hookMessage":
      return [];
    default:
      return saidInMessage(fields, { fileArguments: ["path", "file_path"] });
  }
}

function summaryOf(summary: unknown): Said[] {
  return [{ role: "assistant", kind: "summary", text: textOf(summary) ?? "" }];
}

/** `/skill:name …` is stored as the whole skill with the rest of the prompt behind it. */
const SKILL = /^<skill name="([^"]+)" location="[^"]*">\n[\s\S]*?\n<\/skill>(?:\n\n([\s\S]+))?$/;
/** Files that were named on the command line, before the prompt. */
const FILE = /<file name="([^"]+)">[\s\S]*?<\/file>\n?/g;

/** OpenClaw puts the time before what came from a messenger. */
const DATED = /^\[(?:\w{3} )?\d{4}-\d\d-\d\d[^\]\n]{0,40}\] /;

function typedIn(sent: string): { readonly text: string; readonly files?: readonly string[] } {
  const text = sent.replace(DATED, "");
  const [, skill, rest] = SKILL.exec(text) ?? [];
  if (skill !== undefined) return { text: `/skill:${skill} ${rest ?? ""}`.trim() };
  if (!text.startsWith("<file name=")) return { text };
  return { text: text.replaceAll(FILE, "").trim(), files: [...text.matchAll(FILE)].map((match) => match[1]!) };
}
