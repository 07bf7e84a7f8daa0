// Every setting by its name: flag, variable, key of the config file and its line in
// the help. A new one is a row here, a field of Settings and its reader in
// settings.ts. Used by settings.ts and config-file.ts.
import { delimiter } from "node:path";
import { SEPARATOR } from "./values.ts";

export const TOOLSETS = ["vault", "memory", "outline", "recall", "project"] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** The values of --toolsets: whole toolsets, and lists that pick tools from all of them. */
export const TOOL_LISTS = [...TOOLSETS, "default", "lean", "chatgpt", "all"] as const;

interface Setting {
  readonly flag: string | undefined;
  readonly variable: string;
  /** The name of the value in the help; undefined for a switch. */
  readonly value?: string;
  /** True if it may be given more than once. */
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
    help: TOOL_LISTS.join(","),
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
    help: "how members are served: see docs/guide/team-server.md",
  },
  token: { flag: undefined, variable: "COMMONPLACE_TOKEN", value: "TEXT", help: "bearer token for HTTP" },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
