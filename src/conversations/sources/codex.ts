// Codex CLI: one JSONL file a session, `rollout-*.jsonl`, by day and archived.
// What was said stands in it twice: as the model got it (`response_item`), and
// as the person saw it (`event_msg`). The first is told, without what Codex put
// around it (codex-items.ts).
import { basename, join } from "node:path";
import { foundFile, listed, lookedInto } from "../looking.ts";
import { parsedLine, readJsonLines, type JsonLine } from "../json-lines.ts";
import {
  boundedText,
  timeOf,
  type Batch,
  type ConversationSource,
  type Finding,
  type Home,
  type Told,
  type Unit,
} from "../source.ts";
import { recordOf, textOf } from "../stored-json.ts";
import { isItem, saidBy, type Fields } from "./codex-items.ts";
import { topLevelText } from "./top-level-text.ts";

export const codex: ConversationSource = { name: "codex", title: "Codex CLI", tellsOnce: true, find, read };

function* find({ folder, environment }: Home): Generator<Finding> {
  const root = environment["CODEX_HOME"] || join(folder, ".codex");
  yield* findRollouts(join(root, "sessions"), yield* lookedInto(join(root, "sessions")));
  yield* findRollouts(join(root, "archived_sessions"), yield* lookedInto(join(root, "archived_sessions")));
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
}

interface Session {
  /** The conversation that its messages belong to: another session's where it is a sub-agent of that. */
  readonly conversation: string;
  readonly id: string;
  readonly isSubagent: boolean;
}

async function* read(unit: Unit, text: string | undefined, signal: AbortSignal): AsyncGenerator<Batch> {
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  let rollout = new Rollout(unit, before);
  for await (const { isAnew, lines, checkpoint } of readJsonLines(unit, before?.at, signal)) {
    if (isAnew) rollout = new Rollout(unit, undefined);
    const told: Told[] = isAnew ? [{ kind: "anew" }] : [];
    for (const line of lines) told.push(...rollout.toldBy(line));
    told.push(...rollout.passedOver());
    yield [...told, { kind: "checkpoint", checkpoint: JSON.stringify(rollout.checkpoint(checkpoint)) }];
  }
}

/** Records that say nothing of their own: settings, counts, progress, and messages once more. */
const SILENT = new Set(["event_msg", "turn_context", "world_state"]);

/** What sub-agents said comes after what was said to the person: nothing tells where between. */
const AFTER_ALL = 1e9;

class Rollout {
  #session: Session;
  #lines: number;
  #follows: string | undefined;
  readonly #skipped = new Map<string, number>();

  constructor(unit: Unit, before: Checkpoint | undefined) {
    // The name ends in the id; the file's own record may have another one, and counts.
    const name = basename(unit.path, ".jsonl");
    const id = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.exec(name)?.[0] ?? name;
    this.#session = before?.session ?? { conversation: id, id, isSubagent: false };
    this.#lines = before?.lines ?? 0;
  }

  checkpoint(at: string): Checkpoint {
    return { at, session: this.#session, lines: this.#lines };
  }

  *toldBy(line: JsonLine): Generator<Told> {
    const at = this.#lines++;
    const type =
      line.long === undefined ? topLevelText(line.bytes, "type") : textOf(recordOf(line.long.value)?.["type"]);
    if (type !== undefined && SILENT.has(type)) return;
    const record = recordOf(parsedLine(line));
    if (record === undefined) return this.#skip("lines that are no records");
    const time = timeOf(record["timestamp"]);
    const payload = recordOf(record["payload"]) ?? {};
    if (type === "response_item") yield* this.#toldByItem(payload, at, time);
    else if (type === "compacted") yield* this.#toldByItem({ ...payload, type: "compacted" }, at, time);
    else if (type === "session_meta") yield* this.#toldByMeta(payload, at);
    // The first versions wrote both without anything around them.
    else if (type === undefined && textOf(record["id"]) !== undefined) yield* this.#toldByMeta(record, at);
    else if (type !== undefined && isItem(record)) yield* this.#toldByItem(record, at, time);
    else if (record["record_type"] === undefined)
      this.#skip(`records of the unknown type ${(type ?? "").slice(0, 40)}`);
  }

  passedOver(): Told[] {
    const told = [...this.#skipped].map(([reason, count]): Told => ({ kind: "skipped", count, reason }));
    this.#skipped.clear();
    return told;
  }

  *#toldByMeta(meta: Fields, at: number): Generator<Told> {
    // A session that goes on from another one has that one's record too, further down.
    if (at > 0) return;
    const id = textOf(meta["id"]) ?? this.#session.id;
    const subagent = recordOf(meta["source"])?.["subagent"];
    const parent = textOf(recordOf(recordOf(subagent)?.["thread_spawn"])?.["parent_thread_id"]);
    this.#session = { conversation: parent ?? id, id, isSubagent: subagent !== undefined };
    if (this.#session.isSubagent) return;
    const created = timeOf(meta["timestamp"]);
    yield {
      kind: "conversation",
      facts: {
        id,
        folder: textOf(meta["cwd"]),
        branch: textOf(recordOf(meta["git"])?.["branch"]),
        ...(created !== undefined && { created: { at: created, known: "stored" } }),
      },
    };
  }

  *#toldByItem(item: Fields, at: number, time: number | undefined): Generator<Told> {
    const said = saidBy(item);
    if (said === undefined) return this.#skip(`items of the unknown type ${String(item["type"]).slice(0, 40)}`);
    if (said.text === "") return;
    const { conversation, id, isSubagent } = this.#session;
    const key = `${id}:${at}`;
    const kind = isSubagent && said.kind === "prose" ? "subagent" : said.kind;
    const isPrompt = kind === "prose" && said.role === "user";
    yield {
      kind: "part",
      part: {
        ...said,
        conversation,
        key,
        message: key,
        kind,
        order: isSubagent ? AFTER_ALL + at : at,
        time,
        text: kind === "prose" ? said.text : boundedText(said.text),
        ...(isPrompt && { follows: this.#follows ?? conversation }),
      },
    };
    if (kind === "prose") this.#follows = key;
  }

  #skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }
}
