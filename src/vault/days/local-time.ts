// The time on the person's own clock, in the time zone of the system (TZ) or of
// the settings. Used by days and templates.
import { DAY, type DayNumber } from "./calendar.ts";

const MINUTE = 60 * 1000;

/** The minutes by which a zone's clocks are ahead of UTC at an instant in milliseconds. */
export type TimeZone = (instant: number) => number;

export interface LocalTime {
  readonly day: DayNumber;
  /** Since midnight, as the clock shows it. */
  readonly milliseconds: number;
  /** In minutes, ahead of UTC. */
  readonly offset: number;
}

/** The current time and time zone. */
export interface Clock {
  /** In milliseconds. */
  readonly now: () => number;
  readonly zone: TimeZone;
}

/** @param name such as Europe/Berlin; without it, the zone of the system. Throws a RangeError for an unknown one. */
export function timeZone(name?: string): TimeZone {
  if (name === undefined) return (instant) => -new Date(instant).getTimezoneOffset();
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const date = new Date(0).setUTCFullYear(part("year"), part("month") - 1, part("day"));
    const shown = date + ((part("hour") * 60 + part("minute")) * 60 + part("second")) * 1000;
    return Math.round((shown - instant) / MINUTE);
  };
}

export function localTime(instant: number, zone: TimeZone): LocalTime {
  const offset = zone(instant);
  const shown = instant + offset * MINUTE;
  const day = Math.floor(shown / DAY);
  return { day, milliseconds: shown - day * DAY, offset };
}

/**
 * The local time of day on another day. A time that the clocks skip there is as
 * far after the change as it would have been without one; of a time that they
 * show twice it is the first.
 */
export function onDay(day: DayNumber, milliseconds: number, zone: TimeZone): LocalTime {
  const shown = day * DAY + milliseconds;
  const [before, after] = [zone(shown - DAY), zone(shown + DAY)];
  const fitting = [before, after].find((offset) => zone(shown - offset * MINUTE) === offset);
  return localTime(shown - (fitting ?? before) * MINUTE, zone);
}

export function instantOf({ day, milliseconds, offset }: LocalTime): number {
  return day * DAY + milliseconds - offset * MINUTE;
}
