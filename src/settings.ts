// The settings, in one typed object. Flags take precedence over the environment,
// that over the config file, and that over the defaults. An invalid value throws
// a problem that names its origin and the valid values.
import { delimiter, dirname, join } from "node:path";
import { type Folders, foldersOf, readText } from "./files/files.ts";
import { Problem } from "./kernel/kernel.ts";
import { serverFrom, type ServerSettings } from "./settings/server.ts";
import { storeFrom, type StoreSetting } from "./settings/store.ts";
import {
  type Given,
  localUrlFrom,
  oneOf,
  pathFrom,
  pathsFrom,
  SEPARATOR,
  sizeFrom,
  switchFrom,
  textFrom,
  timeZoneFrom,
  UNITS,
  unknown,
} from "./settings/values.ts";
import { nameOfFolder, vaultsFrom, type VaultSettings } from "./settings/vaults.ts";

export { addNetwork, DEFAULT_SERVER, type OAuthSettings, type ServerSettings } from "./settings/server.ts";
export type { VaultSettings } from "./settings/vaults.ts";

export const TOOLSETS = ["vault", "memory", "outline", "recall", "project"] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** What --toolsets takes: whole toolsets, and lists that pick tools from all of them. */
const TOOL_LISTS = [...TOOLSETS, "default", "lean", "all"] as const;

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
  /** Whether notes are also found by meaning. */
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
  /** Whether the plugin gives an assistant that begins a session a briefing. */
  readonly briefing: boolean;
  /** Shared with other machines and people; undefined: everything stays on this machine. */
  readonly store: StoreSetting | undefined;
  /** How the members of the shared store are served over HTTP. */
  readonly server: ServerSettings | undefined;
  /** Undefined: the one kept in the data folder. */
  readonly token: string | undefined;
  readonly folders: Folders;
  /** What is wrong with the config file, for a command that reports it and continues without the file. */
  readonly configFault?: string;
  /** Sentences about keys of the config file that are no settings, each with the setting that was probably meant. */
  readonly configWarnings: readonly string[];
  /** Where each value comes from, for messages. */
  readonly origins: Readonly<Record<SettingName, string>>;
}

interface Setting {
  readonly flag: string | undefined;
  readonly variable: string;
  /** The name of the value in the help; undefined for a switch. */
  readonly value?: string;
  /** Whether it may be given more than once. */
  readonly repeats?: true;
  readonly help: string;
}

/** Every setting. The help, flags, variables and keys of the config file are derived from this. */
export const SETTINGS = {
  vault: {
    flag: "vault",
    variable: "COMMONPLACE_VAULT",
    value: "DIR",
    repeats: true,
    help: "folder of notes (an Obsidian vault), store:SPACE or NAME=DIR",
  },
  readOnlyVault: {
    flag: "read-only-vault",
    variable: "COMMONPLACE_READ_ONLY_VAULT",
    value: "NAME",
    repeats: true,
    help: "vault in which nothing is written",
  },
  protect: {
    flag: "protect",
    variable: "COMMONPLACE_PROTECT",
    value: "PATTERN",
    repeats: true,
    help: "notes and folders that are never written: Journal/, NAME:*.md",
  },
  hide: {
    flag: "hide",
    variable: "COMMONPLACE_HIDE",
    value: "PATTERN",
    repeats: true,
    help: `notes and folders that are never shown; in a variable a${SEPARATOR}b`,
  },
  outline: {
    flag: "outline",
    variable: "COMMONPLACE_OUTLINE",
    value: "FILE|app",
    help: "outline file, or app for OmniOutliner",
  },
  outlineFolders: {
    flag: "outline-folders",
    variable: "COMMONPLACE_OUTLINE_FOLDERS",
    value: "DIRS",
    help: `folders with more outlines, separated by ${delimiter}`,
  },
  project: { flag: "project", variable: "COMMONPLACE_PROJECT", value: "DIR", help: "folder of the code project" },
  home: { flag: "home", variable: "COMMONPLACE_HOME", value: "DIR", help: "keep data, index and config below DIR" },
  toolsets: {
    flag: "toolsets",
    variable: "COMMONPLACE_TOOLSETS",
    value: "LIST",
    help: TOOL_LISTS.join(", "),
  },
  readOnly: { flag: "read-only", variable: "COMMONPLACE_READ_ONLY", help: "offer no tool that writes" },
  timeZone: {
    flag: "time-zone",
    variable: "COMMONPLACE_TIME_ZONE",
    value: "ZONE",
    help: "time zone for days, e.g. Europe/Berlin; default: the system's",
  },
  related: {
    flag: "related",
    variable: "COMMONPLACE_RELATED",
    value: "on|off",
    help: "also find notes by meaning: on (the default) or off",
  },
  embeddings: {
    flag: "embeddings",
    variable: "COMMONPLACE_EMBEDDINGS",
    value: "URL",
    help: "endpoint on this machine for that, e.g. http://127.0.0.1:11434/v1",
  },
  embeddingModel: {
    flag: "embedding-model",
    variable: "COMMONPLACE_EMBEDDING_MODEL",
    value: "NAME",
    help: "the endpoint's model, e.g. nomic-embed-text",
  },
  memory: {
    flag: "memory",
    variable: "COMMONPLACE_MEMORY",
    value: "WHERE",
    help: "where to keep memory: home, vault or off",
  },
  conversations: {
    flag: "conversations",
    variable: "COMMONPLACE_CONVERSATIONS",
    value: "DIRS",
    help: `more home folders with conversations, separated by ${delimiter}`,
  },
  projects: {
    flag: "projects",
    variable: "COMMONPLACE_PROJECTS",
    value: "DIRS",
    help: `projects with conversations in them, separated by ${delimiter}`,
  },
  toolTexts: {
    flag: "tool-texts",
    variable: "COMMONPLACE_TOOL_TEXTS",
    value: "SIZE",
    help: "whole tool texts of conversations to keep: 2GB, 500MB, 0",
  },
  briefing: {
    flag: "briefing",
    variable: "COMMONPLACE_BRIEFING",
    help: "with the plugin: begin sessions with a briefing",
  },
  noRedact: { flag: "no-redact", variable: "COMMONPLACE_NO_REDACT", help: "show secrets in conversations" },
  store: {
    flag: "store",
    variable: "COMMONPLACE_STORE",
    value: "ADDRESS",
    help: "shared store: postgres://LOGIN@HOST/DATABASE",
  },
  server: {
    flag: "server",
    variable: "COMMONPLACE_SERVER",
    value: "FILE",
    help: "how members of the store are served: see docs/shared.md",
  },
  token: { flag: undefined, variable: "COMMONPLACE_TOKEN", value: "TEXT", help: "bearer token for HTTP" },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

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
  const outline = given("outline");
  const outlineFolders = given("outlineFolders");
  const project = given("project");
  const toolsets = given("toolsets");
  const readOnly = given("readOnly");
  const timeZone = given("timeZone");
  const related = given("related");
  const embeddings = given("embeddings");
  const embeddingModel = given("embeddingModel");
  const memory = given("memory");
  const conversations = given("conversations");
  const projects = given("projects");
  const toolTexts = given("toolTexts");
  const noRedact = given("noRedact");
  const briefing = given("briefing");
  const store = given("store");
  const server = given("server");
  const token = given("token");
  const stored = vaults.find(({ space }) => space !== undefined);
  if (stored !== undefined && store === undefined)
    throw new Problem(
      "invalid",
      `The vault ${stored.name} is a space of a shared store, and no store is named.`,
      "Name it with --store, COMMONPLACE_STORE, or store in the config file.",
    );
  return {
    vault: vaults[0].folder,
    vaults,
    outline: outline ? (outline.value === "app" ? "app" : pathFrom(outline)) : join(folders.data, "outline.opml"),
    outlineFolders: outlineFolders ? pathsFrom(outlineFolders) : [],
    project: project && pathFrom(project),
    workspaceFolders: environment["WORKSPACE_FOLDER_PATHS"] || undefined,
    workingDirectory,
    toolsets: toolsets ? toolsetsFrom(toolsets) : ["default"],
    readOnly: readOnly ? switchFrom(readOnly) : false,
    timeZone: timeZone && timeZoneFrom(timeZone),
    related: related ? oneOf(related, ["on", "off"]) === "on" : true,
    embeddings: embeddings && embeddingsFrom(embeddings, embeddingModel),
    memory: memory ? oneOf(memory, ["vault", "home", "off"]) : undefined,
    conversations: conversations ? pathsFrom(conversations) : [],
    projects: projects ? pathsFrom(projects) : [],
    toolTexts: toolTexts ? sizeFrom(toolTexts) : 2 * UNITS.gb,
    noRedact: noRedact ? switchFrom(noRedact) : false,
    briefing: briefing ? switchFrom(briefing) : false,
    store: store && storeFrom(store),
    server: server && serverFrom(server),
    token: token && textFrom(token),
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

interface Config {
  readonly settings: Partial<Record<SettingName, Given>>;
  readonly warnings: readonly string[];
}

const NO_CONFIG: Config = { settings: {}, warnings: [] };

/** @returns the settings of the config file, none if it does not exist */
function readConfig(path: string): Config {
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
