// The functions of strings and of patterns.
import { EvaluationFault } from "../language/problems.ts";
import type { Scope } from "../language/scope.ts";
import { expand, matches, matchFrom } from "../patterns/matcher.ts";
import { Pattern } from "../patterns/pattern.ts";
import { textOf, type Value } from "../values/value.ts";
import {
  ANY_NUMBER,
  checkedList,
  checkedText,
  checkLength,
  method,
  numberFrom,
  textFrom,
  type Methods,
} from "./function-table.ts";

export const STRING_METHODS: Methods = {
  contains: method<string>(1, 1, (self, [part], scope) => includes(self, part!, scope)),
  containsAll: method<string>(1, ANY_NUMBER, (self, parts, scope) =>
    parts.every((part) => includes(self, part, scope)),
  ),
  containsAny: method<string>(1, ANY_NUMBER, (self, parts, scope) => parts.some((part) => includes(self, part, scope))),
  startsWith: method<string>(1, 1, (self, [part]) => self.startsWith(textFrom(part, "startsWith()"))),
  endsWith: method<string>(1, 1, (self, [part]) => self.endsWith(textFrom(part, "endsWith()"))),
  lower: method<string>(0, 0, (self, _, scope) => checkedText(self.toLowerCase(), scope)),
  title: method<string>(0, 0, (self, _, scope) =>
    checkedText(
      self.replace(/(^|[\s\p{Pd}])(\p{L})/gu, (_match, before, letter) => before + letter.toUpperCase()),
      scope,
    ),
  ),
  trim: method<string>(0, 0, (self) => self.trim()),
  reverse: method<string>(0, 0, (self, _, scope) => checkedText([...self].toReversed().join(""), scope)),
  repeat: method<string>(1, 1, (self, [count], scope) => {
    const times = numberFrom(count, "repeat()");
    if (!(times >= 0)) throw new EvaluationFault("repeat() needs a number of 0 or more.");
    // Checked before it is made: it may not fit into memory.
    checkLength(times * self.length);
    return checkedText(self.repeat(times), scope);
  }),
  slice: method<string>(1, 2, (self, [start, end]) =>
    self.slice(numberFrom(start, "slice()"), end === undefined ? undefined : numberFrom(end, "slice()")),
  ),
  split: method<string>(1, 2, (self, [separator, most], scope) => {
    const parts =
      separator instanceof Pattern
        ? splitBy(self, separator, scope.budget)
        : self.split(textFrom(separator, "split()"));
    return checkedList(most === undefined ? parts : parts.slice(0, numberFrom(most, "split()")), scope);
  }),
  replace: method<string>(2, 2, (self, [pattern, replacement], scope) => {
    const written = textOf(replacement!);
    if (!(pattern instanceof Pattern)) {
      const searched = textFrom(pattern, "replace()");
      checkLength(self.length + (self.split(searched).length - 1) * (written.length - searched.length));
      return checkedText(
        self.replaceAll(searched, () => written),
        scope,
      );
    }
    let result = "";
    let copied = 0;
    for (const match of matches(pattern, self, scope.budget)) {
      result = checkedText(result + self.slice(copied, match.start) + expand(pattern, written, self, match), scope);
      copied = match.end;
    }
    return checkedText(result + self.slice(copied), scope);
  }),
};

function includes(self: string, part: Value, { budget }: Scope): boolean {
  budget.spend(self.length / 64);
  return part !== null && self.includes(textOf(part));
}

function splitBy(text: string, pattern: Pattern, budget: Parameters<typeof matches>[2]): string[] {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of matches(pattern, text, budget, true)) {
    if (end === start && (start === 0 || start === text.length)) continue;
    parts.push(text.slice(copied, start));
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts;
}

export const PATTERN_METHODS: Methods = {
  matches: method<Pattern>(1, 1, (self, [text], { budget }) =>
    text === null ? false : matchFrom(self, textOf(text!), 0, budget) !== undefined,
  ),
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}
