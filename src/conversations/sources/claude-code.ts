// Claude Code: one JSONL file a session below `projects/<slug>/`, the files of
// its sub-agents beside it, and `history.jsonl`, which remembers what was typed
// in sessions whose transcripts are deleted (after 30 days, unless told
// otherwise).
//
// Of the bytes of a transcript 3 % are what was said; the rest is mostly
// progress and what tools returned, once more in full. So a line's type is
// looked for in its bytes, and only what is needed is parsed.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parsedLine, readJsonLines, type JsonLine } from "../json-lines.ts";
import { foundFile, listed, lookedInto } from "../looking.ts";
import {
  timeOf,
  type Batch,
  type ConversationSource,
  type Finding,
  type Home,
  type Told,
  type Unit,
  type Wanted,
} from "../source.ts";
import { SILENT_TYPES, TOLD_TYPES, toldBy, type ClaudeRecord } from "./claude-records.ts";
import { toolResultIn } from "./claude-tool-results.ts";
import { isToolResultOnly, silentTurnIn } from "./claude-turns.ts";
import { topLevelText } from "./top-level-text.ts";

export const claudeCode: ConversationSource = {
  name: "claude-code",
  title: "Claude Code",
  tellsOnce: true,
  tellsApart: true,
  find,
  read: (unit, checkpoint, signal, wanted) =>
    basename(unit.path) === HISTORY
      ? readHistory(unit, checkpoint, signal, wanted)
      : readTranscript(unit, checkpoint, signal, wanted),
};

const HISTORY = "history.jsonl";

function* find({ folder, environment }: Home): Generator<Finding> {
  const root = environment["CLAUDE_CONFIG_DIR"] || join(folder, ".claude");
  const projects = join(root, "projects");
  for (const entry of yield* lookedInto(projects)) if (!entry.isFile()) yield* findProject(join(projects, entry.name));
  yield* foundFile(join(root, HISTORY));
}

function* findProject(folder: string): Generator<Finding> {
  for (const entry of (yield* listed(folder)) ?? []) {
    if (entry.isDirectory()) yield* findSubagents(join(folder, entry.name, "subagents"));
    else if (entry.name.endsWith(".jsonl")) yield* foundFile(join(folder, entry.name));
  }
}

/** Workflows have folders of their own in there. */
function* findSubagents(folder: string): Generator<Finding> {
  for (const entry of (yield* listed(folder)) ?? []) {
    if (entry.isDirectory()) yield* findSubagents(join(folder, entry.name));
    else if (/^agent-.*\.jsonl$/.test(entry.name)) yield* foundFile(join(folder, entry.name));
  }
}

/** What a later reading has to know beside its place in the file. */
interface Checkpoint {
  readonly at: string;
  /** The folder in which the session was started: it may have gone elsewhere since. */
  readonly folder?: string | undefined;
}

async function* readTranscript(
  unit: Unit,
  text: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  // In the file of a sub-agent nothing was said to a person.
  if (wanted === "said" && basename(unit.path).startsWith("agent-")) return;
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  const transcript = new Transcript(unit, before?.folder, wanted);
  for await (const { isAnew, lines, checkpoint } of readJsonLines(unit, before?.at, signal)) {
    const told: Told[] = isAnew ? [{ kind: "anew" }] : [];
    if (isAnew) transcript.folder = undefined;
    for (const line of lines) transcript.read(line, told);
    told.push(...transcript.passedOver());
    const after: Checkpoint = { at: checkpoint, folder: transcript.folder };
    yield [...told, { kind: "checkpoint", checkpoint: JSON.stringify(after) }];
  }
}

class Transcript {
  folder: string | undefined;
  readonly #slug: string;
  /** Undefined for the file of a sub-agent: its records name the session. */
  readonly #session: string | undefined;
  readonly #wanted: Wanted;
  #branch: unknown;
  #lastOrder: number;
  readonly #skipped = new Map<string, number>();

  constructor(unit: Unit, folder: string | undefined, wanted: Wanted) {
    this.#wanted = wanted;
    const name = basename(unit.path, ".jsonl");
    const isSubagent = name.startsWith("agent-");
    this.#session = isSubagent ? undefined : name;
    this.#slug = basename(
      isSubagent && unit.path.includes("subagents")
        ? dirname(unit.path.split(/[/\\]subagents[/\\]/)[0]!)
        : dirname(unit.path),
    );
    this.folder = folder;
    this.#lastOrder = 0;
  }

  read(line: JsonLine, told: Told[]): void {
    const type = line.long === undefined ? topLevelText(line.bytes, "type") : textIn(line.long.value, "type");
    if (type === undefined || !TOLD_TYPES.has(type)) {
      if (type === undefined) this.#skip("lines that are no records");
      else if (!SILENT_TYPES.has(type)) this.#skip(`records of the unknown type ${type.slice(0, 40)}`);
      return;
    }
    if (this.#wanted === "said" && line.long === undefined && this.#isSilent(line.bytes, type, told)) return;
    const record = recordIn(line);
    if (record === undefined) return this.#skip("lines that are no records");
    const conversation = this.#session ?? (typeof record.sessionId === "string" ? record.sessionId : undefined);
    if (conversation === undefined) return this.#skip("records without a session");
    if (typeof record.uuid !== "string" && /^(?:user|assistant|attachment)$/.test(type))
      return this.#skip("messages without an id");
    if (this.#wanted !== "rest") this.#tellFacts(record, conversation, told);
    for (const one of this.#wantedOf(toldBy(record, conversation))) {
      if (one.kind !== "part") told.push(one);
      else if (one.part.time !== undefined) {
        this.#lastOrder = one.part.order;
        told.push(one);
      } else told.push({ ...one, part: { ...one.part, order: this.#lastOrder } });
    }
  }

  /** A line in which nothing was said, with what has to be told of it all the same. */
  #isSilent(line: Buffer, type: string, told: Told[]): boolean {
    if (type === "user") return isToolResultOnly(line);
    if (type !== "assistant" || this.#session === undefined || this.folder === undefined) return false;
    const turn = silentTurnIn(line, this.#session);
    if (turn !== undefined && turn !== "of a sub-agent") told.push({ kind: "turn", turn });
    return turn !== undefined;
  }

  /** Of what a record tells, what was asked for. A turn of which only the rest is told later is told now. */
  #wantedOf(told: readonly Told[]): readonly Told[] {
    if (this.#wanted === undefined) return told;
    if (this.#wanted === "rest")
      return told.flatMap((one) =>
        one.kind === "part" && one.part.kind !== "prose" ? [{ ...one, part: { ...one.part, files: [] } }] : [],
      );
    return told.flatMap((one): Told[] => {
      if (one.kind !== "part" || one.part.kind === "prose") return [one];
      const { conversation, message, time, isOfMessage, files = [] } = one.part;
      return isOfMessage ? [{ kind: "turn", turn: { conversation, message, time, files } }] : [];
    });
  }

  passedOver(): Told[] {
    // Each is counted once, with what was said.
    if (this.#wanted === "rest") return [];
    const told = [...this.#skipped].map(([reason, count]): Told => ({ kind: "skipped", count, reason }));
    this.#skipped.clear();
    return told;
  }

  #tellFacts({ cwd, gitBranch }: ClaudeRecord, id: string, told: Told[]): void {
    if (this.#session === undefined) return;
    const folder = this.folder === undefined && typeof cwd === "string" && cwd !== "" ? cwd : undefined;
    const branch =
      typeof gitBranch === "string" && gitBranch !== "" && gitBranch !== this.#branch ? gitBranch : undefined;
    if (folder === undefined && branch === undefined) return;
    this.folder ??= folder;
    this.#branch = branch ?? this.#branch;
    told.push({
      kind: "conversation",
      facts: {
        id,
        workspace: this.#slug,
        ...(folder !== undefined && { folder }),
        ...(branch !== undefined && { branch }),
      },
    });
  }

  #skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }
}

function textIn(value: unknown, key: string): string | undefined {
  const text = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof text === "string" ? text : undefined;
}

function recordIn(line: JsonLine): ClaudeRecord | undefined {
  const record = (line.long === undefined ? toolResultIn(line.bytes) : undefined) ?? parsedLine(line);
  return typeof record === "object" && record !== null && !Array.isArray(record) ? record : undefined;
}

interface HistoryEntry {
  readonly display?: unknown;
  readonly timestamp?: unknown;
  readonly project?: unknown;
  readonly sessionId?: unknown;
}

/** What was typed into a session may not be in its transcript yet. */
const YOUNG = 24 * 60 * 60 * 1000;

/** The prompts of sessions that have no transcript any more. */
async function* readHistory(
  unit: Unit,
  text: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  if (wanted === "rest") return;
  const projects = join(dirname(unit.path), "projects");
  for await (const { isAnew, lines, checkpoint } of readJsonLines(unit, text, signal)) {
    const told: Told[] = isAnew ? [{ kind: "anew" }] : [];
    for (const line of lines) {
      const { display, timestamp, project, sessionId } = (parsedLine(line) ?? {}) as HistoryEntry;
      const time = timeOf(timestamp);
      if (typeof display !== "string" || typeof sessionId !== "string" || typeof project !== "string") continue;
      if (display.trim() === "" || display.startsWith("/") || time === undefined || time > unit.changed - YOUNG)
        continue;
      const workspace = slugOf(project);
      if (existsSync(join(projects, workspace, `${sessionId}.jsonl`))) continue;
      const key = `history:${sessionId}:${time}`;
      const part = { conversation: sessionId, key, message: key, order: time, time, text: display.trim() };
      told.push({
        kind: "remembered",
        facts: { id: sessionId, folder: project, workspace },
        part: { ...part, role: "user", kind: "prose" },
      });
    }
    yield [...told, { kind: "checkpoint", checkpoint }];
  }
}

/** How Claude Code names the folder of a project. It cannot be turned back. */
function slugOf(project: string): string {
  return project.replace(/[^a-zA-Z0-9]/g, "-");
}
