// Where the notes of days, weeks, months, quarters and years are, what they are
// called and what they begin with: from the settings of the Daily notes core
// plugin, of Periodic Notes (0.x and 1.0) and of Calendar, else the defaults of
// Obsidian and Periodic Notes. Used by days.ts.
import { isRecord } from "../../kernel/kernel.ts";
import type { Vault } from "../vault.ts";
import { ENGLISH_WEEK, type Period, type WeekRule } from "./calendar.ts";
import { weekRuleOfLocale } from "./locale-weeks.ts";
import {
  obsidianSettings,
  pathSetting,
  pluginSettings,
  textSetting,
  type ObsidianSettings,
} from "./obsidian-settings.ts";

export interface DaySettings {
  /** Undefined: the vault itself. */
  readonly folder: string | undefined;
  /** In Moment's tokens; a slash in it makes folders. */
  readonly format: string;
  /** The template's path, often without its extension. */
  readonly template: string | undefined;
  /** The file that they come from; undefined for the defaults. */
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

/** What Periodic Notes 1.0 calls them. */
const GRANULARITIES: Readonly<Record<Period, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
  quarterly: "quarter",
  yearly: "year",
};

type Found = Omit<DaySettings, "week" | "format"> & { readonly format: string | undefined };

export async function daySettings(vault: Pick<Vault, "root">, period: Period): Promise<DaySettings> {
  const [app, daily, periodic, calendar] = await Promise.all([
    obsidianSettings(vault, "app.json"),
    obsidianSettings(vault, "daily-notes.json"),
    pluginSettings(vault, "periodic-notes"),
    pluginSettings(vault, "calendar"),
  ]);
  const found =
    periodicNotes(periodic, period) ??
    (period === "daily" ? dailyNotes(daily) : period === "weekly" ? weeksOfCalendar(calendar) : undefined);
  return {
    folder: found?.folder,
    format: found?.format ?? DEFAULT_FORMATS[period],
    template: found?.template,
    file: found?.file,
    week: weekRule([app, calendar, periodic]),
  };
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
