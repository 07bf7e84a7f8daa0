// The folders and names of the notes of days, weeks, months, quarters and years, and
// the templates they begin with: from the settings of the Daily notes core
// plugin, of Periodic Notes (0.x and 1.0) and of Calendar, else as the notes of the
// vault show it, else the defaults of Obsidian and Periodic Notes. Used by days.ts.
import { parseFolderPath } from "../../files/files.ts";
import { isRecord } from "../../kernel/kernel.ts";
import type { Vault } from "../vault.ts";
import { ENGLISH_WEEK, type Period, type WeekRule } from "./calendar.ts";
import { localTime } from "./local-time.ts";
import { weekRuleOfLocale } from "./locale-weeks.ts";
import {
  obsidianSettings,
  pathSetting,
  pluginSettings,
  textSetting,
  type ObsidianSettings,
} from "./obsidian-settings.ts";
import { shownDays } from "./shown-days.ts";

export interface DaySettings {
  /** Undefined: the vault itself. */
  readonly folder: string | undefined;
  /** In Moment's tokens; a slash in it makes folders. */
  readonly format: string;
  /** The template's path, often without its extension. */
  readonly template: string | undefined;
  /** The file that they come from; undefined if there is none. */
  readonly file: string | undefined;
  readonly week: WeekRule;
}

const DEFAULT_FORMATS: Readonly<Record<Period, string>> = {
  daily: "YYYY-MM-DD",
  weekly: "gggg-[W]ww",
  monthly: "YYYY-MM",
  quarterly: "YYYY-[Q]Q",
  yearly: "YYYY",
};

/** Periodic Notes 1.0's names for them. */
const GRANULARITIES: Readonly<Record<Period, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
  quarterly: "quarter",
  yearly: "year",
};

type Found = Omit<DaySettings, "week" | "format"> & { readonly format: string | undefined };

/** How weeks are counted in the vault. */
export async function weekRuleIn(vault: Pick<Vault, "root">): Promise<WeekRule> {
  const [app, calendar, periodic] = await Promise.all([
    obsidianSettings(vault, "app.json"),
    pluginSettings(vault, "calendar"),
    pluginSettings(vault, "periodic-notes"),
  ]);
  return weekRule([app, calendar, periodic]);
}

export async function daySettings(vault: Vault, period: Period): Promise<DaySettings> {
  const [daily, periodic, calendar, week] = await Promise.all([
    obsidianSettings(vault, "daily-notes.json"),
    pluginSettings(vault, "periodic-notes"),
    pluginSettings(vault, "calendar"),
    weekRuleIn(vault),
  ]);
  const found =
    periodicNotes(periodic, period) ??
    (period === "daily" ? dailyNotes(daily) : period === "weekly" ? weeksOfCalendar(calendar) : undefined);
  const shown = found === undefined ? await shownIn(vault, period) : undefined;
  return {
    folder: found?.folder ?? shown?.folder,
    format: found?.format ?? shown?.format ?? DEFAULT_FORMATS[period],
    template: found?.template,
    file: found?.file,
    week,
  };
}

async function shownIn({ root, index, clock }: Vault, period: Period): Promise<ReturnType<typeof shownDays>> {
  const known = await index.paths().catch(() => undefined);
  const isWhole = known !== undefined && !known.stale && known.indexing === undefined;
  // An index that does not have all notes yet would name the place that it found first.
  const paths = isWhole ? known.answer : [...(await root.list(parseFolderPath("")))].map(({ path }) => path);
  return shownDays(paths, period, localTime(clock.now(), clock.zone).day);
}

/** Undefined if the plugin is not used for this period. */
function periodicNotes(settings: ObsidianSettings | undefined, period: Period): Found | undefined {
  const config = settings && (settings[period] ?? activeSet(settings)?.[GRANULARITIES[period]]);
  if (!isRecord(config) || config["enabled"] !== true) return undefined;
  return {
    folder: pathSetting(config, "folder"),
    format: textSetting(config, "format"),
    template: pathSetting(config, "template") ?? pathSetting(config, "templatePath"),
    file: ".obsidian/plugins/periodic-notes/data.json",
  };
}

/** Version 1.0 has several sets of settings, of which one is in use. */
function activeSet({ calendarSets, activeCalendarSet }: ObsidianSettings): ObsidianSettings | undefined {
  const sets = Array.isArray(calendarSets) ? calendarSets.filter(isRecord) : [];
  return sets.find(({ id }) => id === activeCalendarSet) ?? sets[0];
}

function dailyNotes(settings: ObsidianSettings | undefined): Found | undefined {
  return (
    settings && {
      folder: pathSetting(settings, "folder"),
      format: textSetting(settings, "format"),
      template: pathSetting(settings, "template"),
      file: ".obsidian/daily-notes.json",
    }
  );
}

function weeksOfCalendar(settings: ObsidianSettings | undefined): Found | undefined {
  return (
    settings && {
      folder: pathSetting(settings, "weeklyNoteFolder"),
      format: textSetting(settings, "weeklyNoteFormat"),
      template: pathSetting(settings, "weeklyNoteTemplate"),
      file: ".obsidian/plugins/calendar/data.json",
    }
  );
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/**
 * The plugins take the weeks of a language, and change only the first day: the first week of a year moves along with it.
 * One of the settings may name the language and another the day.
 */
function weekRule(settings: readonly (ObsidianSettings | undefined)[]): WeekRule {
  const locale = settings
    .map((each) => textSetting(each, "localeOverride"))
    .find((each) => each !== undefined && each !== "system-default");
  const firstWeekday = settings
    .map((each) => WEEKDAYS.indexOf(String(each?.["weekStart"]).toLowerCase()))
    .find((each) => each !== -1);
  const rule = locale === undefined ? ENGLISH_WEEK : weekRuleOfLocale(locale);
  if (firstWeekday === undefined) return rule;
  return { firstWeekday, inFirstWeek: rule.inFirstWeek + firstWeekday - rule.firstWeekday };
}
