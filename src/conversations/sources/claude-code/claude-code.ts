// Claude Code: one JSONL file per session below `projects/<slug>/`, files of its
// sub-agents beside it, and `history.jsonl`, which keeps the prompts of sessions
// whose transcripts were deleted (after 30 days by default).
//
// Only 3 % of the bytes of a transcript are prose; most others are progress and
// tool output, in full and twice. So the type of a line is found in its bytes,
// and only what is needed is parsed.
import { basename, dirname, join } from "node:path";
import type { CutKeys } from "../kit/brief-json.ts";
import { parsedLine, readJsonLines, type JsonLine } from "../kit/json-lines.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import {
  timeOf,
  type Batch,
  type ConversationFacts,
  type ConversationSource,
  type Finding,
  type Home,
  type Retention,
  type SourceEvent,
  type TranscriptFile,
  type Wanted,
  UUID,
} from "../source.ts";
import { HISTORY, readHistory } from "./history.ts";
import { SILENT_TYPES, READ_TYPES, eventsOf, tokensOfRecord, type ClaudeRecord } from "./records.ts";
import { withSavedResult } from "./saved-results.ts";
import { recordAt } from "../kit/json-document.ts";
import { topLevelText } from "../kit/json-bytes.ts";
import { MessageTokens, usageOf, type CountedMessage } from "../kit/token-counts.ts";

export const claudeCode: ConversationSource = {
  ...sourceLikeClaudeCode({ name: "claude-code", title: "Claude Code", find, reader: 5 }),
  resume: { command: ["claude", "--resume", "ID"], idPattern: UUID },
  retention,
  read: (transcript, checkpoint, signal, wanted) =>
    basename(transcript.path) === HISTORY
      ? readHistory(transcript, checkpoint, signal, wanted)
      : readTranscript(transcript, checkpoint, signal, wanted),
};

/** How a program that was made from Claude Code differs from it. */
interface Variant extends Pick<ConversationSource, "name" | "title" | "reader" | "find" | "resume"> {
  /** Facts that it keeps in a file beside the transcript. */
  readonly factsAt?: (path: string) => Omit<ConversationFacts, "id">;
}

export function sourceLikeClaudeCode({ factsAt, ...source }: Variant): ConversationSource {
  return {
    ...source,
    emitsNonProseOnce: true,
    readsProseFirst: true,
    async *read(transcript, checkpoint, signal, wanted) {
      yield* readTranscript(transcript, checkpoint, signal, wanted);
      const id = basename(transcript.path, ".jsonl");
      if (factsAt === undefined || isOfSubagent(id) || wanted === "nonProse") return;
      yield [{ kind: "conversation", facts: { id, ...factsAt(transcript.path) } }];
    },
  };
}

const rootOf = ({ folder, environment }: Home) => environment["CLAUDE_CONFIG_DIR"] || join(folder, ".claude");

/** By the time of a file's last change, whenever the program starts. */
function retention(home: Home): Retention {
  const file = join(rootOf(home), "settings.json");
  const days = recordAt(file)?.["cleanupPeriodDays"];
  return { days: typeof days === "number" && days >= 0 ? days : 30, setting: "cleanupPeriodDays", file };
}

function* find(home: Home): Generator<Finding> {
  const root = rootOf(home);
  yield* findProjects(join(root, "projects"));
  yield* foundFile(join(root, HISTORY));
}

/** @param factsOf the file beside a transcript that has facts about it */
export function* findProjects(projects: string, factsOf?: (path: string) => string): Generator<Finding> {
  for (const entry of yield* lookedInto(projects))
    if (!entry.isFile()) yield* findProject(join(projects, entry.name), factsOf);
}

export function* findProject(folder: string, factsOf?: (path: string) => string): Generator<Finding> {
  for (const entry of (yield* listed(folder)) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* findSubagents(join(path, "subagents"));
    else if (path.endsWith(".jsonl")) yield* foundFile(path, factsOf === undefined ? [] : [factsOf(path)]);
  }
}

/** Workflows have folders of their own in it. */
function* findSubagents(folder: string): Generator<Finding> {
  for (const entry of (yield* listed(folder)) ?? []) {
    if (entry.isDirectory()) yield* findSubagents(join(folder, entry.name));
    else if (/^agent-.*\.jsonl$/.test(entry.name)) yield* foundFile(join(folder, entry.name));
  }
}

function isOfSubagent(name: string): boolean {
  return name.startsWith("agent-");
}

/** What a later reading needs beside its position in the file. */
interface Checkpoint {
  readonly at: string;
  /** The folder in which the session was started; the current one may differ. */
  readonly folder?: string | undefined;
  /** Everything so far was copied from another session; the time of the copy is not known yet. */
  readonly isCopy?: true;
  /** While no message was read: the latest time of a record before the first one. */
  readonly timeBefore?: number;
  readonly tokens?: readonly CountedMessage[];
}

async function* readTranscript(
  transcript: TranscriptFile,
  text: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  // The transcript of a sub-agent has no prose.
  if (wanted === "prose" && isOfSubagent(basename(transcript.path))) return;
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  let reader = new TranscriptReader(transcript, before, wanted);
  for await (const { isRewritten, lines, checkpoint } of readJsonLines(transcript, before?.at, signal)) {
    const events: SourceEvent[] = isRewritten ? [{ kind: "rewritten" }] : [];
    if (isRewritten) reader = new TranscriptReader(transcript, undefined, wanted);
    for (const line of lines) reader.read(line, events);
    events.push(...reader.passedOver());
    const after: Checkpoint = { at: checkpoint, ...reader.checkpoint() };
    yield [...events, { kind: "checkpoint", checkpoint: JSON.stringify(after) }];
  }
}

/** The time of a copy as long as it is unknown: later than any other. */
const COPIED_LAST = Number.MAX_SAFE_INTEGER;
/** A record before the first message is from the same moment, or from the moment of the copy. */
const SAME_MOMENT = 1_000;

class TranscriptReader {
  #folder: string | undefined;
  /** The folder in `projects/`. */
  readonly #project: string;
  /** Undefined for the file of a sub-agent: its records name the session. */
  readonly #session: string | undefined;
  readonly #wanted: Wanted;
  readonly #cut: CutKeys;
  #branch: unknown;
  #model: unknown;
  #lastOrder = 0;
  /** True if a message was read; records before the first may show that the session is a copy. */
  #isBegun: boolean;
  #isCopy: boolean;
  /** The latest time of a record before the first message. */
  #timeBefore: number;
  readonly #tokens: MessageTokens;
  readonly #skipped = new Map<string, number>();

  constructor(transcript: TranscriptFile, before: Checkpoint | undefined, wanted: Wanted) {
    this.#wanted = wanted;
    this.#cut = wanted === "prose" ? NON_PROSE : UNUSED;
    const name = basename(transcript.path, ".jsonl");
    const isSubagent = isOfSubagent(name);
    this.#session = isSubagent ? undefined : name;
    this.#project =
      isSubagent && transcript.path.includes("subagents")
        ? dirname(transcript.path.split(/[/\\]subagents[/\\]/)[0]!)
        : dirname(transcript.path);
    this.#folder = before?.folder;
    this.#isCopy = before?.isCopy === true;
    this.#isBegun = before !== undefined && before.timeBefore === undefined;
    this.#timeBefore = before?.timeBefore ?? 0;
    this.#tokens = new MessageTokens(before?.tokens);
  }

  checkpoint(): Omit<Checkpoint, "at"> {
    return {
      folder: this.#folder,
      ...(this.#isCopy && { isCopy: true }),
      ...(!this.#isBegun && { timeBefore: this.#timeBefore }),
      tokens: this.#tokens.saved,
    };
  }

  read(line: JsonLine, events: SourceEvent[]): void {
    const type = line.long === undefined ? topLevelText(line.bytes, "type") : textIn(line.long.value, "type");
    if (!this.#isBegun && type !== undefined && line.long === undefined && !isMessage(type))
      this.#timeBefore = Math.max(this.#timeBefore, timeOf(topLevelText(line.bytes, "timestamp")) ?? 0);
    if (type === undefined || !READ_TYPES.has(type)) {
      if (type === undefined) this.#skip("lines that are no records");
      else if (!SILENT_TYPES.has(type)) this.#skip(`records of the unknown type ${type.slice(0, 40)}`);
      return;
    }
    const record = recordIn(line, type === "user" || type === "assistant" ? this.#cut : []);
    if (record === undefined) return this.#skip("lines that are no records");
    const conversation = this.#session ?? (typeof record.sessionId === "string" ? record.sessionId : undefined);
    if (conversation === undefined) return this.#skip("records without a session");
    if (typeof record.uuid !== "string" && (isMessage(type) || type === "attachment"))
      return this.#skip("messages without an id");
    if (this.#wanted !== "nonProse") {
      this.#tellCopy(record, conversation, events);
      this.#tellFacts(record, conversation, events);
    }
    for (const one of this.#wantedOf(eventsOf(record, conversation))) {
      if (one.kind !== "part") {
        events.push(one);
        continue;
      }
      const part = withSavedResult(one.part, this.#project);
      if (part.time !== undefined) this.#lastOrder = part.order;
      events.push({ kind: "part", part: { ...part, order: part.time === undefined ? this.#lastOrder : part.order } });
    }
    if (type === "assistant" && !this.#isCopy) this.#tellTokens(record, conversation, events);
  }

  /** Once: with the prose of a session, and with the rest of a sub-agent, which has no prose. */
  #tellTokens(record: ClaudeRecord, conversation: string, events: SourceEvent[]): void {
    const countedIn: Wanted = this.#session === undefined ? "nonProse" : "prose";
    if (this.#wanted !== undefined && this.#wanted !== countedIn) return;
    const message = typeof record.message?.id === "string" ? record.message.id : String(record.uuid);
    for (const event of usageOf(this.#tokens.added(message, tokensOfRecord(record)), { conversation }))
      events.push(event);
  }

  /** The events that were asked for. A turn is emitted now even if all its parts are read later. */
  #wantedOf(events: readonly SourceEvent[]): readonly SourceEvent[] {
    if (this.#wanted === undefined) return events;
    if (this.#wanted === "nonProse")
      return events.flatMap((one) =>
        one.kind === "part" && one.part.kind !== "prose" ? [{ ...one, part: { ...one.part, files: [] } }] : [],
      );
    return events.flatMap((one): SourceEvent[] => {
      if (one.kind !== "part" || one.part.kind === "prose") return [one];
      const { conversation, role, kind, time, files = [] } = one.part;
      const isTurn = role === "assistant" && kind !== "subagent";
      return isTurn ? [{ kind: "turn", turn: { conversation, time, files } }] : [];
    });
  }

  passedOver(): SourceEvent[] {
    // Each is counted once, in the reading of prose.
    if (this.#wanted === "nonProse") return [];
    const events = [...this.#skipped].map(([reason, count]): SourceEvent => ({ kind: "skipped", count, reason }));
    this.#skipped.clear();
    return events;
  }

  /**
   * A fork repeats the records of another session. `/branch` marks each of them; `--fork-session` leaves a record of
   * its own before them, which is younger than they are.
   */
  #tellCopy({ type, timestamp, forkedFrom }: ClaudeRecord, id: string, events: SourceEvent[]): void {
    if (this.#session === undefined || !isMessage(String(type))) return;
    const isFirst = !this.#isBegun;
    this.#isBegun = true;
    const time = timeOf(timestamp);
    const from = forkedFrom?.sessionId;
    if (typeof from === "string") {
      if (isFirst) events.push({ kind: "conversation", facts: { id, copiedAt: COPIED_LAST, continues: from } });
      this.#isCopy ||= isFirst;
    } else if (this.#isCopy && time !== undefined) {
      this.#isCopy = false;
      events.push({ kind: "conversation", facts: { id, copiedAt: time } });
    } else if (isFirst && time !== undefined && this.#timeBefore > time + SAME_MOMENT)
      events.push({ kind: "conversation", facts: { id, copiedAt: this.#timeBefore } });
  }

  #tellFacts({ cwd, gitBranch, message }: ClaudeRecord, id: string, events: SourceEvent[]): void {
    if (this.#session === undefined) return;
    const { model } = message ?? {};
    if (typeof model === "string" && model !== this.#model && !model.startsWith("<")) {
      this.#model = model;
      events.push({ kind: "conversation", facts: { id, model } });
    }
    const folder = this.#folder === undefined && typeof cwd === "string" && cwd !== "" ? cwd : undefined;
    const branch =
      typeof gitBranch === "string" && gitBranch !== "" && gitBranch !== this.#branch ? gitBranch : undefined;
    if (folder === undefined && branch === undefined) return;
    this.#folder ??= folder;
    this.#branch = branch ?? this.#branch;
    events.push({
      kind: "conversation",
      facts: {
        id,
        workspace: basename(this.#project),
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

/** Returns whether records of this type may have prose. */
function isMessage(type: string): boolean {
  return type === "user" || type === "assistant";
}

function recordIn(line: JsonLine, cut: CutKeys): ClaudeRecord | undefined {
  const record = parsedLine(line, cut);
  return typeof record === "object" && record !== null && !Array.isArray(record) ? record : undefined;
}

/** What tools gave is there twice: as the model got it, and in full with the files around it, which is not used. */
const UNUSED: CutKeys = [{ key: "toolUseResult", isLeftOut: true }];
/** The content of a block in the content of a message, and what has no prose. */
const NON_PROSE: CutKeys = [
  ...UNUSED,
  { key: "content", depth: 4 },
  { key: "input" },
  { key: "thinking" },
  { key: "signature" },
  { key: "source" },
];
