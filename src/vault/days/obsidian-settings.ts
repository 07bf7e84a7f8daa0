// Reads settings of Obsidian and of its plugins from the vault's .obsidian folder,
// which is never written. Used by days, templates, attachments and moves, and for tasks.
// Every file that is read here is in the list of journal/shared/settings-files.ts, so that a
// shared store has it.
import type { SettingsFile, SettingsPlugin } from "../../journal/journal.ts";
import { isRecord, parseJson } from "../../kernel/kernel.ts";
import type { Vault } from "../vault.ts";

export type ObsidianSettings = Readonly<Record<string, unknown>>;

/** Without a file, or if it is not valid, there are none: Obsidian does the same. */
export async function obsidianSettings(
  vault: Pick<Vault, "root">,
  path: SettingsFile,
): Promise<ObsidianSettings | undefined> {
  const read = await settingsIn(vault, path);
  return isRecord(read) ? read : undefined;
}

/**
 * The settings of a community plugin; undefined if it is not installed or not
 * enabled. Where the list of enabled ones is missing, as in some synced vaults,
 * an installed one counts.
 */
export async function pluginSettings(
  vault: Pick<Vault, "root">,
  plugin: SettingsPlugin,
): Promise<ObsidianSettings | undefined> {
  return (await isEnabled(vault, plugin)) ? obsidianSettings(vault, `plugins/${plugin}/data.json`) : undefined;
}

/** The same for a plugin that works without settings: none of them if it is installed and nothing was ever set. */
export async function pluginSettingsOrDefaults(
  vault: Pick<Vault, "root">,
  plugin: SettingsPlugin,
): Promise<ObsidianSettings | undefined> {
  const settings = await pluginSettings(vault, plugin);
  if (settings !== undefined || !(await isEnabled(vault, plugin))) return settings;
  return (await obsidianSettings(vault, `plugins/${plugin}/manifest.json`)) === undefined ? undefined : {};
}

async function isEnabled(vault: Pick<Vault, "root">, plugin: SettingsPlugin): Promise<boolean> {
  const enabled = await settingsIn(vault, "community-plugins.json");
  return !Array.isArray(enabled) || enabled.includes(plugin);
}

async function settingsIn({ root }: Pick<Vault, "root">, path: SettingsFile): Promise<unknown> {
  const text = await root.settingsText(path);
  return text === undefined ? undefined : parseJson(text.replace(/^\uFEFF/, ""));
}

/** A text, trimmed; undefined for anything else, and for an empty one. */
export function textSetting(settings: ObsidianSettings | undefined, name: string): string | undefined {
  const value = settings?.[name];
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/** A path as settings write it: slashes at its ends and repeated ones do not count. */
export function pathSetting(settings: ObsidianSettings | undefined, name: string): string | undefined {
  const path = textSetting(settings, name)
    ?.replace(/[/\\]+/g, "/")
    .replace(/^\/|\/$/g, "");
  return path === "" ? undefined : path;
}
