// Times and days as people read them, in the browser's time zone. Pure: the
// current time is an argument.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });
const thisYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const otherYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const exact = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "short" });
/** The Swedish date format is that of ISO 8601. */
const isoDate = new Intl.DateTimeFormat("sv", { dateStyle: "short" });
const clock = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit" });

export function ago(time: number, now: number): string {
  const past = now - time;
  if (past < MINUTE) return "just now";
  if (past < HOUR) return relative.format(-Math.floor(past / MINUTE), "minute");
  if (past < 6 * HOUR) return relative.format(-Math.floor(past / HOUR), "hour");
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY);
  if (days === 0) return `today, ${clock.format(time)}`;
  if (days < 7) return relative.format(-days, "day");
  return new Date(time).getFullYear() === new Date(now).getFullYear() ? thisYear.format(time) : otherYear.format(time);
}

export function exactTime(time: number): string {
  return exact.format(time);
}

export function dayName(time: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long" }).format(time);
}

/** The clock times of a span within a day, and the days of a longer one. */
export function spanText(from: number, to: number): string {
  if (startOfDay(from) !== startOfDay(to)) return `${thisYear.format(from)} to ${thisYear.format(to)}`;
  const [first, last] = [clock.format(from), clock.format(to)];
  return first === last ? first : `${first} to ${last}`;
}

/** Midnight of the day that the time is in. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** The day as tools expect it: 2026-01-31. */
export function dateOf(time: number): string {
  return isoDate.format(time);
}
