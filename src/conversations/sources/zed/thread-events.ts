// The events of a thread. Zed stores neither times nor ids of answers, and removes
// what follows a prompt when the person edits it: what an earlier reading has seen
// of the thread shows what was removed. Pure; used by zed.ts.
import { boundedText, type MessagePart, type SourceEvent } from "../source.ts";
import type { Content, Thread, Turn } from "./thread.ts";

/**
 * The prompts of a thread in the order in which they were first seen: the first characters of each id, and, behind a
 * `#`, the number that it had before Zed gave it an id.
 */
export type SeenTurns = readonly string[];

/** Of an id, in characters: enough to tell prompts of one thread apart. */
const SHORT = 12;

/** Orders of the messages of a turn, and the least of a sub-agent's: a time. */
const TURN = 10_000;
const MOMENT = 1e-6;

export interface Place {
  readonly thread: string;
  /** The thread itself, or the one whose assistant started it. */
  readonly conversation: string;
  readonly isSubagent: boolean;
  /** When a sub-agent began: its messages come after all others, in the order of their threads. */
  readonly began: number;
  readonly folder: string | undefined;
}

export interface ThreadEvents {
  readonly events: readonly SourceEvent[];
  readonly seen: SeenTurns;
}

export function eventsOfThread({ turns }: Thread, place: Place, before: SeenTurns): ThreadEvents {
  const seen = [...before];
  const events: SourceEvent[] = [];
  const present = new Set<number>();
  let follows = place.conversation;
  for (const turn of turns) {
    const at = indexOf(turn, seen, present);
    present.add(at);
    const name = `${place.thread}:${seen[at]!.replace(/^.*#/, "#")}`;
    const start = place.isSubagent ? place.began + at * TURN * MOMENT : at * TURN;
    const orderOf = (message: number, index: number) =>
      start + (Math.min(message, TURN - 1) + Math.min(index, 900) * 0.001) * (place.isSubagent ? MOMENT : 1);
    for (const [index, content] of turn.prompt.entries())
      events.push(
        eventOf(content, { name, message: 0, index, order: orderOf(0, index), role: "user", follows }, place),
      );
    for (const [i, answer] of turn.answers.entries())
      for (const [index, content] of answer.entries()) {
        const message = i + 1;
        const order = orderOf(message, index);
        events.push(eventOf(content, { name, message, index, order, role: "assistant", follows: undefined }, place));
      }
    follows = `${name}:${turn.answers.length}`;
  }
  for (const [at, one] of seen.entries())
    if (!present.has(at))
      events.push({
        kind: "abandoned",
        conversation: place.conversation,
        abandoned: { branch: `${place.thread}:${one.replace(/^.*#/, "#")}`, from: 0 },
      });
  return { events, seen };
}

/** The index of a turn among those that were seen, to which it is added. */
function indexOf({ id }: Turn, seen: string[], present: ReadonlySet<number>): number {
  const own = id === undefined ? "start" : id.startsWith("#") ? id : id.slice(0, SHORT).replaceAll("#", "");
  const known = seen.findIndex((one, at) => !present.has(at) && (one === own || one.startsWith(`${own}#`)));
  if (known !== -1) return known;
  // Zed has given ids to prompts that had numbers: they are the same, in the same order.
  const numbered = own.startsWith("#") ? -1 : seen.findIndex((one, at) => !present.has(at) && one.startsWith("#"));
  if (numbered !== -1) {
    seen[numbered] = `${own}${seen[numbered]!}`;
    return numbered;
  }
  return seen.push(own) - 1;
}

interface Position {
  readonly name: string;
  /** The number of the message in its turn, and of the content in the message. */
  readonly message: number;
  readonly index: number;
  readonly order: number;
  readonly role: "user" | "assistant";
  readonly follows: string | undefined;
}

function eventOf(content: Content, position: Position, place: Place): SourceEvent {
  const { name, message, index, order, role, follows } = position;
  const kind = content.kind === "text" ? "prose" : content.kind;
  const isProse = kind === "prose" && !place.isSubagent;
  const files = content.files?.map((file) => pathOf(file, place.folder));
  const part: MessagePart = {
    conversation: place.conversation,
    key: `${name}:${message}:${index}`,
    message: `${name}:${message}`,
    order,
    role,
    kind: place.isSubagent ? "subagent" : kind,
    text: isProse ? content.text : boundedText(content.text),
    ...(isProse && role === "user" && { follows }),
    ...(content.kind === "tool" && { tool: content.tool }),
    ...(files !== undefined && { files }),
  };
  return { kind: "part", part };
}

/** Tools name files by the project's folder and the path in it: `shop/src/a.ts`. */
function pathOf(file: string, folder: string | undefined): string {
  const [, parent, name] = /^(.*[/\\])([^/\\]+)[/\\]?$/.exec(folder ?? "") ?? [];
  if (parent === undefined || name === undefined || !/[/\\]/.test(file)) return file;
  return file.startsWith(`${name}/`) || file.startsWith(`${name}\\`) ? parent + file : file;
}
