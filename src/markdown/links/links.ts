// Finds the links of a file. The index, moves and all tools use this module, so
// that they agree on what a link is.
//
// A link here leads to a file or folder of the vault. URLs, `#heading` in the same
// note, and anything in code, comments or maths are not links.
import { baseLinks } from "./base-links.ts";
import { canvasLinks } from "./canvas-links.ts";
import type { Link } from "./link.ts";
import { markdownLinks } from "./markdown-links.ts";

export { type Link, type LinkForm, writeTarget } from "./link.ts";

export type LinkedText = "markdown" | "canvas" | "base";

/** The links of a text, in order. */
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

/** How to find links in a file, by its name; undefined for files without links. */
export function linkedTextOf(path: string): LinkedText | undefined {
  const extension = /\.(md|canvas|base)$/i.exec(path)?.[1]?.toLowerCase();
  return extension === "md" ? "markdown" : extension === "canvas" || extension === "base" ? extension : undefined;
}
