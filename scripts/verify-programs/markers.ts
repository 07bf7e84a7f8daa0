// The words by which the stub, the programs' steps and the checks know each
// other's texts: prompt 3 is answered by reply 3. A word that the model says is
// in no prompt, so it can only come from the model; the same holds for the output
// of the tool, which its command does not contain.

/** What the model does before it answers a prompt. */
export type Before = "thinking" | "tool" | "helper";

export const marker = {
  prompt: (n: number) => `quokkaprompt${n}`,
  answer: (n: number) => `koalareply${n}`,
  thought: (n: number) => `numbatthought${n}`,
  output: (n: number) => `bilbyoutput${n}`,
  /** What a sub-agent is asked, and what it answers. */
  helperPrompt: (n: number) => `dingotask${n}`,
  helperAnswer: (n: number) => `tasmanianresult${n}`,
  summary: "platypussummary",
  title: "Emu title marker",
} as const;

/** A prompt as a person types it. The words after its marker tell the stub what to do before it answers. */
export function promptText(n: number, before: readonly Before[] = []): string {
  return before.length === 0 ? marker.prompt(n) : `${marker.prompt(n)} with ${before.join(" and ")}`;
}

/** A command that prints the output. Qwen Code loses the output of a command that ends at once. */
export function printCommand(n: number): string {
  return `printf 'bilby%s\\n' output${n}; sleep 0.3`;
}
