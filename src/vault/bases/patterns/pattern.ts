// Regular expressions that cannot hang: JavaScript's own has no limit, and a pattern
// such as /(a+)+$/ runs for years on a short text. A pattern is compiled to
// instructions here and run by matcher.ts, which counts its steps. JavaScript's own
// engine only checks the syntax, and tests single characters.
import { ExpressionFault } from "../language/problems.ts";

export type Instruction =
  | { readonly op: "character"; readonly test: (character: string) => boolean }
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "save"; readonly slot: number }
  /** Forgets the groups of an earlier round of a loop. */
  | { readonly op: "reset"; readonly from: number; readonly to: number }
  /** Leaves a loop whose last round matched nothing. */
  | { readonly op: "progress"; readonly counter: number; readonly isStart: boolean }
  | { readonly op: "start" | "end" | "boundary" | "inside" }
  | { readonly op: "same"; readonly group: number | string }
  | { readonly op: "look"; readonly isNegative: boolean; end: number }
  | { readonly op: "match" };

const MAX_PATTERN_LENGTH = 1_000;
const MAX_INSTRUCTIONS = 5_000;
const MAX_DEPTH = 50;

export class Pattern {
  readonly type = "regexp";
  readonly source: string;
  readonly flags: string;
  readonly program: readonly Instruction[];
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  readonly counters: number;

  constructor(source: string, flags: string) {
    if (source.length > MAX_PATTERN_LENGTH) throw new ExpressionFault("The pattern is too long.");
    if (/[^gimsu]/.test(flags)) throw new ExpressionFault(`The pattern /${source}/${flags} has an unknown flag.`);
    try {
      RegExp(source, flags);
    } catch {
      throw new ExpressionFault(`/${source}/${flags} is not a valid pattern.`);
    }
    this.source = source;
    this.flags = flags;
    const compiler = new Compiler(source, flags);
    this.program = compiler.compile();
    this.groups = compiler.groups;
    this.names = compiler.names;
    this.counters = compiler.counters;
  }

  get isGlobal(): boolean {
    return this.flags.includes("g");
  }

  toString(): string {
    return `/${this.source}/${this.flags}`;
  }
}

/** The syntax was checked before, so only what has to be understood is looked at. */
class Compiler {
  readonly #source: string;
  readonly #flags: string;
  readonly #program: Instruction[] = [];
  #at = 0;
  groups = 0;
  counters = 0;
  readonly names = new Map<string, number>();

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  compile(): Instruction[] {
    this.#emit({ op: "save", slot: 0 });
    this.#alternatives(0);
    this.#emit({ op: "save", slot: 1 });
    this.#emit({ op: "match" });
    return this.#program;
  }

  #emit<T extends Instruction>(instruction: T): T {
    if (this.#program.length >= MAX_INSTRUCTIONS)
      throw new ExpressionFault(`The pattern /${this.#source}/ is too large.`);
    this.#program.push(instruction);
    return instruction;
  }

  get #here(): number {
    return this.#program.length;
  }

  #takes(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #alternatives(depth: number): void {
    if (depth > MAX_DEPTH) throw new ExpressionFault(`The pattern /${this.#source}/ is nested too deeply.`);
    const begin = this.#here;
    this.#sequence(depth);
    if (!this.#source.startsWith("|", this.#at)) return;
    // Insert a split before what was compiled: its jumps move by one.
    const first = this.#program.splice(begin);
    const split = this.#emit({ op: "split", first: begin + 1, second: 0 });
    this.#append(first, 1);
    const jump = this.#emit({ op: "jump", to: 0 });
    split.second = this.#here;
    this.#at++;
    this.#alternatives(depth + 1);
    jump.to = this.#here;
  }

  #sequence(depth: number): void {
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) this.#term(depth);
  }

  #term(depth: number): void {
    const begin = this.#here;
    const groupsBefore = this.groups;
    if (this.#takes("^")) return void this.#emit({ op: "start" });
    if (this.#takes("$")) return void this.#emit({ op: "end" });
    if (this.#takes("\\b")) return void this.#emit({ op: "boundary" });
    if (this.#takes("\\B")) return void this.#emit({ op: "inside" });
    if (this.#takes("(?=") || this.#takes("(?!")) {
      const isNegative = this.#source.charAt(this.#at - 1) === "!";
      const look = this.#emit({ op: "look", isNegative, end: 0 });
      this.#alternatives(depth + 1);
      this.#takes(")");
      this.#emit({ op: "match" });
      look.end = this.#here;
    } else if (this.#takes("(?<=") || this.#takes("(?<!"))
      throw new ExpressionFault(`The pattern /${this.#source}/ looks behind, which is not supported.`);
    else if (this.#takes("(")) this.#group(depth);
    else this.#atom();
    this.#quantifier(begin, groupsBefore);
  }

  #group(depth: number): void {
    let group: number | undefined;
    if (this.#takes("?:")) group = undefined;
    else if (this.#source.startsWith("?<", this.#at)) {
      const close = this.#source.indexOf(">", this.#at);
      group = ++this.groups;
      this.names.set(this.#source.slice(this.#at + 2, close), group);
      this.#at = close + 1;
    } else if (this.#source.startsWith("?", this.#at))
      throw new ExpressionFault(`The pattern /${this.#source}/ has a kind of group that is not supported.`);
    else group = ++this.groups;
    if (group !== undefined) this.#emit({ op: "save", slot: 2 * group });
    this.#alternatives(depth + 1);
    this.#takes(")");
    if (group !== undefined) this.#emit({ op: "save", slot: 2 * group + 1 });
  }

  /** A character, a class, an escape or a reference to a group. */
  #atom(): void {
    const begin = this.#at;
    const unit = this.#source.charAt(begin);
    if (unit === "\\") {
      const rest = this.#source.slice(begin);
      const reference = /^\\(?:([1-9]\d*)|k<([^>]+)>)/.exec(rest);
      if (reference !== null) {
        this.#at += reference[0].length;
        return void this.#emit({ op: "same", group: reference[2] ?? Number(reference[1]) });
      }
      const escape = /^\\(?:u\{[\dA-Fa-f]+\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[^])/u.exec(rest)!;
      this.#at += escape[0].length;
    } else if (unit === "[") {
      this.#at++;
      for (; this.#at < this.#source.length && this.#source.charAt(this.#at) !== "]"; this.#at++)
        if (this.#source.charAt(this.#at) === "\\") this.#at++;
      this.#at++;
    } else this.#at += this.#flags.includes("u") ? String.fromCodePoint(this.#source.codePointAt(begin)!).length : 1;
    const tested = new RegExp(`^(?:${this.#source.slice(begin, this.#at)})$`, this.#flags.replace(/[gm]/g, ""));
    const known = new Map<string, boolean>();
    this.#emit({
      op: "character",
      test: (character) => {
        const before = known.get(character);
        if (before !== undefined) return before;
        const fits = tested.test(character);
        if (known.size < 256) known.set(character, fits);
        return fits;
      },
    });
  }

  #quantifier(begin: number, groupsBefore: number): void {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})/.exec(this.#source.slice(this.#at, this.#at + 30));
    if (found === null) return;
    this.#at += found[0].length;
    const isLazy = this.#takes("?");
    const [least, most] = bounds(found);
    const body = this.#program.splice(begin);
    const copy = () => {
      if (this.groups > groupsBefore)
        this.#emit({ op: "reset", from: 2 * (groupsBefore + 1), to: 2 * (this.groups + 1) });
      this.#append(body, this.#here - begin);
    };
    for (let i = 0; i < least; i++) copy();
    if (most === Number.POSITIVE_INFINITY) {
      const counter = this.counters++;
      const split = this.#emit({ op: "split", first: 0, second: 0 });
      const start = this.#here - 1;
      this.#emit({ op: "progress", counter, isStart: true });
      copy();
      this.#emit({ op: "progress", counter, isStart: false });
      this.#emit({ op: "jump", to: start });
      setBranches(split, start + 1, this.#here, isLazy);
      return;
    }
    const splits: { split: Extract<Instruction, { op: "split" }>; at: number }[] = [];
    for (let i = least; i < most; i++) {
      splits.push({ split: this.#emit({ op: "split", first: 0, second: 0 }), at: this.#here });
      copy();
    }
    for (const { split, at } of splits) setBranches(split, at, this.#here, isLazy);
  }

  /** Adds instructions that were compiled for another place. */
  #append(instructions: readonly Instruction[], by: number): void {
    for (const instruction of instructions) {
      if (instruction.op === "split")
        this.#emit({ ...instruction, first: instruction.first + by, second: instruction.second + by });
      else if (instruction.op === "jump") this.#emit({ ...instruction, to: instruction.to + by });
      else if (instruction.op === "look") this.#emit({ ...instruction, end: instruction.end + by });
      else this.#emit(instruction);
    }
  }
}

function bounds([mark, least, comma, most]: RegExpExecArray): [least: number, most: number] {
  if (mark === "*") return [0, Number.POSITIVE_INFINITY];
  if (mark === "+") return [1, Number.POSITIVE_INFINITY];
  if (mark === "?") return [0, 1];
  const [low, high] = [Number(least), comma === undefined ? Number(least) : most === "" ? Infinity : Number(most)];
  return [low, high];
}

function setBranches(split: Extract<Instruction, { op: "split" }>, loop: number, exit: number, isLazy: boolean): void {
  split.first = isLazy ? exit : loop;
  split.second = isLazy ? loop : exit;
}
