// What a source is: the reader for one program, in one folder of sources/. A
// source knows where its program keeps conversations and how to read them; it
// knows nothing of the store, of search, or of other sources. ingest/ asks every
// source for its transcripts, and has it read those that changed.
//
// Files of other programs are only read: a source opens nothing for writing,
// sets no times, and creates no files beside them (except a `-shm`).
import { statSync } from "node:fs";
import type { SystemFamily } from "../../kernel/kernel.ts";
import { millisecondsOf } from "../../files/files.ts";

/** What results and ids call a source: its key in the table of sources.ts. */
export type SourceName = string;

export type System = SystemFamily;

/**
 * A home folder that may have conversations: the user's own, one of Windows as
 * WSL mounts it, or one from the settings (a backup, another machine's disk).
 */
export interface Home {
  readonly folder: string;
  /** The systems whose layout it may have: several for a folder of unknown origin. */
  readonly systems: readonly System[];
  /** CLAUDE_CONFIG_DIR, XDG_CONFIG_HOME, APPDATA … of this process; empty for any home but the user's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Folders of known projects, for programs that keep conversations in the project itself: those from the settings, and
   * those that conversations of any program have named. Empty for any home but the user's own.
   */
  readonly projects: readonly string[];
}

/**
 * A file of a program that holds conversation data: JSONL, JSON or a database.
 * `path` identifies it, and the store keeps a checkpoint for it.
 */
export interface TranscriptFile {
  readonly path: string;
  /** Differs if the file may have changed; made by `transcriptFileAt`. */
  readonly stamp: string;
  /** In bytes, for progress. */
  readonly size: number;
  /** When the file was last changed, in milliseconds: the time of conversations that have none. */
  readonly changed: number;
  /** The folder that its conversations were in, if the program says so elsewhere. Not there when non-prose is read apart. */
  readonly project?: string | undefined;
}

/** What `find` yields. Cheap: names and stats, no contents. */
export type Finding =
  | { readonly kind: "transcript"; readonly transcript: TranscriptFile }
  /** A folder or file where the program would keep conversations, and whether it exists. Each once. */
  | { readonly kind: "looked"; readonly place: string; readonly isThere: boolean }
  /** Conversations that are not read on purpose ("encrypted by Windsurf"). */
  | { readonly kind: "skipped"; readonly place: string; readonly count: number; readonly reason: string }
  /** What exists but cannot be read ("permission denied"). Transcripts in there that are stored already stay unchanged. */
  | { readonly kind: "unreadable"; readonly place: string; readonly count: number; readonly reason: string };

/** How a time is known: the program stored it, it was inferred from other records, or it is the file's own. */
export type TimeKnown = "stored" | "inferred" | "file";

export interface KnownTime {
  /** In milliseconds. Never invented: if there is no other, `TranscriptFile.changed` with `file`. */
  readonly at: number;
  readonly known: TimeKnown;
}

/**
 * Facts about a conversation. May be emitted several times: given values replace
 * earlier ones, missing ones change nothing. A conversation is listed once it
 * has a message of prose; one without is an empty draft.
 *
 * `created` and `updated` are not needed if messages have times: the store uses
 * the earliest and the latest of those.
 */
export interface ConversationFacts {
  /** The program's own id, unique within the source. */
  readonly id: string;
  /** As the program or its user named it. Without one, the store derives it from the first prompt. */
  readonly title?: string | undefined;
  /** A title by the user is not replaced by one of the program, which is the default. */
  readonly titleBy?: "user" | "program" | undefined;
  /** The folder that was worked in, as a native path: URIs decoded, never guessed from a lossy slug. */
  readonly folder?: string | undefined;
  /** The program's own id of the workspace: slug, hash. */
  readonly workspace?: string | undefined;
  readonly branch?: string | undefined;
  /** The earliest one counts. */
  readonly created?: KnownTime | undefined;
  /** The latest one counts. */
  readonly updated?: KnownTime | undefined;
  /** The model that answered last, as the program names it. */
  readonly model?: string | undefined;
  /**
   * When it was created as a copy of another conversation (a fork, a branch): older messages belong there. Emitted
   * before the first part. A message belongs to the conversation that was copied earliest, or to one that is no copy.
   */
  readonly copiedAt?: number | undefined;
  /** Why only its title can be read. It is listed anyway. */
  readonly unavailable?: "encrypted" | undefined;
  /** The id of the conversation that it continues, if the program does not repeat its messages. */
  readonly continues?: string | undefined;
}

export type Role = "user" | "assistant";

/**
 * - prose: what a person typed or an assistant said to them
 * - tool: a tool call, or its output
 * - thinking: what the assistant said to itself
 * - subagent: everything of a sub-agent: what it was asked, said and thought, and its tools
 * - summary: the summary of a compacted conversation
 *
 * Other records (wrappers, reminders, progress) are not emitted.
 */
export type MessageKind = "prose" | "tool" | "thinking" | "subagent" | "summary";

/**
 * One part of a message: everything of one kind in one record. Most messages
 * have one part; an assistant's may have several, in several records.
 */
export interface MessagePart {
  /** The conversation's id. Facts about it, if any, were emitted before. */
  readonly conversation: string;
  /**
   * Unique within the source, and the same at every reading. A part that another
   * conversation has already is not stored again (a resumed session repeats
   * earlier messages); within the same conversation newer text replaces older.
   */
  readonly key: string;
  /** The id of the message. Prose parts are merged by it, and messages of prose are counted by it. */
  readonly message: string;
  /** Ascending within the conversation, not necessarily dense; parts of equal order keep the order of events. */
  readonly order: number;
  readonly role: Role;
  readonly kind: MessageKind;
  /** The whole of it, `boundedText` unless it is prose. An image is "[image]". */
  readonly text: string;
  /** In milliseconds; undefined if the program stored none. */
  readonly time?: number | undefined;
  /** The message that this one follows. Of two prompts that follow the same one, the later is an edit of the earlier. */
  readonly follows?: string | undefined;
  /** Files that tools read or wrote, as the program names them. The store finds those that prose names. */
  readonly files?: readonly string[] | undefined;
  /** The tool's name, for kind `tool`. */
  readonly tool?: string | undefined;
  /** Non-prose that another transcript of the conversation may have too, although the source has `emitsNonProseOnce`. */
  readonly mayRepeat?: true | undefined;
}

/** What a part says, without its place. */
export type Said = Pick<MessagePart, "role" | "kind" | "text" | "tool" | "files">;

/** Tokens that a model took in and gave, as the program counted them. */
export interface Tokens {
  /** All of what the model was sent, from a cache or not. */
  readonly input: number;
  /** With what it said to itself. */
  readonly output: number;
  /** Of the input: what came from a cache. */
  readonly cached: number;
}

/** Tokens of a conversation: those since the last such event, or all so far. */
export interface Usage {
  readonly conversation: string;
  readonly tokens: Tokens;
  /** The count of which part of the conversation, if one transcript has several: the session of a sub-agent. */
  readonly session?: string | undefined;
  /** All tokens that the transcript has for this session: replaces what was counted before. */
  readonly isTotal?: true | undefined;
}

/** Non-prose parts whose texts are read later: when they were, and the files that they touched. */
export interface Turn extends Pick<MessagePart, "conversation" | "time"> {
  readonly files: readonly string[];
  /** Files whose touches are counted when the part is read: it may be emitted again, and its turn with it. */
  readonly filesCountedLater?: readonly string[] | undefined;
}

/**
 * A message by its id; or everything in a branch from a number on, if the program numbers its records in branches (the
 * id of a message is then `<branch>:<number>`); or everything before a time.
 */
export type Abandoned =
  | { readonly message: string }
  | { readonly branch: string; readonly from: number }
  | { readonly before: number };

/** What `read` yields. */
export type SourceEvent =
  | { readonly kind: "conversation"; readonly facts: ConversationFacts }
  | { readonly kind: "part"; readonly part: MessagePart }
  /** Non-prose parts that are read later. */
  | { readonly kind: "turn"; readonly turn: Turn }
  | { readonly kind: "usage"; readonly usage: Usage }
  /** A message that the program keeps outside of its transcripts: used only if no other transcript has, or had, the conversation. */
  | { readonly kind: "remembered"; readonly facts: ConversationFacts; readonly part: MessagePart }
  /** A title for the conversation that has the message with this key, possibly in another transcript. */
  | { readonly kind: "title"; readonly message: string; readonly title: string }
  /** A title for the conversation with this id, which the program keeps elsewhere. */
  | { readonly kind: "named"; readonly conversation: string; readonly title: string }
  /** Messages that the conversation no longer builds on, since the person went back before them. */
  | { readonly kind: "abandoned"; readonly conversation: string; readonly abandoned: Abandoned }
  /** A message that was abandoned, and that the conversation builds on again: the person went back to its branch. */
  | { readonly kind: "revived"; readonly conversation: string; readonly message: string }
  /** The transcript was rewritten, or is always read as a whole: anything that this reading does not emit is no longer in it. */
  | { readonly kind: "rewritten" }
  /** All conversations in the transcript. Others that it once had were deleted by the program, and are archived. */
  | { readonly kind: "present"; readonly conversations: readonly string[] }
  /** Records that were skipped, and conversations that could not be read; added to the report of the source. */
  | { readonly kind: "skipped" | "unreadable"; readonly count: number; readonly reason: string }
  /** Everything up to here was emitted: a later reading continues from it. JSON in the source's own format. */
  | { readonly kind: "checkpoint"; readonly checkpoint: string };

/**
 * Events that are yielded together. A source yields at least every ten
 * milliseconds or megabyte of text, so that the process stays responsive and
 * memory bounded: a batch is stored before the next is read. Plain data only,
 * since it may come from another thread.
 */
export type Batch = readonly SourceEvent[];

/** How long a program keeps a transcript after its last change. */
export interface Retention {
  readonly days: number;
  /** The setting that changes it, and the file that it is in. */
  readonly setting: string;
  readonly file: string;
}

/** How a program opens one of its conversations again, as its own manual says. */
export interface Resume {
  /** The program and its arguments: `ID` stands for the conversation's id. It has to be run in the conversation's folder. */
  readonly command: readonly string[];
  /** The ids that the program makes. No other text is put into a command. */
  readonly idPattern: RegExp;
}

/** The ids that most programs make. */
export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** One conversation of an archive. */
export interface ArchivedConversation {
  readonly id: string;
  /** When it was last changed, in milliseconds: an older version does not replace a newer one. */
  readonly updated: number | undefined;
  /** All of it, except for checkpoints. */
  readonly events: readonly SourceEvent[];
}

export interface ConversationSource {
  readonly name: SourceName;
  /** The name of the program, as people know it. */
  readonly title: string;
  /** The version of the reader. Increase it if the same transcript gives other events: transcripts read by an older one are read again. */
  readonly reader: number;
  /**
   * Emits each non-prose part only once: transcripts are appended to, and read on
   * from a checkpoint. The store then need not keep a hash of each. Leave it out
   * if a changed conversation is emitted again as a whole.
   */
  readonly emitsNonProseOnce?: true;
  /** Can read prose alone, and non-prose alone, faster than everything. Of other sources everything is read twice, first briefly. */
  readonly readsProseFirst?: true;
  /**
   * Reads one conversation of an archive that the person imports; undefined if it is of another service. A source with
   * this finds nothing by itself, and its conversations stay: the store has the only copy.
   */
  readonly fromArchive?: (conversation: Readonly<Record<string, unknown>>) => ArchivedConversation | undefined;
  /** Looks into one home. Never throws for missing or inaccessible files: those are findings. */
  readonly find: (home: Home) => Iterable<Finding>;
  /** Leave it out if the program has no command that opens a conversation by its id. */
  readonly resume?: Resume;
  /** Leave it out if the program deletes nothing by itself; undefined if its user told it not to. */
  readonly retention?: (home: Home) => Retention | undefined;
  /**
   * Reads what is new since the checkpoint; without one, everything. An
   * incomplete last line is left for the next reading. Ends early, after its last
   * checkpoint, if the signal aborts. Throws `UnreadableFile` if nothing more can
   * be read; earlier events stay valid.
   */
  readonly read: (
    transcript: TranscriptFile,
    checkpoint: string | undefined,
    signal: AbortSignal,
    wanted?: Wanted,
  ) => AsyncIterable<Batch>;
}

/**
 * What a source with `readsProseFirst` is asked for. `prose`: prose, and all
 * events that are no parts. `nonProse`: all other parts, without their files.
 * Each has its own checkpoints. Any other source is asked for everything, first
 * `briefly`: texts of non-prose parts may be cut, as long as they are not empty.
 * Undefined: everything.
 */
export type Wanted = "prose" | "nonProse" | "briefly" | undefined;

/** The `read` of a source that finds nothing. */
export async function* readNothing(): AsyncGenerator<Batch> {
  yield* [];
}

/** In characters. A tool's dump of a gigabyte must not take a gigabyte of memory. */
export const MAX_PART_LENGTH = 4_000_000;

/**
 * The text of a non-prose part: the whole of it, unless it is extremely long. Then its beginning, and how much was left
 * out. Cut between words: half of a secret would not be recognised as one.
 */
export function boundedText(text: string, most = MAX_PART_LENGTH): string {
  if (text.length <= most) return text;
  let end = most;
  if (IN_WORD.test(text.charAt(most))) while (end > 0 && IN_WORD.test(text.charAt(end - 1))) end--;
  const cut = text.slice(0, end === 0 ? most : end).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut.trimEnd()} … (${text.length - cut.trimEnd().length} characters more)`;
}

/** Characters of secrets. Quotes and brackets end a word, so that JSON without spaces has words. */
const IN_WORD = /[^\s"'`,;&<>(){}[\]\u0080-\uFFFF]/;

/**
 * The transcript at a path; undefined if there is no file. A database's `-wal`
 * belongs to it: new commits may be only in there.
 */
export function transcriptFileAt(path: string, sideFiles: readonly string[] = []): TranscriptFile | undefined {
  const [own, ...others] = [path, ...sideFiles].map((file) => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return { isFile: stats.isFile(), size: Number(stats.size), time: millisecondsOf(stats.mtimeNs), inode: stats.ino };
  });
  if (!own?.isFile) return undefined;
  const all = [own, ...others];
  return {
    path,
    stamp: all.map((file) => (file === undefined ? "-" : `${file.size}.${file.time}.${file.inode}`)).join(" "),
    size: all.reduce((sum, file) => sum + (file?.size ?? 0), 0),
    changed: Math.max(own.time, ...others.map((file) => (file === undefined || file.size === 0 ? 0 : file.time))),
  };
}

/** A time as programs write it (ISO, seconds, milliseconds or microseconds) in milliseconds. Undefined if it is no time. */
export function timeOf(value: unknown): number | undefined {
  const isText = typeof value === "string" && !/^\d+(?:\.\d+)?$/.test(value);
  const at = isText ? Date.parse(value) : milliseconds(Number(value ?? Number.NaN));
  return at > 0 && at < LATEST ? at : undefined;
}

/** 1e11 seconds are the year 5138, 1e11 milliseconds the year 1973: no conversation is that late or early. */
function milliseconds(at: number): number {
  if (at < 1e11) return at * 1000;
  return at < 1e14 ? at : at / 1000;
}

/** A later time cannot be written with a year of four digits. */
const LATEST = Date.UTC(10_000, 0);
