// The result of a change of which only a preview was asked for. The journal throws
// it instead of committing, so that nothing on the way back takes the change for
// made; tools/call/call.ts makes the result of it.

export class Previewed extends Error {
  /** The sentence that the history would have. */
  readonly sentence: string;
  readonly paths: readonly string[];

  constructor(sentence: string, paths: readonly string[]) {
    super(`Nothing was changed: ${sentence}`);
    this.sentence = sentence;
    this.paths = paths;
  }
}
