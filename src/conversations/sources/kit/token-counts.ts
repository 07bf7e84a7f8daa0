// Tokens as programs count them: under many names, with what came from a cache
// among the input or beside it, and again with every state of a message. Used
// by the readers of programs that keep such counts.
import type { SourceEvent, Tokens, Usage } from "../source.ts";

interface Counted {
  readonly input: unknown;
  readonly output: unknown;
  /** Read from a cache. */
  readonly cached?: unknown;
  /** Written to a cache. */
  readonly written?: unknown;
}

/** @param isCacheApart whether what was read from and written to a cache is not among the input */
export function tokensIn(counted: Counted, isCacheApart = false): Tokens | undefined {
  const cached = countIn(counted.cached);
  const input = countIn(counted.input) + (isCacheApart ? cached + countIn(counted.written) : 0);
  const output = countIn(counted.output);
  return input + output === 0 ? undefined : { input, output, cached: Math.min(cached, input) };
}

export function countIn(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0;
}

export function* usageOf(tokens: Tokens | undefined, usage: Omit<Usage, "tokens">): Generator<SourceEvent> {
  if (tokens !== undefined) yield { kind: "usage", usage: { ...usage, tokens } };
}

/** Messages whose states may come mixed with those of others: a program works on few at a time. */
const MAX_REMEMBERED = 8;

/** A message and its tokens, for a checkpoint. */
export type CountedMessage = readonly [message: string, tokens: Tokens];

/** Counts each message once, although its program repeats the count, or corrects it, in every record of the message. */
export class MessageTokens {
  readonly #counted: Map<string, Tokens>;

  constructor(before: readonly CountedMessage[] = []) {
    this.#counted = new Map(before);
  }

  get saved(): readonly CountedMessage[] {
    return [...this.#counted];
  }

  /** What was not counted yet. */
  added(message: string, tokens: Tokens | undefined): Tokens | undefined {
    if (tokens === undefined) return undefined;
    const before = this.#counted.get(message);
    this.#counted.delete(message);
    this.#counted.set(message, tokens);
    for (const [oldest] of this.#counted) if (this.#counted.size > MAX_REMEMBERED) this.#counted.delete(oldest);
    return before === undefined ? tokens : differenceOf(tokens, before);
  }
}

export function differenceOf(tokens: Tokens, before: Tokens): Tokens | undefined {
  const { input, output, cached } = tokens;
  const added = { input: input - before.input, output: output - before.output, cached: cached - before.cached };
  return added.input === 0 && added.output === 0 && added.cached === 0 ? undefined : added;
}

/** The tokens of a whole document, which is read again with every change. */
export class DocumentTokens {
  #sum: Tokens = { input: 0, output: 0, cached: 0 };

  add(tokens: Tokens | undefined): void {
    if (tokens === undefined) return;
    const { input, output, cached } = this.#sum;
    this.#sum = { input: input + tokens.input, output: output + tokens.output, cached: cached + tokens.cached };
  }

  get sum(): Tokens | undefined {
    return this.#sum.input + this.#sum.output > 0 ? this.#sum : undefined;
  }

  total(conversation: string): Generator<SourceEvent> {
    return usageOf(this.sum, { conversation, isTotal: true });
  }
}
