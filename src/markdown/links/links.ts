// The one place where links are recognised, for the index, for moves and for
// every tool that speaks of links: so that they cannot disagree.
//
// Links in the sense of this module lead to a file (or folder) of the vault.
// URLs are none, nor is `#heading` within the same note, nor anything in code,
// comments or maths.
import { baseLinks } from "./base-links.ts";
import { canvasLinks } from "./canvas-links.ts";
import type { Link } from "./link.ts";
import { markdownLinks } from "./markdown-links.ts";

export { type Link, type LinkForm, writeTarget } from "./link.ts";

export type LinkedText = "markdown" | "canvas" | "base";

/** The links of a text, in the order in which they stand. */
export function findLinks(text: string, kind: LinkedText): Link[] {
  switch (kind) {
    case "markdown":
      return markdownLinks(text);
    case "canvas":
      return canvasLinks(text);
    case "base":
      return baseLinks(text);
  }
}

/** How to look for links in a file, by its name; undefined for files that hold none. */
export function linkedTextOf(path: string): LinkedText | undefined {
  const extension = /\.(md|canvas|base)$/i.exec(path)?.[1]?.toLowerCase();
  return extension === "md" ? "markdown" : extension === "canvas" || extension === "base" ? extension : undefined;
}
