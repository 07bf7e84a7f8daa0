// Notes of days that begin with a template. Finds the template by Obsidian's
// settings and fills it; commands are never run. The front door of templates/:
// used by note-editor.ts.
import { nameOf, parseFolderPath, type VaultPath } from "../../files/files.ts";
import { readNoteText } from "../../markdown/markdown.ts";
import { Problem } from "../../kernel/kernel.ts";
import {
  daySettings,
  localTime,
  obsidianSettings,
  pathSetting,
  textSetting,
  timeOn,
  type DayNote,
} from "../days/days.ts";
import { existingNotePath, locate } from "../notes/note-paths.ts";
import type { Vault } from "../vault.ts";
import { filled, refuseCommands, type TemplateFacts } from "./template-text.ts";

const SETTINGS = ".obsidian/templates.json";

/** The text that the note of a day begins with: its template, or nothing. */
export function textOfDay(vault: Vault, day: DayNote & { readonly path: VaultPath }): string {
  const { template } = day.settings;
  if (template === undefined) return "";
  return filled(readTemplate(vault, template, day.settings.file), factsOf(vault, day.path, day)).text;
}

function factsOf(vault: Vault, path: VaultPath, day: DayNote | undefined): TemplateFacts {
  const settings = obsidianSettings(vault, "templates.json");
  const { now, zone } = vault.clock;
  return {
    title: nameOf(path).replace(/\.[^.]*$/, ""),
    time: day === undefined ? localTime(now(), zone) : timeOn(vault, day),
    week: (day?.settings ?? daySettings(vault, "daily")).week,
    dateFormat: day?.settings.format ?? textSetting(settings, "dateFormat") ?? "YYYY-MM-DD",
    timeFormat: textSetting(settings, "timeFormat") ?? "HH:mm",
    ...(day !== undefined && { period: day.period }),
  };
}

/** @param file the settings that name it, if no caller did */
function readTemplate(vault: Vault, sent: string, file?: string): string {
  const folder = pathSetting(obsidianSettings(vault, "templates.json"), "folder");
  const inFolder = folder === undefined ? [] : [{ path: `${folder}/${sent.replace(/^\/+/, "")}`, file: SETTINGS }];
  // Settings name a template by its path in the vault, people by its name.
  const places = file === undefined ? [...inFolder, { path: sent, file }] : [{ path: sent, file }, ...inFolder];
  for (const place of places) {
    const path = allowed(place.file, () => existingNotePath(vault, place.path));
    if (allowed(place.file, () => locate(vault, path, place.path)).kind !== "file") continue;
    const content = vault.root.read(path);
    if (content === undefined) continue;
    const { text } = readNoteText(content.bytes);
    refuseCommands(text, path);
    return text;
  }
  throw missing(vault, sent, folder, file);
}

/** Names the settings that a refused path comes from. */
function allowed<T>(file: string | undefined, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof Problem) || file === undefined) throw error;
    throw new Problem(error.code, error.message, `The path is from ${file}.`);
  }
}

/** Templates that an error names. */
const MOST_NAMES = 20;

function missing({ root }: Vault, sent: string, folder: string | undefined, file: string | undefined): Problem {
  if (file !== undefined)
    return new Problem(
      "not_found",
      `Template not found: ${sent}`,
      `${file} names it. Create it, or create the note with contentManager_createContent.`,
    );
  if (folder === undefined)
    return new Problem("not_found", `Template not found: ${sent}`, "Send the path of a note in the vault.");
  const names: string[] = [];
  if (root.locate(parseFolderPath(folder)).kind === "folder")
    for (const { path, kind } of root.list(parseFolderPath(folder))) {
      if (kind === "file") names.push(path.slice(folder.length + 1).replace(/\.md$/, ""));
      if (names.length === MOST_NAMES) break;
    }
  const hint = names.length === 0 ? `There is none in ${folder}.` : `There is ${names.join(", ")}.`;
  return new Problem("not_found", `Template not found: ${sent}`, hint);
}
