// Fills the variables of a template: Obsidian's {{title}}, {{date}} and {{time}},
// those of Periodic Notes, {{content}}, and values of the caller. Each is replaced
// once, so what is filled in is never taken for a variable. Pure. Used by
// templates.ts.
import { Problem } from "../../kernel/kernel.ts";
import { FilledProperties } from "./filled-properties.ts";
import { addMonths, formatted, startOf, weekdayOf, type LocalTime, type Period, type WeekRule } from "../days/days.ts";

/** The facts a template is filled with. */
export interface TemplateFacts {
  /** The name of the note. */
  readonly title: string;
  readonly time: LocalTime;
  readonly week: WeekRule;
  /** For {{date}} and {{time}} without a format. */
  readonly dateFormat: string;
  readonly timeFormat: string;
  /** If it is the note of a day or another period, which has more variables. */
  readonly period?: Period;
  /** By name; they come before the template's own variables. */
  readonly values?: Readonly<Record<string, string>>;
  /** Replaces {{content}}. */
  readonly content?: string;
}

export interface FilledTemplate {
  readonly text: string;
  readonly hasContent: boolean;
  /** Variables that are left as they are. */
  readonly unfilled: readonly string[];
  /** The properties that the frontmatter should have. */
  readonly properties: FilledProperties;
}

const VARIABLE = /\{\{([^{}\r\n]*)\}\}(\r?\n)?/g;
const TEMPLATER = /<%[^]*?%>/;

/** A template with commands of Templater, which are code. */
export class TemplateHasCommands extends Problem {
  /** Without what follows from it. */
  readonly reason: string;

  constructor(name: string) {
    const reason = `${name} has commands of Templater (<% … %>), which are never run here`;
    super(
      "invalid",
      `${reason}: nothing was created.`,
      "Let Obsidian create the note, or create it without the template.",
    );
    this.reason = reason;
  }
}

/** @param name for the error */
export function refuseCommands(text: string, name: string): void {
  if (TEMPLATER.test(text)) throw new TemplateHasCommands(name);
}

export function filled(template: string, facts: TemplateFacts): FilledTemplate {
  const unfilled = new Set<string>();
  const properties = new FilledProperties(template);
  let hasContent = false;
  const text = template.replace(VARIABLE, (whole: string, inside: string, lineBreak: string = "", start: number) => {
    const variable = inside.trim();
    if (variable.toLowerCase() === "content" && facts.content !== undefined) {
      hasContent = true;
      return lineBreak === "" ? facts.content : facts.content.replace(/\r?\n$/, "") + lineBreak;
    }
    const value = valueNamed(variable, facts.values) ?? variableValue(variable, facts);
    if (value === undefined && variable !== "") unfilled.add(variable);
    if (value === undefined) return whole;
    return properties.written(value, start, start + whole.length - lineBreak.length) + lineBreak;
  });
  return { text, hasContent, unfilled: [...unfilled], properties };
}

function valueNamed(variable: string, values: TemplateFacts["values"] = {}): string | undefined {
  if (Object.hasOwn(values, variable)) return values[variable];
  const name = Object.keys(values).find((each) => each.trim().toLowerCase() === variable.toLowerCase());
  return name === undefined ? undefined : values[name];
}

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** Periodic Notes' names for the first day of a longer period. */
const FIRST_DAYS: Partial<Record<Period, string>> = { monthly: "month", quarterly: "quarter", yearly: "year" };

function variableValue(variable: string, facts: TemplateFacts): string | undefined {
  const [, sent = "", amount, unit, format] =
    /^([a-z]+)\s*(?:([+-]\d{1,5})([a-z]))?\s*(?::(.*))?$/i.exec(variable) ?? [];
  const name = sent.toLowerCase();
  const { title, time, week, dateFormat, timeFormat, period } = facts;
  const isPlain = amount === undefined && format === undefined;
  const write = (day: number, or: string) => {
    const moved = amount === undefined ? { ...time, day } : later({ ...time, day }, Number(amount), unit!);
    return moved && formatted(moved, format?.trim() || or, week);
  };
  if (name === "title" && isPlain) return title;
  if (name === "date") return isPlain && period !== undefined ? title : write(time.day, dateFormat);
  if (name === "time") return write(time.day, isPlain ? timeFormat : dateFormat);
  if (period === "daily" && isPlain && name === "yesterday")
    return formatted({ ...time, day: time.day - 1 }, dateFormat, week);
  if (period === "daily" && isPlain && name === "tomorrow")
    return formatted({ ...time, day: time.day + 1 }, dateFormat, week);
  if (period !== undefined && FIRST_DAYS[period] === name) return write(startOf(period, time.day, week), dateFormat);
  if (period === "weekly" && WEEKDAYS.includes(name) && format !== undefined) {
    return write(time.day + ((WEEKDAYS.indexOf(name) - weekdayOf(time.day) + 7) % 7), dateFormat);
  }
  return undefined;
}

const MILLISECONDS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 };
const DAY = 24 * MILLISECONDS["h"]!;

/** Undefined for an unknown unit. As in Moment, m is minutes and M is months. */
function later(time: LocalTime, amount: number, unit: string): LocalTime | undefined {
  const months = { y: 12, q: 3, M: 1 }[unit === "M" ? unit : unit.toLowerCase()];
  if (unit !== "m" && months !== undefined) return { ...time, day: addMonths(time.day, months * amount) };
  const days = { w: 7, d: 1 }[unit.toLowerCase()];
  if (days !== undefined) return { ...time, day: time.day + days * amount };
  const step = MILLISECONDS[unit.toLowerCase()];
  if (step === undefined) return undefined;
  const sum = time.milliseconds + step * amount;
  return { ...time, day: time.day + Math.floor(sum / DAY), milliseconds: ((sum % DAY) + DAY) % DAY };
}
