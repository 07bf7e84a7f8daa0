// Notes that begin with a template: a new one, or that of a day. Finds the
// template by Obsidian's settings and fills it; commands are never run. The front
// door of templates/: used by note-editor.ts and the tool that creates notes.
import { nameOf, outOfReach, parseFolderPath, type VaultPath } from "../../files/files.ts";
import { appendText, lineEndingOf, readNoteText } from "../../markdown/markdown.ts";
import { nearestFirst, Problem } from "../../kernel/kernel.ts";
import {
  localTime,
  obsidianSettings,
  pathSetting,
  textSetting,
  timeOn,
  type DayNote,
  weekRuleIn,
} from "../days/days.ts";
import { dayAt, existingNotePath, locate, notePath } from "../notes/note-paths.ts";
import type { Vault } from "../vault.ts";
import { bodyOf, withPropertiesOf } from "./properties.ts";
import { filled, refuseCommands, TemplateHasCommands, type TemplateFacts } from "./template-text.ts";

const SETTINGS = ".obsidian/templates.json";

/** The text that the note of a day begins with: its template, or nothing. */
export async function textOfDay(vault: Vault, day: DayNote & { readonly path: VaultPath }): Promise<string> {
  const { template } = day.settings;
  if (template === undefined) return "";
  return filled(await readTemplate(vault, template, day.settings.file), await factsOf(vault, day.path, day)).text;
}

export interface Filling {
  /** A name or a path in the folder of templates, or a path in the vault; by default that of the day, if it is one. */
  readonly template?: string | undefined;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The text of a new note at a path: the template with the content in it, or below it. `unused` says why the template of
 * a day could not be used: its note can be created without one.
 */
export async function textOfNewNote(
  vault: Vault,
  filePath: string,
  content: string,
  { template, values = {} }: Filling,
): Promise<{ readonly text: string; readonly unfilled: readonly string[]; readonly unused?: string }> {
  const day = await dayAt(vault, filePath);
  const { source, unused } =
    template === undefined ? await sourceOfDay(vault, day) : { source: await readTemplate(vault, template) };
  if (source === undefined) return { text: content, unfilled: [], ...(unused !== undefined && { unused }) };
  const sent = lineEndingOf(source) === "\r\n" ? content.replace(/\r?\n/g, "\r\n") : content;
  const body = bodyOf(sent);
  const facts = await factsOf(vault, await notePath(vault, filePath), day);
  const { text, hasContent, unfilled, properties } = filled(source, { ...facts, values: texts(values), content: body });
  properties.check(text);
  const whole = hasContent || body === "" ? text : appendText(text, body).text;
  return { text: withPropertiesOf(sent, whole), unfilled };
}

async function sourceOfDay(
  vault: Vault,
  day: DayNote | undefined,
): Promise<{ readonly source?: string; readonly unused?: string }> {
  if (day?.settings.template === undefined) return {};
  try {
    return { source: await readTemplate(vault, day.settings.template, day.settings.file) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { unused: error instanceof TemplateHasCommands ? `${error.reason}.` : error.message };
  }
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === "object" && value !== null) throw new Problem("invalid", `values.${name} must be text.`);
      return [name, value === null || value === undefined ? "" : String(value)];
    }),
  );
}

async function factsOf(vault: Vault, path: VaultPath, day: DayNote | undefined): Promise<TemplateFacts> {
  const settings = await obsidianSettings(vault, "templates.json");
  const { now, zone } = vault.clock;
  return {
    title: nameOf(path).replace(/\.[^.]*$/, ""),
    time: day === undefined ? localTime(now(), zone) : timeOn(vault, day),
    week: day?.settings.week ?? (await weekRuleIn(vault)),
    dateFormat: day?.settings.format ?? textSetting(settings, "dateFormat") ?? "YYYY-MM-DD",
    timeFormat: textSetting(settings, "timeFormat") ?? "HH:mm",
    ...(day !== undefined && { period: day.period }),
  };
}

/** @param file the settings that name it, if no caller did */
async function readTemplate(vault: Vault, sent: string, file?: string): Promise<string> {
  if (file !== undefined && vault.root.isHidden(sent)) throw outOfReach();
  const configured = pathSetting(await obsidianSettings(vault, "templates.json"), "folder");
  // A hidden folder is not there, and its name is not for callers.
  const folder = configured === undefined || vault.root.isHidden(configured) ? undefined : configured;
  const inFolder = folder === undefined ? [] : [{ path: `${folder}/${sent.replace(/^\/+/, "")}`, file: SETTINGS }];
  // Settings name a template by its path in the vault, people by its name.
  const places = file === undefined ? [...inFolder, { path: sent, file }] : [{ path: sent, file }, ...inFolder];
  for (const place of places) {
    const path = await allowed(place.file, () => existingNotePath(vault, place.path));
    if ((await allowed(place.file, async () => locate(vault, path, place.path))).kind !== "file") continue;
    const content = await vault.root.read(path);
    if (content === undefined) continue;
    const { text } = readNoteText(content.bytes);
    refuseCommands(text, path);
    return text;
  }
  throw await missing(vault, sent, folder, file);
}

/** Names the settings that a refused path comes from. */
async function allowed<T>(file: string | undefined, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof Problem) || file === undefined) throw error;
    throw new Problem(error.code, error.message, `The path is from ${file}.`);
  }
}

/** Templates that an error names, and that are looked at. */
const MAX_NAMES = 10;
const MAX_COMPARED = 1000;

async function missing(
  { root }: Vault,
  sent: string,
  folder: string | undefined,
  file: string | undefined,
): Promise<Problem> {
  if (file !== undefined)
    return new Problem(
      "not_found",
      `Template not found: ${sent}`,
      `${file} names it. Create it, or create the note with contentManager_createContent.`,
    );
  if (folder === undefined)
    return new Problem("not_found", `Template not found: ${sent}`, "Send the path of a note in the vault.");
  const names: string[] = [];
  if ((await root.locate(parseFolderPath(folder))).kind === "folder")
    for (const { path, kind } of await root.list(parseFolderPath(folder))) {
      if (kind === "file" && /\.md$/i.test(path)) names.push(path.slice(folder.length + 1).replace(/\.md$/i, ""));
      if (names.length === MAX_COMPARED) break;
    }
  const named = nearestFirst(sent, names).slice(0, MAX_NAMES).join(", ");
  const others = names.length > MAX_NAMES ? " and others" : "";
  const hint = names.length === 0 ? `There is none in ${folder}.` : `There is ${named}${others}.`;
  return new Problem("not_found", `Template not found: ${sent}`, hint);
}
