// The links of a base (`.base`, YAML with formulas): wikilinks anywhere in a
// value, the first argument of the functions that take a file, the path that
// `file.path` is compared with, and folders. Used through links.ts.
//
// Not links, because they are only parts of paths or names: `file.name`,
// `contains(…)`, `startsWith(…)`, and a path that a formula builds.
import { nextString } from "./formula-strings.ts";
import { SCHEME, type Link, type LinkForm } from "./link.ts";
import { atSource, wikilinks } from "./markdown-links.ts";
import { type Quoting, unquote } from "./quoted-text.ts";
import { yamlScalars } from "../properties/yaml-scalars.ts";

/** The form of link that a string is directly after one of these. */
const MEANINGS: readonly (readonly [pattern: RegExp, form: LinkForm])[] = [
  [/(?:^|[^\w.])(?:link|file|image)\(\s*$|\.(?:hasLink|linksTo)\(\s*$/, "call"],
  [/\.inFolder\(\s*$|\bfile\.folder\s*[=!]=\s*$/, "folder"],
  [/\bfile\.path\s*[=!]=\s*$/, "path"],
];
const MAX_LEAD_LENGTH = 60;

export function baseLinks(source: string): Link[] {
  return yamlScalars(source, { start: 0, end: source.length }).flatMap(({ start, end, quoting }) => {
    const { text, sourceAt } = unquote(source, start, end, quoting);
    return formulaLinks(text).map((link) => atSource(link, source, sourceAt, quoting));
  });
}

function formulaLinks(formula: string): Link[] {
  const links: Link[] = [];
  let position = 0;
  while (position < formula.length) {
    const [opening, close] = nextString(formula, position);
    const outside = formula.slice(position, opening);
    for (const link of wikilinks(outside)) links.push(moved(link, position));
    if (close > opening) for (const link of stringLinks(formula, opening, close)) links.push(link);
    position = close + 1;
  }
  return links;
}

function stringLinks(formula: string, opening: number, close: number): Link[] {
  const quoting: Quoting = formula.charAt(opening) === '"' ? "formula-double" : "formula-single";
  const { text, sourceAt } = unquote(formula, opening + 1, close, quoting);
  const inside = wikilinks(text);
  if (inside.length > 0) return inside.map((link) => atSource(link, formula, sourceAt, quoting));
  const lead = formula.slice(Math.max(0, opening - MAX_LEAD_LENGTH), opening);
  const form = MEANINGS.find(([pattern]) => pattern.test(lead))?.[1];
  if (form === undefined || SCHEME.test(text)) return [];
  const hash = form === "call" ? text.indexOf("#") : -1;
  const path = hash === -1 ? text : text.slice(0, hash);
  const target = path.trim();
  if (target === "") return [];
  const start = path.indexOf(target);
  const link: Link = {
    form,
    isEmbed: false,
    start,
    end: start + target.length,
    raw: target,
    target,
    subpath: hash === -1 ? "" : text.slice(hash),
    isAngled: false,
    quoting: [],
  };
  return [atSource(link, formula, sourceAt, quoting)];
}

function moved(link: Link, by: number): Link {
  return { ...link, start: link.start + by, end: link.end + by };
}
