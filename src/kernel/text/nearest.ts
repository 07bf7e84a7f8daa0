// "Did you mean …": the name of a list that is nearest to a mistyped one.

import { editDistance } from "./edit-distance.ts";

/** @returns the nearest of the names, or undefined if none is within a third of the word's length */
export function nearest(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    // Comparing a word of megabytes would take too long.
    if (Math.abs(word.length - name.length) >= least) continue;
    const edits = editDistance(word.toLowerCase(), name.toLowerCase(), least);
    if (edits < least) {
      least = edits;
      best = name;
    }
  }
  return best;
}

/** The nearest of the names, or else one of which the word is the end: `readContent`, `read-content` of `contentManager_readContent`. */
export function nearestOrLonger(word: string, names: readonly string[]): string | undefined {
  return nearest(word, names) ?? names.find((name) => word.length > 3 && plain(name).endsWith(plain(word)));
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}

const MAX_COMPARED_LENGTH = 60;

/** Names by how near they are to a word, the nearest first: as a whole, or one of their words. Others stay in their order. */
export function nearestFirst(word: string, names: readonly string[]): string[] {
  const sent = word.slice(0, MAX_COMPARED_LENGTH).toLowerCase();
  const distanceTo = (name: string) => editDistance(sent, name.slice(0, MAX_COMPARED_LENGTH), MAX_COMPARED_LENGTH);
  const ranked = names.map((name) => {
    const whole = (name.split("/").at(-1) ?? name).replace(/\.[^.]*$/, "").toLowerCase();
    const ofWords = whole.split(/[^\p{L}\p{N}]+/u).map(distanceTo);
    return { name, distance: Math.min(distanceTo(whole), ...ofWords.map((distance) => distance + 0.5)) };
  });
  return ranked.toSorted((a, b) => a.distance - b.distance).map(({ name }) => name);
}

/** A foreign name for a message, cut to 100 characters. */
export function shortened(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 99)}…`;
}
