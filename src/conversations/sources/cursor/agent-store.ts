// Cursor's command-line agent: one `store.db` per conversation, in which blobs
// refer to each other by hash, from a root (protobuf) to the messages (JSON);
// and the transcripts that agents write beside it, which are read if no database
// has the conversation. Used by cursor.ts.
import { UnreadableFile } from "../../../files/files.ts";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { userFolders } from "../kit/editor-folders.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { parsedLine, readJsonLines } from "../kit/json-lines.ts";
import { recordAt, textAt } from "../kit/json-document.ts";
import { fieldsOf, textOfBytes, valuesOf } from "../kit/protobuf.ts";
import { timeOf, type Batch, type KnownTime, type SourceEvent, type TranscriptFile } from "../source.ts";
import { MAX_VALUE_SIZE, recordOf, storedJson, textOf } from "../kit/stored-json.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import type { Fields } from "./bubbles.ts";
import { eventsOfMessage } from "./messages.ts";

const BLOBS_AT_ONCE = 32;
/** Messages are a few levels below the root. */
const DEEPEST = 32;

export async function* readCursorAgent(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  using database = new ForeignDatabase(transcript.path);
  if (!(await database.hasTable("meta")) || !(await database.hasTable("blobs"))) return;
  const meta = await metaIn(database);
  const metaFile = recordAt(join(dirname(transcript.path), "meta.json"));
  const id = textOf(meta?.["agentId"]) ?? basename(dirname(transcript.path));
  const root = textOf(meta?.["latestRootBlobId"]);
  if (root === undefined) return;
  if (root === checkpoint) return;
  const rootBlob = await blob(database, root);
  const fields = rootBlob === undefined ? undefined : fieldsOf(rootBlob);
  if (fields === undefined) throw new UnreadableFile("in a form of Cursor's store that is not known");
  const uri = textOfBytes(valuesOf(fields, 9)[0]);
  yield [
    {
      kind: "conversation",
      facts: {
        id,
        title: textOf(metaFile?.["title"]) ?? textOf(meta?.["name"]),
        folder: textOf(metaFile?.["cwd"]) ?? (uri && folderOfUri(uri)) ?? undefined,
        workspace: basename(dirname(dirname(transcript.path))),
        created: known(timeOf(meta?.["createdAt"]) ?? timeOf(metaFile?.["createdAtMs"]), "stored"),
        updated: known(timeOf(metaFile?.["updatedAtMs"]), "stored") ?? { at: transcript.changed, known: "file" },
        model: textOf(meta?.["lastUsedModel"]),
      },
    },
  ];
  const messages: string[] = [];
  for await (const hash of leavesBelow(database, rootBlob!, new Set([root]))) messages.push(hash);
  const isSubagent = metaFile?.["isSubagent"] === true;
  const seen = new Map<string, number>();
  let follows: string | undefined;
  for (let at = 0; at < messages.length && !signal.aborted; at += BLOBS_AT_ONCE) {
    const events: SourceEvent[] = [];
    let unreadable = 0;
    for (const [offset, hash] of messages.slice(at, at + BLOBS_AT_ONCE).entries()) {
      const bytes = await blob(database, hash);
      const message = recordOf(storedJson(bytes));
      // Equal messages share one blob.
      const times = (seen.get(hash) ?? 0) + 1;
      seen.set(hash, times);
      if (message === undefined) {
        unreadable++;
        continue;
      }
      const key = `${id}:${hash.slice(0, 16)}:${times}`;
      const place = { conversation: id, key, order: at + offset, follows, isSubagent };
      events.push(...eventsOfMessage(message["role"], message["content"], place));
      follows = key;
    }
    if (unreadable > 0 && checkpoint === undefined)
      events.push({ kind: "unreadable", count: unreadable, reason: "messages in a form that is not known" });
    yield events;
  }
  if (!signal.aborted) yield [{ kind: "checkpoint", checkpoint: root }];
}

function known(at: number | undefined, how: KnownTime["known"]): KnownTime | undefined {
  return at === undefined ? undefined : { at, known: how };
}

/** Hexadecimal JSON under the key 0. */
async function metaIn(database: ForeignDatabase): Promise<Fields | undefined> {
  const [row] = await database.rows("SELECT value FROM meta WHERE key = '0'");
  const text = textOfBytes(row?.["value"] as Uint8Array | undefined) ?? textOf(row?.["value"]);
  if (text === undefined) return undefined;
  return recordOf(storedJson(/^[\da-f]+$/i.test(text) ? Buffer.from(text, "hex") : text));
}

async function blob(database: ForeignDatabase, id: string): Promise<Uint8Array | undefined> {
  const [row] = await database.rows(
    "SELECT data FROM blobs WHERE id = ? AND octet_length(data) <= ?",
    id,
    MAX_VALUE_SIZE,
  );
  const data = row?.["data"];
  return typeof data === "string" ? Buffer.from(data) : data instanceof Uint8Array ? data : undefined;
}

/**
 * The messages in order: all leaves below a node. Its first field has the hashes of its children; if it has none, any
 * field may. A missing blob counts as an unreadable message.
 */
async function* leavesBelow(
  database: ForeignDatabase,
  node: Uint8Array,
  path: ReadonlySet<string>,
): AsyncGenerator<string> {
  const fields = fieldsOf(node) ?? [];
  const named = hashesIn(valuesOf(fields, 1));
  const isNamed = named.length > 0;
  for (const hash of isNamed ? named : hashesIn(fields.map(({ value }) => value))) {
    if (path.has(hash) || path.size > DEEPEST) continue;
    const child = await blob(database, hash);
    const isMessage = child !== undefined && recordOf(storedJson(child))?.["role"] !== undefined;
    const isTree = child !== undefined && !isMessage && child[0] !== OPENING_BRACE && fieldsOf(child) !== undefined;
    if (isTree) yield* leavesBelow(database, child, new Set([...path, hash]));
    else if (isMessage || isNamed) yield hash;
  }
}

const OPENING_BRACE = 0x7b;

function hashesIn(values: readonly (number | Uint8Array)[]): string[] {
  return values.map(hashIn).filter((hash) => hash !== undefined);
}

function hashIn(value: number | Uint8Array): string | undefined {
  return value instanceof Uint8Array && value.length === 32 ? Buffer.from(value).toString("hex") : undefined;
}

/** What a later reading of a transcript needs beside its position: lines have no ids. */
interface TranscriptCheckpoint {
  readonly at: string;
  readonly lines: number;
}

export async function* readCursorTranscript(
  transcript: TranscriptFile,
  text: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const before = text === undefined ? undefined : (JSON.parse(text) as TranscriptCheckpoint);
  const [project, rest] = transcript.path.split(/[/\\]agent-transcripts[/\\]/) as [string, string];
  const id = rest.split(/[/\\]/)[0]!.replace(/\.jsonl$/, "");
  const isSubagent = /[/\\]subagents[/\\]/.test(rest);
  if (await isInDatabase(project, id)) {
    if (text === undefined)
      yield [{ kind: "skipped", count: 1, reason: "transcripts of conversations that a database holds" }];
    return;
  }
  const name = basename(transcript.path, ".jsonl");
  let lines = before?.lines ?? 0;
  let follows: string | undefined;
  for await (const { isRewritten, lines: read, checkpoint } of readJsonLines(transcript, before?.at, signal)) {
    if (isRewritten) lines = 0;
    const events: SourceEvent[] = isRewritten ? [{ kind: "rewritten" }] : [];
    if (!isSubagent)
      events.push({
        kind: "conversation",
        facts: { id, folder: folderOfProject(project), workspace: basename(project) },
      });
    let skipped = 0;
    for (const line of read) {
      const record = recordOf(parsedLine(line));
      const key = `${name}:${lines}`;
      const place = { conversation: id, key, order: lines, follows, isSubagent };
      if (record === undefined) skipped++;
      else events.push(...eventsOfMessage(record["role"], recordOf(record["message"])?.["content"], place));
      follows = key;
      lines++;
    }
    if (skipped > 0) events.push({ kind: "skipped", count: skipped, reason: "lines that are no records" });
    yield [
      ...events,
      { kind: "checkpoint", checkpoint: JSON.stringify({ at: checkpoint, lines } satisfies TranscriptCheckpoint) },
    ];
  }
}

/** Returns whether the agent's own store, or the editor's database, has the conversation of a transcript. */
async function isInDatabase(project: string, id: string): Promise<boolean> {
  const cursor = dirname(dirname(project));
  const chats = join(cursor, "chats");
  if (namesIn(chats).some((hash) => existsSync(join(chats, hash, id, "store.db")))) return true;
  const home = {
    folder: dirname(cursor),
    systems: ["linux", "darwin", "win32"] as const,
    environment: process.env,
    projects: [],
  };
  for (const folder of userFolders(home, "Cursor", ".cursor-server")) {
    const state = join(folder, "globalStorage", "state.vscdb");
    if (existsSync(state) && (await hasBubbles(state, id))) return true;
  }
  return false;
}

async function hasBubbles(state: string, id: string): Promise<boolean> {
  using database = new ForeignDatabase(state);
  try {
    if (!(await database.hasTable("cursorDiskKV"))) return false;
    const rows = await database.rows(
      "SELECT 1 FROM cursorDiskKV WHERE key >= ? AND key < ? LIMIT 1",
      `bubbleId:${id}:`,
      `bubbleId:${id};`,
    );
    return rows.length > 0;
  } catch (error) {
    if (error instanceof UnreadableFile) return false;
    throw error;
  }
}

/** The name of the folder cannot be turned into a path; Cursor stores the path beside it. */
function folderOfProject(project: string): string | undefined {
  const trusted = textOf(recordAt(join(project, ".workspace-trusted"))?.["workspacePath"]);
  return trusted ?? /workspacePath=(.+)/.exec(textAt(join(project, "worker.log")) ?? "")?.[1]?.trim();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
