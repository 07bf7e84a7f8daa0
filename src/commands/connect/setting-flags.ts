// The settings of this run as flags, for the entry of a host and for commands
// that are shown to a person. Used by connect and by doctor.
import { delimiter } from "node:path";
import { SETTINGS, type Settings } from "../../settings.ts";

/** The flags that give a host's server the settings that are in force here; the config file it reads itself. */
export function flagsOf(settings: Settings): string[] {
  const home =
    settings.sources.home === "default" ? [] : ["--home", settings.folders.config.replace(/[/\\]config\.json$/, "")];
  const paths = (["vault", "outline", "project"] as const).flatMap((name) =>
    isLocal(settings.sources[name]) ? [`--${name}`, settings[name] ?? ""] : [],
  );
  const folders = isLocal(settings.sources.outlineFolders)
    ? ["--outline-folders", settings.outlineFolders.join(delimiter)]
    : [];
  const toolsets = isLocal(settings.sources.toolsets) ? ["--toolsets", settings.toolsets.join(",")] : [];
  const readOnly = isLocal(settings.sources.readOnly) && settings.readOnly ? ["--read-only"] : [];
  const memory = settings.memory !== undefined && isLocal(settings.sources.memory) ? ["--memory", settings.memory] : [];
  return [...home, ...paths, ...folders, ...toolsets, ...readOnly, ...memory];
}

/** Whether a value was given to this run alone: as a flag or a variable. */
export function isLocal(source: string): boolean {
  return Object.values(SETTINGS).some(
    ({ flag, variable }) => source === variable || (flag !== undefined && source === `--${flag}`),
  );
}
