// The seam behind which each program that keeps conversations is one file in
// sources/. A source knows where its program keeps them and what is in them;
// it knows nothing of the store, of search, or of other sources. The store
// (refresh.ts) asks every source where its files are, and has those read that
// changed.
//
// Foreign files are only ever read: a source opens nothing for writing, sets no
// times, and leaves nothing beside them (a `-shm` excepted).
import { statSync } from "node:fs";
import { millisecondsOf } from "../../files/files.ts";

/** What results and ids call a source: its key in the table of sources.ts. */
export type SourceName = string;

export type System = "darwin" | "linux" | "win32";

/**
 * A home folder in which programs may have kept conversations: the user's own,
 * one of Windows that WSL shows, or a further one that the settings name (a
 * backup, another machine's disk).
 */
export interface Home {
  readonly folder: string;
  /** The systems whose layout it may have. More than one for a folder of unknown origin: try each. */
  readonly systems: readonly System[];
  /** CLAUDE_CONFIG_DIR, XDG_CONFIG_HOME, APPDATA … of this process; empty for any home but the user's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * What is read as one: a JSONL or JSON file, or a database. `path` is its
 * identity, and the store keeps a checkpoint for it.
 */
export interface TranscriptFile {
  readonly path: string;
  /** Another one means that there may be something new; made by `unitOf`. */
  readonly stamp: string;
  /** Bytes, for the progress. */
  readonly size: number;
  /** When the file was changed last, in milliseconds: the time of what carries none of its own. */
  readonly changed: number;
}

/** What `find` tells, as it comes across it. Cheap: names and stats, no contents. */
export type Finding =
  | { readonly kind: "transcript"; readonly transcript: TranscriptFile }
  /** A folder or file in which the program would keep conversations, and whether it is there. Each is told once. */
  | { readonly kind: "looked"; readonly place: string; readonly isThere: boolean }
  /** Conversations that are there and are not taken in, on purpose ("encrypted by Windsurf"). */
  | { readonly kind: "skipped"; readonly place: string; readonly count: number; readonly reason: string }
  /** What is there and cannot be read ("permission denied"). Its units, where known from before, stay as they were. */
  | { readonly kind: "unreadable"; readonly place: string; readonly count: number; readonly reason: string };

/** How a time is known: the program stored it, it was inferred from other records, or it is the file's own. */
export type TimeKnown = "stored" | "inferred" | "file";

export interface KnownTime {
  /** Milliseconds. Never made up: without any other, `unit.changed` with `file`. */
  readonly at: number;
  readonly known: TimeKnown;
}

/**
 * What is known of a conversation. May be told several times: what is given
 * replaces what was told before, what is left out stays. A conversation is
 * listed once it has a message of prose; one without is an empty draft.
 *
 * `created` and `updated` need not be told where messages carry times: the
 * store takes the earliest and the latest of those.
 */
export interface ConversationFacts {
  /** The program's own id, unique within the source. */
  readonly id: string;
  /** As the program or its user named it. Without one, the store takes the first prompt. */
  readonly title?: string | undefined;
  /** A title that the user gave is not replaced by one that the program made. Without this, the program made it. */
  readonly titleBy?: "user" | "program" | undefined;
  /** The folder that was worked in, as a native path: URIs decoded, never guessed from a lossy slug. */
  readonly folder?: string | undefined;
  /** The program's own id of the workspace: slug, hash. */
  readonly workspace?: string | undefined;
  readonly branch?: string | undefined;
  /** The earliest that was told counts. */
  readonly created?: KnownTime | undefined;
  /** The latest that was told counts. */
  readonly updated?: KnownTime | undefined;
  /** The model that answered last, as the program names it. */
  readonly model?: string | undefined;
  /**
   * When it was made as a copy of another conversation (a fork, a branch): what is older was said there. Told before
   * the first part. Of conversations that hold the same message, the one that was copied last gives way.
   */
  readonly copiedAt?: number | undefined;
  /** Why nothing of it but its title can be read. It is listed all the same. */
  readonly unavailable?: "encrypted" | undefined;
  /** The id of the conversation that it goes on from, where the program does not repeat what was said there. */
  readonly continues?: string | undefined;
}

export type Role = "user" | "assistant";

/**
 * - prose: what a person typed or an assistant said to them
 * - tool: what a tool was asked, or what it gave
 * - thinking: what the assistant said to itself
 * - subagent: what was said between an assistant and its sub-agents
 * - summary: what stands for a conversation that was compacted
 *
 * Records that are none of these (wrappers, reminders, progress) are not told.
 */
export type MessageKind = "prose" | "tool" | "thinking" | "subagent" | "summary";

/**
 * One part of a message: all of one kind that one record holds. Most messages
 * have one part; an assistant's may have several, in several records.
 */
export interface MessagePart {
  /** The conversation's id; told as ConversationFacts before, or never. */
  readonly conversation: string;
  /**
   * Of this part, unique within the whole source, and the same however often
   * it is read: a part whose key is known replaces nothing and is not taken in
   * again where another conversation has it (a resumed session repeats what
   * came before); within its own conversation the newer text replaces the older.
   */
  readonly key: string;
  /** What the parts of one message share. Prose parts are merged by it, and it is what is counted. */
  readonly message: string;
  /**
   * Prose makes a message that is counted. Anything else does where this is
   * set: a turn in which the assistant only called a tool is a message too.
   */
  readonly isOfMessage?: true | undefined;
  /** Ascending within the conversation; parts of equal order stay as they were told. Need not be dense. */
  readonly order: number;
  readonly role: Role;
  readonly kind: MessageKind;
  /** Of anything but prose, `boundedText` of it. An image is "[image]". */
  readonly text: string;
  /** Milliseconds; undefined where the program stored none. */
  readonly time?: number | undefined;
  /** The message that this one follows. Of two prompts that follow the same one, the later is an edit of the earlier. */
  readonly follows?: string | undefined;
  /** Files that tools read or wrote here, as the program named them. Those named in prose are found by the store. */
  readonly files?: readonly string[] | undefined;
  /** The tool's name, for kind `tool`. */
  readonly tool?: string | undefined;
}

/** A message of which nothing is prose: the assistant only called a tool. */
export interface Turn extends Pick<MessagePart, "conversation" | "message" | "time"> {
  readonly files: readonly string[];
}

/**
 * A message by its id; or, of a program that numbers its records in branches (`<branch>:<number>` is then the id of a
 * message), everything in a branch from a number on; or everything that was said before a time.
 */
export type Abandoned =
  | { readonly message: string }
  | { readonly branch: string; readonly from: number }
  | { readonly before: number };

/** What `read` tells, in the order in which it comes across it. */
export type SourceEvent =
  | { readonly kind: "conversation"; readonly facts: ConversationFacts }
  | { readonly kind: "part"; readonly part: MessagePart }
  /** A message that is counted, whose parts are told with the rest, and the files that it touched. */
  | { readonly kind: "turn"; readonly turn: Turn }
  /** A message that the program remembers apart from its conversations: it counts where no other unit has, or had, the conversation. */
  | { readonly kind: "remembered"; readonly facts: ConversationFacts; readonly part: MessagePart }
  /** A title for whichever conversation has the message with this key: it may be one of another unit. */
  | { readonly kind: "title"; readonly message: string; readonly title: string }
  /** A title that the program keeps apart from the conversation with this id. */
  | { readonly kind: "named"; readonly conversation: string; readonly title: string }
  /** What the conversation no longer builds on, since the person went back before it. */
  | { readonly kind: "abandoned"; readonly conversation: string; readonly abandoned: Abandoned }
  /** The unit was rewritten or is read as a whole: what it told in earlier readings and does not tell in this one is no longer in it. */
  | { readonly kind: "rewritten" }
  /** All conversations that are in the unit now. Others that it once held were deleted by the program: they are archived. */
  | { readonly kind: "present"; readonly conversations: readonly string[] }
  /** Records that were passed over, and conversations that could not be read; added to what the unit's source reports. */
  | { readonly kind: "skipped" | "unreadable"; readonly count: number; readonly reason: string }
  /** Everything up to here is told: a later reading goes on from this. JSON, the source's own. */
  | { readonly kind: "checkpoint"; readonly checkpoint: string };

/**
 * What was told in one turn. A source yields at least every ten milliseconds
 * or megabyte of text, so that the process goes on answering and memory stays
 * bounded: what was yielded is stored before the next is asked for. Plain data
 * only, since it may come from another thread.
 */
export type Batch = readonly SourceEvent[];

export interface ConversationSource {
  readonly name: SourceName;
  /** What the program is called, for a person. */
  readonly title: string;
  /** To be raised where it makes something else of what was read already: units that an older reader has read are read again. */
  readonly reader: number;
  /**
   * Tells each part that is not prose once only: its files are appended to,
   * and read on from a checkpoint. The store then need not remember them one by
   * one. Leave it out where a changed conversation is told again as a whole.
   */
  readonly emitsNonProseOnce?: true;
  /** Can be asked for what was said and for the rest apart: prose is then found before anything else is even parsed. */
  readonly readsProseFirst?: true;
  /** Looks into one home. Never throws for what is missing or closed to us: that is a finding. */
  readonly find: (home: Home) => Iterable<Finding>;
  /**
   * Reads what is new since the checkpoint; without one, everything. A last
   * line that is not finished waits for the next time. Ends early where the
   * signal says so, after its last checkpoint. Throws `UnreadableFile` where
   * nothing more can be had; what was told before stays.
   */
  readonly read: (
    transcript: TranscriptFile,
    checkpoint: string | undefined,
    signal: AbortSignal,
    wanted?: Wanted,
  ) => AsyncIterable<Batch>;
}

/**
 * What a source that tells apart is asked for. Said: prose, and everything that
 * is no part. Rest: all other parts, without their files. Each has checkpoints
 * of its own. Undefined: everything.
 */
export type Wanted = "prose" | "nonProse" | undefined;

/** Beyond this, text that is not prose is cut: it is 97 % of what programs keep, and must not be 97 % of the store. */
const MOST_TEXT = 240;

/**
 * The text of a part that is not prose, as the store keeps it: its beginning, and how much was left out.
 * Cut between words: half of a secret would not be known for one when it is shown.
 */
export function boundedText(text: string, most = MOST_TEXT): string {
  if (text.length <= most) return text;
  let end = most;
  if (IN_WORD.test(text.charAt(most))) while (end > 0 && IN_WORD.test(text.charAt(end - 1))) end--;
  const cut = text.slice(0, end === 0 ? most : end).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut.trimEnd()} … (${text.length - cut.trimEnd().length} characters more)`;
}

/** What a secret is made of; quotes and brackets end a word, so that JSON without spaces has some. */
const IN_WORD = /[^\s"'`,;&<>(){}[\]\u0080-\uFFFF]/;

/**
 * A file as a unit; undefined where there is none. A database's `-wal` belongs
 * to it: new commits may be in there alone.
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

/** A time as programs write it, in milliseconds: ISO, seconds, milliseconds or microseconds. Undefined for what is none. */
export function timeOf(value: unknown): number | undefined {
  const isText = typeof value === "string" && !/^\d+(?:\.\d+)?$/.test(value);
  const at = isText ? Date.parse(value) : milliseconds(Number(value ?? Number.NaN));
  return at > 0 && at < LATEST ? at : undefined;
}

/** 1e11 seconds are the year 5138, and 1e11 milliseconds 1973: no conversation is of either. */
function milliseconds(at: number): number {
  if (at < 1e11) return at * 1000;
  return at < 1e14 ? at : at / 1000;
}

/** A later time cannot be written with a year of four digits. */
const LATEST = Date.UTC(10_000, 0);
