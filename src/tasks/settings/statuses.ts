// The meaning of the character in a check box: by the settings of the Tasks plugin,
// else by its defaults. Pure.
import { Problem } from "../../kernel/kernel.ts";

const STATUS_TYPES = ["todo", "in progress", "on hold", "done", "cancelled", "not a task"] as const;
export type StatusType = (typeof STATUS_TYPES)[number];

export interface Status {
  readonly symbol: string;
  readonly name: string;
  /** The character that follows it. */
  readonly next: string;
  readonly type: StatusType;
}

const DEFAULTS: readonly Status[] = [
  { symbol: " ", name: "Todo", next: "x", type: "todo" },
  { symbol: "x", name: "Done", next: " ", type: "done" },
  { symbol: "/", name: "In Progress", next: "x", type: "in progress" },
  { symbol: "-", name: "Cancelled", next: " ", type: "cancelled" },
];

/** Returns whether nothing is left to do: done, cancelled, or no task. */
export function isClosed(type: StatusType): boolean {
  return type === "done" || type === "cancelled" || type === "not a task";
}

export class Statuses {
  readonly all: readonly Status[];
  readonly #bySymbol: ReadonlyMap<string, Status>;

  /** Of several for one character the first counts. */
  constructor(all: readonly Status[] = DEFAULTS) {
    this.all = all.filter(({ symbol }, i) => all.findIndex((other) => other.symbol === symbol) === i);
    this.#bySymbol = new Map(this.all.map((status) => [status.symbol, status]));
  }

  /** A character that is not set is a task to do, but X, which is done. */
  of(symbol: string): Status {
    const known = this.#bySymbol.get(symbol);
    if (known !== undefined) return known;
    if (symbol === "X") return { ...this.of("x"), symbol };
    if (symbol === " " || symbol === "x") return DEFAULTS.find((each) => each.symbol === symbol)!;
    return { symbol, name: "Unknown", next: "x", type: "todo" };
  }

  /** By its character, its name, or what it means, in any case. */
  named(sent: string): Status {
    const exact = this.#bySymbol.get(sent);
    if (exact !== undefined) return exact;
    const wanted = this.typeNamed(sent);
    const found =
      this.all.find(({ name }) => plain(name) === plain(sent)) ??
      // The characters that every Markdown program knows come before others that mean the same.
      [this.of(" "), this.of("x"), ...this.all].find(({ type }) => type === wanted);
    if (found !== undefined) return found;
    if (Array.from(sent).length === 1 && !/[\s[\]]/.test(sent)) return this.of(sent);
    const names = this.all.map(({ name, symbol }) => `${name} [${symbol}]`).join(", ");
    throw new Problem(
      "invalid",
      `There is no status "${sent}" here.`,
      `There is ${names}; any single character is taken.`,
    );
  }

  /** Returns the status that a word of ours means, whatever the settings call it; undefined for any other. */
  typeNamed(sent: string): StatusType | undefined {
    const word = plain(sent);
    return WORDS[word] ?? STATUS_TYPES.find((type) => type === word);
  }

  /**
   * The status of the next task after one that was done: the first to do after it,
   * else the first in progress, else a space.
   */
  afterDone(done: Status): Status {
    for (const type of ["todo", "in progress"] as const) {
      let status = this.of(done.next);
      for (let i = 0; i < Math.max(1, this.all.length); i++) {
        if (status.type === type) return status;
        status = this.of(status.next);
      }
    }
    return this.of(" ");
  }
}

const WORDS: Readonly<Record<string, StatusType>> = {
  open: "todo",
  "to do": "todo",
  unchecked: "todo",
  undone: "todo",
  checked: "done",
  completed: "done",
  complete: "done",
  canceled: "cancelled",
  started: "in progress",
  doing: "in progress",
};

function plain(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");
}

const TYPES: Readonly<Record<string, StatusType>> = {
  TODO: "todo",
  IN_PROGRESS: "in progress",
  ON_HOLD: "on hold",
  DONE: "done",
  CANCELLED: "cancelled",
  NON_TASK: "not a task",
};

/** A status as the plugin's settings have it; undefined if it is not valid. */
export function statusIn(setting: unknown): Status | undefined {
  if (typeof setting !== "object" || setting === null) return undefined;
  const { symbol, name, nextStatusSymbol, type } = setting as Record<string, unknown>;
  if (typeof symbol !== "string" || Array.from(symbol).length !== 1) return undefined;
  return {
    symbol,
    name: typeof name === "string" ? name : "",
    next: typeof nextStatusSymbol === "string" && nextStatusSymbol !== "" ? nextStatusSymbol : "x",
    type: TYPES[String(type)] ?? "todo",
  };
}
