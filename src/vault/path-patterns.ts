// Names and paths by patterns of * and ?, and ** for any folders. Case does not
// matter. Used by lists of folders and by searches.
import { comparable } from "../files/files.ts";

/** Part of a name, or a pattern of all of it. */
export function nameMatcher(filter: string | undefined): (name: string) => boolean {
  if (filter === undefined || filter === "") return () => true;
  const wanted = filter.normalize("NFC").toLowerCase();
  if (!isPattern(wanted)) return (name) => name.normalize("NFC").toLowerCase().includes(wanted);
  return (name) => matchesName(wanted, name.normalize("NFC").toLowerCase());
}

export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** Returns whether a pattern means a file, by its path or by a folder above it. Without a slash it may be a name in any folder. */
export function pathMatcher(sent: string): (path: string) => boolean {
  const names = comparable(sent, { ignoreCase: true })
    .split("/")
    .filter((name) => name !== "" && name !== ".");
  const pattern = [...(sent.includes("/") ? [] : [ANY_FOLDERS]), ...names, ANY_FOLDERS];
  const matches = (path: string) => fits(pattern, path.split("/"), ANY_FOLDERS, matchesName);
  return (path) => {
    const folded = comparable(path, { ignoreCase: true });
    return matches(folded) || (folded.endsWith(".md") && matches(folded.slice(0, -".md".length)));
  };
}

const ANY_FOLDERS = "**";

function matchesName(pattern: string, name: string): boolean {
  return fits(pattern, name, "*", (part, character) => part === "?" || part === character);
}

/** Returns whether parts match a pattern in which `star` is any number of them. Only the last star is retried, so no pattern is slow. */
function fits(
  pattern: ArrayLike<string>,
  parts: ArrayLike<string>,
  star: string,
  isSame: (pattern: string, part: string) => boolean,
): boolean {
  let [p, n, lastStar, mark] = [0, 0, -1, 0];
  while (n < parts.length) {
    if (p < pattern.length && pattern[p] === star) {
      lastStar = p++;
      mark = n;
    } else if (p < pattern.length && isSame(pattern[p]!, parts[n]!)) {
      p++;
      n++;
    } else if (lastStar !== -1) {
      p = lastStar + 1;
      n = ++mark;
    } else return false;
  }
  while (pattern[p] === star) p++;
  return p === pattern.length;
}
