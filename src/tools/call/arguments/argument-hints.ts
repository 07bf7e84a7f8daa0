// Adds to an error about an argument: the value that was sent, what
// was expected, and a call that would work. Pure; used by call.ts.
import { nearest } from "../../../kernel/kernel.ts";
import type { Fields, InvalidArgument, JsonSchema } from "../../definition/field.ts";

type Values = Readonly<Record<string, unknown>>;

/** Values that stand for those of the same name, in calls that would work. */
const SAMPLES: Values = {
  filePath: "Folder/Note.md",
  path: "Folder/Note.md",
  newPath: "Folder/New name.md",
  sourcePath: "Folder/Note.md",
  targetPath: "Folder/Copy.md",
  rootFolder: "Folder",
  newName: "New name",
  content: "Text",
  oldContent: "old text",
  newContent: "new text",
  findText: "old",
  replaceText: "new",
  query: "words",
  name: "Name",
  topic: "Text",
  rowId: "an id of get_outline_structure",
  stateId: "an id of memoryManager_listStates",
  targetSessionId: "an id of memoryManager_listSessions",
  workspaceId: "default",
  sessionId: "default",
};

/** Arguments that are like another one, if that was sent. */
const SAME_AS: Readonly<Record<string, string>> = { endLine: "startLine" };

/** An argument to send instead of a number beyond its limit, if the tool has it. */
const INSTEAD: Readonly<Record<string, (sent: number) => readonly [argument: string, value: unknown]>> = {
  days_lookback: (days) => ["since", days > MAX_LOOKBACK ? "all" : `${Math.ceil(days)}d`],
};
const MAX_LOOKBACK = 3650;

/** Words that models use for a value of a choice, where the letters are no help. */
const MEANINGS: Readonly<Record<string, string>> = {
  done: "checked",
  complete: "checked",
  completed: "checked",
  finished: "checked",
  true: "checked",
  open: "unchecked",
  todo: "unchecked",
  undone: "unchecked",
  incomplete: "unchecked",
  false: "unchecked",
  text: "txt",
  md: "markdown",
  top: "first",
  start: "first",
  bottom: "last",
  end: "last",
  above: "before",
  below: "after",
  incoming: "backlinks",
  broken: "unresolved",
  chat: "conversation",
  chats: "conversation",
  row: "outline",
};

/** Longer values of the caller are replaced by samples. */
const MAX_LENGTH = 80;

/** @param unknown what was sent besides, under names that the tool does not know */
export function argumentHint(
  fields: Fields,
  sent: Values,
  { argument, message }: InvalidArgument,
  unknown: Values = {},
): string {
  const { schema } = fields[argument]!;
  const value = sent[argument] ?? undefined;
  // The sentence of the error has the choices already.
  const choices = (schema.enum ?? schema.items?.enum)?.join(", ");
  const isSaid = choices !== undefined && message.includes(choices);
  const expected = isSaid
    ? ""
    : ` Expected: ${argument} must be ${expectation(schema)}${isBlank(value) && schema.type === "string" ? " with something in it" : ""}.`;
  const was = value === undefined ? `Missing: ${argument}.` : `Sent ${argument}: ${shown(value)}.`;
  const guess = value === undefined ? pathFrom(argument, sent, unknown) : undefined;
  const instead = insteadOf(fields, argument, value);
  const example =
    instead === undefined
      ? callThatWorks(fields, guess === undefined ? sent : { ...sent, [argument]: guess }, argument)
      : callThatWorks(fields, { ...sent, [argument]: undefined, [instead[0]]: instead[1] });
  return `${was}${expected} ${example}`;
}

function insteadOf(fields: Fields, argument: string, value: unknown) {
  const most = fields[argument]!.schema.maximum;
  const number = numberIn(value);
  if (most === undefined || number === undefined || number <= most || !Object.hasOwn(INSTEAD, argument))
    return undefined;
  const instead = INSTEAD[argument]!(number);
  return Object.hasOwn(fields, instead[0]) ? instead : undefined;
}

/** The number that was sent, as one or as text. Undefined for values that cannot be converted, such as a deep list. */
function numberIn(sent: unknown): number | undefined {
  const value = typeof sent === "string" && sent.trim() !== "" ? Number(sent) : sent;
  return typeof value === "number" && !Number.isNaN(value) ? value : undefined;
}

/** The path of a note from its folder and name, which models send apart. */
function pathFrom(argument: string, sent: Values, unknown: Values): string | undefined {
  const among = (names: RegExp) =>
    Object.entries(unknown).find(([name, value]) => names.test(name) && typeof value === "string")?.[1] as
      | string
      | undefined;
  const name = among(/^(?:new_?)?(?:title|name|filename)$/i);
  if (name === undefined || !/path$/i.test(argument)) return undefined;
  const old = typeof sent["path"] === "string" ? sent["path"] : "";
  const folder = among(/folder|^dir/i) ?? old.slice(0, Math.max(0, old.lastIndexOf("/")));
  const file = /\.\w{1,8}$/.test(name) || argument === "path" ? name : `${name}.md`;
  return folder === "" ? file : `${folder.replace(/(?<!\/)\/+$/, "")}/${file}`;
}

/** Describes the expected value of a schema. */
function expectation({ type, enum: values, items, properties, minimum, maximum, oneOf }: JsonSchema): string {
  if (values !== undefined) return `one of ${values.join(", ")}`;
  if (oneOf !== undefined) return oneOf.map(expectation).join(", or ");
  switch (type) {
    case "integer":
    case "number": {
      const kind = type === "integer" ? "a whole number" : "a number";
      if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
      return minimum === undefined ? kind : `${kind}, ${minimum} or more`;
    }
    case "boolean":
      return "true or false";
    case "array":
      return items?.enum === undefined
        ? `a list${items?.type === undefined ? "" : ` of ${items.type}s`}`
        : `a list of ${items.enum.join(", ")}`;
    case "object":
      return properties === undefined ? "an object" : `an object with ${Object.keys(properties).join(", ")}`;
    default:
      return "a string";
  }
}

/**
 * The arguments of a call that would work: what was sent, as far as it fits, and samples for what is wrong or required.
 * A context that fits is not repeated: it is long.
 */
function callThatWorks(fields: Fields, sent: Values, wrong?: string): string {
  const hasContext = isFit(fields, sent, CONTEXT) && fields[CONTEXT]?.presence === "required";
  const named = Object.entries(fields).flatMap(([name, { schema, presence, sample, unless = [] }]) => {
    const value = sent[name] ?? undefined;
    if (name === CONTEXT && (hasContext || presence !== "required")) return [];
    // An empty text may be read, and be refused where something has to be searched for.
    const isRefused = name === wrong && isBlank(value);
    if (!isRefused && isFit(fields, sent, name) && isShort(value) && !OF_THIS_MACHINE.has(name))
      return [[name, value] as const];
    const isRequested = presence === "requested" && !unless.some((other) => (sent[other] ?? undefined) !== undefined);
    const isNeeded = name === wrong || presence === "required" || isRequested;
    if (!isNeeded) return [];
    const other = SAME_AS[name];
    const like = value === undefined && other !== undefined && isFit(fields, sent, other) ? sent[other] : value;
    return [[name, typeof sample === "object" ? sample : sampleOf(name, schema, like, sample)] as const];
  });
  return `For example${hasContext ? ", with the same context" : ""}: ${JSON.stringify(Object.fromEntries(named))}`;
}

const CONTEXT = "context";

/** Arguments with paths outside the vault: no error names one, not even one that was sent. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set(["output_dir", "project", "file"]);

function isFit(fields: Fields, sent: Values, name: string): boolean {
  const value = sent[name] ?? undefined;
  return value !== undefined && fields[name] !== undefined && isRead(() => fields[name]!.read(value, name));
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** A value that fits; the nearest to what was sent, if that says which. */
function sampleOf(name: string, schema: JsonSchema, sent?: unknown, sample = SAMPLES[name] ?? "text"): unknown {
  const { type, enum: values, items, properties, minimum, maximum, oneOf, default: usual } = schema;
  if (values !== undefined) return choiceFor(sent, values) ?? usual ?? values[0];
  if (oneOf !== undefined) return sampleOf(name, oneOf[0]!);
  switch (type) {
    case "integer":
    case "number": {
      const value = numberIn(sent);
      if (value === undefined || !Number.isFinite(value)) return usual ?? minimum ?? 1;
      const number = type === "integer" ? Math.round(value) : value;
      return Math.min(Math.max(number, minimum ?? number), maximum ?? Number.POSITIVE_INFINITY);
    }
    case "boolean":
      return usual ?? true;
    case "array":
      return [sampleOf(name, items ?? {}, Array.isArray(sent) ? sent.find((one) => one !== undefined) : sent)];
    case "object":
      return Object.fromEntries(Object.entries(properties ?? {}).map(([key, inner]) => [key, sampleOf(key, inner)]));
    default:
      return textIn(sent) ?? sample;
  }
}

/** The first text of a list that was sent for one text. */
function textIn(sent: unknown): string | undefined {
  const first: unknown = Array.isArray(sent) ? sent[0] : undefined;
  return typeof first === "string" && first !== "" && first.length <= MAX_LENGTH ? first : undefined;
}

function choiceFor(sent: unknown, values: readonly string[]): string | undefined {
  if (typeof sent !== "string" && typeof sent !== "boolean") return undefined;
  const word = String(sent).slice(0, MAX_LENGTH).toLowerCase();
  const meaning = Object.hasOwn(MEANINGS, word) ? MEANINGS[word]! : undefined;
  return meaning !== undefined && values.includes(meaning) ? meaning : nearest(word, values);
}

function isShort(value: unknown): boolean {
  return !written(value).includes("…");
}

/** Shows the sent value, cut: a host may have sent megabytes. */
export function shown(value: unknown): string {
  const text = written(value);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}

/** Levels and members that are written: what was sent may be nested deeper than JSON.stringify can follow. */
const MAX_DEPTH = 3;
const MAX_ITEMS = 10;

/** As JSON, with … for what is left out. */
function written(value: unknown, depth = 0): string {
  if (typeof value === "string")
    return value.length <= MAX_LENGTH
      ? JSON.stringify(value)
      : `${JSON.stringify(value.slice(0, MAX_LENGTH)).slice(0, -1)}…`;
  if (typeof value !== "object" || value === null) return String(value);
  const members = Array.isArray(value)
    ? value.slice(0, MAX_ITEMS).map((item) => () => written(item, depth + 1))
    : Object.entries(value)
        .slice(0, MAX_ITEMS)
        .map(
          ([key, item]) =>
            () =>
              `${written(key)}:${written(item, depth + 1)}`,
        );
  const isWhole = depth < MAX_DEPTH && (Array.isArray(value) ? value.length : Object.keys(value).length) <= MAX_ITEMS;
  const text = [...(depth < MAX_DEPTH ? members.map((write) => write()) : []), ...(isWhole ? [] : ["…"])].join(",");
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}
