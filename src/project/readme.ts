// The first lines of a README, as far as they say something: without badges,
// pictures, comments and other decoration. Pure.

const MOST_LINES = 15;
const MOST_CHARACTERS = 1200;

export function firstLines(text: string): string {
  const plain = text
    .replace(/^\uFEFF/, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    // Pictures, also those that are links, as badges are.
    .replace(/\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)/g, "")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/<\/?[a-z][^>]*>/gi, "");
  const lines = plain
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .slice(0, MOST_LINES);
  const kept = lines.join("\n");
  return kept.length <= MOST_CHARACTERS ? kept : `${kept.slice(0, MOST_CHARACTERS - 1).toWellFormed()}…`;
}

export function isReadme(path: string): boolean {
  return /^readme(?:\.(?:md|markdown|rst|adoc|txt|org))?$/i.test(path);
}
