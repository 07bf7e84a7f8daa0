// A short mark of texts by which a script tells whether they are still the
// same. The scripts compute it over what the application holds; this computes
// the same over what was read from it. Not a hash to be safe from malice.

/** The same as in scripts/edits.js: the two are compared by every change. */
export function fingerprintOf(texts: Iterable<string>): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const each of texts) {
    const text = `${each.length}:${each}`;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
