// The snippet of a note for a search: its words as a person reads them, or the
// property that matched, by name. Used by the note index.
import { type NoteText, frontmatterRange, proseOf } from "../../markdown/markdown.ts";
import { matchesIn, type Snippet, snippetOf, type SearchQuery } from "../../search/search.ts";

export interface NoteSnippet extends Pick<Snippet, "text" | "highlights"> {
  /** True if a word of the query is in the text below the frontmatter. */
  readonly isInText: boolean;
  /** The properties that matched, if the text did not or the query asks for them by name. */
  readonly matched: Readonly<Record<string, unknown>>;
}

interface Wanted {
  /** The highlighted words, with their other forms. */
  readonly terms: Parameters<typeof snippetOf>[1];
  readonly properties: SearchQuery["properties"];
  readonly length: number;
}

interface Searched extends Pick<NoteText, "text"> {
  readonly title: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Only this much of a note around the best place is freed of marks: a note may have megabytes. */
const WINDOW = 2_000;

export function snippetOfNote({ text, title, properties }: Searched, { terms, length, ...query }: Wanted): NoteSnippet {
  const body = text.slice(frontmatterRange(text)?.end ?? 0);
  const raw = snippetOf(body, terms, length);
  const isInText = raw.highlights.length > 0;
  const asked = pick(properties, (name) => query.properties.some((filter) => isSameName(filter.name, name)));
  // A phrase may be in a property alone, and its words in the text in other forms.
  const missing = terms.phrases.filter((phrase) => matchesIn(body, { words: [], phrases: [phrase] }).length === 0);
  const sought = isInText ? { words: [], phrases: missing } : terms;
  const matched = { ...asked, ...pick(properties, (name, value) => isFound(name, value, sought)) };
  const source = windowAround(body, raw);
  const shown = bestSnippet(source, title, terms, length, isInText);
  const named = Object.entries(matched).map(([name, value]) => `${name}: ${valueText(value)}`);
  if (named.length === 0) return { ...shown, isInText, matched };
  const lead = snippetOf(named.join("; "), terms, length);
  const room = length - lead.text.length;
  if (room < SHORTEST || shown.text === "") return { text: lead.text, highlights: lead.highlights, isInText, matched };
  const rest = snippetOf(shown.text.replace(/…$/, ""), terms, room);
  return { ...joined(lead, rest), isInText, matched };
}

/** With less room than this, a second part of a snippet says nothing. */
const SHORTEST = 60;

function joined(lead: Pick<Snippet, "text" | "highlights">, rest: Pick<Snippet, "text" | "highlights">) {
  const start = lead.text.length + 3;
  return {
    text: `${lead.text} · ${rest.text}`,
    highlights: [...lead.highlights, ...rest.highlights.map(([from, to]) => [from + start, to + start] as const)],
  };
}

function bestSnippet(source: string, title: string, terms: Wanted["terms"], length: number, isInText: boolean) {
  const snippet = snippetOf(withoutTitle(proseOf(source), title), terms, length);
  if (!isInText || snippet.highlights.length > 0) return snippet;
  // The words are in the name of an embedded file or the target of a link.
  return snippetOf(withoutTitle(proseOf(source, { keepsTargets: true }), title), terms, length);
}

/** Whole paragraphs around the best place, if they are not too long, else whole lines. */
function windowAround(body: string, { start, end }: Pick<Snippet, "start" | "end">): string {
  if (body.length <= 2 * WINDOW) return body;
  const from = Math.max(0, start - WINDOW);
  const paragraph = body.indexOf("\n\n", from);
  const line = body.indexOf("\n", from);
  const first = [paragraph, line].find((at) => at !== -1 && at < start);
  return body.slice(from === 0 ? 0 : (first ?? from), end + WINDOW);
}

/** Many notes repeat their title in the first line, and a hit shows it already. */
function withoutTitle(prose: string, title: string): string {
  const text = prose.trimStart();
  return text.startsWith(`${title}:`) ? text.slice(title.length + 1).trimStart() : prose;
}

/** Maximum number of properties that a hit names. */
const MAX_PROPERTIES = 3;

function pick(properties: Searched["properties"], isWanted: (name: string, value: unknown) => boolean) {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, value]) => isWanted(name, value))
      .slice(0, MAX_PROPERTIES),
  );
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function isFound(name: string, value: unknown, terms: Wanted["terms"]): boolean {
  return matchesIn(`${name}: ${valueText(value)}`, terms).length > 0;
}

/** A value of a property in a sentence. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return proseOf(String(value));
}
