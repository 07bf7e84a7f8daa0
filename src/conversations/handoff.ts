// Writes the handoff that the next assistant needs to go on with a conversation, made of what was
// said in it: the goal, decisions, files that were changed, what is open, and where
// it stopped, each with the address of its message. Without a model: passages are
// chosen by their place and by their words, and are quoted as they are. Pure but
// for the state of the files; used by commonplace handoff.
import { resolve } from "node:path";
import { readBytes, realPath } from "../files/files.ts";
import { pathWithin } from "../kernel/kernel.ts";
import type { FileEdit } from "./recall/file-edits.ts";
import type { Edit, Standing } from "./recall/standing.ts";
import type { ConversationSummary, Message } from "./store/conversation-reader.ts";

interface Past {
  readonly conversation: Pick<
    ConversationSummary,
    "id" | "source" | "title" | "folder" | "branch" | "created" | "updated"
  >;
  readonly messages: Iterable<Message>;
  readonly editsOf: (message: Message) => readonly FileEdit[];
  /** Returns whether edits still stand in the text of their file; undefined if it is not certain. */
  readonly standingOf: (text: string, file: { readonly edits: readonly Edit[] }) => Standing | undefined;
}

/** In tokens: a letter of Latin script is a quarter of one, any other sign one. */
export const MAX_HANDOFF = 1_500;

const MAX_DECISIONS = 8;
const MAX_FILES = 12;
const MAX_OPEN = 6;
/** Characters of one passage. */
const MAX_ASKED = 700;
const MAX_ANSWER = 1_000;
const MAX_SUMMARY = 1_400;
const MAX_SENTENCE = 220;

const DECISION =
  /\b(?:decid(?:e[ds]?|ing)|decision|agreed|chose|settled on|go(?:ing)? with|let'?s (?:use|keep|go|do)|instead of|rather than|from now on|must not|never|always use|prefer)\b|entschieden|beschlossen|statt(?:dessen)?\b|ab jetzt|décidé|plutôt que|decidido|en lugar de|決め|采用|决定/i;
const OPEN =
  /\b(?:to-?do|fixme|remaining|left to do|next steps?|still (?:need|needs|to|open|missing)|not yet|open questions?|follow-?up|pending|untested|should I|shall I|do you want|would you like)\b|^\s*(?:[-*]|\d+\.) \[ \] |noch (?:offen|nicht)|als nächstes|reste à|pendiente|待办|未完成|まだ/i;

interface Passage {
  readonly text: string;
  readonly message: string;
}

export function handoffOf({ conversation, messages, editsOf, standingOf }: Past): string {
  const { prose, summary, edits } = read(messages, editsOf);
  const prompts = prose.filter(({ role }) => role === "user");
  const answers = prose.filter(({ role }) => role === "assistant");
  const [first, last] = [prompts[0], prompts.at(-1)];
  const lines = new Lines();
  const { source, id, title, folder, branch } = conversation;
  lines.add(`# Go on with: ${onOneLine(title) || "an untitled conversation"}`);
  lines.add(
    onOneLine(
      `This is from an earlier conversation with another assistant, ${source}/${id}, ${day(conversation.created)} to ${day(conversation.updated)}${folder === undefined ? "" : `, in ${folder}`}${branch === undefined ? "" : ` (branch ${branch})`}. What follows is quoted from it. Where \`read_conversation\` is at hand, it shows more: the id of the conversation, and \`around\` with the id in brackets.`,
    ),
  );
  lines.section("What was asked", passagesOf(first, MAX_ASKED));
  if (last !== first) lines.section("What was asked last", passagesOf(last, MAX_ASKED));
  const isAnswered = answers.length > 0 && prose.at(-1)?.role === "assistant";
  if (isAnswered) lines.section("Where it stopped", passagesOf(prose.at(-1), MAX_ANSWER));
  else lines.section("Where it stopped", [{ text: "The last prompt was not answered.", message: last?.id ?? "" }]);
  lines.section("Files that it changed", filesOf(edits, folder, standingOf));
  const open = sentencesOf(prose.slice(-6), OPEN);
  lines.section("Open points", open.slice(-MAX_OPEN));
  lines.section("Decisions", sentencesOf(prose, DECISION).slice(-MAX_DECISIONS));
  if (summary !== undefined) lines.section("Its own summary of what was before", passagesOf(summary, MAX_SUMMARY));
  return lines.text;
}

function read(messages: Past["messages"], editsOf: Past["editsOf"]) {
  const prose: Message[] = [];
  const edits = new Map<string, { readonly edit: FileEdit; readonly message: string; readonly count: number }>();
  let summary: Message | undefined;
  for (const message of messages) {
    if (message.isAbandoned) continue;
    if (message.kind === "prose") prose.push(message);
    else if (message.kind === "summary") summary = message;
    for (const edit of message.kind === "tool" || message.kind === "subagent" ? editsOf(message) : []) {
      const count = (edits.get(edit.file)?.count ?? 0) + 1;
      edits.delete(edit.file);
      edits.set(edit.file, { edit, message: message.id, count });
    }
  }
  return { prose, summary, edits };
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function passagesOf(message: Message | undefined, most: number): Passage[] {
  return message === undefined ? [] : [{ text: shortened(message.text.trim(), most), message: message.id }];
}

/** Keeps the beginning and the end: what a text comes to is in one of them. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const [start, end] = [Math.floor(most * 0.6), text.length - Math.floor(most * 0.35)];
  const head = text.slice(0, Math.max(text.lastIndexOf(" ", start), start - MAX_WORD));
  const tail = text.slice(Math.min(nextSpace(text, end), end + MAX_WORD));
  return `${head.trimEnd()} … ${tail.trimStart()}`;
}

/** Scripts without spaces have none for long. */
const MAX_WORD = 40;

function nextSpace(text: string, from: number): number {
  const at = text.indexOf(" ", from);
  return at === -1 ? text.length : at;
}

/** The sentences with such words, without code, each once, in their order. */
function sentencesOf(prose: readonly Message[], words: RegExp): Passage[] {
  const found = new Map<string, Passage>();
  for (const { id: message, text } of prose)
    for (const line of text.replaceAll(/```[^]*?(?:```|$)/g, "").split("\n"))
      for (const sentence of line.split(/(?<=[.!?。！？])\s+/)) {
        const plain = sentence.trim();
        if (plain.length < 12 || !words.test(sentence)) continue;
        found.delete(plain);
        found.set(plain, { text: shortened(plain, MAX_SENTENCE), message });
      }
  return [...found.values()];
}

function filesOf(
  edits: ReturnType<typeof read>["edits"],
  folder: string | undefined,
  standingOf: Past["standingOf"],
): Passage[] {
  return [...edits]
    .slice(-MAX_FILES)
    .toReversed()
    .map(([file, { edit, message, count }]) => {
      const times = count === 1 ? "once" : `${count} times`;
      return { text: `${file}: changed ${times}; ${stateOf(edit, folder, standingOf)}`, message };
    });
}

const STATES: Readonly<Record<Standing["verdict"], string>> = {
  holds: "the last change is in it",
  part: "a part of the last change is in it",
  changed: "it was changed since",
  "taken back": "the last change was taken back",
};
/** Bytes of a file that is compared. */
const MAX_FILE = 1024 * 1024;

/** Compares a file with what the last edit wrote into it: only below the folder of the conversation, and by no link. */
function stateOf({ file, ...edit }: FileEdit, folder: string | undefined, standingOf: Past["standingOf"]): string {
  if (folder === undefined) return "its folder is not known";
  const path = resolve(folder, file);
  const within = pathWithin(folder, path);
  if (within === undefined) return "it is not in the folder of the conversation";
  let text: string;
  try {
    if (pathWithin(realPath(folder), realPath(path)) !== within)
      return "it was not looked at, since it is behind a link";
    text = readBytes(path, undefined, MAX_FILE).toString("utf8");
  } catch {
    return "it is not there now, or cannot be read";
  }
  const standing = standingOf(text, { edits: [edit] });
  return standing === undefined ? "it is not certain whether the last change is in it" : STATES[standing.verdict];
}

/** Keeps foreign text on its line, without characters that no program takes as an argument. */
function onOneLine(text: string): string {
  const lines = text.split(/[\r\n\u0085\u2028\u2029]/).map((line) => line.replaceAll(/\p{Cc}/gu, " ").trim());
  return lines.filter((line) => line !== "").join(" / ");
}

/** An id that could end its brackets is left out: another program wrote it. */
function addressOf(message: string): string {
  return /^[\w:.-]{1,100}$/.test(message) ? ` [${message}]` : "";
}

/** The lines of a handoff, as many as fit. */
class Lines {
  readonly #lines: string[] = [];
  #room = MAX_HANDOFF;

  get text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  /** @returns false if there was no room */
  add(line: string): boolean {
    const tokens = tokensIn(line);
    if (tokens > this.#room) return false;
    this.#room -= tokens;
    this.#lines.push(line);
    return true;
  }

  section(title: string, passages: readonly Passage[]): void {
    const shown = passages.map(({ text, message }) => `- ${onOneLine(text)}${addressOf(message)}`);
    const heading = `\n## ${title}`;
    if (shown[0] === undefined || tokensIn(`${heading}${shown[0]}`) > this.#room) return;
    this.add(heading);
    // The newest are at the end.
    const fitting: string[] = [];
    for (const line of shown.toReversed()) if (this.#takes(line)) fitting.unshift(line);
    this.#lines.push(...fitting);
  }

  #takes(line: string): boolean {
    const tokens = tokensIn(line);
    if (tokens > this.#room) return false;
    this.#room -= tokens;
    return true;
  }
}

function tokensIn(text: string): number {
  const others = text.match(/[^\p{ASCII}\p{Script=Latin}]/gu)?.length ?? 0;
  return Math.ceil((text.length - others) / 4) + others + 1;
}
