// Reads settings of Obsidian and of its plugins from the vault's .obsidian folder,
// which is never written. Used by days and templates, and for tasks.
import { join } from "node:path";
import { readText } from "../../files/files.ts";
import { isRecord } from "../../kernel/kernel.ts";
import type { Vault } from "../vault.ts";

export type ObsidianSettings = Readonly<Record<string, unknown>>;

/** Without a file, or if it is not valid, there are none: Obsidian does the same. */
export function obsidianSettings(
  { root }: Pick<Vault, "root">,
  ...path: readonly string[]
): ObsidianSettings | undefined {
  const read = settingsFile(root.folder, path);
  return isRecord(read) ? read : undefined;
}

/**
 * The settings of a community plugin; undefined if it is not installed or not
 * enabled. Where the list of enabled ones is missing, as in some synced vaults,
 * an installed one counts.
 */
export function pluginSettings(vault: Pick<Vault, "root">, plugin: string): ObsidianSettings | undefined {
  return isEnabled(vault, plugin) ? obsidianSettings(vault, "plugins", plugin, "data.json") : undefined;
}

/** The same for a plugin that works without settings: none of them if it is installed and nothing was ever set. */
export function pluginSettingsOrDefaults(vault: Pick<Vault, "root">, plugin: string): ObsidianSettings | undefined {
  const settings = pluginSettings(vault, plugin);
  if (settings !== undefined || !isEnabled(vault, plugin)) return settings;
  return obsidianSettings(vault, "plugins", plugin, "manifest.json") === undefined ? undefined : {};
}

function isEnabled({ root }: Pick<Vault, "root">, plugin: string): boolean {
  const enabled = settingsFile(root.folder, ["community-plugins.json"]);
  return !Array.isArray(enabled) || enabled.includes(plugin);
}

function settingsFile(folder: string, path: readonly string[]): unknown {
  try {
    // People share one .obsidian between vaults by a link.
    const text = readText(join(folder, ".obsidian", ...path), { followsLinks: true });
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
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
