// commonplace connect: what to do in each host to use this server.
import { delimiter } from "node:path";
import { SETTINGS, type Settings } from "../settings.ts";
import { nearest } from "../text/nearest.ts";
import { Problem } from "../text/problem.ts";
import { print, type Command } from "./command.ts";
import { HOSTS, thisProgram, type Host } from "./hosts.ts";

export const command: Command = {
  usage: "connect [HOST…]",
  help: `Shows what to run or to write into its configuration for each host
(${HOSTS.map(({ name }) => name).join(", ")}), with the settings given here.`,
  takesWords: true,
  run: async ({ settings, words }) => {
    print(howToConnect(settings, words.length === 0 ? HOSTS : words.map(hostNamed)));
    return 0;
  },
};

export function howToConnect(settings: Settings, hosts: readonly Host[] = HOSTS): string {
  const launch = thisProgram(flagsOf(settings));
  return hosts.map(({ title, steps }) => `${title}\n${steps(launch).replace(/^/gm, "  ")}`).join("\n\n");
}

function hostNamed(word: string): Host {
  const host = HOSTS.find(({ name }) => name === word.toLowerCase());
  if (host !== undefined) return host;
  const names = HOSTS.map(({ name }) => name);
  const meant = nearest(word, names);
  throw new Problem(
    "invalid",
    `There is no host '${word}'.`,
    meant ? `Did you mean ${meant}?` : `There are ${names.join(", ")}.`,
  );
}

/** The flags that give a host's server the settings that are in force here; the config file it reads itself. */
function flagsOf(settings: Settings): string[] {
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
  const memory = isLocal(settings.sources.memory) ? ["--memory", settings.memory] : [];
  return [...home, ...paths, ...folders, ...toolsets, ...readOnly, ...memory];
}

/** Whether a value was given to this run alone: as a flag or a variable. */
function isLocal(source: string): boolean {
  return Object.values(SETTINGS).some(
    ({ flag, variable }) => source === variable || (flag !== undefined && source === `--${flag}`),
  );
}
