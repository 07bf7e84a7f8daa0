// The edits of files in the text of a tool call, whichever program made it: what
// was replaced, and what was written. Programs name arguments differently, and
// some send patches. Pure; used by file-authors.ts.
import { isRecord, parseJson } from "../../kernel/kernel.ts";

export interface FileEdit {
  /** As the call names it. */
  readonly file: string;
  /** Empty if something was added. */
  readonly removed: string;
  readonly added: string;
  /** True if `added` is the whole file. */
  readonly isWhole: boolean;
}

const FILE_KEYS =
  /^(?:file_?path|path|target_?file|file|file_?name|notebook_path|absolute_?path|relative_?workspace_?path|uri)$/i;
const REMOVED_KEYS = /^(?:old_?(?:string|str|text|content|source|lines?)|search|find|original(?:_?text)?)$/i;
const ADDED_KEYS =
  /^(?:new_?(?:string|str|text|content|source|lines?)|replace(?:ment)?|insert_?text|text_?to_?insert)$/i;
const WHOLE_KEYS = /^(?:contents?|file_?text|code_?content|body)$/i;
const WRITES = /write|create|save|put_?file|new_?file/i;
const ADDS = /append|prepend|insert/i;

/** No call that a person would ask for is longer; parsing one takes milliseconds. */
const MAX_LENGTH = 2_000_000;

export function editsIn(tool: string, text: string): FileEdit[] {
  if (text.length > MAX_LENGTH) return [];
  const input = jsonIn(text);
  const edits = isRecord(input) ? editsOf(tool, input, undefined) : [];
  if (edits.length > 0) return edits;
  return [...(input === undefined ? [text] : textsIn(input))].flatMap(patchesIn);
}

/** Returns the output that follows a call's arguments in the text of some programs, or an empty string. */
export function textAfterArguments(text: string): string {
  const end = text.length > MAX_LENGTH ? undefined : endOfObject(text, 0);
  return end === undefined ? "" : text.slice(end).trimStart();
}

/** The first JSON object in a text; other text may follow it. */
function jsonIn(text: string): unknown {
  const start = text.indexOf("{");
  if (start === -1 || start > 200) return undefined;
  const whole = parseJson(text.slice(start));
  if (whole !== undefined) return whole;
  const end = endOfObject(text, start);
  return end === undefined ? undefined : parseJson(text.slice(start, end));
}

function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let i = start; i < text.length; i++) {
    const letter = text[i];
    if (isInString) {
      if (letter === "\\") i++;
      else if (letter === '"') isInString = false;
    } else if (letter === '"') isInString = true;
    else if (letter === "{") depth++;
    else if (letter === "}" && --depth === 0) return i + 1;
  }
  return undefined;
}

type Input = Readonly<Record<string, unknown>>;

function valueOf(input: Input, keys: RegExp): string | undefined {
  const found = Object.entries(input).find(([key, value]) => keys.test(key) && typeof value === "string");
  return found?.[1] as string | undefined;
}

function editsOf(tool: string, input: Input, outer: string | undefined): FileEdit[] {
  const file = valueOf(input, FILE_KEYS) ?? outer;
  const several = Object.values(input).filter((value) => Array.isArray(value));
  const nested = several.flatMap((list: readonly unknown[]) =>
    list.filter(isRecord).flatMap((one) => editsOf(tool, one, file)),
  );
  if (nested.length > 0) return nested;
  if (file === undefined) return [];
  const removed = valueOf(input, REMOVED_KEYS);
  const added = valueOf(input, ADDED_KEYS);
  if (added !== undefined && (removed !== undefined || !WRITES.test(tool)))
    return [{ file, removed: removed ?? "", added, isWhole: false }];
  const whole = valueOf(input, WHOLE_KEYS) ?? added;
  if (whole === undefined) return [];
  if (ADDS.test(tool)) return [{ file, removed: "", added: whole, isWhole: false }];
  return WRITES.test(tool) ? [{ file, removed: "", added: whole, isWhole: true }] : [];
}

/** All strings of a value: a patch may be anywhere in the arguments. */
function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null && depth < 6)
    for (const one of Object.values(value)) yield* textsIn(one, depth + 1);
}

function patchesIn(text: string): FileEdit[] {
  if (text.includes("*** Begin Patch")) return begunPatches(text);
  if (/^@@ .*@@/m.test(text)) return unifiedPatches(text);
  return [];
}

/** Codex's form: `*** Update File: path`, then hunks of lines with a sign. */
function begunPatches(text: string): FileEdit[] {
  const sections = text.split(/^\*\*\* (?=(?:Update|Add|Delete) File: )/m).slice(1);
  return sections.flatMap((section): FileEdit[] => {
    const [head = "", ...rest] = section.split("\n");
    const [, kind, file] = /^(Update|Add|Delete) File: (.+?)\s*$/.exec(head) ?? [];
    if (file === undefined || kind === "Delete") return [];
    const lines = rest.filter((line) => !line.startsWith("*** "));
    if (kind === "Add") return [{ file, removed: "", added: signed(lines, "+"), isWhole: true }];
    return hunksOf(lines, file);
  });
}

function unifiedPatches(text: string): FileEdit[] {
  const sections = text.split(/^(?=--- )/m).filter((section) => /^--- .*\n\+\+\+ /.test(section));
  return sections.flatMap((section) => {
    const file = /^\+\+\+ (?:b\/)?([^\t\n]+)/m.exec(section)?.[1]?.trim();
    if (file === undefined || file === "/dev/null") return [];
    return hunksOf(section.split("\n").slice(2), file);
  });
}

function hunksOf(lines: readonly string[], file: string): FileEdit[] {
  const hunks: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith("@@")) hunks.push([]);
    else if (/^[ +-]/.test(line) || line === "") hunks.at(-1)!.push(line);
  }
  return hunks
    .filter((hunk) => hunk.some((line) => /^[+-]/.test(line)))
    .map((hunk) => ({ file, removed: signed(hunk, "-"), added: signed(hunk, "+"), isWhole: false }));
}

/** The lines with this sign, and those that stay, as text. An empty last line is the patch's own. */
function signed(lines: readonly string[], sign: "+" | "-"): string {
  const other = sign === "+" ? "-" : "+";
  return lines
    .slice(0, lines.at(-1) === "" ? -1 : undefined)
    .filter((line) => !line.startsWith(other))
    .map((line) => line.slice(1))
    .join("\n");
}
