// What the store derives from the text of a part alone. It is computed where
// the part is read, which may be in the background thread. Pure; used by
// transcript-reader.ts and store-writer.ts.
import { indexText } from "../../../search/search.ts";
import { cuesIn, MOST_LOOKED_AT, significantWords } from "../../recall/conversation-type.ts";
import { filesNamedIn } from "../../recall/file-references.ts";
import type { MessagePart, Role, SourceEvent, Turn } from "../../sources/source.ts";
import { type DerivedTitle, openingFrom, titleFrom, withoutSecrets } from "../../store/titles.ts";

/** What the beginning of a conversation says about the whole of it. */
export interface Clues {
  /** Of a prompt: see conversation-type.ts. */
  readonly cues: number;
  /** Separated by spaces: one string costs less to post to a thread than many. */
  readonly words: string;
}

/** The title and opening of a conversation that begins with a prompt. */
export interface Naming extends DerivedTitle {
  readonly opening: string;
}

/** Of prose. */
export interface Prepared {
  /** What the full text indexes; undefined if it differs from the text in case only, which the full text ignores. */
  readonly indexed?: string | undefined;
  /** Files that it names. */
  readonly files: readonly string[];
  readonly clues?: Clues | undefined;
  readonly naming?: Naming | undefined;
}

/** What is not prepared is computed when it is needed. */
export interface PreparedPart extends MessagePart {
  readonly prepared?: Prepared | undefined;
  /** Of non-prose: the whole text, if `text` is only its beginning; redacted, as `text` is. */
  readonly whole?: string | undefined;
  /** Of the whole text as the source emitted it. */
  readonly digest?: string | undefined;
}

/** Consecutive turns of one conversation, in one event: there are many, and each is small. */
export interface Turns {
  readonly conversation: string;
  /** With repetitions, one per touch. */
  readonly files: string[];
  readonly filesCountedLater: string[];
  readonly times: readonly number[];
}

export type PreparedEvent =
  | Exclude<SourceEvent, { readonly kind: "part" | "turn" }>
  | { readonly kind: "part"; readonly part: PreparedPart }
  | { readonly kind: "turns"; readonly turns: Turns };

/**
 * What is read first: prose, and of other parts that they were there. Their texts are read later, and would take memory
 * until then.
 * @param isOnce whether each part is emitted only once
 */
export function withoutNonProse(events: readonly SourceEvent[], isOnce: boolean): readonly SourceEvent[] {
  return events.map((one) => {
    if (one.kind !== "part" || one.part.kind === "prose") return one;
    const { conversation, time, files = [] } = one.part;
    const turn = { conversation, time };
    return { kind: "turn", turn: isOnce ? { ...turn, files } : { ...turn, files: [], filesCountedLater: files } };
  });
}

/** Prepares the events of one transcript, from its beginning on. */
export function preparing(): (events: readonly SourceEvent[]) => PreparedEvent[] {
  const said = new Map<string, number>();
  /** How many parts of the same role a conversation had before this one. */
  const timesBefore = ({ conversation, role }: MessagePart): number => {
    const key = `${role} ${conversation}`;
    const times = said.get(key) ?? 0;
    said.set(key, times + 1);
    return times;
  };
  return (events) => {
    const prepared: PreparedEvent[] = [];
    for (const one of events) {
      if (one.kind === "turn") addTurn(prepared, one.turn);
      else if (one.kind !== "part" || one.part.kind !== "prose") prepared.push(one);
      else
        prepared.push({ kind: "part", part: { ...one.part, prepared: preparedBy(one.part, timesBefore(one.part)) } });
    }
    return prepared;
  };
}

function preparedBy({ role, text }: MessagePart, timesBefore: number): Prepared {
  const indexed = indexText(text);
  return {
    files: filesNamedIn(text),
    ...(indexed !== text.toLowerCase() && { indexed }),
    ...(timesBefore < MOST_LOOKED_AT[role] && { clues: cluesIn(text, role) }),
    ...(timesBefore === 0 && role === "user" && { naming: namingBy(text) }),
  };
}

function addTurn(prepared: PreparedEvent[], turn: Turn): void {
  const { conversation, time, files, filesCountedLater = [] } = turn;
  const last = prepared.at(-1);
  const before = last?.kind === "turns" && last.turns.conversation === conversation ? last.turns : undefined;
  const times = [...(before?.times ?? []), ...(time === undefined ? [] : [time])];
  const turns: Turns = {
    conversation,
    files: before?.files ?? [],
    filesCountedLater: before?.filesCountedLater ?? [],
    times: times.length > 2 ? [Math.min(...times), Math.max(...times)] : times,
  };
  turns.files.push(...files);
  turns.filesCountedLater.push(...filesCountedLater);
  if (before !== undefined) prepared.pop();
  prepared.push({ kind: "turns", turns });
}

export function cluesIn(text: string, role: Role): Clues {
  return { cues: role === "user" ? cuesIn(text) : 0, words: significantWords(withoutSecrets(text), role).join(" ") };
}

export function namingBy(prompt: string): Naming {
  return { ...titleFrom(prompt), opening: openingFrom(prompt) };
}
