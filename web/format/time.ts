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

/** Such as 3:05 PM. */
export function clockTime(time: number): string {
  return clock.format(time);
}

export function exactTime(time: number): string {
  return exact.format(time);
}

export function dayName(time: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat("en", {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(!isThisYear && { year: "numeric" }),
  }).format(time);
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

const wholeDay = new Intl.DateTimeFormat("en", { dateStyle: "full" });

/** A day such as 2026-01-31 in words. */
export function exactDay(day: string): string {
  return wholeDay.format(Date.parse(`${day}T12:00`));
}

/** A day such as 2026-01-31 in a few words: Jan 31, 2026. */
export function shortDay(day: string): string {
  return otherYear.format(Date.parse(`${day}T12:00`));
}

const shortMonth = new Intl.DateTimeFormat("en", { month: "short" });

/** The month of a day such as 2026-01-31: Jan. */
export function monthName(day: string): string {
  return shortMonth.format(Date.parse(`${day}T12:00`));
}

/** How long something took: 45 s, 12 min, 3 h 20 min, 4 days. */
export function durationText(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Math.round(milliseconds / 1_000)} s`;
  const minutes = Math.round(milliseconds / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  if (milliseconds >= 2 * DAY) return `${Math.round(milliseconds / DAY)} days`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
