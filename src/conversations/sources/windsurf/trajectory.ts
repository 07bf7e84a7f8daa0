// Windsurf's cached trajectories: protobuf whose definition is not published.
// Read by structure: steps that fit are returned, others are counted. Pure; used
// by windsurf.ts.
import { fieldsOf, messageIn, textOfBytes, timestampOf, valuesOf, type ProtobufField } from "../kit/protobuf.ts";
import { boundedText, type MessagePart, UUID } from "../source.ts";

export interface TrajectorySummary {
  readonly id: string;
  readonly title: string | undefined;
  /** In milliseconds, unordered: all times of the entry, whatever they mean. */
  readonly times: readonly number[];
}

/** Entries of {1 id, 2 {… the first text is the title}}; undefined if it has another structure. */
export function summariesIn(bytes: Uint8Array): TrajectorySummary[] | undefined {
  return fieldsOf(bytes)?.flatMap(({ value }) => {
    const entry = value instanceof Uint8Array ? fieldsOf(value) : undefined;
    const id = entry === undefined ? undefined : textOfBytes(valuesOf(entry, 1)[0]);
    if (id === undefined || !UUID.test(id)) return [];
    return [
      {
        id,
        title: messageIn(entry!, 2)
          ?.map(({ value: text }) => proseIn(text))
          .find((text) => text !== undefined),
        times: timesIn(entry!, 0),
      },
    ];
  });
}

/** Of a summary: it has a text, and messages with a text and times. */
const DEEPEST = 4;

function timesIn(fields: readonly ProtobufField[], depth: number): number[] {
  const own = timestampOf(fields);
  if (own !== undefined) return [own];
  if (depth === DEEPEST) return [];
  return fields.flatMap(({ value }) => {
    const inner = value instanceof Uint8Array ? fieldsOf(value) : undefined;
    return inner === undefined ? [] : timesIn(inner, depth + 1);
  });
}

export interface Trajectory {
  readonly id: string;
  readonly parts: readonly MessagePart[];
  /** Steps that could not be read. */
  readonly unknown: number;
}

/** {1 id, 2 {a repeated field of steps}}; undefined if it has another structure. */
export function trajectoryIn(bytes: Uint8Array): Trajectory | undefined {
  const fields = fieldsOf(bytes);
  const id = fields === undefined ? undefined : textOfBytes(valuesOf(fields, 1)[0]);
  const container = fields === undefined ? undefined : messageIn(fields, 2);
  if (id === undefined || id === "" || container === undefined) return undefined;
  const steps = repeatedIn(container);
  // Prompts are in field 19; older ones in field 28, which has tool output in others.
  const isOlder = !steps.some((step) => valuesOf(step, INPUT).length > 0);
  let follows = id;
  let unknown = 0;
  const seen = new Set<string>();
  const parts = steps.flatMap((step, at) => {
    const events = partsOf(step, { key: keyOf(step, id, at, seen), trajectory: id, at, follows, isOlder });
    if (events.length === 0) unknown++;
    follows = events.at(-1)?.message ?? follows;
    return events;
  });
  return { id, parts, unknown };
}

/** The messages of the field that has the most of them. */
function repeatedIn(container: readonly ProtobufField[]): ProtobufField[][] {
  const byNumber = new Map<number, ProtobufField[][]>();
  for (const { number, value } of container) {
    const message = value instanceof Uint8Array ? fieldsOf(value) : undefined;
    if (message !== undefined) byNumber.set(number, [...(byNumber.get(number) ?? []), message]);
  }
  return [...byNumber.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
}

const INPUT = 19;
const CONTENT = 28;
const ANSWER = 20;

/** By the id of the step, if it is unique. */
function keyOf(step: readonly ProtobufField[], trajectory: string, at: number, seen: Set<string>): string {
  const own = valuesOf(step, 1)[0];
  const id = typeof own === "number" ? String(own) : (textOfBytes(own) ?? `at ${at}`);
  const key = `${trajectory}:${seen.has(id) ? `at ${at}` : id}`;
  seen.add(id);
  return key;
}

interface Place {
  readonly key: string;
  readonly trajectory: string;
  readonly at: number;
  readonly follows: string;
  readonly isOlder: boolean;
}

function partsOf(step: readonly ProtobufField[], { key, trajectory, at, follows, isOlder }: Place): MessagePart[] {
  const time = timestampOf(messageIn(messageIn(step, 5) ?? [], 1));
  const common = { conversation: trajectory, message: key, order: at, time };
  const parts: MessagePart[] = [];
  const typed = longestIn(messageIn(step, INPUT)) ?? (isOlder ? longestIn(messageIn(step, CONTENT)) : undefined);
  if (typed !== undefined) parts.push({ ...common, key, role: "user", kind: "prose", text: typed, follows });
  else {
    const gave = longestIn(messageIn(step, CONTENT));
    if (gave !== undefined)
      parts.push({ ...common, key: `${key}:content`, role: "assistant", kind: "tool", text: boundedText(gave) });
  }
  return [...parts, ...answerIn(messageIn(step, ANSWER) ?? [], { ...common, key, role: "assistant" })];
}

/** {3 thinking, 7 tool {1 id, 2 name, 3 JSON}, 8 visible text} */
function answerIn(answer: readonly ProtobufField[], common: Omit<MessagePart, "kind" | "text">): MessagePart[] {
  const thinking = textOfBytes(valuesOf(answer, 3)[0])?.trim();
  const shown = textOfBytes(valuesOf(answer, 8)[0])?.trim();
  const tools = valuesOf(answer, 7).map((value) => (value instanceof Uint8Array ? fieldsOf(value) : undefined));
  return [
    ...(thinking
      ? [{ ...common, key: `${common.key}:thinking`, kind: "thinking" as const, text: boundedText(thinking) }]
      : []),
    ...(shown ? [{ ...common, kind: "prose" as const, text: shown }] : []),
    ...tools.flatMap((tool, at) => {
      const name = tool === undefined ? undefined : textOfBytes(valuesOf(tool, 2)[0]);
      if (name === undefined) return [];
      const asked = textOfBytes(valuesOf(tool!, 3)[0]) ?? "";
      const files = filesIn(asked);
      return [
        {
          ...common,
          key: `${common.key}:tool:${at}`,
          kind: "tool" as const,
          tool: name,
          text: boundedText(`${name} ${asked}`.trim()),
          ...(files.length > 0 && { files }),
        },
      ];
    }),
  ];
}

function filesIn(asked: string): string[] {
  const named = asked.matchAll(
    /"(?:TargetFile|AbsolutePath|file_path|FilePath|path)"\s*:\s*"((?:[^"\\]|\\.){1,400})"/g,
  );
  return [...new Set([...named].map((match) => match[1]!.replaceAll("\\\\", "\\")))];
}

/** The longest text in a message and its nested messages: a prompt is there as a whole, and in pieces. */
function longestIn(fields: readonly ProtobufField[] | undefined, depth = 0): string | undefined {
  const texts = (fields ?? []).map(({ value }) => {
    if (!(value instanceof Uint8Array)) return undefined;
    return proseIn(value) ?? (depth < 3 ? longestIn(fieldsOf(value), depth + 1) : undefined);
  });
  return texts.filter((text) => text !== undefined).toSorted((a, b) => b.length - a.length)[0];
}

/** Text that a person could have written: not an id, a URL, or random bytes. */
function proseIn(value: number | Uint8Array): string | undefined {
  const text = textOfBytes(value)?.trim();
  if (text === undefined || text === "" || UUID.test(text) || /^(?:file|https?|vscode-remote):\/\/\S+$/.test(text))
    return undefined;
  // oxlint-disable-next-line no-control-regex -- the tags of a message's fields are control characters
  return /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.test(text) ? undefined : text;
}
