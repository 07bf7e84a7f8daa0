// The notes of days, weeks, months, quarters and years by their addresses, such
// as `daily:today`. The front door of days/: used wherever vault/ takes the path
// of a note, and by templates.
import { Problem } from "../../kernel/kernel.ts";
import type { Vault } from "../vault.ts";
import { addressIn, examplesOf, startNamed } from "./address.ts";
import { ENGLISH_WEEK, ISO_WEEK, type DayNumber, type Period, type WeekRule } from "./calendar.ts";
import { daySettings, type DaySettings } from "./day-settings.ts";
import { instantOf, localTime, onDay, type Clock, type LocalTime } from "./local-time.ts";
import { formatted, usesIsoWeeks } from "./moment-format.ts";

export {
  addMonths,
  dateOf,
  dayNumber,
  ENGLISH_WEEK,
  startOf,
  weekdayOf,
  type Period,
  type WeekRule,
} from "./calendar.ts";
export { weekRuleIn } from "./day-settings.ts";
export { localTime, timeZone, type Clock, type LocalTime, type TimeZone } from "./local-time.ts";
export { formatted } from "./moment-format.ts";
export { dayReader } from "./moment-parse.ts";
export { obsidianSettings, pathSetting, textSetting } from "./obsidian-settings.ts";

/** The note that an address stands for, whether it exists or not. */
export interface DayNote {
  readonly period: Period;
  /** The first day of the period. */
  readonly start: DayNumber;
  /** As the settings make it, not checked yet: they may be anybody's. */
  readonly path: string;
  readonly settings: DaySettings;
}

/**
 * The note that an address stands for; undefined for any other path. Throws for
 * an address that names no day, unless `isFile` knows a file of that name.
 */
export async function dayNote(
  vault: Vault,
  sent: string,
  isFile: (path: string) => Promise<boolean>,
): Promise<DayNote | undefined> {
  const address = addressIn(sent);
  if (address === undefined) return undefined;
  const { period } = address;
  const settings = await daySettings(vault, period);
  const { day: today } = localTime(vault.clock.now(), vault.clock.zone);
  const start = startNamed(address, today, weekRuleOf(settings));
  if (start !== undefined) return { period, start, path: pathFor(start, settings), settings };
  if (await isFile(sent)) return undefined;
  throw new Problem("invalid", `Invalid path: ${sent}`, `For a ${NOUNS[period]}, send ${examplesOf(period)}.`);
}

const NOUNS: Readonly<Record<Period, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
  quarterly: "quarter",
  yearly: "year",
};

/** A week begins where the numbers in its name do. */
function weekRuleOf({ format, week }: DaySettings): WeekRule {
  return usesIsoWeeks(format) ? ISO_WEEK : week;
}

function pathFor(start: DayNumber, { folder, format, week }: DaySettings): string {
  // At noon: a note's name must not depend on when it is asked for.
  const name = formatted({ day: start, milliseconds: 12 * 60 * 60 * 1000, offset: 0 }, format, week);
  const path = [...(folder?.split("/") ?? []), ...name.split("/")].filter((segment) => segment !== "").join("/");
  return path.endsWith(".md") ? path : `${path}.md`;
}

/** Returns a hint for a path that settings made and that was refused. */
export function pathHint({ path, settings: { file } }: DayNote): string {
  return file === undefined ? `It stands for ${path}.` : `It stands for ${path}, by the settings in ${file}.`;
}

/** The day of a clock that `today`, `yesterday` or a date means, in milliseconds; undefined for other words. */
export function daySpan(
  when: string,
  { now, zone }: Clock,
): { readonly date: string; readonly start: number; readonly end: number } | undefined {
  const address = { period: "daily", when: when.trim().toLowerCase() } as const;
  const day = startNamed(address, localTime(now(), zone).day, ENGLISH_WEEK);
  if (day === undefined) return undefined;
  const [start, end] = [onDay(day, 0, zone), onDay(day + 1, 0, zone)];
  return { date: formatted(start, "YYYY-MM-DD", ENGLISH_WEEK), start: instantOf(start), end: instantOf(end) };
}

/** The day at the current time of day, for its template. */
export function timeOn(vault: Vault, { start }: Pick<DayNote, "start">): LocalTime {
  const { now, zone } = vault.clock;
  return onDay(start, localTime(now(), zone).milliseconds, zone);
}
