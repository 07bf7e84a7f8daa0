// undo, redo and history, of the writes of all tools.
import type { ChangedBy, EntryChanges, FileTogether, Journals, Reversed, UndoForecast } from "../../journal/journal.ts";
import {
  confirmation,
  flag,
  integer,
  list,
  object,
  optional,
  resultObject,
  text,
  unlisted,
} from "../definition/schema.ts";
import { defineTool, type Call, type Services } from "../definition/define-tool.ts";
import { CHANGES, READS } from "../definition/effects.ts";
import type { Values } from "../definition/field.ts";
import { counted, Problem } from "../../kernel/kernel.ts";
import type { Vault } from "../../vault/vault.ts";
import { OPTIONAL_CONTEXT } from "../definition/context-fields.ts";
import { isoTime, startOf } from "../definition/dates.ts";
import { LazyList, mapped } from "../definition/lazy-list.ts";
import { FRESHNESS } from "../vault/fields.ts";

const SHARED = { toolset: "every", contract: "vault", inVault: true } as const;

type UndoStep = "undo" | "redo";

/** Maximum number of entries in an answer. */
const MAX_ENTRIES = 1000;
/** Maximum number of entries that are taken together: each is made from the files as they are. */
const MAX_TOGETHER = 100;
/** Maximum number of paths in an entry. */
const MAX_PATHS = 50;
/** Of an entry with more paths, those that were not asked for are counted only: a move names two, and the links that it changed. */
const FEW_PATHS = 3;

const ENTRY = {
  id: text(),
  tool: text(),
  paths: list(text()),
  message: text(),
  /** The program or person that asked for it. */
  by: unlisted(resultObject<ChangedBy>()),
  /** The member who made it, in a shared space. */
  member: unlisted(text()),
  /** Places in the trash of the entries that it removed. */
  trashed: unlisted(list(text())),
  /** The vault that it changed, if there are several. */
  vault: unlisted(text()),
  /** Those of the paths at which there is no note now. For the page. */
  gone: unlisted(list(text())),
};

/** The common parts of undo and redo: all but their names. */
const STEP = {
  ...SHARED,
  effects: CHANGES,
  returnsForeignText: true,
  input: { id: optional(text()), ...OPTIONAL_CONTEXT },
  output: {
    success: flag(),
    ...ENTRY,
    /** When it was made, if not by this server. */
    time: unlisted(text()),
    /** Names the author of the change, and how to bring it back. */
    hint: unlisted(text()),
  },
  about: ({ id }: { readonly id?: string | undefined }) => id,
  text: ({ message, id, ...entry }: EntryText) => ({
    head: [message, `id: ${id}`, ...detailsOf(message, entry)].join("\n"),
    words: "",
  }),
} as const;

async function runStep(
  step: UndoStep,
  sent: string | undefined,
  { services, signal, isForModel, offers }: Pick<Call, "services" | "signal" | "isForModel" | "offers">,
) {
  const journals = await services.journals();
  // Some callers fill in every argument, and send an empty id for none.
  const { ofOthers, ...reversed } = await journals[step]({ id: sent || undefined, signal });
  const hint = isForModel ? stepHint(step, { id: reversed.id, isNamed: Boolean(sent), ofOthers }, offers) : "";
  return {
    success: true,
    ...withFewPaths(reversed, ""),
    ...(ofOthers && { ...ofOthers, ...memberOf(ofOthers), time: isoTime(ofOthers.time) }),
    ...(hint !== "" && { hint }),
  };
}

interface Reversal {
  readonly id: string;
  readonly ofOthers: Reversed["ofOthers"] | undefined;
  /** True if the caller named the entry. */
  readonly isNamed: boolean;
}

/** Names the author of the change, if not this server or member, and how to bring it back where `redo` is not offered. */
function stepHint(step: UndoStep, { id, isNamed, ofOthers }: Reversal, offers: Call["offers"]): string {
  const back = step === "redo" ? `undo {"id":"${id}"}` : `undo {"id":"${id}","redo":true}`;
  const isKnown = step === "redo" || offers("redo") === true;
  if (ofOthers === undefined) return isKnown ? "" : `To bring it back: ${back}.`;
  const { time, by } = ofOthers;
  const maker = by?.client ?? (by === undefined || by.asker === "host" ? "another server" : `a ${by.asker}`);
  const whose = isNamed
    ? `That was a change of ${by?.member ?? "a former member"}, not yours, ${isoTime(time)}.`
    : `This server has made no change that could be ${step === "undo" ? "undone" : "redone"}, so ${by?.member === undefined ? `the newest of all was taken: one of ${maker}` : "your newest was taken"}, ${isoTime(time)}.`;
  return `${whose} If that was not meant: ${back}.`;
}

export const undo = defineTool({
  ...STEP,
  name: "undo",
  title: "Undo",
  description:
    "Undo (revert, take back, Ctrl+Z) the last change, move or deletion: put it back, bring back what was deleted, or undo the change with this id (undoId).",
  byDefault: true,
  input: {
    ...STEP.input,
    count: optional(integer("", { minimum: 1, maximum: MAX_ENTRIES, isUnlisted: true })),
    since: optional(text()),
    /** The session of memory in which they were made: one conversation. */
    session: optional(text()),
    confirmed: optional(confirmation()),
    /** The preview of several, as without confirmed. */
    preview: unlisted(flag()),
    /** Redoes it instead, where the tool redo is not offered. */
    redo: unlisted(flag()),
  },
  output: {
    ...STEP.output,
    requiresConfirmation: unlisted(flag()),
    /** Changes that were undone at once, or would be: the newest first. */
    changes: unlisted(list(resultObject<SeveralUndone>())),
  },
  text: ({ changes = [], ...result }) => {
    const { head } = STEP.text(result);
    return { head, words: changes.map(({ id, time, message }) => `${id}  ${time}  ${message}`).join("\n") };
  },
  run: async ({ id, redo: isRedo, count, since, session, confirmed, preview = false }, call) => {
    const isSeveral = (count ?? 1) > 1 || Boolean(since) || Boolean(session);
    if (preview && !isSeveral)
      throw new Problem(
        "invalid",
        "undo has no preview. Nothing was changed.",
        "Send it without preview; of several changes (count) it has one.",
      );
    if (!isSeveral) return runStep(isRedo === true ? "redo" : "undo", id, call);
    if (id || isRedo === true)
      throw new Problem("invalid", "Several changes are undone by count, since or session, without id.");
    return undoSeveral({ count, since, session }, confirmed === true && !preview, call);
  },
});

interface Several {
  readonly count?: number | undefined;
  readonly since?: string | undefined;
  readonly session?: string | undefined;
}

interface SeveralUndone {
  readonly id: string;
  readonly time: string;
  readonly message: string;
  readonly vault?: string;
}

/** Undoes the newest changes that are meant, all or none; without `confirmed` it says which they are. */
async function undoSeveral({ count, since, session }: Several, confirmed: boolean, call: Call) {
  const journals = await call.services.journals();
  const start = startOf("since", since || undefined) ?? Number.NEGATIVE_INFINITY;
  const { entries } = await journals.history(MAX_ENTRIES);
  const meant = entries
    // An undo or redo is listed, too, and is taken back by redo.
    .filter(({ tool }) => tool !== "undo" && tool !== "redo")
    .filter(({ undone, time, by }) => !undone && time >= start && (!session || by?.session === session))
    .slice(0, count);
  const [first] = meant;
  if (first === undefined)
    throw new Problem("not_found", "There is no such change to undo.", "history {} lists those that there are.");
  const ids = meant.map(({ id }) => id);
  const { possible, obstacle } = await journals.forecastUndo(ids, call.signal);
  if (possible < ids.length)
    throw new Problem(
      "conflict",
      `${counted(ids.length, "change")} cannot be undone at once: nothing was changed. ${obstacle ?? ""}`.trim(),
      `In the way is the change ${ids[possible]}. The ${possible} newer ones can be undone with count.`,
    );
  const changes = meant.map(({ id, time, message, vault }) => ({
    id,
    time: isoTime(time),
    message,
    ...(vault !== undefined && { vault }),
  }));
  const paths = [...new Set(meant.flatMap((entry) => entry.paths))].slice(0, MAX_PATHS);
  const about = { id: first.id, tool: "undo", paths, changes };
  if (!confirmed)
    return {
      success: false,
      requiresConfirmation: true,
      ...about,
      message: `This will undo ${counted(ids.length, "change")}. Set confirmed=true to proceed.`,
    };
  for (const id of ids) await journals.undo({ id, signal: call.signal });
  return { success: true, ...about, message: `Undid ${counted(ids.length, "change")}` };
}

export const redo = defineTool({
  ...STEP,
  name: "redo",
  title: "Redo",
  description: "Redo what was undone last, or the change with this id.",
  byDefault: false,
  run: ({ id }, call) => runStep("redo", id, call),
});

export const history = defineTool({
  ...SHARED,
  name: "history",
  title: "History",
  description:
    "What was changed? History (log) of the last changes: everything edited in notes and outlines, with ids to undo.",
  byDefault: true,
  effects: READS,
  pages: "entries",
  pageSize: "limit",
  usualPageSize: 50,
  input: {
    limit: optional(integer("", { minimum: 1, maximum: MAX_ENTRIES, isUnlisted: true })),
    path: optional(text()),
    /** In milliseconds, ascending: counts the notes changed from each to the next, by anyone. For the page. */
    times: unlisted(list(integer(), "", MAX_ENTRIES)),
    /** The id of an entry: what it changed, and what stands in the way of undoing it. For the page. */
    changes: unlisted(text()),
    /** The ids of entries, the newest first: how many could be undone one after the other. For the page. */
    undoing: unlisted(list(text(), "", MAX_ENTRIES)),
    /** The ids of entries, the newest first: what they made of each file together. For the page. */
    together: unlisted(list(text(), "", MAX_TOGETHER)),
    ...OPTIONAL_CONTEXT,
  },
  output: {
    success: flag(),
    entries: list(object({ ...ENTRY, time: text(), undone: flag() })),
    notesChanged: optional(list(integer())),
    changes: unlisted(resultObject<EntryChanges>()),
    forecast: unlisted(resultObject<UndoForecast>()),
    together: unlisted(list(resultObject<FileTogether>())),
    /** How many other vaults and outlines have a history, which is listed where they are open. */
    elsewhere: unlisted(integer()),
    hint: unlisted(text()),
    ...FRESHNESS,
  },
  touches: ({ path }) => [path],
  text: ({ entries, notesChanged, elsewhere, stale }) => ({
    head: [
      entries.length === 0 ? "Nothing was written." : "Newest first: id, time, what was done",
      ...(notesChanged === undefined ? [] : [`notesChanged: ${notesChanged.join(", ")}`]),
      ...(elsewhere === undefined
        ? []
        : [`elsewhere: ${elsewhere} (other vaults and outlines with a history of their own)`]),
      ...(stale === true ? ["stale: true"] : []),
    ].join("\n"),
    words: entries.map(lineOf).join("\n"),
  }),
  run: async ({ path, times, changes, undoing, together }, { services, signal, isForModel, page: { start, size } }) => {
    const journals = await services.journals();
    if (changes !== undefined) {
      const found = await journals.changes(changes, signal);
      return { success: true, entries: [], ...(found && { changes: found }) };
    }
    if (undoing !== undefined)
      return { success: true, entries: [], forecast: await journals.forecastUndo(undoing, signal) };
    if (together !== undefined) {
      const { changesTogether } = await import("../../journal/journal.ts");
      const found: EntryChanges[] = [];
      for (const id of together.toReversed())
        found.push((await journals.changes(id, signal)) ?? { files: [], more: 0, later: [] });
      return { success: true, entries: [], together: changesTogether(found) };
    }
    const named = await namedPath(services, path);
    const { entries, total } = await (named === ""
      ? journals.history(start + size)
      : journals.history(MAX_ENTRIES + 1, named));
    const elsewhere = named === "" ? await journals.elsewhere() : 0;
    const isNamed = entries.some(({ paths }) => isOf(paths, named));
    // A deleted note has a history too: only a path without one may be meant as the name of a note.
    const about = isNamed || named === "" ? named : await placeNamed(services, named);
    const listed = about === named ? entries : (await journals.history(MAX_ENTRIES + 1, about)).entries;
    const wanted = about === "" ? [...listed] : await acrossMoves(journals, about, listed);
    const isMore = about !== "" && wanted.length > MAX_ENTRIES;
    if (isMore) wanted.length = MAX_ENTRIES;
    const shown = <E extends ChangedPaths>(entry: E) => withFewPaths(entry, about);
    const goneOf = isForModel ? undefined : await goneNotes(services, wanted.map(shown));
    const found = {
      success: true,
      entries: new LazyList(about === "" ? total : wanted.length, (from) =>
        mapped(wanted.slice(from), ({ by, moves: _, ...entry }) => ({
          ...shown(entry),
          ...memberOf({ by }),
          time: isoTime(entry.time),
          // A model has no use for the rest of it.
          ...(by !== undefined && !isForModel && { by }),
          ...goneOf?.(shown(entry)),
        })),
      ),
      ...(elsewhere > 0 && { elsewhere }),
      ...(about !== "" && searchHint(about, wanted.length, isMore)),
    };
    if (times === undefined) return found;
    const { changedNotes } = await import("../../vault/vault.ts");
    const { counts, freshness } = await changedNotes(await services.vault(), times);
    return { ...found, notesChanged: counts, ...(freshness.stale && freshness) };
  },
});

type Listed = Awaited<ReturnType<Journals["history"]>>["entries"][number];

/** How often a note may have been moved. */
const MAX_MOVES = 50;

/** The changes of a path, and those of what is there now from before it was moved there. Newest first. */
async function acrossMoves(journals: Journals, about: string, listed: readonly Listed[]): Promise<Listed[]> {
  const found = new Map(listed.filter(({ paths }) => isOf(paths, about)).map((entry) => [entry.id, entry]));
  let [name, known]: [string, readonly Listed[]] = [about, [...found.values()]];
  let last: Listed | undefined;
  const isBefore = ({ id, time, vault }: Listed) =>
    last === undefined || (time <= last.time && id !== last.id && vault === last.vault);
  for (let moves = 0; moves < MAX_MOVES; moves++) {
    const path = name;
    const movedIt = (entry: Listed) => !entry.undone && isBefore(entry) && nameBefore(entry, path) !== undefined;
    // A folder is moved by one entry, which names nothing in it.
    const ofFolders = await Promise.all(foldersAbove(path).map((folder) => journals.history(MAX_ENTRIES + 1, folder)));
    const all = [...known, ...ofFolders.flatMap(({ entries }) => entries)];
    const move = all.filter(movedIt).toSorted((a, b) => b.time - a.time)[0];
    if (move === undefined) break;
    last = move;
    const before = nameBefore(move, path)!;
    name = before;
    known = (await journals.history(MAX_ENTRIES + 1, before)).entries.filter(
      (entry) => isBefore(entry) && isOf(entry.paths, before),
    );
    for (const entry of [move, ...known]) found.set(entry.id, entry);
  }
  return [...found.values()].toSorted((a, b) => b.time - a.time);
}

/** From the nearest up. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) folders.push(path.slice(0, end));
  return folders;
}

/** The path from which an entry moved what is at a path since; undefined if it did not. */
function nameBefore({ moves }: Pick<Listed, "moves">, path: string): string | undefined {
  for (const { from, to } of moves) {
    if (to === path || to === `${path}.md`) return from;
    if (path.startsWith(`${to}/`)) return from + path.slice(to.length);
  }
  return undefined;
}

/** The path that is meant by a path, a link or the address of a day; empty for everything. */
async function namedPath({ vault }: Services, sent = ""): Promise<string> {
  const path = /^\[\[|:/.test(sent) ? await pathMeant(await vault(), sent) : sent;
  return path.replaceAll("\\", "/").replace(/^(?:\.?\/)+|(?<!\/)\/+$|^\.$/g, "");
}

/** The note or folder that has such a name; what was sent if there is none. */
async function placeNamed({ vault }: Services, sent: string): Promise<string> {
  const { meantPlace } = await import("../../vault/vault.ts");
  try {
    return (await meantPlace(await vault(), sent))?.path ?? sent;
  } catch (error) {
    if (error instanceof Problem) return sent;
    throw error;
  }
}

async function pathMeant(vault: Vault, sent: string): Promise<string> {
  const { meantNote, resolveDay } = await import("../../vault/vault.ts");
  return resolveDay(vault, (await meantNote(vault, sent)).path);
}

/** Returns a function that names the deleted notes of an entry; it skips vaults that cannot be opened. */
async function goneNotes({ vaults }: Services, entries: readonly ChangedPaths[]) {
  const [{ isAt }, { parseNotePath }] = await Promise.all([
    import("../../vault/vault.ts"),
    import("../../files/files.ts"),
  ]);
  const opened = new Map<string | undefined, Vault>();
  for (const { name, vault } of vaults)
    await vault().then(
      (open) => opened.set(vaults.length === 1 ? undefined : name, open),
      () => {},
    );
  const missing = new Set<string>();
  for (const { paths, vault: name } of entries) {
    const vault = opened.get(name);
    for (const path of paths)
      if (vault !== undefined && /\.md$/i.test(path) && !(await isAt(vault, parseNotePath(path), "file")))
        missing.add(keyOf(name, path));
  }
  return ({ paths, vault: name }: ChangedPaths) => {
    const gone = paths.filter((path) => missing.has(keyOf(name, path)));
    return gone.length === 0 ? {} : { gone };
  };
}

function keyOf(vault: string | undefined, path: string): string {
  return `${vault ?? ""}\n${path}`;
}

interface ChangedPaths {
  readonly paths: readonly string[];
  readonly vault?: string | undefined;
}

/** Words the hint of a search for a path that found nothing, or more than it lists. */
function searchHint(path: string, found: number, isMore: boolean): { readonly hint?: string } {
  if (found === 0) return { hint: `No change of ${path} is in the history: history {} lists those of everything.` };
  return isMore ? { hint: `These are the last ${found} changes of ${path}: there are more.` } : {};
}

function lineOf({ id, time, tool, message, undone, ...entry }: EntryText & { time: string; undone: boolean }): string {
  const details = detailsOf(message, entry);
  return [`${id}  ${time}  ${message} (${undone ? "undone, " : ""}${tool})`, ...details].join("; ");
}

type EntryText = Values<typeof ENTRY>;

/** The member who made the change, if several people write the same files. */
function memberOf({ by }: { readonly by?: ChangedBy | undefined }): { readonly member?: string } {
  return by?.member === undefined ? {} : { member: by.member };
}

/** Returns the rest of a line after the message, which names one or two paths itself. */
function detailsOf(
  message: string,
  { paths, member, trashed = [], vault }: Pick<EntryText, "paths" | "member" | "trashed" | "vault">,
): string[] {
  const others = paths.filter((path) => !message.includes(path));
  return [
    ...(member === undefined ? [] : [`by ${member}`]),
    ...(vault === undefined ? [] : [`vault: ${vault}`]),
    ...(others.length > 0 ? [`files: ${others.join(", ")}`] : []),
    ...(trashed.length > 0 ? [`in the trash: ${trashed.join(", ")}`] : []),
  ];
}

/**
 * Moving a folder may rewrite links in thousands of notes, and an import adds hundreds: an entry names only the first.
 * If a path was asked for, those of it; the others are counted.
 */
function withFewPaths<E extends { readonly paths: readonly string[] }>(entry: E, about: string): E {
  const { paths } = entry;
  const few = about === "" || paths.length <= FEW_PATHS ? paths : paths.filter((one) => isOf([one], about));
  const named = few.slice(0, MAX_PATHS);
  return named.length === paths.length ? entry : { ...entry, paths: [...named, `… (${paths.length} in all)`] };
}

function isOf(paths: readonly string[], sent: string): boolean {
  const path = sent.normalize("NFC");
  const isAt = (one: string) => one === path || one === `${path}.md` || one.startsWith(`${path}/`);
  return path === "" || paths.some((one) => isAt(one.normalize("NFC")));
}
