// The lines of Aider's log, as aider/io.py writes them: `# aider chat started
// at …` begins a chat, lines behind `#### ` were typed, lines behind `> ` are the
// program's, and everything else is the answer. Both kinds of marked lines end
// with two spaces, which headings and quotations in an answer do not. Pure; used
// by aider.ts.
import { createHash } from "node:crypto";
import { tagged } from "../kit/tagged-text.ts";
import { boundedText, type MessagePart, type SourceEvent } from "../source.ts";

type BlockKind = "typed" | "program" | "answer";

interface Block {
  readonly kind: BlockKind;
  readonly lines: readonly string[];
}

/** What a later reading needs to go on. */
export interface LogState {
  /** When the chat started, as it is written. */
  readonly started: string | undefined;
  /** Known once something was typed. */
  readonly id: string | undefined;
  /** Of the chat before: two may start with the same words in the same second. */
  readonly lastId: string | undefined;
  readonly model: string | undefined;
  readonly blocks: number;
  /** The last block, which the next line may continue. */
  readonly open: Block | undefined;
  /** The program's message goes on over lines without a mark. */
  readonly isOpenMessage: boolean;
  readonly isAfterBlank: boolean;
}

const STARTED = /^# aider chat started at (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\s*$/;

/** The text of a line that is marked and ends with two spaces; undefined for other lines. */
function markedText(line: string, mark: "####" | ">"): string | undefined {
  if (!line.startsWith(mark) || !line.endsWith("  ")) return undefined;
  const text = line.slice(mark.length, -2);
  if (text === "") return text;
  return text.startsWith(" ") ? text.slice(1) : undefined;
}

const NO_EVENTS: readonly SourceEvent[] = [];

export class ChatLog {
  readonly #folder: string | undefined;
  #started: string | undefined;
  #id: string | undefined;
  #lastId: string | undefined;
  #model: string | undefined;
  #blocks: number;
  #open: { readonly kind: BlockKind; readonly lines: string[] } | undefined;
  /** Characters in the open block. */
  #size: number;
  #isOpenMessage: boolean;
  #isAfterBlank: boolean;

  constructor(folder: string | undefined, before?: LogState) {
    this.#folder = folder;
    this.#started = before?.started;
    this.#id = before?.id;
    this.#lastId = before?.lastId;
    this.#model = before?.model;
    this.#blocks = before?.blocks ?? 0;
    this.#open = before?.open === undefined ? undefined : { kind: before.open.kind, lines: [...before.open.lines] };
    this.#size = before?.open?.lines.reduce((sum, line) => sum + line.length + 1, 0) ?? 0;
    this.#isOpenMessage = before?.isOpenMessage ?? false;
    this.#isAfterBlank = before?.isAfterBlank ?? true;
  }

  get state(): LogState {
    return {
      started: this.#started,
      id: this.#id,
      lastId: this.#lastId,
      model: this.#model,
      blocks: this.#blocks,
      open: this.#open,
      isOpenMessage: this.#isOpenMessage,
      isAfterBlank: this.#isAfterBlank,
    };
  }

  /** No generator: most lines give no event, and a log has hundreds of thousands. */
  eventsOfLine(text: string): readonly SourceEvent[] {
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    const wasAfterBlank = this.#isAfterBlank;
    const isBlank = line.trim() === "";
    this.#isAfterBlank = isBlank && !this.#isOpenMessage;
    if (STARTED.test(line)) {
      const events = this.#endBlock();
      this.#beginChat(line);
      return events;
    }
    // Before the first chat: a configuration may name any file as the log.
    if (this.#started === undefined) return NO_EVENTS;
    const typed = markedText(line, "####");
    if (typed !== undefined) {
      this.#isOpenMessage = false;
      return this.#add("typed", typed);
    }
    if (this.#isOpenMessage) {
      this.#isOpenMessage = !line.endsWith("  ");
      return this.#add("program", line.trimEnd());
    }
    const program = markedText(line, ">");
    if (program !== undefined) return this.#add("program", program);
    // A message of several lines is marked at its first, and ends with two spaces at its last.
    if (line.startsWith("> ") && this.#open?.kind !== "answer" && !wasAfterBlank) {
      this.#isOpenMessage = true;
      return this.#add("program", line.slice(2));
    }
    if (!isBlank || this.#open?.kind === "answer") return this.#add("answer", line.trimEnd());
    return this.#endBlock();
  }

  /** Everything was read for now: the last block as it is. A later line may continue it under the same key. */
  eventsOfOpenBlock(): Generator<SourceEvent> {
    return this.#eventsOfBlock(this.#open);
  }

  #beginChat(line: string): void {
    this.#started = line.slice("# aider chat started at ".length).trim();
    this.#lastId = this.#id ?? this.#lastId;
    this.#id = undefined;
    this.#model = undefined;
    this.#blocks = 0;
    this.#isOpenMessage = false;
  }

  #add(kind: BlockKind, line: string): readonly SourceEvent[] {
    const events = this.#open?.kind === kind ? NO_EVENTS : this.#endBlock();
    this.#open ??= { kind, lines: [] };
    this.#size = (this.#open.lines.length === 0 ? 0 : this.#size) + line.length + 1;
    if (this.#size <= MAX_BLOCK_LENGTH) this.#open.lines.push(line);
    return events;
  }

  #endBlock(): readonly SourceEvent[] {
    if (this.#open === undefined) return NO_EVENTS;
    const events = [...this.#eventsOfBlock(this.#open)];
    this.#open = undefined;
    this.#blocks++;
    return events;
  }

  *#eventsOfBlock(block: Block | undefined): Generator<SourceEvent> {
    const text = block?.lines.join("\n").trim() ?? "";
    if (block === undefined || text === "") return;
    if (block.kind === "program") yield* this.#eventsOfModel(block.lines);
    // What comes before the first words are the program's announcements.
    if (this.#id === undefined) {
      if (block.kind === "program" || isNothing(text)) return;
      yield* this.#eventsOfChat(text);
    }
    for (const part of partsOfBlock({ ...block, text })) {
      const { suffix = "", ...rest } = part;
      const message = `${this.#id!}:${this.#blocks}`;
      const place = { conversation: this.#id!, message, order: this.#blocks };
      yield { kind: "part", part: { ...place, key: `${message}${suffix}`, ...rest } };
    }
  }

  /** A chat is known by its start and its first words: the same ones in a copied or moved project are the same chat. */
  *#eventsOfChat(words: string): Generator<SourceEvent> {
    const digits = this.#started!.replaceAll(/\D/g, "");
    const hash = createHash("sha256").update(words).digest("hex").slice(0, 8);
    const id = `${digits.slice(0, 8)}-${digits.slice(8)}-${hash}`;
    this.#id = this.#lastId?.startsWith(id) ? `${this.#lastId}-2` : id;
    const at = startOf(this.#started);
    yield {
      kind: "conversation",
      facts: {
        id: this.#id,
        folder: this.#folder,
        model: this.#model,
        // Later than that it ended: how much is not written.
        ...(at !== undefined && { created: { at, known: "stored" }, updated: { at, known: "inferred" } }),
      },
    };
  }

  *#eventsOfModel(lines: readonly string[]): Generator<SourceEvent> {
    for (const line of lines) {
      const model = /^(?:Main model|Model): (\S+) with /.exec(line)?.[1];
      if (model === undefined || model === this.#model) continue;
      this.#model = model;
      if (this.#id !== undefined) yield { kind: "conversation", facts: { id: this.#id, model } };
    }
  }
}

/** Characters of one message. */
const MAX_BLOCK_LENGTH = 1 << 22;

/** In local time: the log names no zone. */
function startOf(started: string | undefined): number | undefined {
  const parts = STARTED.exec(`# aider chat started at ${started}`)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  const at = new Date(year, month - 1, day, hour, minute, second).getTime();
  return at > 0 ? at : undefined;
}

type BlockPart = Pick<MessagePart, "role" | "kind" | "text" | "tool" | "files"> & { readonly suffix?: string };

/** An empty line was sent. */
function isNothing(text: string): boolean {
  return text === "<blank>";
}

/** A question that the program answered by itself, as it was told before. */
const ANSWERED_ITSELF = /\(Y\)es\/\(N\)o.*\]: \w*$/;
/** Commands whose words go to the model. */
const PROMPTING = /^\/(?:ask|architect|code|context|help)\s/;

function* partsOfBlock({ kind, text, lines }: Block & { readonly text: string }): Generator<BlockPart> {
  if (kind === "answer") return yield* answerIn(text);
  if (kind === "program" || ANSWERED_ITSELF.test(text)) {
    const told = lines.filter((line) => line.trim() !== "" && !ANNOUNCEMENT.test(line));
    const files = lines.flatMap(
      (line) =>
        FILE.exec(line)
          ?.slice(1)
          .find((name) => name !== undefined) ?? [],
    );
    const shown = boundedText(told.join("\n"));
    if (shown !== "")
      yield { role: "assistant", kind: "tool", tool: "aider", text: shown, ...(files.length > 0 && { files }) };
    return;
  }
  if (isNothing(text)) return;
  if (!/^[/!]/.test(text) || PROMPTING.test(text)) return yield { role: "user", kind: "prose", text };
  const tool = /^(?:!|\/\S*)/.exec(text)![0];
  yield { role: "user", kind: "tool", tool, text: boundedText(text) };
}

const ANNOUNCEMENT =
  /^(?:Aider v\d|(?:Main model|Model|Weak model|Editor model): |Git repo: |Repo-map: |Tokens: |Cost: |Use \/help |https:\/\/aider\.chat\/)/;
const FILE = /^(?:Applied edit to (.+)|Added (\S+) to the chat\.?.*|Did not apply edit to (\S+).*)$/;

/** `aider/reasoning_tags.py`: its own tag, or the one of the model. */
const THINKING = ["thinking-content-7bbeb8e1441453ad999a0bbba8a46d4b", "think"];

function* answerIn(text: string): Generator<BlockPart> {
  let answer = text;
  const thoughts: string[] = [];
  for (const tag of THINKING) {
    const { within, rest } = tagged(answer, tag);
    thoughts.push(...within.map((one) => one.text.trim()));
    answer = rest.trim();
  }
  const thinking = thoughts.filter((one) => one !== "").join("\n\n");
  if (thinking !== "") yield { role: "assistant", kind: "thinking", suffix: ":thinking", text: boundedText(thinking) };
  if (answer !== "") yield { role: "assistant", kind: "prose", text: answer };
}
