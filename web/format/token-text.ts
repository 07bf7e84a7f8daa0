// How many tokens a conversation took, in a few words.
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en");

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** 3.5K tokens in, 34K out, 1.2M from a cache: what is sent again with every turn is not new. */
export function tokenText({ input, output, cached }: Tokens): string {
  const again = cached > 0 ? `, ${short.format(cached)} from a cache` : "";
  return `${short.format(Math.max(0, input - cached))} tokens in, ${short.format(output)} out${again}`;
}

export function exactTokens({ input, output, cached }: Tokens): string {
  const fromCache = cached > 0 ? ` (${whole.format(cached)} from a cache)` : "";
  return `${whole.format(input)} tokens sent to the model${fromCache}, ${whole.format(output)} written by it`;
}
