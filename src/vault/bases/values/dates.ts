// Dates and durations, in the local time of the person, as Moment calculates them:
// months and days are those of the calendar. Used by the functions and operators.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The average over the 400 years after which the calendar repeats. */
const DAYS_A_MONTH = 146_097 / 4800;

export class DateValue {
  readonly type = "date";
  readonly ms: number;
  /** A day without a time. */
  readonly isDay: boolean;
  /** A moment that a clock gave (the time of a file, `now()`), which is shown in UTC; others are shown as written. */
  readonly isMoment: boolean;

  constructor(ms: number, { isDay = false, isMoment = false } = {}) {
    this.ms = ms;
    this.isDay = isDay;
    this.isMoment = isMoment;
  }

  get local(): Date {
    return new Date(this.ms);
  }

  /** The day of it, at midnight. */
  day(): DateValue {
    const { local } = this;
    return new DateValue(localTime(local.getFullYear(), local.getMonth(), local.getDate()), { isDay: true });
  }

  time(): string {
    const { local } = this;
    return [local.getHours(), local.getMinutes(), local.getSeconds()].map((part) => padded(part)).join(":");
  }

  plus({ months, days, ms }: Duration, sign: 1 | -1): DateValue {
    const { local } = this;
    if (months !== 0) addMonths(local, sign * Math.round(months));
    if (days !== 0) {
      const whole = Math.trunc(days);
      local.setDate(local.getDate() + sign * whole);
      local.setTime(local.getTime() + sign * (days - whole) * DAY);
    }
    const isDay = this.isDay && ms === 0 && Number.isInteger(days);
    return new DateValue(local.getTime() + sign * ms, { isDay });
  }

  /** `2026-11-16`, `2026-11-16T09:30:00`. */
  toString(): string {
    const { local } = this;
    if (Number.isNaN(this.ms)) return "Invalid date";
    const year = local.getFullYear();
    const written = year < 0 ? `-${padded(-year, 6)}` : padded(year, 4);
    const day = [written, padded(local.getMonth() + 1), padded(local.getDate())].join("-");
    return this.isDay ? day : `${day}T${this.time()}`;
  }

  toJSON(): string | null {
    if (Number.isNaN(this.ms)) return null;
    return this.isMoment ? this.local.toISOString() : this.toString();
  }
}

/** The difference of two dates is one of milliseconds only. */
export class Duration {
  readonly type = "duration";
  readonly months: number;
  readonly days: number;
  readonly ms: number;

  constructor(ms: number, days = 0, months = 0) {
    this.ms = ms;
    this.days = days;
    this.months = months;
  }

  get total(): number {
    return this.ms + (this.days + this.months * DAYS_A_MONTH) * DAY;
  }

  times(factor: number): Duration {
    return new Duration(this.ms * factor, this.days * factor, this.months * factor);
  }

  plus(other: Duration, sign: 1 | -1): Duration {
    return new Duration(this.ms + sign * other.ms, this.days + sign * other.days, this.months + sign * other.months);
  }

  /** The whole duration in one unit, as `(now() - birthday).years`; undefined for a name that is no unit. */
  in(unit: string): number | undefined {
    const length = UNIT_LENGTHS[unit];
    return length === undefined ? undefined : this.total / length;
  }

  /** `3 days`, `2 years 1 month`: the two largest units. */
  toString(): string {
    let rest = Math.abs(Math.round(this.total));
    const parts: string[] = [];
    for (const [unit, length] of Object.entries(UNIT_LENGTHS)) {
      if (unit === "weeks" || unit === "milliseconds" || parts.length === 2) continue;
      const count = Math.floor((rest + 0.5) / length);
      if (count > 0) parts.push(`${count} ${count === 1 ? unit.slice(0, -1) : unit}`);
      rest -= count * length;
    }
    if (parts.length === 0) return `${Math.round(this.total)} milliseconds`;
    return (this.total < 0 ? "-" : "") + parts.join(" ");
  }
}

const UNIT_LENGTHS: Readonly<Record<string, number>> = {
  years: 12 * DAYS_A_MONTH * DAY,
  months: DAYS_A_MONTH * DAY,
  weeks: 7 * DAY,
  days: DAY,
  hours: HOUR,
  minutes: MINUTE,
  seconds: SECOND,
  milliseconds: 1,
};

/** `M` is a month and `m` a minute; the words are the same in any case. */
const UNITS: readonly (readonly [pattern: RegExp, of: (count: number) => Duration])[] = [
  [/^(?:y|years?)$/i, (count) => new Duration(0, 0, 12 * count)],
  [/^(?:M|months?|Months?|MONTHS?)$/, (count) => new Duration(0, 0, count)],
  [/^(?:w|weeks?)$/i, (count) => new Duration(0, 7 * count)],
  [/^(?:d|days?)$/i, (count) => new Duration(0, count)],
  [/^(?:h|hours?)$/i, (count) => new Duration(HOUR * count)],
  [/^(?:m|minutes?|Minutes?|MINUTES?)$/, (count) => new Duration(MINUTE * count)],
  [/^(?:s|seconds?)$/i, (count) => new Duration(SECOND * count)],
];

const PART = /\s*([+-]?\d+(?:\.\d+)?)\s*([a-z]+)\s*,?/iy;

/** `1d`, `2 weeks`, `1h 30m`; undefined if the text is no duration. */
export function parseDuration(text: string): Duration | undefined {
  let whole: Duration | undefined;
  PART.lastIndex = 0;
  while (PART.lastIndex < text.length) {
    const part = PART.exec(text);
    const unit = part && UNITS.find(([pattern]) => pattern.test(part[2]!));
    if (!part || !unit) return /^\s*$/.test(text.slice(PART.lastIndex)) && part !== null ? whole : undefined;
    const duration = unit[1](Number(part[1]));
    whole = whole === undefined ? duration : whole.plus(duration, 1);
    if (/^\s*$/.test(text.slice(PART.lastIndex))) return whole;
  }
  return whole;
}

const WRITTEN_DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Dates repeat: half of a query over 10,000 notes was spent on reading them. */
const KNOWN = new Map<string, DateValue | undefined>();
const MAX_KNOWN = 10_000;
const MIN_DATE_LENGTH = 10;
const MAX_DATE_LENGTH = 40;

/** `2026-11-16`, with or without a time; undefined if the text is no date that exists. */
export function parseDate(text: string): DateValue | undefined {
  // Nearly all texts are no dates, and each property of each note comes here.
  if (!/^\d/.test(text) || text.length < MIN_DATE_LENGTH || text.length > MAX_DATE_LENGTH) return undefined;
  const known = KNOWN.get(text);
  if (known !== undefined || KNOWN.has(text)) return known;
  const date = readDate(text);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  KNOWN.set(text, date);
  return date;
}

function readDate(text: string): DateValue | undefined {
  const found = WRITTEN_DATE.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as Parts;
  const ms = Math.floor(Number(`0.${found[7] ?? "0"}`) * 1000);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month - 1)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const zone = found[8];
  if (zone === undefined)
    return new DateValue(localTime(year, month - 1, day, hour, minute, second, ms), { isDay: found[4] === undefined });
  const offset = zone === "Z" ? 0 : Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  utc.setUTCHours(hour, minute, second, ms);
  return new DateValue(utc.getTime() - offset * MINUTE);
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** Unlike `new Date(99, …)`, which is in 1999. */
export function localTime(year: number, month: number, day: number, hour = 0, minute = 0, second = 0, ms = 0): number {
  if (year >= 100) return new Date(year, month, day, hour, minute, second, ms).getTime();
  const date = new Date(2000, 0, 1, 0, 0, 0, 0);
  date.setFullYear(year, month, day);
  date.setHours(hour, minute, second, ms);
  return date.getTime();
}

/** The last day of a shorter month stands for those that it has not. */
function addMonths(date: Date, count: number): void {
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() + count);
  date.setDate(Math.min(day, daysIn(date.getFullYear(), date.getMonth())));
}

function daysIn(year: number, month: number): number {
  return new Date(localTime(year, month + 1, 0)).getDate();
}

export function padded(number: number, width = 2): string {
  return String(number).padStart(width, "0");
}
