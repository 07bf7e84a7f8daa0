// Codex CLI: JSONL files `rollout-*.jsonl`, by day and archived. Messages are in
// them twice: as the model got them (`response_item`), and as the person saw
// them (`event_msg`). The first are read, and items.ts removes what Codex added.
//
// A session is one file until the person edits an earlier prompt: then it
// continues in another file, a segment, which names the record and segment that
// it builds on. Titles are in `session_index.jsonl`.
import { basename, join } from "node:path";
import { cutIf, type CutKeys } from "../kit/brief-json.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { parsedLine, readJsonLines, type JsonLine } from "../kit/json-lines.ts";
import {
  boundedText,
  timeOf,
  type Batch,
  type ConversationSource,
  type Finding,
  type Home,
  type SourceEvent,
  type Tokens,
  type TranscriptFile,
  type Wanted,
  UUID,
} from "../source.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import { isItem, saidBy, type Fields } from "./items.ts";
import { topLevelText } from "../kit/json-bytes.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { differenceOf, tokensIn, usageOf } from "../kit/token-counts.ts";

export const codex = sourceLikeCodex({
  name: "codex",
  title: "Codex CLI",
  reader: 4,
  rootOf: ({ folder, environment }) => environment["CODEX_HOME"] || join(folder, ".codex"),
});

/** TRAE's command line, which was made from Codex. */
export const traex = sourceLikeCodex({
  name: "traex",
  title: "TraeX",
  reader: 1,
  rootOf: ({ folder }) => join(folder, ".trae", "cli"),
});

interface Variant extends Pick<ConversationSource, "name" | "title" | "reader"> {
  readonly rootOf: (home: Home) => string;
}

function sourceLikeCodex({ rootOf, ...source }: Variant): ConversationSource {
  return {
    ...source,
    resume: { command: [source.name, "resume", "ID"], idPattern: UUID },
    emitsNonProseOnce: true,
    find: (home) => find(rootOf(home)),
    read: (transcript, checkpoint, signal, wanted) =>
      basename(transcript.path) === TITLES
        ? readTitles(transcript, checkpoint, signal)
        : readRollout(transcript, checkpoint, signal, wanted),
  };
}

const TITLES = "session_index.jsonl";

function* find(root: string): Generator<Finding> {
  yield* findRollouts(join(root, "sessions"), yield* lookedInto(join(root, "sessions")));
  yield* findRollouts(join(root, "archived_sessions"), yield* lookedInto(join(root, "archived_sessions")));
  yield* foundFile(join(root, TITLES));
}

function* findRollouts(
  folder: string,
  entries: Iterable<{ name: string; isDirectory: () => boolean }>,
): Generator<Finding> {
  let compressed = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* findRollouts(path, (yield* listed(path)) ?? []);
    else if (/^rollout-.*\.jsonl$/.test(entry.name)) yield* foundFile(path);
    else if (/^rollout-.*\.jsonl\.zst$/.test(entry.name)) compressed++;
  }
  if (compressed > 0) yield { kind: "skipped", place: folder, count: compressed, reason: "compressed by Codex" };
}

interface Checkpoint {
  readonly at: string;
  readonly session: Session;
  readonly lines: number;
  readonly model?: string | undefined;
  readonly order?: number | undefined;
  readonly calls?: readonly (readonly [id: string, tool: string])[];
  readonly tokens?: Tokens | undefined;
}

interface Session {
  /** The conversation of its messages: that of the parent session for a sub-agent. */
  readonly conversation: string;
  /** The branch in which records are numbered: the session, or the segment after an edit. */
  readonly branch: string;
  readonly isSubagent: boolean;
}

async function* readRollout(
  transcript: TranscriptFile,
  text: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  const cut = cutIf(wanted, TOOL_OUTPUT);
  let rollout = new Rollout(transcript, before);
  for await (const { isRewritten, lines, checkpoint } of readJsonLines(transcript, before?.at, signal)) {
    if (isRewritten) rollout = new Rollout(transcript, undefined);
    const events: SourceEvent[] = isRewritten ? [{ kind: "rewritten" }] : [];
    for (const line of lines) events.push(...rollout.eventsOf(line, cut));
    events.push(...rollout.takePendingAnswer(), ...rollout.passedOver());
    yield [...events, { kind: "checkpoint", checkpoint: JSON.stringify(rollout.checkpoint(checkpoint)) }];
  }
}

/** The last of several titles counts: the first was generated, a later one is the person's. */
async function* readTitles(
  transcript: TranscriptFile,
  text: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  for await (const { isRewritten, lines, checkpoint } of readJsonLines(transcript, text, signal)) {
    const events: SourceEvent[] = isRewritten ? [{ kind: "rewritten" }] : [];
    for (const line of lines) {
      const record = recordOf(parsedLine(line));
      const conversation = textOf(record?.["id"]);
      const title = textOf(record?.["thread_name"]);
      if (conversation !== undefined && title !== undefined) events.push({ kind: "named", conversation, title });
    }
    yield [...events, { kind: "checkpoint", checkpoint }];
  }
}

/** What tools gave, and what nobody reads. Not `arguments`: patches name files in there. */
const TOOL_OUTPUT: CutKeys = [{ key: "output" }, { key: "result" }, { key: "encrypted_content" }, { key: "image_url" }];
/** Records without content of their own: settings, counts, progress, repeated messages. */
const SILENT = new Set(["event_msg", "world_state", "token_usage_record"]);
/** In an event of this type, which it names at its beginning. */
const TOKENS = '"token_count"';
const BEGINNING = 160;
/** Records that may come between the answer with the summary and the compaction itself. */
const BEFORE_COMPACTION = new Set(["event_msg", "token_usage_record"]);
/** Calls without a result yet: more than ever run at the same time. */
const MAX_CALLS = 50;
const ID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
/** The name ends with the id of the session, followed by that of the segment. */
const NAME = new RegExp(`(${ID})(?:_(${ID}))?$`, "i");

class Rollout {
  #session: Session;
  #lines: number;
  #model: string | undefined;
  /** The order of the last record: records without a time come after it. */
  #order: number | undefined;
  /** By call, the name of the tool, for its result. */
  readonly #calls: Map<string, string>;
  /** All so far, as the program counts them; also those of the session that this one continues. */
  #tokens: Tokens | undefined;
  #pendingAnswer: { readonly event: SourceEvent; readonly text: string } | undefined;
  readonly #skipped = new Map<string, number>();

  constructor(transcript: TranscriptFile, before: Checkpoint | undefined) {
    const name = basename(transcript.path, ".jsonl");
    const [, id = name, segment = id] = NAME.exec(name) ?? [];
    this.#session = before?.session ?? { conversation: id, branch: segment, isSubagent: false };
    this.#lines = before?.lines ?? 0;
    this.#model = before?.model;
    this.#order = before?.order;
    this.#calls = new Map(before?.calls);
    this.#tokens = before?.tokens;
  }

  checkpoint(at: string): Checkpoint {
    const calls = [...this.#calls].slice(-MAX_CALLS);
    const [session, lines, model, order] = [this.#session, this.#lines, this.#model, this.#order];
    return { at, session, lines, model, order, calls, tokens: this.#tokens };
  }

  *eventsOf(line: JsonLine, cut: CutKeys): Generator<SourceEvent> {
    const at = this.#lines++;
    const type =
      line.long === undefined ? topLevelText(line.bytes, "type") : textOf(recordOf(line.long.value)?.["type"]);
    if (type === undefined || !BEFORE_COMPACTION.has(type)) {
      if (type !== "compacted") yield* this.takePendingAnswer();
    }
    if (type === "event_msg" && line.bytes.subarray(0, BEGINNING).includes(TOKENS))
      return yield* this.#eventsOfTokens(recordOf(recordOf(recordOf(parsedLine(line))?.["payload"])?.["info"]));
    if (type !== undefined && SILENT.has(type)) return;
    const record = recordOf(parsedLine(line, cut));
    if (record === undefined) return this.#skip("lines that are no records");
    const time = timeOf(record["timestamp"]);
    const number = typeof record["ordinal"] === "number" ? record["ordinal"] : at;
    const payload = recordOf(record["payload"]) ?? {};
    if (type === "response_item") yield* this.#eventsOfItem(payload, number, time);
    else if (type === "compacted") yield* this.#eventsOfCompaction(payload, number, time);
    else if (type === "session_meta") yield* this.#eventsOfMeta(payload, at);
    else if (type === "turn_context") yield* this.#eventsOfContext(payload);
    // The first releases wrote both without a wrapper.
    else if (type === undefined && textOf(record["id"]) !== undefined) yield* this.#eventsOfMeta(record, at);
    else if (type !== undefined && isItem(record)) yield* this.#eventsOfItem(record, number, time);
    else if (record["record_type"] === undefined)
      this.#skip(`records of the unknown type ${(type ?? "").slice(0, 40)}`);
  }

  passedOver(): SourceEvent[] {
    const events = [...this.#skipped].map(([reason, count]): SourceEvent => ({ kind: "skipped", count, reason }));
    this.#skipped.clear();
    return events;
  }

  *#eventsOfMeta(meta: Fields, at: number): Generator<SourceEvent> {
    // A session that continues another one also has that one's record, further down.
    if (at > 0) return;
    const { branch } = this.#session;
    const id = textOf(meta["id"]) ?? this.#session.conversation;
    const isSegment = branch !== this.#session.conversation;
    const subagent = recordOf(meta["source"])?.["subagent"];
    const parent =
      textOf(recordOf(recordOf(subagent)?.["thread_spawn"])?.["parent_thread_id"]) ?? textOf(meta["parent_thread_id"]);
    // The id in the record takes precedence over that in the name of the file.
    this.#session = { conversation: parent ?? id, branch: isSegment ? branch : id, isSubagent: subagent !== undefined };
    if (this.#session.isSubagent) return;
    const created = timeOf(meta["timestamp"]);
    const forkedFrom = textOf(meta["forked_from_id"]);
    yield {
      kind: "conversation",
      facts: {
        id,
        folder: textOf(meta["cwd"]),
        branch: textOf(recordOf(meta["git"])?.["branch"]),
        ...storedTimes(created),
        ...(forkedFrom !== undefined && { continues: forkedFrom }),
      },
    };
    if (!isSegment) return;
    const base = recordOf(meta["history_base"]);
    const branchLeft = textOf(base?.["thread_id"]);
    const from = base?.["end_ordinal_exclusive"];
    if (branchLeft !== undefined && typeof from === "number")
      yield { kind: "abandoned", conversation: id, abandoned: { branch: branchLeft, from } };
    // An edit of the first prompt builds on nothing.
    else if (created !== undefined) yield { kind: "abandoned", conversation: id, abandoned: { before: created } };
  }

  *#eventsOfContext(context: Fields): Generator<SourceEvent> {
    const model = textOf(context["model"]);
    if (model === undefined || model === this.#model || this.#session.isSubagent) return;
    this.#model = model;
    yield { kind: "conversation", facts: { id: this.#session.conversation, model } };
  }

  /** The program repeats its counts, for example with new limits. */
  *#eventsOfTokens(info: Fields | undefined): Generator<SourceEvent> {
    const total = tokensOf(recordOf(info?.["total_token_usage"]));
    if (total === undefined) return;
    const last = tokensOf(recordOf(info?.["last_token_usage"]));
    const before = this.#tokens;
    this.#tokens = total;
    // The first count of a session that continues another one begins with that one's.
    const isAfter = before !== undefined && total.input >= before.input && total.output >= before.output;
    yield* usageOf(isAfter ? differenceOf(total, before) : (last ?? total), {
      conversation: this.#session.conversation,
    });
  }

  /** The model's summary is also there as an answer, right before the compaction. The person never saw it. */
  *#eventsOfCompaction(compaction: Fields, number: number, time: number | undefined): Generator<SourceEvent> {
    const summary = textOf(compaction["message"])?.trim() ?? "";
    if (this.#pendingAnswer !== undefined && summary.endsWith(this.#pendingAnswer.text))
      this.#pendingAnswer = undefined;
    yield* this.takePendingAnswer();
    yield* this.#eventsOfItem({ ...compaction, type: "compacted" }, number, time);
  }

  *takePendingAnswer(): Generator<SourceEvent> {
    if (this.#pendingAnswer !== undefined) yield this.#pendingAnswer.event;
    this.#pendingAnswer = undefined;
  }

  *#eventsOfItem(item: Fields, number: number, time: number | undefined): Generator<SourceEvent> {
    const said = saidBy(item);
    if (said === undefined) return this.#skip(`items of the unknown type ${String(item["type"]).slice(0, 40)}`);
    const tool = this.#toolOf(item, said.tool);
    if (said.text === "") return;
    const { conversation, branch, isSubagent } = this.#session;
    const key = `${branch}:${number}`;
    const kind = isSubagent ? "subagent" : said.kind;
    // By time, since abandoned messages and their replacements have the same numbers; within a file by its own order.
    this.#order = Math.max(time ?? number, (this.#order ?? Number.NEGATIVE_INFINITY) + SHORTLY);
    const event: SourceEvent = {
      kind: "part",
      part: {
        ...said,
        conversation,
        key,
        message: key,
        kind,
        order: this.#order,
        time,
        text: kind === "prose" ? said.text : boundedText(said.text),
        ...(tool !== undefined && { tool }),
      },
    };
    if (kind === "prose" && said.role === "assistant") this.#pendingAnswer = { event, text: said.text };
    else yield event;
  }

  /** A result has only the id of its call. */
  #toolOf(item: Fields, tool: string | undefined): string | undefined {
    const call = textOf(item["call_id"]);
    if (call === undefined || tool === undefined) return tool;
    const known = this.#calls.get(call);
    if (known !== undefined) this.#calls.delete(call);
    else if (!String(item["type"]).endsWith("_output")) this.#calls.set(call, tool);
    return known ?? tool;
  }

  #skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }
}

/** In milliseconds: less than between any two records. */
const SHORTLY = 0.001;

function tokensOf(usage: Fields | undefined): Tokens | undefined {
  if (usage === undefined) return undefined;
  return tokensIn({
    input: usage["input_tokens"],
    output: usage["output_tokens"],
    cached: usage["cached_input_tokens"],
  });
}
