// Runs a compiled pattern on a text, with backtracking on a stack of its own, and
// pays for every step from the budget of the query. Used by the functions.
import { type Budget, EvaluationFault } from "../language/problems.ts";
import type { Pattern } from "./pattern.ts";

export interface Match {
  readonly start: number;
  readonly end: number;
  /** The groups from 1; undefined for one that took no part. */
  readonly groups: readonly (string | undefined)[];
}

/** How many states may wait to be tried again. */
const MAX_WAITING = 200_000;
const STEPS_A_PAYMENT = 256;

/** The first match at or after a position. */
export function matchFrom(pattern: Pattern, text: string, from: number, budget: Budget): Match | undefined {
  for (let at = from; at <= text.length; at++) {
    const slots = run(pattern, text, 0, at, [], budget);
    if (slots !== undefined) {
      const groups = Array.from({ length: pattern.groups }, (_, i) => {
        const [start, end] = [slots[2 * i + 2], slots[2 * i + 3]];
        return start === undefined || end === undefined ? undefined : text.slice(start, end);
      });
      return { start: slots[0]!, end: slots[1]!, groups };
    }
  }
  return undefined;
}

/** All matches, or the first one if the pattern is not global and `isEach` is not set. */
export function* matches(pattern: Pattern, text: string, budget: Budget, isEach = pattern.isGlobal): Generator<Match> {
  for (let at = 0; at <= text.length;) {
    const match = matchFrom(pattern, text, at, budget);
    if (match === undefined) return;
    yield match;
    if (!isEach) return;
    at = match.end > match.start ? match.end : match.end + 1;
  }
}

/** `$1`, `$<name>`, `$&` and `$$` of a replacement. */
export function expand(pattern: Pattern, replacement: string, text: string, { start, end, groups }: Match): string {
  return replacement.replace(/\$(?:(\$)|(&)|([1-9]\d?)|<([^>]+)>)/g, (whole, dollar, all, number, name) => {
    if (dollar !== undefined) return "$";
    if (all !== undefined) return text.slice(start, end);
    const group = number === undefined ? pattern.names.get(name as string) : Number(number);
    return group === undefined || group > groups.length ? (whole as string) : (groups[group - 1] ?? "");
  });
}

type Slots = (number | undefined)[];

/** A state to come back to. */
interface State {
  readonly instruction: number;
  readonly at: number;
  readonly slots: Slots;
  /** Start of the last round of each loop. */
  readonly rounds: readonly (number | undefined)[];
}

/** The places of the groups, if the pattern matches at a position. */
function run(
  pattern: Pattern,
  text: string,
  first: number,
  start: number,
  given: Slots,
  budget: Budget,
): Slots | undefined {
  const { program } = pattern;
  const isMultiline = pattern.flags.includes("m");
  const isWide = pattern.flags.includes("u");
  const waiting: State[] = [{ instruction: first, at: start, slots: given, rounds: [] }];
  let steps = 0;
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    let { instruction, at, slots, rounds } = state;
    for (;;) {
      if (++steps % STEPS_A_PAYMENT === 0) budget.spend(STEPS_A_PAYMENT);
      const next = program[instruction]!;
      let fits = true;
      switch (next.op) {
        case "match":
          budget.spend(1 + (steps % STEPS_A_PAYMENT));
          return slots;
        case "character": {
          const character = at >= text.length ? "" : isWide ? String.fromCodePoint(text.codePointAt(at)!) : text[at]!;
          fits = character !== "" && next.test(character);
          at += character.length;
          break;
        }
        case "split":
          if (waiting.length >= MAX_WAITING)
            throw new EvaluationFault("A pattern is too complex for a text this long.");
          waiting.push({ instruction: next.second, at, slots, rounds });
          instruction = next.first;
          continue;
        case "jump":
          instruction = next.to;
          continue;
        case "save":
          slots = slots.slice();
          slots[next.slot] = at;
          break;
        case "reset":
          slots = slots.slice();
          for (let slot = next.from; slot < next.to; slot++) slots[slot] = undefined;
          break;
        case "progress":
          if (next.isStart) rounds = withRound(rounds, next.counter, at);
          else fits = rounds[next.counter] !== at;
          break;
        case "start":
          fits = at === 0 || (isMultiline && isLineBreak(text[at - 1]));
          break;
        case "end":
          fits = at === text.length || (isMultiline && isLineBreak(text[at]));
          break;
        case "boundary":
        case "inside":
          fits = (isWord(text[at - 1]) !== isWord(text[at])) === (next.op === "boundary");
          break;
        case "same": {
          const group = typeof next.group === "number" ? next.group : pattern.names.get(next.group)!;
          const [from, to] = [slots[2 * group], slots[2 * group + 1]];
          const before = from === undefined || to === undefined ? "" : text.slice(from, to);
          const here = text.slice(at, at + before.length);
          budget.spend(1 + before.length / 64);
          fits = pattern.flags.includes("i") ? here.toLowerCase() === before.toLowerCase() : here === before;
          at += before.length;
          break;
        }
        case "look": {
          const found = run(pattern, text, instruction + 1, at, slots, budget);
          fits = (found === undefined) === next.isNegative;
          if (found !== undefined && !next.isNegative) slots = found;
          instruction = next.end;
          if (!fits) break;
          continue;
        }
      }
      if (!fits) break;
      instruction++;
    }
  }
  budget.spend(1 + (steps % STEPS_A_PAYMENT));
  return undefined;
}

function withRound(rounds: State["rounds"], counter: number, at: number): State["rounds"] {
  const changed = rounds.slice();
  changed[counter] = at;
  return changed;
}

function isLineBreak(unit: string | undefined): boolean {
  return unit === "\n" || unit === "\r" || unit === "\u2028" || unit === "\u2029";
}

function isWord(unit: string | undefined): boolean {
  return unit !== undefined && /\w/.test(unit);
}
