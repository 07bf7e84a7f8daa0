// The names of arguments as models really send them: other spellings of a
// tool's own arguments are accepted, and unknown arguments are reported instead
// of silently dropped. Pure; used by call.ts.
import { editDistance } from "../../kernel/kernel.ts";
import type { Fields } from "../definition/field.ts";

/** Names that mean the same in different tools. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["query", "search_query"],
  ["limit", "max_files", "maxResults"],
  ["path", "filePath"],
  ["includeTools", "include_tools"],
  ["confirm", "confirmed"],
  ["id", "rowId"],
  ["id", "undoId", "changeId"],
  ["parentId", "newParentId", "parent"],
];

/** Names that no tool has, and what is probably meant by them, in the order of preference. */
const PROBABLY: Readonly<Record<string, readonly string[]>> = {
  text: ["content", "topic", "query"],
  body: ["content"],
  markdown: ["content"],
  title: ["topic", "name", "filePath"],
  file: ["filePath", "path"],
  filename: ["filePath", "path"],
  note: ["filePath", "path"],
  notepath: ["filePath", "path"],
  folder: ["path", "paths", "output_dir"],
  directory: ["path", "paths", "output_dir"],
  destination: ["newPath", "targetPath"],
  target: ["newPath", "targetPath"],
  to: ["newPath", "targetPath", "until"],
  from: ["path", "sourcePath", "since"],
  old: ["oldContent", "findText"],
  new: ["newContent", "replaceText"],
  replacement: ["newContent", "replaceText"],
  q: ["query", "search_query"],
  term: ["query", "search_query"],
  keywords: ["query", "search_query", "tags"],
  words: ["query", "search_query"],
  count: ["limit", "max_files", "maxResults"],
  max: ["limit", "max_files", "maxResults"],
  top: ["limit", "max_files", "maxResults"],
  days: ["days_lookback", "since"],
  start: ["since", "startLine"],
  after: ["since", "siblingId"],
  before: ["until", "siblingId"],
  end: ["until", "endLine"],
  date: ["since"],
  type: ["kinds", "conversation_types", "file_types"],
  kind: ["kinds"],
  source: ["tools", "sourcePath"],
  tool: ["tools"],
  status: ["state", "set"],
  done: ["state"],
  checked: ["state"],
  properties: ["set"],
  frontmatter: ["set"],
  row: ["rowId"],
  conversation: ["id"],
  conversationid: ["id"],
  messageid: ["around"],
  section: ["heading", "rowId"],
};

/** Many callers send it with every call, to every tool. */
const SENT_EVERYWHERE = "context";

export interface NamedArguments {
  /** Under the names that the tool knows. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The names that the tool does not know, as they were sent. */
  readonly ignored: readonly string[];
}

export function namedArguments(fields: Fields, sent: Readonly<Record<string, unknown>>): NamedArguments {
  const values: Record<string, unknown> = {};
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const known = Object.hasOwn(fields, name) ? name : otherSpelling(fields, sent, name);
    if (known !== undefined) values[known] ??= value;
    else if (name !== SENT_EVERYWHERE) ignored.push(name);
  }
  return { values, ignored };
}

/** The tool's own name for an argument, or undefined if it has none or was sent under that name too. */
function otherSpelling(fields: Fields, sent: object, name: string): string | undefined {
  const synonyms = SYNONYMS.find((names) => names.some((one) => plain(one) === plain(name))) ?? [name];
  return Object.keys(fields).find(
    (field) => !Object.hasOwn(sent, field) && synonyms.some((one) => plain(one) === plain(field)),
  );
}

/** `filePath`, `file_path` and `FilePath` are one name. */
function plain(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

const MOST_NAMED = 5;
const LONGEST_NAME = 40;

/** What a result says about arguments that were ignored. */
export function ignoredNote(
  fields: Fields,
  ignored: readonly string[],
  hint: unknown,
): { readonly ignored?: readonly string[]; readonly hint?: string } {
  if (ignored.length === 0) return {};
  const names = ignored.slice(0, MOST_NAMED).map((name) => name.slice(0, LONGEST_NAME).toWellFormed());
  const meant = names.flatMap((name) => {
    const field = closest(Object.keys(fields), name);
    return field === undefined ? [] : [`${name}: did you mean ${field}?`];
  });
  const listed = Object.keys(fields).filter((name) => fields[name]!.presence !== "unlisted");
  const takes = listed.join(", ") || "no arguments";
  const sentence = meant.length > 0 ? meant.join(" ") : `This tool takes ${takes}.`;
  return { ignored: names, hint: [hint, `Ignored ${names.join(", ")}. ${sentence}`].filter(Boolean).join(" ") };
}

/** At most a third of a name may be mistyped. */
function closest(fields: readonly string[], name: string): string | undefined {
  const probable = PROBABLY[plain(name)]?.find((field) => fields.includes(field));
  if (probable !== undefined) return probable;
  const near = fields
    .map((field) => ({ field, distance: distanceOf(plain(field), plain(name)) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  return near === undefined || near.distance > name.length / 3 ? undefined : near.field;
}

function distanceOf(field: string, name: string): number {
  // One name is a longer form of the other.
  if (name.length >= 4 && field.length >= 4 && (name.includes(field) || field.includes(name))) return 0;
  return editDistance(field, name, name.length);
}
