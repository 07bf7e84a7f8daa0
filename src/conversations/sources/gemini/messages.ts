// The messages of a Gemini session: their content, and which were read before.
// The program repeats messages with the whole history after a compression, a
// rewind or a resume: some with their ids, some with new ones, and some that it
// made up. Pure; used by gemini.ts.
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { countIn, tokensIn } from "../kit/token-counts.ts";
import type { Tokens } from "../source.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Said {
  readonly text: string;
  /** What the model said to itself. */
  readonly thinking: string;
}

export function saidIn(message: Fields): Said {
  const thoughts = recordsOf(message["thoughts"]).map(({ subject, description }) =>
    `${textOf(subject) ?? ""}\n${textOf(description) ?? ""}`.trim(),
  );
  const content = partsIn(message["content"]);
  const shown = partsIn(message["displayContent"]).filter(({ isThought }) => !isThought);
  const said = shown.length > 0 ? shown : content.filter(({ isThought }) => !isThought);
  const thought = content.filter(({ isThought }) => isThought).map(({ text }) => text);
  return {
    text: joined(said.map(({ text }) => text)),
    thinking: joined(thoughts.length > 0 ? thoughts : thought),
  };
}

export function tokensOf(message: Fields): Tokens | undefined {
  const counted = recordOf(message["tokens"]);
  if (counted === undefined) return undefined;
  const { input, output, cached, thoughts, total } = counted;
  return tokensIn({ input, output: outputIn({ input, output, thoughts, total }), cached });
}

/** What was said, and what the model said to itself: some models count that among the former. */
export function outputIn({ input, output, thoughts, total }: Fields): number {
  const all = countIn(output) + countIn(thoughts);
  return countIn(total) > countIn(input) ? Math.min(all, countIn(total) - countIn(input)) : all;
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Text, or parts of which some are text, and some of these thoughts. */
function partsIn(content: unknown): { readonly text: string; readonly isThought: boolean }[] {
  const parts = Array.isArray(content) ? content : [content];
  const found = parts.map((one) => {
    if (typeof one === "string") return { text: one.trim(), isThought: false };
    const fields = recordOf(one);
    const isFile = fields?.["inlineData"] !== undefined || fields?.["fileData"] !== undefined;
    const text = isFile ? "[image]" : (textOf(fields?.["text"])?.trim() ?? "");
    return { text, isThought: fields?.["thought"] === true };
  });
  return found.filter(({ text }) => text !== "");
}

/** What the program adds before every prompt. */
export function isContext(text: string): boolean {
  return text.startsWith("<session_context>");
}

/** How the program's summaries of compressed messages begin. */
const SUMMARY = /^\s*<(?:state_snapshot|analysis|summary)>/;
/** The model's made-up answer to the summary. */
const THANKS = "Got it. Thanks for the additional context!";

/** A message that was emitted, in few characters: a checkpoint has one for each. */
export type KnownMessage = readonly [id: string, order: number, fingerprint: number];

export class KnownMessages {
  /** By id, in the order of events. */
  readonly #all: Map<string, KnownMessage>;
  #last: number;

  constructor(before: readonly KnownMessage[] = []) {
    this.#all = new Map(before.map((one) => [one[0], one]));
    this.#last = before.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY;
  }

  get all(): readonly KnownMessage[] {
    return [...this.#all.values()];
  }

  /** A message with its order, which stays the same if it was read before. A tool's result may have the id of the call. */
  add(message: Fields, text: string, time: number | undefined): { readonly id: string; readonly order: number } {
    const own = textOf(message["id"]) ?? String(this.#all.size);
    const id = message["type"] === "user" && text === "" ? `${own}:result` : own;
    const known = this.#all.get(id);
    if (known !== undefined) return { id, order: known[1] };
    this.#last = Math.max(time ?? this.#all.size, this.#last + SHORTLY);
    this.#all.set(id, [id, this.#last, fingerprintOf(message, text)]);
    return { id, order: this.#last };
  }

  /** The messages of a whole history that were not emitted yet, and which of them are summaries. */
  *rolesOf(history: readonly Fields[]): Generator<readonly [message: Fields, role: "said" | "summary"]> {
    if (history.length === 0) return;
    const isRewritten = this.#all.size > 0;
    const fingerprints = new Set(this.all.map(([, , fingerprint]) => fingerprint));
    let hasSummary = false;
    for (const message of history) {
      const { text } = saidIn(message);
      const isKnown = this.#all.has(textOf(message["id"]) ?? "") || fingerprints.has(fingerprintOf(message, text));
      if (isContext(text) || (isRewritten && (text === "" || isKnown))) continue;
      const isUser = message["type"] === "user";
      const isSummary: boolean = isUser && !hasSummary && (SUMMARY.test(text) || isRewritten);
      if (!isUser && (hasSummary || isRewritten) && text === THANKS) continue;
      hasSummary ||= isSummary;
      yield [message, isSummary ? "summary" : "said"];
    }
  }

  /** Keeps abandoned messages, since they may be repeated. @returns the ids of the messages from this one on */
  rewindTo(id: string): string[] {
    const ids = [...this.#all.keys()];
    const at = ids.findIndex((one) => one === id || one === `${id}:result`);
    return at === -1 ? [] : ids.slice(at);
  }
}

/** In milliseconds: less than between any two messages. */
const SHORTLY = 0.001;

/** A hash of role and text: 32 bits are enough within one session. By code points, as in the checkpoints of earlier releases. */
function fingerprintOf(message: Fields, text: string): number {
  let hash = message["type"] === "user" ? 1 : 2;
  for (let at = 0; at < text.length; at++) {
    const sign = text.codePointAt(at)!;
    if (sign > 0xffff) at++;
    hash = Math.imul(hash ^ sign, 0x85ebca6b);
  }
  return hash >>> 0;
}
