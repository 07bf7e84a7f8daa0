// Reads the rule of a recurring task, such as "every 2 weeks on Friday when done",
// in the English of rrule, which the Tasks plugin uses. Words that it would
// ignore, or that Tasks cannot carry out, are no rule here. Pure.

export interface Rule {
  readonly unit: "day" | "week" | "month" | "year";
  readonly interval: number;
  /** From 1; empty: any. */
  readonly months: readonly number[];
  /** From 1, or from the end as -1; empty: any. */
  readonly monthDays: readonly number[];
  readonly weekdays: readonly RuleWeekday[];
  /** True if it counts from the day on which the task was done. */
  readonly isFromDone: boolean;
}

interface RuleWeekday {
  /** 0 is Sunday. */
  readonly day: number;
  /** The week of its month, from the end as -1; undefined: each. */
  readonly nth?: number;
}

const WEEKDAYS = [
  /^su(?:n(?:day)?)?$/,
  /^mo(?:n(?:day)?)?$/,
  /^tu(?:e(?:s(?:day)?)?)?$/,
  /^we(?:d(?:n(?:esday)?)?)?$/,
  /^th(?:u(?:r(?:sday)?)?)?$/,
  /^fr(?:i(?:day)?)?$/,
  /^sa(?:t(?:urday)?)?$/,
];
const MONTHS = [
  /^jan(?:uary)?$/,
  /^feb(?:ruary)?$/,
  /^mar(?:ch)?$/,
  /^apr(?:il)?$/,
  /^may$/,
  /^june?$/,
  /^july?$/,
  /^aug(?:ust)?$/,
  /^sep(?:t(?:ember)?)?$/,
  /^oct(?:ober)?$/,
  /^nov(?:ember)?$/,
  /^dec(?:ember)?$/,
];
const UNITS: Readonly<Record<string, Rule["unit"]>> = {
  day: "day",
  days: "day",
  week: "week",
  weeks: "week",
  month: "month",
  months: "month",
  year: "year",
  years: "year",
};
const NUMBERS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3 };
const MONDAY_TO_FRIDAY: readonly RuleWeekday[] = [1, 2, 3, 4, 5].map((day) => ({ day }));

/** Undefined for what is no rule. */
export function parseRule(text: string): Rule | undefined {
  const whole = text.trim().toLowerCase();
  const isFromDone = whole.endsWith(" when done");
  const words = wordsOf(isFromDone ? whole.slice(0, -" when done".length) : whole);
  const reader = new Words(words);
  if (!reader.take("every")) return undefined;
  const interval = reader.number() ?? 1;
  const rule = ruleIn(reader);
  // After a comma comes another day or month.
  if (rule === undefined || !reader.isAtEnd || words.at(-1) === "," || interval < 1 || interval > 1000)
    return undefined;
  return { interval, isFromDone, ...rule };
}

/** With one comma for each "," and "and" and "or", or for several of them. */
function wordsOf(text: string): readonly string[] {
  const words = text
    .replaceAll(",", " , ")
    .trim()
    .split(/\s+/)
    .map((word) => (word === "and" || word === "or" ? "," : word));
  return words.filter((word, i) => word !== "," || words[i - 1] !== ",");
}

type Parts = Omit<Rule, "interval" | "isFromDone">;

function ruleIn(reader: Words): Parts | undefined {
  const any = { months: [], monthDays: [], weekdays: [] };
  if (reader.take("weekday") || reader.take("weekdays")) return { ...any, unit: "week", weekdays: MONDAY_TO_FRIDAY };
  const weekdays = reader.several(WEEKDAYS);
  if (weekdays.length > 0) return { ...any, unit: "week", weekdays: weekdays.map((day) => ({ day })) };
  const months = reader.several(MONTHS).map((month) => month + 1);
  const unit = months.length > 0 ? "year" : UNITS[reader.next() ?? ""];
  if (unit === undefined) return undefined;
  const on = onDays(reader, { months, monthDays: [], weekdays: [] });
  if (on === undefined) return undefined;
  const hasDays = on.monthDays.length > 0;
  const hasNth = on.weekdays.some(({ nth }) => nth !== undefined);
  const hasAny = hasDays || on.weekdays.length > 0;
  // In rrule, these mean days of every month, or are ignored in part.
  if (unit === "day" && (hasAny || on.months.length > 0)) return undefined;
  if (unit === "week" && (hasDays || hasNth || on.months.length > 0)) return undefined;
  if (unit === "month" && on.months.length > 0) return undefined;
  if (unit === "year" && months.length === 0 && hasAny) return undefined;
  return { unit, ...on };
}

/** "on the 1st and 24th", "on the 2nd last Friday", "on Tuesday, Friday", "in March". */
function onDays(reader: Words, before: Omit<Parts, "unit">): Omit<Parts, "unit"> | undefined {
  const [months, monthDays, weekdays] = [[...before.months], [...before.monthDays], [...before.weekdays]];
  if (reader.isAtEnd) return before;
  if (!reader.takesOn() || reader.isAtEnd) return undefined;
  while (!reader.isAtEnd) {
    reader.take(",");
    reader.takesOn();
    const nth = reader.nth();
    const weekday = reader.one(WEEKDAYS);
    if (weekday !== undefined) weekdays.push(nth === undefined ? { day: weekday } : { day: weekday, nth });
    else if (nth !== undefined) {
      monthDays.push(nth);
      reader.take("day");
    } else if (reader.take("weekdays") || reader.take("weekday")) weekdays.push(...MONDAY_TO_FRIDAY);
    else {
      const month = reader.one(MONTHS);
      if (month === undefined) return undefined;
      months.push(month + 1);
    }
  }
  const isReal = monthDays.every((day) => Math.abs(day) <= 31) && weekdays.every(({ nth = 1 }) => Math.abs(nth) <= 5);
  return isReal ? { months, monthDays, weekdays } : undefined;
}

class Words {
  readonly #words: readonly string[];
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#words.length;
  }

  next(): string | undefined {
    return this.#words[this.#at++];
  }

  take(word: string): boolean {
    const is = this.#words[this.#at] === word;
    if (is) this.#at++;
    return is;
  }

  takesOn(): boolean {
    const on = this.take("on") || this.take("in");
    return this.take("the") || on;
  }

  number(): number | undefined {
    return /^[1-9]\d{0,5}$/.test(this.#words[this.#at] ?? "") ? Number(this.next()) : undefined;
  }

  one(names: readonly RegExp[]): number | undefined {
    const word = this.#words[this.#at];
    const found = word === undefined ? -1 : names.findIndex((name) => name.test(word));
    if (found === -1) return undefined;
    this.#at++;
    return found;
  }

  several(names: readonly RegExp[]): number[] {
    const found: number[] = [];
    for (let one = this.one(names); one !== undefined; one = this.one(names)) {
      found.push(one);
      if (!this.take(",")) break;
    }
    return found;
  }

  /** "1st", "second", "last", "2nd last". */
  nth(): number | undefined {
    if (this.take("last")) return -1;
    const word = this.#words[this.#at] ?? "";
    const number = NUMBERS[word] ?? Number(/^([1-9]\d{0,2})(?:st|nd|rd|th)$/.exec(word)?.[1] ?? 0);
    if (number === 0) return undefined;
    this.#at++;
    return this.take("last") ? -number : number;
  }
}
