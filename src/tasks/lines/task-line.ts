// Reads what follows the check box of a task: its words, and the dates and other
// facts in the emoji format of the Tasks plugin or as Dataview's inline fields.
// Pure. Offsets are kept, so that an edit changes nothing else.

export const DATE_FIELDS = ["created", "start", "scheduled", "due", "cancelled", "done"] as const;
export type DateField = (typeof DATE_FIELDS)[number];

/** In the order in which the Tasks plugin writes them. */
export const FIELDS = ["id", "dependsOn", "priority", "recurrence", "onCompletion", ...DATE_FIELDS] as const;
export type FieldName = (typeof FIELDS)[number];

export const PRIORITIES = ["highest", "high", "medium", "low", "lowest"] as const;
export type Priority = (typeof PRIORITIES)[number];

export type Form = "emoji" | "inline";

/** A field where it is written. */
export interface WrittenField {
  readonly name: FieldName;
  readonly value: string;
  readonly form: Form;
  readonly start: number;
  readonly end: number;
  /** The offsets of the value; of a priority in emoji, those of the emoji. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

export interface TaskLine {
  /** All of it, as written. */
  readonly body: string;
  /** Without fields and block id. */
  readonly description: string;
  /** In their order. Of several of one name the first counts. */
  readonly fields: readonly WrittenField[];
  /** Offset of the block id with the space before it; else the end, without white space. */
  readonly end: number;
  /** The tags, and all of it as a search compares it, once they were needed: a list looks at 20,000 tasks. */
  tags?: readonly string[];
  folded?: string;
}

/** The first character of each is the one that is written. */
const SIGNS: Readonly<Record<Exclude<FieldName, "priority">, string>> = {
  id: "🆔",
  dependsOn: "⛔",
  recurrence: "🔁",
  onCompletion: "🏁",
  created: "➕",
  start: "🛫",
  scheduled: "⏳⌛",
  due: "📅📆🗓",
  cancelled: "❌",
  done: "✅",
};
const PRIORITY_SIGNS: Readonly<Record<Priority, string>> = {
  highest: "🔺",
  high: "⏫",
  medium: "🔼",
  low: "🔽",
  lowest: "⏬",
};
/** Inline fields that have another name than the field. */
const KEYS: Readonly<Partial<Record<FieldName, string>>> = { done: "completion", recurrence: "repeat" };

const NAMES_BY_SIGN = new Map<string, FieldName>(
  Object.entries(SIGNS).flatMap(([name, signs]) => Array.from(signs, (sign) => [sign, name as FieldName] as const)),
);
const PRIORITIES_BY_SIGN = new Map(PRIORITIES.map((priority) => [PRIORITY_SIGNS[priority], priority]));
const NAMES_BY_KEY = new Map(FIELDS.map((name) => [keyOf(name).toLowerCase(), name]));

const ID = "[a-zA-Z0-9_-]+";
const DATE = "\\d{4}-\\d{2}-\\d{2}";
const VALUES: Readonly<Record<FieldName, string>> = {
  id: ID,
  dependsOn: `${ID}(?: *, *${ID})*`,
  priority: PRIORITIES.join("|"),
  recurrence: "[a-zA-Z0-9, !]+",
  onCompletion: "[a-zA-Z]+",
  created: DATE,
  start: DATE,
  scheduled: DATE,
  due: DATE,
  cancelled: DATE,
  done: DATE,
};
/** After a sign: a variation selector, spaces and the value. */
const AFTER_SIGN = patterns((value) => `(\\uFE0F? *)(${value})`);
/** After the two colons: the value, and the bracket that ends the field. Dataview's dates may have a time. */
const AFTER_KEY = patterns((value) => `( *)(${value})(?:T[\\d:.+Z-]*)? *([)\\]])`, "yi");

const SIGN_OR_KEY = new RegExp(
  `${[...NAMES_BY_SIGN.keys(), ...PRIORITIES_BY_SIGN.keys()].join("|")}|[[(] *([A-Za-z]+)::`,
  "gu",
);
const BLOCK_ID = /[ \t]\^[a-zA-Z0-9-]+$/;
/** As the Tasks plugin knows them. */
const TAG = /(?:^|\s)(#[^ \t!@#$%^&*(),.?":{}|<>]+)/g;
const TAG_ALONE = /^#[^ \t!@#$%^&*(),.?":{}|<>]+$/;

function patterns(source: (value: string) => string, flags = "y"): Readonly<Record<FieldName, RegExp>> {
  return Object.fromEntries(FIELDS.map((name) => [name, new RegExp(source(VALUES[name]), flags)])) as Record<
    FieldName,
    RegExp
  >;
}

export function keyOf(name: FieldName): string {
  return KEYS[name] ?? name;
}

/** A field as it is written in a line, without the spaces around it. */
export function writtenField(name: FieldName, value: string, form: Form): string {
  if (form === "inline") return `[${keyOf(name)}:: ${value}]`;
  if (name === "priority") return PRIORITY_SIGNS[value as Priority];
  return `${Array.from(SIGNS[name])[0]} ${value}`;
}

export function parseTaskLine(body: string): TaskLine {
  // As the plugin does: a no-break space at the end is no part of the last field.
  const trimmed = body.trimEnd();
  const end = trimmed.search(BLOCK_ID);
  const text = end === -1 ? trimmed : trimmed.slice(0, end);
  const found = fieldsIn(text);
  return {
    body,
    description: withoutFields(text, found),
    fields: found,
    end: text.length,
  };
}

/**
 * The emoji format is read from the end, past tags, as the plugin does: what
 * stands before other words is not a field. Inline fields count anywhere.
 */
function fieldsIn(text: string): WrittenField[] {
  const candidates: WrittenField[] = [];
  for (const match of text.matchAll(SIGN_OR_KEY)) {
    const field = fieldAt(text, match);
    if (field !== undefined) candidates.push(field);
  }
  if (candidates.length === 0) return candidates;
  const fields: WrittenField[] = [];
  let end = endWithoutTags(text, text.length);
  let isAtEnd = true;
  for (const field of candidates.toReversed()) {
    isAtEnd &&= field.end === end;
    if (isAtEnd) end = endWithoutTags(text, field.start);
    if (isAtEnd || field.form === "inline") fields.push(field);
  }
  return fields.toReversed();
}

function fieldAt(text: string, match: RegExpExecArray): WrittenField | undefined {
  const [sign, key] = match;
  const { index: start } = match;
  const from = start + sign.length;
  if (key !== undefined) {
    const name = NAMES_BY_KEY.get(key.toLowerCase());
    if (name === undefined) return undefined;
    const [whole, space, value, close] = matchAt(AFTER_KEY[name], text, from) ?? [];
    if (whole === undefined || close !== (sign.startsWith("[") ? "]" : ")")) return undefined;
    const valueStart = from + space!.length;
    const valueEnd = valueStart + value!.trimEnd().length;
    // A comma after a field is part of it: people write one so that Obsidian shows both.
    const comma = /^ *,(?= *(?:[[(]|$))/.exec(text.slice(from + whole.length))?.[0].length ?? 0;
    const end = from + whole.length + comma;
    return { name, value: canonical(name, value!), form: "inline", start, end, valueStart, valueEnd };
  }
  const priority = PRIORITIES_BY_SIGN.get(sign);
  if (priority !== undefined) {
    const end = text[from] === "\uFE0F" ? from + 1 : from;
    return { name: "priority", value: priority, form: "emoji", start, end, valueStart: start, valueEnd: end };
  }
  const name = NAMES_BY_SIGN.get(sign)!;
  const [whole, space, value] = matchAt(AFTER_SIGN[name], text, from) ?? [];
  if (whole === undefined || value!.trim() === "") return undefined;
  const valueStart = from + space!.length;
  const valueEnd = valueStart + value!.trimEnd().length;
  return { name, value: canonical(name, value!), form: "emoji", start, end: valueEnd, valueStart, valueEnd };
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

function canonical(name: FieldName, value: string): string {
  if (name === "priority") return value.toLowerCase();
  return name === "dependsOn" ? value.replaceAll(" ", "") : value.trim();
}

/** The offset of the end of a text without the tags and spaces at its end. */
function endWithoutTags(text: string, from: number): number {
  for (let end = from; ;) {
    while (end > 0 && isBlank(text[end - 1]!)) end--;
    let word = end;
    while (word > 0 && !isBlank(text[word - 1]!)) word--;
    if (word === end || text[word] !== "#" || !TAG_ALONE.test(text.slice(word, end))) return end;
    end = word;
  }
}

function isBlank(character: string): boolean {
  return character === " " || (character.trim() === "" && character !== "");
}

function withoutFields(text: string, fields: readonly WrittenField[]): string {
  let description = "";
  let at = 0;
  for (const { start, end } of fields) {
    description += text.slice(at, start).trimEnd();
    at = end;
  }
  return (description + text.slice(at)).trim();
}

/** Returns a task's value of one field; undefined if it has none. */
export function valueOf({ fields }: TaskLine, name: FieldName): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}

/** The tags in its words, each once, with their `#`. */
export function tagsOf(line: TaskLine): readonly string[] {
  return (line.tags ??= tagsIn(line.description));
}

const NO_TAGS: readonly string[] = [];

function tagsIn(description: string): readonly string[] {
  if (!description.includes("#")) return NO_TAGS;
  return [...new Set(Array.from(description.matchAll(TAG), ([, tag]) => tag!))];
}
