// The conversations that changed a file, or an outline row, by what their tool
// calls replaced and wrote. Used by conversation-library.ts.
import { posix } from "node:path";
import { escapePattern, nameIn } from "../../kernel/kernel.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { comparableFolder } from "../ingest/projects/project-identity.ts";
import type { ProjectFolder } from "../store/projects.ts";
import {
  partsOfPage,
  SUMMARY_COLUMNS,
  summaryIn,
  type ConversationSummary,
  type Message,
} from "../store/conversation-reader.ts";
import { CallOutcomes, isCall } from "./call-outcomes.ts";
import { comparableFile } from "./file-references.ts";
import { editsIn, type FileEdit } from "./file-edits.ts";
import { explain, type TimedEdit } from "./line-owners.ts";
import { type Standing, standingOf, takesAway } from "./standing.ts";

/** The file that is asked about. */
export interface AskedFile {
  /** Its path. */
  readonly path: string;
  /** Its path in the project; undefined if it is not in one. */
  readonly inProject?: { readonly root: string; readonly path: string } | undefined;
  /** Its path in the vault, as calls of our own tools name it. */
  readonly note?: string | undefined;
  /** Undefined if it is gone. */
  readonly text: string | undefined;
  readonly line?: number | undefined;
}

export interface Author {
  /** The conversation's row in the store. */
  readonly row: number;
  /** Lines of the present text that it wrote last, counted from 1. */
  readonly lines: readonly number[];
  /** The message before its newest edit; empty if there is none. */
  readonly message: string;
  readonly time: number;
  /** Says whether its edits still stand, with the id of the conversation that changed them; if all that ever wrote are asked for. */
  readonly standing?: Standing | undefined;
  readonly changedIn?: string | undefined;
}

/** So many conversations are read, the newest first: an often changed file has hundreds. */
const MAX_READ = 300;

type Messages = (conversation: ConversationSummary) => Iterable<readonly Message[]>;

export interface Made extends TimedEdit {
  readonly row: number;
  readonly message: string;
}

/** Those that wrote the line, or all that changed the file; the newest first. Of a file that is gone, all that wrote it. */
export function authorsOf(
  database: IndexDatabase,
  asked: AskedFile,
  folders: readonly ProjectFolder[],
  messages: Messages,
): Author[] {
  const made = editsOf(database, asked, folders, messages).flatMap(({ edits }) => edits);
  const explained = asked.text === undefined ? made.map((edit) => ({ edit, lines: [] })) : explain(asked.text, made);
  const authors = new Map<number, Author>();
  for (const { edit, lines } of explained) {
    if (asked.line !== undefined && asked.text !== undefined && !lines.includes(asked.line)) continue;
    const before = authors.get(edit.row);
    const own = [...(before?.lines ?? []), ...lines].toSorted((a, b) => a - b);
    authors.set(edit.row, {
      row: edit.row,
      lines: own,
      message: before?.message ?? edit.message,
      time: Math.max(before?.time ?? 0, edit.time),
    });
  }
  return [...authors.values()].toSorted((a, b) => b.time - a.time);
}

/** All that ever wrote the file, the newest first, with what became of that. */
export function everyAuthorOf(
  database: IndexDatabase,
  asked: AskedFile & { readonly text: string },
  folders: readonly ProjectFolder[],
  messages: Messages,
): Author[] {
  const all = editsOf(database, asked, folders, messages).filter(({ edits }) => edits.length > 0);
  const lines = Map.groupBy(
    explain(
      asked.text,
      all.flatMap(({ edits }) => edits),
    ),
    ({ edit }) => edit.row,
  );
  return all
    .map(({ conversation, edits }): Author => {
      const last = edits.toSorted((a, b) => a.time - b.time).at(-1)!;
      const standing = standingOf(asked.text, edits);
      const changes = all.flatMap((other) =>
        other.conversation.row === conversation.row
          ? []
          : other.edits
              .filter((edit) => edit.time > last.time && takesAway(edit, standing?.gone ?? []))
              .map((edit) => ({ edit, id: other.conversation.id })),
      );
      const own = (lines.get(conversation.row) ?? []).flatMap((one) => one.lines).toSorted((a, b) => a - b);
      const changedIn = changes.toSorted((a, b) => a.edit.time - b.edit.time)[0]?.id;
      return { row: conversation.row, lines: own, message: last.message, time: last.time, standing, changedIn };
    })
    .toSorted((a, b) => b.time - a.time);
}

function editsOf(
  database: IndexDatabase,
  asked: AskedFile,
  folders: readonly ProjectFolder[],
  messages: Messages,
): { readonly conversation: ConversationSummary; readonly edits: readonly Made[] }[] {
  return conversationsNaming(database, namesOf(asked)).map((conversation) => ({
    conversation,
    edits: editsBy(conversation, asked, folders, messages),
  }));
}

/** Those whose calls inserted or changed an outline row: the first of each that did not fail. */
export function authorsOfRow(database: IndexDatabase, id: string, messages: Messages): Author[] {
  const asked = new RegExp(`"(?:rowId|id)"\\s*:\\s*"${escapePattern(id)}"`);
  const returned = new RegExp(`"id"\\s*:\\s*\\\\?"${escapePattern(id)}\\\\?"`);
  return conversationsUsing(database, id)
    .flatMap((conversation): Author[] => {
      const changes = new Set<Author>();
      const outcomes = new CallOutcomes();
      let said = "";
      for (const message of [...messages(conversation)].flat()) {
        const { kind, role, tool = "", text } = message;
        if (kind === "prose") said = message.id;
        if (kind === "prose" && role === "user") outcomes.end();
        if (kind === "prose") continue;
        if (!isCall(message)) {
          outcomes.output(message);
          continue;
        }
        const time = message.time ?? conversation.updated;
        const change: Author = { row: conversation.row, lines: [], message: said, time };
        const isInsertion = INSERTION.test(tool);
        if (/(?:update_row|move_row)$/.test(tool) && asked.test(text)) changes.add(change);
        outcomes.add(message, ({ output, hasFailed }) => {
          if (hasFailed) changes.delete(change);
          else if (isInsertion && returned.test(output)) changes.add(change);
        });
      }
      return [...changes].toSorted((a, b) => a.time - b.time).slice(0, 1);
    })
    .toSorted((a, b) => b.time - a.time);
}

/** A note may be named without its ending. */
export function namesOf({ path, note }: AskedFile): string[] {
  const name = nameIn(path);
  return note === undefined ? [name] : [name, name.replace(/\.md$/i, "")];
}

/** Those that name the file, the newest first. */
export function conversationsNaming(database: IndexDatabase, names: readonly string[]): ConversationSummary[] {
  const patterns = names.map((name) => `%/${name.replaceAll(/[%_\\]/g, String.raw`\$&`)}`);
  const condition = names.map(() => "path = ? OR path LIKE ? ESCAPE '\\'").join(" OR ");
  return database
    .all(
      `SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE is_listed AND id IN (
         SELECT conversation FROM file WHERE ${condition}
       ) ORDER BY updated DESC LIMIT ?`,
      ...names.flatMap((name, i) => [name, patterns[i]!]),
      MAX_READ,
    )
    .map(summaryIn);
}

/** Tools that insert rows, and return their ids. */
const INSERTION = /(?:insert_content|add_row)$/;

/** The words of an id, all of which the text has to contain: the index has no phrases. */
function wordsOf(id: string): string {
  const words = id.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => `"${word}"`).join(" AND ") || '""';
}

/** Maximum number of pages that are searched, the newest first. */
const MAX_PAGES = 2_000;

/** Those that name the row, or have inserted any: only the beginning of what a tool returned is indexed. */
function conversationsUsing(database: IndexDatabase, id: string): ConversationSummary[] {
  const pages = database.all(
    `SELECT id, conversation FROM page WHERE id IN (SELECT rowid FROM tool_text WHERE tool_text MATCH ?)
     ORDER BY id DESC LIMIT ?`,
    `(${wordsOf(id)}) OR ("insert" AND "content") OR ("add" AND "row")`,
    MAX_PAGES,
  );
  const using = new Set<number>();
  for (const { id: page, conversation } of pages) {
    if (using.has(Number(conversation))) continue;
    const parts = partsOfPage(database, Number(page));
    if (parts.some(({ tool = "", text }) => INSERTION.test(tool) || text.includes(id))) using.add(Number(conversation));
  }
  return database
    .all(
      `SELECT ${SUMMARY_COLUMNS} FROM conversation WHERE is_listed AND id IN (SELECT value FROM json_each(?))
       ORDER BY updated DESC LIMIT ?`,
      JSON.stringify([...using]),
      MAX_READ,
    )
    .map(summaryIn);
}

/** The edits of a file that a conversation made and that did not fail. */
export function editsBy(
  conversation: ConversationSummary,
  asked: AskedFile,
  folders: readonly ProjectFolder[],
  messages: Messages,
): Made[] {
  const names = namesOf(asked);
  const prefix = folders.find(({ folder }) => folder === conversation.folder)?.prefix;
  const made = new Set<Made>();
  const outcomes = new CallOutcomes();
  let order = 0;
  /** The prose that the call belongs to: calls have no id of their own. */
  let said = "";
  for (const some of messages(conversation))
    for (const message of some) {
      order++;
      const { kind, role, tool, text } = message;
      if (kind === "prose") said = message.id;
      if (kind === "prose" && role === "user") outcomes.end();
      if (kind === "prose") continue;
      const edits = (tool !== undefined && names.some((name) => text.includes(name)) ? editsIn(tool, text) : [])
        .filter((edit) => isAskedFile(edit, tool!, asked, conversation.folder, prefix))
        // Without a time of its own, in the order of the conversation.
        .map((edit) => ({
          ...edit,
          row: conversation.row,
          message: said,
          time: message.time ?? conversation.updated + order / 1e6,
        }));
      if (edits.length === 0 && !isCall(message)) {
        outcomes.output(message);
        continue;
      }
      for (const edit of edits) made.add(edit);
      outcomes.add(message, ({ hasFailed }) => hasFailed && edits.forEach((edit) => made.delete(edit)));
    }
  return [...made];
}

/** @param prefix of the conversation's folder in the project; undefined if it was another project */
function isAskedFile(
  { file }: FileEdit,
  tool: string,
  asked: AskedFile,
  folder: string | undefined,
  prefix: string | undefined,
): boolean {
  const named = comparableFolder(file.replace(/^file:\/\//, ""));
  const isAbsolute = /^(?:\/|[a-z]:\/)/.test(named);
  if (isAbsolute && named === comparableFolder(asked.path)) return true;
  // Our own tools name notes by their place in the vault, and nothing else.
  if (/(?:contentManager|vaultManager|vaultLibrarian)_/.test(tool))
    return asked.note !== undefined && withEnding(named) === withEnding(asked.note);
  if (asked.inProject === undefined || folder === undefined || prefix === undefined) return false;
  const within = comparableFile(named, comparableFolder(folder));
  if (/^(?:\/|[a-z]:\/|\.\.)/i.test(within)) return false;
  return posix.normalize(prefix + within) === asked.inProject.path;
}

function withEnding(path: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.test(path) ? path : `${path}.md`;
}
