// The text around the links to a note, around its mentions without a link, and
// the links that surround it. Used by link-report.ts.
import {
  findFrontmatter,
  findLinks,
  linkedTextOf,
  proseOf,
  readNoteText,
  readProperties,
  scanMarkdown,
} from "../markdown/markdown.ts";
import { escapePattern, nameIn, Turns } from "../kernel/kernel.ts";
import { parseVaultPath } from "../files/files.ts";
import { beginningOf, textAround } from "../search/search.ts";
import type { LinkFound } from "./link-report.ts";
import type { Vault } from "./vault.ts";

/** Characters of a snippet. */
const SNIPPET_LENGTH = 160;
/** Characters of a long line before and after the link. */
const REACH = 100;
/** Files that are read for one answer. */
const MAX_READ = 200;
/** A shorter name is part of too much. */
const MIN_NAME_LENGTH = 3;
const MAX_NAMES = 8;
/** Notes at one step from the middle of a graph, and links in all. */
const MAX_NEIGHBOURS = 60;
const MAX_AROUND = 400;

/** Adds the sentence in which each of these files links to the note. */
export async function withSnippets(
  vault: Vault,
  to: string,
  backlinks: readonly LinkFound[],
  signal?: AbortSignal,
): Promise<LinkFound[]> {
  const turns = new Turns(signal);
  const sources = backlinks.slice(0, MAX_READ).map(({ from = "" }) => from);
  const { answer } = await vault.index.links(sources);
  const targets = new Map<string, Set<string>>();
  for (const { from, to: leads, link } of answer)
    if (leads === to) targets.set(from, (targets.get(from) ?? new Set()).add(link.target));
  const found: LinkFound[] = [];
  for (const backlink of backlinks) {
    if (turns.isOver()) await turns.next();
    const { from = "" } = backlink;
    const snippet = await linkSnippet(vault, from, targets.get(from));
    found.push(snippet === undefined ? backlink : { ...backlink, snippet });
  }
  return found;
}

async function linkSnippet(
  vault: Vault,
  from: string,
  targets: ReadonlySet<string> | undefined,
): Promise<string | undefined> {
  if (targets === undefined || linkedTextOf(from) !== "markdown") return undefined;
  const text = await textAt(vault, from);
  const link = findLinks(text ?? "", "markdown").find(({ target }) => targets.has(target));
  return link === undefined ? undefined : lineAround(text!, link.start);
}

async function textAt(vault: Vault, path: string): Promise<string | undefined> {
  try {
    const content = await vault.root.read(parseVaultPath(path));
    return content === undefined ? undefined : readNoteText(content.bytes).text;
  } catch {
    // A file that cannot be read has no snippet; reading it by itself says why.
    return undefined;
  }
}

/** The end of a paragraph, and the beginning of another block: a list item, a heading, a quote, a row of a table. */
const BREAK = /\n(?=[ \t]*(?:\n|[-*+>#|]|\d+[.)]\s))/g;
const MARKS = /^(?:[-*+>#]+|\d+[.)])\s+(?:\[.\]\s+)?/;

/** A property as a person reads it: its name, and the value without quotes and brackets. */
function propertyAround(text: string, position: number): string {
  const end = text.indexOf("\n", position);
  const above = text.slice(0, end === -1 ? undefined : end);
  const start = above.search(/\n[^\s#-][^\n]*(?:\n[ \t-][^\n]*)*$/);
  return beginningOf(
    above
      .slice(start + 1)
      .replace(/[[\]"']/g, "")
      .replace(/\s+/g, " ")
      .trim(),
    SNIPPET_LENGTH,
  );
}

/** The words around a position, in its paragraph or list item. */
function lineAround(text: string, position: number): string {
  if (position < (findFrontmatter(text)?.end ?? 0)) return propertyAround(text, position);
  const from = Math.max(0, position - 4 * REACH);
  const near = text.slice(from, position + 4 * REACH);
  const at = position - from;
  let [start, end] = [0, near.length];
  for (const { index } of near.matchAll(BREAK)) {
    if (index < at) start = index + 1;
    else end = Math.min(end, index);
  }
  const block = near.slice(start, end);
  const part = block.length <= SNIPPET_LENGTH ? block : textAround(block, at - start, at - start, REACH);
  return beginningOf(proseOf(part).replace(/\s+/g, " ").trim().replace(MARKS, ""), SNIPPET_LENGTH);
}

/** Notes that say the name or an alias of a note, and do not link to it, with what they say. */
export async function mentionsOf(vault: Vault, path: string, signal?: AbortSignal): Promise<LinkFound[]> {
  const names = namesOf(path, (await textAt(vault, path)) ?? "");
  if (names.length === 0) return [];
  const { answer: backlinks } = await vault.index.backlinks([path]);
  const linking = new Set([path, ...backlinks.map(({ from }) => from)]);
  const candidates = new Set<string>();
  for (const name of names) {
    const { hits } = await vault.index.search(`"${name.replaceAll('"', " ")}"`, { limit: MAX_READ, signal });
    for (const hit of hits) if (!linking.has(hit.path)) candidates.add(hit.path);
  }
  const turns = new Turns(signal);
  const found: LinkFound[] = [];
  const said = new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${names.map((name) => escapePattern(name).replace(/\s+/g, "\\s+")).join("|")})(?![\\p{L}\\p{N}_])`,
    "iu",
  );
  for (const from of [...candidates].slice(0, MAX_READ)) {
    if (turns.isOver()) await turns.next();
    const text = linkedTextOf(from) === "markdown" ? await textAt(vault, from) : undefined;
    const match = text === undefined ? null : said.exec(unlinked(text));
    if (match !== null) found.push({ from, snippet: lineAround(text!, match.index) });
  }
  return found;
}

function namesOf(path: string, text: string): string[] {
  const { properties } = readProperties(text);
  const aliases = [properties["aliases"], properties["alias"]].flat();
  const names = [nameIn(path).replace(/\.\w+$/, ""), ...aliases.filter((one) => typeof one === "string")];
  const long = names.map((name) => name.trim()).filter((name) => [...name].length >= MIN_NAME_LENGTH);
  return [...new Set(long)].slice(0, MAX_NAMES);
}

const LINKS = /!?\[\[[^\]\n]{0,2000}\]\]|!?\[[^\]\n]{0,2000}\]\([^)\n]*\)|\bhttps?:\/\/\S+/g;

/** The text with blanks instead of links and of what is not prose: positions stay. */
function unlinked(text: string): string {
  let masked = text.replace(LINKS, blank);
  for (const { start, end } of scanMarkdown(text).notProse)
    masked = masked.slice(0, start) + blank(masked.slice(start, end)) + masked.slice(end);
  return masked;
}

function blank(part: string): string {
  return part.replace(/[^\n]/g, " ");
}

/** The links from and to a note, and from and to the notes that these lead to. */
export async function linksAround(vault: Vault, path: string): Promise<LinkFound[]> {
  const near = await linksOfAll(vault, [path]);
  const neighbours = new Set(near.flatMap(({ from, to }) => [from, to]).filter((one) => one !== path));
  const far = await linksOfAll(vault, [...neighbours].slice(0, MAX_NEIGHBOURS));
  const seen = new Set<string>();
  const found: LinkFound[] = [];
  for (const { from, to } of [...near, ...far]) {
    const key = `${from}\n${to}`;
    if (seen.has(key) || from === to || found.length >= MAX_AROUND) continue;
    seen.add(key);
    found.push({ from, to });
  }
  return found;
}

async function linksOfAll(vault: Vault, paths: readonly string[]): Promise<{ from: string; to: string }[]> {
  const { answer: outgoing } = await vault.index.links(paths);
  const { answer: backlinks } = await vault.index.backlinks(paths);
  const leading = outgoing.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }]));
  return [...leading, ...backlinks.map(({ from, to }) => ({ from, to }))];
}
