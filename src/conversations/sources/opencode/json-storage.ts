// The files in which opencode kept sessions until 2026: one for each session,
// message and part, below `storage/`. Later versions copied them into their
// database and left them: a session that is there is read there. Used by
// opencode.ts.
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readBytes } from "../../../files/files.ts";
import { once } from "../../../kernel/kernel.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { foundFile, listed } from "../kit/transcript-search.ts";
import { topSession } from "../kit/changed-sessions.ts";
import { MAX_VALUE_SIZE, recordOf, storedJson, textOf } from "../kit/stored-json.ts";
import { usageOf } from "../kit/token-counts.ts";
import { folderOfUri } from "../kit/workspace-uri.ts";
import { timeOf, type Batch, type Finding, type SourceEvent, type Tokens, type TranscriptFile } from "../source.ts";
import { eventsOfPart, orderOf, partIn, titleIn, type Message } from "./messages.ts";
import { Originals, type OtherSessions } from "./originals.ts";
import { copyTime, factsOf, type Session } from "./sessions.ts";
import { tokensOf } from "./tokens.ts";

type Fields = Readonly<Record<string, unknown>>;

/** `session/<project>/<id>.json` */
export function* findStorage(storage: string): Generator<Finding> {
  for (const project of (yield* listed(join(storage, "session"))) ?? []) {
    if (!project.isDirectory()) continue;
    const folder = join(storage, "session", project.name);
    for (const { name } of (yield* listed(folder)) ?? [])
      if (name.endsWith(".json")) yield* foundFile(join(folder, name), changingFiles(storage, basename(name, ".json")));
  }
}

/** Files and folders that change with the session: its list of messages, and what the last of them has. */
function changingFiles(storage: string, session: string): string[] {
  const messages = join(storage, "message", session);
  const last = namesIn(messages).at(-1);
  if (last === undefined) return [messages];
  const parts = join(storage, "part", last);
  return [
    messages,
    join(messages, `${last}.json`),
    parts,
    ...namesIn(parts).map((name) => join(parts, `${name}.json`)),
  ];
}

/** Ids are ascending. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => basename(name, ".json"))
      .toSorted();
  } catch {
    return [];
  }
}

/** Parts between batches. */
const PARTS_AT_ONCE = 64;

export async function* readStorage(
  transcript: TranscriptFile,
  databases: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const storage = dirname(dirname(dirname(transcript.path)));
  const session = sessionIn(jsonAt(transcript.path), transcript.path);
  for (const path of databases) if (await hasSession(path, session.id)) return;
  const isSubagent = session.parent !== undefined;
  const conversation = topSession(session.id, (id) => parentIn(jsonAt(join(dirname(transcript.path), `${id}.json`))));
  const messages = messagesOf(storage, session.id);
  const copiedAt = copyTime(session, messages[0]?.time);
  const originals = new Originals(sessionsBeside(transcript.path, storage));
  let events: SourceEvent[] = [{ kind: "rewritten" }, ...(isSubagent ? [] : [factsOf(session, copiedAt)])];
  let unreadable = messages.filter(({ isReadable }) => !isReadable).length;
  let follows: string | undefined;
  const left: string[] = [];
  for (const { id, time, message, tokens } of messages) {
    if (message.model !== undefined && !isSubagent && !message.isSummary)
      events.push({ kind: "conversation", facts: { id: session.id, model: message.model } });
    for (const [index, part] of namesIn(join(storage, "part", id)).entries()) {
      if (signal.aborted) return;
      const fields = jsonAt(join(storage, "part", id, `${part}.json`));
      const isCopy = copiedAt !== undefined && time !== undefined && time < copiedAt;
      const original = isCopy ? await originals.of({ id, time }, index) : undefined;
      const place = {
        conversation,
        isSubagent,
        key: original?.part ?? part,
        message: original?.message ?? id,
        order: orderOf(time ?? 0, index),
        time,
        follows,
      };
      const own = fields === undefined ? undefined : eventsOfPart(partIn(fields), message, place);
      if (own === undefined) unreadable++;
      else events.push(...own);
      if (events.length < PARTS_AT_ONCE) continue;
      yield events;
      events = [];
    }
    if (copiedAt === undefined || time === undefined || time >= copiedAt)
      events.push(...usageOf(tokens, { conversation }));
    follows = id;
    if (id === session.reverted || left.length > 0) left.push(id);
  }
  for (const message of left) events.push({ kind: "abandoned", conversation, abandoned: { message } });
  if (unreadable > 0)
    events.push({ kind: "unreadable", count: unreadable, reason: "messages in a form that is not known" });
  yield [...events, { kind: "checkpoint", checkpoint: transcript.stamp }];
}

interface StoredMessage {
  readonly id: string;
  readonly time: number | undefined;
  readonly message: Message;
  readonly tokens: Tokens | undefined;
  readonly isReadable: boolean;
}

function messagesOf(storage: string, session: string): StoredMessage[] {
  return namesIn(join(storage, "message", session)).map((id) => {
    const stored = jsonAt(join(storage, "message", session, `${id}.json`));
    const time = timeOf(recordOf(stored?.["time"])?.["created"]);
    return {
      id,
      time,
      message: messageIn(id, stored ?? {}),
      tokens: tokensOf(stored),
      isReadable: stored !== undefined,
    };
  });
}

/** The other sessions of the same project: their files are in the same folder. */
function sessionsBeside(path: string, storage: string): OtherSessions {
  const sessions = once(() =>
    namesIn(dirname(path))
      .filter((id) => id !== basename(path, ".json"))
      .map((id) => sessionIn(jsonAt(join(dirname(path), `${id}.json`)), `${id}.json`))
      .toSorted((a, b) => (b.created ?? 0) - (a.created ?? 0)),
  );
  return {
    messagesFrom: async (time) => {
      for (const { id, created } of sessions()) {
        if (created === undefined || created > time) continue;
        const messages = messagesOf(storage, id).map((one) => ({ id: one.id, time: one.time ?? 0 }));
        if (messages.some((one) => one.time === time)) return messages;
      }
      return [];
    },
    partsOf: async (message) => namesIn(join(storage, "part", message)),
  };
}

async function hasSession(path: string, id: string): Promise<boolean> {
  try {
    using database = new ForeignDatabase(path);
    return (await database.rows("SELECT 1 FROM session WHERE id = ?", id)).length > 0;
  } catch {
    return false;
  }
}

function jsonAt(path: string): Fields | undefined {
  try {
    return recordOf(storedJson(readBytes(path, { followsLinks: true }, MAX_VALUE_SIZE)));
  } catch {
    return undefined;
  }
}

function sessionIn(fields: Fields | undefined, path: string): Session {
  const folder = textOf(fields?.["directory"]);
  const time = recordOf(fields?.["time"]);
  return {
    // The file's own name: the id in it may be damaged.
    id: basename(path, ".json"),
    parent: textOf(fields?.["parentID"]),
    project: textOf(fields?.["projectID"]),
    title: titleIn(textOf(fields?.["title"])),
    folder: folder === undefined ? undefined : (folderOfUri(folder) ?? folder),
    created: timeOf(time?.["created"]),
    updated: timeOf(time?.["updated"]),
    reverted: textOf(recordOf(fields?.["revert"])?.["messageID"]),
  };
}

/** Undefined for one that cannot be the name of a file. */
function parentIn(fields: Fields | undefined): string | undefined {
  const parent = textOf(fields?.["parentID"]);
  return parent !== undefined && /^\w+$/.test(parent) ? parent : undefined;
}

function messageIn(id: string, fields: Fields): Message {
  return {
    id,
    role: fields["role"],
    model: fields["role"] === "assistant" ? textOf(fields["modelID"]) : undefined,
    isSummary: fields["summary"] === true,
  };
}
