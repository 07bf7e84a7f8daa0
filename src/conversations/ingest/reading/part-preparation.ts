// Events as the store takes them, and what it derives from the text of a part
// alone. Pure; used by transcript-reader.ts and store-writer.ts.
import type { MessagePart, SourceEvent, Tokens, Turn, Usage } from "../../sources/source.ts";
import { type DerivedTitle, openingFrom, titleFrom } from "../../store/titles.ts";

/** The title and opening of a conversation that begins with a prompt. */
export interface Naming extends DerivedTitle {
  readonly opening: string;
}

export interface PreparedPart extends MessagePart {
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
  readonly times: number[];
}

export type PreparedEvent =
  | Exclude<SourceEvent, { readonly kind: "part" | "turn" }>
  | { readonly kind: "part"; readonly part: PreparedPart }
  | { readonly kind: "turns"; readonly turns: Turns };

/**
 * Keeps the prose, and of other parts that they exist. Their texts are read later, and would take memory
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

export function withMergedTurns(events: readonly SourceEvent[]): PreparedEvent[] {
  const prepared: PreparedEvent[] = [];
  /** The part at which tokens since the last part are counted: there may be some after every turn. */
  let counted: { at: number; usage: Usage } | undefined;
  for (const one of events) {
    if (one.kind === "turn") {
      addTurn(prepared, one.turn);
      continue;
    }
    if (one.kind === "usage" && counted !== undefined && isAddedTo(counted.usage, one.usage)) {
      counted.usage = { ...one.usage, tokens: sumOf(counted.usage.tokens, one.usage.tokens) };
      prepared[counted.at] = { kind: "usage", usage: counted.usage };
      continue;
    }
    counted = one.kind === "usage" ? { at: prepared.length, usage: one.usage } : counted;
    if (one.kind === "part") counted = undefined;
    prepared.push(one);
  }
  return prepared;
}

function isAddedTo(before: Usage, usage: Usage): boolean {
  const isOfSame = before.conversation === usage.conversation && before.session === usage.session;
  return isOfSame && before.isTotal === undefined && usage.isTotal === undefined;
}

export function sumOf(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached };
}

function addTurn(prepared: PreparedEvent[], { conversation, time, files, filesCountedLater = [] }: Turn): void {
  const last = prepared.at(-1);
  let turns = last?.kind === "turns" && last.turns.conversation === conversation ? last.turns : undefined;
  if (turns === undefined) {
    turns = { conversation, files: [], filesCountedLater: [], times: [] };
    prepared.push({ kind: "turns", turns });
  }
  turns.files.push(...files);
  turns.filesCountedLater.push(...filesCountedLater);
  if (time !== undefined) addTime(turns.times, time);
}

/** Of several, the earliest and the latest. */
function addTime(times: number[], time: number): void {
  times.push(time);
  if (times.length > 2) times.splice(0, 3, Math.min(...times), Math.max(...times));
}

export function namingBy(prompt: string): Naming {
  return { ...titleFrom(prompt), opening: openingFrom(prompt) };
}
