// "Did you mean …": the name of a list that is nearest to a mistyped one.

import { editDistance } from "./edit-distance.ts";

/** The nearest of the names, or undefined where none is within a third of the word. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    // A word of megabytes is not even compared.
    if (Math.abs(word.length - name.length) >= least) continue;
    const edits = editDistance(word.toLowerCase(), name.toLowerCase(), least);
    if (edits < least) {
      least = edits;
      best = name;
    }
  }
  return best;
}

/** A name from outside as a message repeats it: not longer than anybody reads. */
export function shortened(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 99)}…`;
}
