// Windsurf, later Devin. The conversations themselves (`cascade/*.pb`) are
// encrypted: they are counted and reported. Readable are the trajectories that
// it caches in its global database, chats in the databases of workspaces, and
// plans and memories, which are Markdown.
import { readText, reasonOf, UnreadableFile } from "../../../files/files.ts";
import { basename, dirname, join } from "node:path";
import { chatsIn, type ChatDocument } from "../kit/chat-documents.ts";
import { EditorItems, type ItemMarks, type ReadItem } from "../kit/editor-items.ts";
import { findStates, userFolders, workspaceIn, workspaceOfState, type EditorWorkspace } from "../kit/editor-folders.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import {
  boundedText,
  type Batch,
  type ConversationSource,
  type Finding,
  type Home,
  type KnownTime,
  type SourceEvent,
  type TranscriptFile,
} from "../source.ts";
import { MAX_VALUE_SIZE } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { summariesIn, trajectoryIn } from "./trajectory.ts";

export const windsurf: ConversationSource = {
  name: "windsurf",
  reader: 2,
  title: "Windsurf",
  find,
  read: (transcript, checkpoint) =>
    transcript.path.endsWith(".md") ? readMarkdown(transcript) : readState(transcript, checkpoint),
};

const PRODUCTS = [
  ["Windsurf", ".windsurf-server"],
  ["Windsurf - Next", ".windsurf-next-server"],
  ["Devin", ".devin-server"],
] as const;

function* find(home: Home): Generator<Finding> {
  for (const [product, server] of PRODUCTS)
    for (const folder of userFolders(home, product, server)) yield* findStates(folder);
  for (const name of "windsurf windsurf-next devin".split(" ")) yield* findCodeium(join(home.folder, ".codeium", name));
}

function* findCodeium(root: string): Generator<Finding> {
  yield* lookedInto(root);
  for (const { name } of (yield* listed(join(root, "brain"))) ?? [])
    for (const file of (yield* listed(join(root, "brain", name))) ?? [])
      if (file.name.endsWith(".md")) yield* foundFile(join(root, "brain", name, file.name));
  for (const { name } of (yield* listed(join(root, "memories"))) ?? [])
    // Rules are written by the user, for all conversations.
    if (name.endsWith(".md") && name !== "global_rules.md") yield* foundFile(join(root, "memories", name));
  const encrypted = ((yield* listed(join(root, "cascade"))) ?? []).filter(({ name }) => name.endsWith(".pb"));
  if (encrypted.length > 0)
    yield { kind: "skipped", place: join(root, "cascade"), count: encrypted.length, reason: "encrypted by Windsurf" };
}

const TRAJECTORIES = "codeium.windsurf";
const SUMMARIES = "windsurf.state.cachedTrajectorySummaries:";
const ACTIVE = "windsurf.state.cachedActiveTrajectory:";
const CHATS = [
  "chat.ChatSessionStore.index",
  "windsurf.chatSessionStore",
  "cascade.chatdata",
  "cascade.sessionData",
  "chat.data",
  "aiChat.chatdata",
  "workbench.panel.aichat.view.aichat.chatdata",
];

async function* readState(transcript: TranscriptFile, checkpoint: string | undefined): AsyncGenerator<Batch> {
  using database = new ForeignDatabase(transcript.path);
  if (!(await database.hasTable("ItemTable"))) return;
  const items = new EditorItems(database, checkpoint === undefined ? {} : (JSON.parse(checkpoint) as ItemMarks));
  const place = workspaceOfState(transcript.path);
  for (const key of CHATS) yield await items.read(key, (value) => eventsOfChats(value, place));
  if (place === undefined) {
    const storage = join(dirname(dirname(transcript.path)), "workspaceStorage");
    yield await items.readWith(TRAJECTORIES, () => readTrajectories(database, storage));
  }
  yield [
    { kind: "present", conversations: items.present },
    { kind: "checkpoint", checkpoint: JSON.stringify(items.marks) },
  ];
}

function eventsOfChats(value: unknown, place: EditorWorkspace | undefined): ReadItem {
  const chats = chatsIn(value);
  return { events: chats.flatMap((chat) => eventsOfChat(chat, place)), ids: chats.map(({ id }) => id) };
}

function eventsOfChat(
  { id, title, created, updated, messages }: ChatDocument,
  place: EditorWorkspace | undefined,
): SourceEvent[] {
  const facts: SourceEvent = {
    kind: "conversation",
    facts: {
      id,
      title,
      folder: place?.folder,
      workspace: place?.workspace,
      ...storedTimes(created, updated),
      ...(messages.length === 0 && title !== undefined && { unavailable: "encrypted" }),
    },
  };
  const parts = messages.map(({ id: own, role, kind, text, time }, order): SourceEvent => {
    const key = own ?? `${id}:${order}`;
    return {
      kind: "part",
      part: {
        conversation: id,
        key,
        message: key,
        order,
        role,
        kind,
        time,
        text: kind === "prose" ? text : boundedText(text),
      },
    };
  });
  return [facts, ...parts];
}

/** Only these two kinds of keys leave the database: the same value has a token. */
async function readTrajectories(database: ForeignDatabase, storage: string): Promise<ReadItem | undefined> {
  let rows;
  try {
    rows = await database.rows(
      `SELECT entry.key AS key, entry.value AS value
       FROM ItemTable, json_each(CAST(ItemTable.value AS TEXT)) AS entry
       WHERE ItemTable.key = ? AND octet_length(ItemTable.value) <= ? AND entry.type = 'text'
         AND (substr(entry.key, 1, ?) = ? OR substr(entry.key, 1, ?) = ?)`,
      TRAJECTORIES,
      MAX_VALUE_SIZE,
      SUMMARIES.length,
      SUMMARIES,
      ACTIVE.length,
      ACTIVE,
    );
  } catch (error) {
    if (/malformed JSON/.test((error as Error).message)) return undefined;
    throw error;
  }
  const events: SourceEvent[] = [];
  const titled = new Set<string>();
  const read = new Set<string>();
  // Readable ones first: of the others only the titles are known.
  for (const { key, value } of rows.toSorted((a, b) => Number(isList(a["key"])) - Number(isList(b["key"])))) {
    const place = workspaceIn(storage, String(key).slice(String(key).indexOf(":") + 1));
    const bytes = Buffer.from(String(value), "base64");
    events.push(
      ...(isList(key) ? eventsOfSummaries(bytes, place, titled, read) : eventsOfTrajectory(bytes, place, read)),
    );
  }
  return { events, ids: [...new Set([...titled, ...read])] };
}

function isList(key: unknown): boolean {
  return String(key).startsWith(SUMMARIES);
}

function eventsOfSummaries(
  bytes: Buffer,
  { folder, workspace }: EditorWorkspace,
  titled: Set<string>,
  read: ReadonlySet<string>,
): SourceEvent[] {
  const summaries = summariesIn(bytes);
  if (summaries === undefined) return [notKnown("lists of conversations")];
  return summaries.map(({ id, title, times }) => {
    titled.add(id);
    const time = (at: number): KnownTime | undefined => (times.length === 0 ? undefined : { at, known: "inferred" });
    return {
      kind: "conversation",
      facts: {
        id,
        title,
        folder,
        workspace,
        created: time(Math.min(...times)),
        updated: time(Math.max(...times)),
        ...(title !== undefined && !read.has(id) && { unavailable: "encrypted" }),
      },
    };
  });
}

function eventsOfTrajectory(bytes: Buffer, { folder, workspace }: EditorWorkspace, read: Set<string>): SourceEvent[] {
  const trajectory = trajectoryIn(bytes);
  if (trajectory === undefined) return [notKnown("conversations")];
  read.add(trajectory.id);
  const events: SourceEvent[] = [{ kind: "conversation", facts: { id: trajectory.id, folder, workspace } }];
  events.push(...trajectory.parts.map((part): SourceEvent => ({ kind: "part", part })));
  if (trajectory.unknown > 0)
    events.push({ kind: "skipped", count: trajectory.unknown, reason: "steps in a form that is not known" });
  return events;
}

function notKnown(what: string): SourceEvent {
  return { kind: "unreadable", count: 1, reason: `${what} in a form that is not known` };
}

/** A plan belongs to its conversation, after its messages; a memory is a conversation of its own. */
const AFTER_ALL = 1e9;

async function* readMarkdown(transcript: TranscriptFile): AsyncGenerator<Batch> {
  let text: string;
  try {
    text = readText(transcript.path, { followsLinks: true }).trim();
  } catch (error) {
    throw new UnreadableFile(reasonOf(error));
  }
  if (text === "") return;
  const name = basename(transcript.path, ".md");
  const isPlan = basename(dirname(dirname(transcript.path))) === "brain";
  const id = isPlan ? basename(dirname(transcript.path)) : `memory-${name}`;
  const heading = /^#{1,3}\s+(.+)$/m.exec(text)?.[1]?.trim() ?? name;
  const key = `${id}:${name}`;
  const title: SourceEvent[] = isPlan ? [] : [{ kind: "conversation", facts: { id, title: heading } }];
  const part = {
    conversation: id,
    key,
    message: key,
    order: AFTER_ALL,
    role: "assistant" as const,
    kind: "prose" as const,
  };
  yield [...title, { kind: "part", part: { ...part, text } }, { kind: "title", message: key, title: heading }];
}
