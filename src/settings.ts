// The front door of settings/: the settings in one typed object. Flags take precedence
// over the environment, that over the config file, and that over the defaults. An
// invalid value throws a problem that names its origin and the valid values.
import { join } from "node:path";
import { type Folders, foldersOf } from "./files/files.ts";
import { Problem } from "./kernel/kernel.ts";
import { NO_CONFIG, readConfig } from "./settings/config-file.ts";
import { serverFrom, type ServerSettings } from "./settings/server.ts";
import { storeFrom, type StoreSetting } from "./settings/store.ts";
import { SETTINGS, TOOL_LISTS, type SettingName } from "./settings/table.ts";
import {
  type Given,
  localUrlFrom,
  oneOf,
  pathFrom,
  pathsFrom,
  sizeFrom,
  switchFrom,
  textFrom,
  timeZoneFrom,
  UNITS,
} from "./settings/values.ts";
import { nameOfFolder, vaultsFrom, type VaultSettings } from "./settings/vaults.ts";

export { readConfig } from "./settings/config-file.ts";
export { addNetwork, DEFAULT_SERVER, type OAuthSettings, type ServerSettings } from "./settings/server.ts";
export { SETTINGS, TOOLSETS, type SettingName, type Toolset } from "./settings/table.ts";
export { folderNameOfSpace, namesSpace, type VaultSettings } from "./settings/vaults.ts";

export interface Settings {
  /** The folder of the default vault. */
  readonly vault: string;
  /** All vaults, the default first. */
  readonly vaults: readonly [VaultSettings, ...VaultSettings[]];
  /** A file, or `app` for OmniOutliner itself. */
  readonly outline: string;
  /** Folders whose outlines may be opened too. */
  readonly outlineFolders: readonly string[];
  /** Undefined: found from the client's roots or the working directory. */
  readonly project: string | undefined;
  /** WORKSPACE_FOLDER_PATHS, which a host may set: the project's folder unless the user names one. */
  readonly workspaceFolders: string | undefined;
  /** The working directory of the process. */
  readonly workingDirectory: string;
  readonly toolsets: readonly (typeof TOOL_LISTS)[number][];
  readonly readOnly: boolean;
  /** The person's, such as Europe/Berlin; undefined: the system's (TZ). */
  readonly timeZone: string | undefined;
  /** True if notes are also found by meaning. */
  readonly related: boolean;
  /** The embeddings endpoint on this machine that finds them instead of the table that ships. */
  readonly embeddings: { readonly url: string; readonly model: string } | undefined;
  /** Undefined: in the data folder (`home`), unless the vault has a memory already. */
  readonly memory: "vault" | "home" | "off" | undefined;
  /** Further folders in which conversations are looked for, each laid out like a home folder. */
  readonly conversations: readonly string[];
  /** Folders of projects in which programs may keep conversations, beside those that conversations name. */
  readonly projects: readonly string[];
  /** Bytes of tool texts of conversations, compressed, that are kept whole. */
  readonly toolTexts: number;
  /** Do not redact secrets in conversations. */
  readonly noRedact: boolean;
  /** True if the plugin gives an assistant that begins a session a briefing. */
  readonly briefing: boolean;
  /** Shared with other machines and people; undefined: everything stays on this machine. */
  readonly store: StoreSetting | undefined;
  /** How the members of the shared store are served over HTTP. */
  readonly server: ServerSettings | undefined;
  /** Undefined: the one kept in the data folder. */
  readonly token: string | undefined;
  readonly folders: Folders;
  /** The fault of the config file, for a command that reports it and continues without the file. */
  readonly configFault?: string;
  /** Sentences about keys of the config file that are no settings, each with the setting that was probably meant. */
  readonly configWarnings: readonly string[];
  /** The origin of each value, for messages. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

/** Flags by their name on the command line. */
export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
export type Environment = Readonly<Record<string, string | undefined>>;

export function readSettings(flags: Flags, environment: Environment, workingDirectory: string): Settings {
  return settingsFrom(flags, environment, workingDirectory, readConfig);
}

/** Like `readSettings`, but ignores an invalid config file and returns its fault. Other invalid values throw. */
export function readSettingsDespiteConfig(flags: Flags, environment: Environment, workingDirectory: string): Settings {
  try {
    return readSettings(flags, environment, workingDirectory);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...settingsFrom(flags, environment, workingDirectory, () => NO_CONFIG), configFault: error.message };
  }
}

function settingsFrom(
  flags: Flags,
  environment: Environment,
  workingDirectory: string,
  configAt: typeof readConfig,
): Settings {
  const direct = (name: SettingName) =>
    fromFlag(name, flags, workingDirectory) ?? fromVariable(name, environment, workingDirectory);
  const home = direct("home");
  const folders = foldersOf(environment, home && pathFrom(home));
  const { settings: config, warnings } = configAt(folders.config);
  const given = (name: SettingName) => direct(name) ?? config[name];
  const read = <Value>(name: SettingName, reader: (value: Given) => Value): Value | undefined => {
    const value = given(name);
    return value && reader(value);
  };
  const everyGiven = (name: SettingName) =>
    [fromFlag(name, flags, workingDirectory), fromVariable(name, environment, workingDirectory), config[name]].filter(
      (each) => each !== undefined,
    );
  const vaults = vaultsFrom({
    vault: given("vault"),
    readOnlyVault: everyGiven("readOnlyVault"),
    protect: everyGiven("protect"),
    hide: everyGiven("hide"),
    embedded: join(folders.data, "vault"),
    spaces: join(folders.data, "spaces"),
  });
  const stored = vaults.find(({ space }) => space !== undefined);
  if (stored !== undefined && given("store") === undefined)
    throw new Problem(
      "invalid",
      `The vault ${stored.name} is a space of a shared store, and no store is named.`,
      "Name it with --store, COMMONPLACE_STORE, or store in the config file.",
    );
  return {
    vault: vaults[0].folder,
    vaults,
    outline: read("outline", outlineFrom) ?? join(folders.data, "outline.opml"),
    outlineFolders: read("outlineFolders", pathsFrom) ?? [],
    project: read("project", pathFrom),
    workspaceFolders: environment["WORKSPACE_FOLDER_PATHS"] || undefined,
    workingDirectory,
    toolsets: read("toolsets", toolsetsFrom) ?? ["default"],
    readOnly: read("readOnly", switchFrom) ?? false,
    timeZone: read("timeZone", timeZoneFrom),
    related: read("related", (value) => oneOf(value, ["on", "off"])) !== "off",
    embeddings: read("embeddings", (url) => embeddingsFrom(url, given("embeddingModel"))),
    memory: read("memory", (value) => oneOf(value, ["vault", "home", "off"])),
    conversations: read("conversations", pathsFrom) ?? [],
    projects: read("projects", pathsFrom) ?? [],
    toolTexts: read("toolTexts", sizeFrom) ?? 2 * UNITS.gb,
    noRedact: read("noRedact", switchFrom) ?? false,
    briefing: read("briefing", switchFrom) ?? false,
    store: read("store", storeFrom),
    server: read("server", serverFrom),
    token: read("token", textFrom),
    folders,
    configWarnings: warnings,
    origins: Object.fromEntries(
      Object.keys(SETTINGS).map((name) => [name, given(name as SettingName)?.origin ?? "default"]),
    ) as Record<SettingName, string>,
  };
}

/** The settings with another default vault, and its restrictions. */
export function withVault(settings: Settings, folder: string): Settings {
  const [first, ...others] = settings.vaults;
  const { space: _, ...own } = first;
  return { ...settings, vault: folder, vaults: [{ ...own, name: nameOfFolder(folder), folder }, ...others] };
}

function fromFlag(name: SettingName, flags: Flags, base: string): Given | undefined {
  const { flag } = SETTINGS[name];
  const value = flag === undefined ? undefined : flags[flag];
  return value === undefined ? undefined : { value, origin: `--${flag}`, base };
}

function fromVariable(name: SettingName, environment: Environment, base: string): Given | undefined {
  const { variable } = SETTINGS[name];
  const value = environment[variable];
  // A host that installs bundles leaves its placeholder if the user has chosen nothing.
  const isUnset = value === undefined || value === "" || /^\$\{user_config\.\w+\}$/.test(value);
  return isUnset ? undefined : { value, origin: variable, base };
}

function outlineFrom(value: Given): string {
  return value.value === "app" ? "app" : pathFrom(value);
}

function embeddingsFrom(url: Given, model: Given | undefined): Settings["embeddings"] {
  if (model === undefined)
    throw new Problem("invalid", `${url.origin} needs the name of a model: --embedding-model nomic-embed-text.`);
  return { url: localUrlFrom(url), model: textFrom(model) };
}

function toolsetsFrom({ value, origin }: Given): Settings["toolsets"] {
  const names = (Array.isArray(value) ? value.map(String) : String(value).split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0)
    throw new Problem("invalid", `${origin} names no toolset. Toolsets: ${TOOL_LISTS.join(", ")}.`);
  return names.map((name) => oneOf({ value: name, origin, base: "" }, TOOL_LISTS));
}
