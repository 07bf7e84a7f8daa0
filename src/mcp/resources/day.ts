// A day as Markdown, for the prompt "day": its note, what is open, what was
// written and what was talked about. Made from tool calls, and short: a model
// reads more where it needs to.
import type { Commonplace } from "../../app/app.ts";
import { answerOf } from "./answer.ts";

/** The largest number of lines in a part. */
const MAX_LINES = 30;
/** Notes that are read for what is open. */
const MAX_NOTES = 20;
/** Characters of the day's note. */
const MAX_CHARACTERS = 6_000;
/** Characters of a line that somebody wrote. */
const MAX_LINE_LENGTH = 200;

/** A day, from its first millisecond to the first of the next. */
export interface DaySpan {
  /** 2026-11-16 */
  readonly date: string;
  readonly start: number;
  readonly end: number;
}

/** The day that is meant by a date, `today` or `yesterday`; undefined if it is not a day. */
export async function daySpanNamed(when: string, { settings }: Commonplace): Promise<DaySpan | undefined> {
  const { daySpan, timeZone } = await import("../../vault/vault.ts");
  return daySpan(when, { now: Date.now, zone: timeZone(settings.timeZone) });
}

/** A day in one of the vaults: undefined for the default. */
interface VaultDay extends DaySpan {
  readonly vault: string | undefined;
}

export async function dayPage(day: VaultDay, commonplace: Commonplace): Promise<string> {
  const { vault } = day;
  const own = await noteOf(`daily:${day.date}`, commonplace, vault);
  const changed = await changedNotes(day, commonplace);
  const notes = [...new Set([...(own === undefined ? [] : [own.path]), ...changed])];
  const parts = [
    own === undefined ? "It has no note yet." : `## Its note, ${own.path}\n\n${beginningOf(own.text)}`,
    part("Open", await openTasks(day, notes, commonplace)),
    part("Notes changed last on this day", changed),
    part("What assistants changed", await changes(day, commonplace)),
    part("Talked about with assistants", await conversations(day, commonplace)),
  ];
  return [`# ${day.date}`, ...parts.filter((text) => text !== "")].join("\n\n");
}

function part(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const more = lines.length > MAX_LINES ? [`- … and ${lines.length - MAX_LINES} more`] : [];
  return [`## ${title}\n`, ...lines.slice(0, MAX_LINES).map((line) => `- ${lineOf(line)}`), ...more].join("\n");
}

/** One line, whatever a title or a task has in it. */
function lineOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH - 1).toWellFormed()}…`;
}

function beginningOf(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text.trim();
  return `${text.slice(0, MAX_CHARACTERS).toWellFormed().trim()}\n\n[The rest is left out.]`;
}

async function noteOf(
  filePath: string,
  commonplace: Commonplace,
  vault: string | undefined,
): Promise<{ path: string; text: string } | undefined> {
  const note = await answerOf(commonplace.call("contentManager_readContent", { filePath, vault }, { asker: "server" }));
  return note && { path: note.data.filePath, text: note.data.content };
}

/** By the times of the files, the latest first, by any program that changed them. */
async function changedNotes({ start, end, vault }: VaultDay, commonplace: Commonplace): Promise<string[]> {
  const sent = { path: "/", depth: 100, filter: "*.md", includeFolders: false, vault };
  const listed = await answerOf(commonplace.call("vaultManager_listDirectory", sent, { asker: "person" }));
  return (listed?.data.entries ?? [])
    .filter(({ modified }) => isWithin(modified, start, end))
    .toSorted((a, b) => Date.parse(b.modified) - Date.parse(a.modified))
    .map(({ path }) => path);
}

/** Lists the tasks due by the end of the day, then the open ones in the notes of the day. */
async function openTasks(
  { date, vault }: VaultDay,
  paths: readonly string[],
  commonplace: Commonplace,
): Promise<string[]> {
  const found = new Map<string, string>();
  const add = async (question: object) => {
    const sent = { ...question, limit: MAX_LINES + 1, vault };
    const listed = await answerOf(commonplace.call("list_tasks", sent, { asker: "person" }));
    for (const { id, path, line, row, text, due } of listed?.tasks ?? []) {
      const place = `${path}${line === undefined ? "" : `:${line}`}${row === undefined ? "" : ` row ${row}`}`;
      if (text !== "") found.set(id, `[ ] ${place} ${text}${due === undefined ? "" : ` (due ${due})`}`);
    }
  };
  await add({ dueBy: date });
  for (const path of paths.slice(0, MAX_NOTES)) await add({ path });
  return [...found.values()];
}

async function changes({ start, end, vault }: VaultDay, commonplace: Commonplace): Promise<string[]> {
  const history = await answerOf(commonplace.call("history", { limit: 200, vault }, { asker: "server" }));
  return (history?.entries ?? [])
    .filter(({ time, undone }) => !undone && isWithin(time, start, end))
    .map(({ message, id }) => `${id} ${message}`);
}

/** Those whose last message is of this day. None if hosts are not offered conversations. */
async function conversations({ start, end }: DaySpan, commonplace: Commonplace): Promise<string[]> {
  if ((await commonplace.toolbox()).find("recall_conversations") === undefined) return [];
  const sent = { since: new Date(start).toISOString(), project: "all", min_score: 0, limit: 100 };
  const recalled = await answerOf(commonplace.call("recall_conversations", sent, { asker: "person" }));
  return (recalled?.conversations ?? [])
    .filter((row) => isWithin(row.updated_at, start, end))
    .toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))
    .map(({ title, source_tool, id }) => `${source_tool} ${id} ${title || "Untitled"}`);
}

function isWithin(time: string, start: number, end: number): boolean {
  const at = Date.parse(time);
  return at >= start && at < end;
}
