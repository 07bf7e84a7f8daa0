// The settings in the config file: a JSON object whose keys are the names of the
// settings. An unknown key is a warning. Used by settings.ts.
import { dirname } from "node:path";
import { readText } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import { SETTINGS, type SettingName } from "./table.ts";
import { type Given, unknown } from "./values.ts";

export interface Config {
  readonly settings: Partial<Record<SettingName, Given>>;
  readonly warnings: readonly string[];
}

export const NO_CONFIG: Config = { settings: {}, warnings: [] };

/** @returns the settings of the config file, none if it does not exist */
export function readConfig(path: string): Config {
  let text: string;
  try {
    text = readText(path, { followsLinks: true });
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? "")) return NO_CONFIG;
    throw new Problem("invalid", `${path} cannot be read: ${(error as Error).message}`);
  }
  let config: unknown;
  try {
    config = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new Problem("invalid", `${path} is not valid JSON: ${(error as Error).message}`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new Problem("invalid", `${path} must contain an object, such as {"vault": "~/Notes"}.`);
  }
  const names = Object.keys(SETTINGS).filter(
    (name) => SETTINGS[name as SettingName].flag !== undefined && name !== "home",
  );
  const base = dirname(path);
  const settings: Partial<Record<SettingName, Given>> = {};
  const warnings: string[] = [];
  for (const [key, value] of Object.entries(config)) {
    const name = names.find((one) => plain(one) === plain(key));
    // A key of another release must not stop every command.
    if (name === undefined) warnings.push(unknown(`${path}: unknown setting '${key}'.`, key, names).message);
    else settings[name as SettingName] = { value, origin: `${key} in ${path}`, base };
  }
  return { settings, warnings };
}

/** `readOnly`, `read-only` and `readonly` are one name: nobody should have to guess how a flag is spelled here. */
function plain(key: string): string {
  return key.replace(/[-_]/g, "").toLowerCase();
}
