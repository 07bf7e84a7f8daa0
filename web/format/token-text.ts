// How many tokens a conversation took, in a few words.
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en");

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** 1.2M tokens in, 34K out */
export function tokenText({ input, output }: Tokens): string {
  return `${short.format(input)} tokens in, ${short.format(output)} out`;
}

export function exactTokens({ input, output, cached }: Tokens): string {
  const fromCache = cached > 0 ? ` (${whole.format(cached)} from a cache)` : "";
  return `${whole.format(input)} tokens sent to the model${fromCache}, ${whole.format(output)} written by it`;
}
