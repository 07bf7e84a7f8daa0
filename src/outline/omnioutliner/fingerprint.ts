// A short fingerprint of texts, by which a script notices that they have
// changed. The scripts compute it over what the application holds; this computes
// the same over what was read from it. It does not protect against tampering.
import { Hash } from "../formats/hash.ts";

/** Must equal `fingerprintOf` in scripts/edits.js: every change compares the two. */
export function fingerprintOf(texts: Iterable<string>): string {
  const hash = new Hash();
  for (const text of texts) hash.addText(`${text.length}:${text}`);
  return hash
    .bits()
    .map((half) => half.toString(16).padStart(8, "0"))
    .join("");
}
