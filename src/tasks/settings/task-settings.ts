// The settings of the Tasks plugin as far as they decide what a task is and what
// becomes of it, from .obsidian/plugins/obsidian-tasks-plugin/data.json, which is
// only read. Used by what lists and changes tasks.
import { isRecord } from "../../kernel/kernel.ts";
import { type ObsidianSettings, pluginSettingsOrDefaults, type Vault } from "../../vault/vault.ts";
import type { Form } from "../lines/task-line.ts";
import { nameDate, type NameDate } from "./name-date.ts";
import { statusIn, Statuses } from "./statuses.ts";

export interface TaskSettings {
  /** Only check boxes with this text are tasks; empty: all are. */
  readonly globalFilter: string;
  /** True if it is left out where tasks are shown. */
  readonly hidesGlobalFilter: boolean;
  readonly form: Form;
  readonly setsDone: boolean;
  readonly setsCreated: boolean;
  readonly setsCancelled: boolean;
  /** True if a task loses the dates of being done and cancelled with that status. */
  readonly removesDates: boolean;
  /** True if the next task of a recurring one comes below it. */
  readonly nextIsBelow: boolean;
  /** True if the next task has no scheduled date, if it has another one. */
  readonly dropsScheduled: boolean;
  /** Scheduled date, from the note's name, of tasks without dates; undefined: none. */
  readonly dateInName: NameDate | undefined;
  readonly statuses: Statuses;
}

const PLUGIN = "obsidian-tasks-plugin";

/** Of a vault without the plugin: check boxes are ticked, and get no dates. */
const WITHOUT_PLUGIN: TaskSettings = {
  globalFilter: "",
  hidesGlobalFilter: false,
  form: "emoji",
  setsDone: false,
  setsCreated: false,
  setsCancelled: false,
  removesDates: false,
  nextIsBelow: false,
  dropsScheduled: false,
  dateInName: undefined,
  statuses: new Statuses(),
};

export async function taskSettings(vault: Pick<Vault, "root">): Promise<TaskSettings> {
  const settings = await pluginSettingsOrDefaults(vault, PLUGIN);
  return settings === undefined ? WITHOUT_PLUGIN : settingsIn(settings);
}

export function settingsIn(settings: ObsidianSettings): TaskSettings {
  const flag = (name: string, byDefault: boolean) => (typeof settings[name] === "boolean" ? settings[name] : byDefault);
  const text = (name: string) => (typeof settings[name] === "string" ? settings[name] : "");
  const folders = settings["filenameAsDateFolders"];
  return {
    globalFilter: text("globalFilter"),
    hidesGlobalFilter: flag("removeGlobalFilter", false),
    form: text("taskFormat") === "dataview" ? "inline" : "emoji",
    setsDone: flag("setDoneDate", true),
    setsCreated: flag("setCreatedDate", false),
    setsCancelled: flag("setCancelledDate", true),
    removesDates: true,
    nextIsBelow: flag("recurrenceOnNextLine", false),
    dropsScheduled: flag("removeScheduledDateOnRecurrence", false),
    dateInName: flag("useFilenameAsScheduledDate", false)
      ? nameDate(
          (Array.isArray(folders) ? folders : []).filter((folder) => typeof folder === "string" && folder !== ""),
          text("filenameAsScheduledDateFormat"),
        )
      : undefined,
    statuses: statusesIn(settings["statusSettings"]),
  };
}

function statusesIn(setting: unknown): Statuses {
  if (!isRecord(setting)) return new Statuses();
  const { coreStatuses, customStatuses } = setting;
  const listed = [coreStatuses, customStatuses].flatMap((some) => (Array.isArray(some) ? some : []));
  const statuses = listed.flatMap((each) => statusIn(each) ?? []);
  return statuses.length === 0 ? new Statuses() : new Statuses(statuses);
}
