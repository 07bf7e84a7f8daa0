// How many tokens a text costs a model, estimated: no tokenizer is loaded for
// it. Against the tokenizers of two model families it says 0.87 to 1.23 of their
// count for notes, code and JSON, and 0.75 to 1.5 for other languages. The
// budgets leave room for that: hosts cut at 25,000 tokens, and we at 20,000.

const PER_LETTER = 0.25;
const PER_MARK = 0.5;
const PER_ACCENTED = 0.5;
const PER_IDEOGRAPH = 1;

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x2e80) tokens += PER_IDEOGRAPH;
    else if (unit >= 0x80) tokens += PER_ACCENTED;
    else if (isLetterOrSpace(unit)) tokens += PER_LETTER;
    else tokens += PER_MARK;
  }
  return Math.ceil(tokens);
}

function isLetterOrSpace(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x20;
}
