// The settings of this process as flags, for the entry in a host's list and for
// commands shown to the user. Used by connect and doctor.
import { basename, delimiter } from "node:path";
import { SETTINGS, type Settings, type VaultSettings } from "../../settings.ts";

/** Flags that give a host's server the settings of this process. It reads the config file itself. */
export function flagsOf(settings: Settings): string[] {
  const home =
    settings.origins.home === "default" ? [] : ["--home", settings.folders.config.replace(/[/\\]config\.json$/, "")];
  const { vaults, origins } = settings;
  const isOne = vaults.length === 1;
  const ofVaults = [
    ...(isLocal(origins.vault) ? vaults.flatMap((vault) => ["--vault", placeOf(vault)]) : []),
    ...(isLocal(origins.readOnlyVault) ? vaults.filter(({ isReadOnly }) => isReadOnly) : []).flatMap(({ name }) => [
      "--read-only-vault",
      name,
    ]),
    ...(["protect", "hide"] as const).flatMap((rule) =>
      (isLocal(origins[rule]) ? vaults : []).flatMap((vault) =>
        vault[rule].flatMap((pattern) => [`--${rule}`, isOne ? pattern : `${vault.name}:${pattern}`]),
      ),
    ),
  ];
  const paths = (["outline", "project"] as const).flatMap((name) =>
    isLocal(settings.origins[name]) ? [`--${name}`, settings[name] ?? ""] : [],
  );
  const folders = (["outlineFolders", "conversations", "projects"] as const).flatMap((name) =>
    isLocal(settings.origins[name]) ? [`--${SETTINGS[name].flag}`, settings[name].join(delimiter)] : [],
  );
  const toolsets = isLocal(settings.origins.toolsets) ? ["--toolsets", settings.toolsets.join(",")] : [];
  const readOnly = isLocal(settings.origins.readOnly) && settings.readOnly ? ["--read-only"] : [];
  const memory = settings.memory !== undefined && isLocal(settings.origins.memory) ? ["--memory", settings.memory] : [];
  const toolTexts = isLocal(settings.origins.toolTexts) ? ["--tool-texts", String(settings.toolTexts)] : [];
  const timeZone =
    settings.timeZone !== undefined && isLocal(settings.origins.timeZone) ? ["--time-zone", settings.timeZone] : [];
  // Without its password, which every user of the machine could see there.
  const store = settings.store !== undefined && isLocal(origins.store) ? ["--store", settings.store.shown] : [];
  const related = !settings.related && isLocal(settings.origins.related) ? ["--related", "off"] : [];
  const embeddings =
    settings.embeddings !== undefined && isLocal(settings.origins.embeddings)
      ? ["--embeddings", settings.embeddings.url, "--embedding-model", settings.embeddings.model]
      : [];
  return [
    ...home,
    ...ofVaults,
    ...paths,
    ...folders,
    ...toolsets,
    ...readOnly,
    ...timeZone,
    ...related,
    ...embeddings,
    ...memory,
    ...toolTexts,
    ...store,
  ];
}

/** The folder alone, if the name is that of the folder. */
function placeOf({ name, folder, space }: VaultSettings): string {
  const place = space === undefined ? folder : `store:${space}`;
  return name === (space ?? basename(folder)) ? place : `${name}=${place}`;
}

/** Returns whether a setting comes from a flag or an environment variable of this process. */
export function isLocal(origin: string): boolean {
  return Object.values(SETTINGS).some(
    ({ flag, variable }) => origin === variable || (flag !== undefined && origin === `--${flag}`),
  );
}
