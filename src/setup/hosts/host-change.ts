// One change of a host's configuration: planned, so that it can be shown, and
// made once the person has agreed to it. Used by connect and by the page.
import { join } from "node:path";
import { tightenFolders } from "../../files/files.ts";
import { operatingSystem, Problem, quickHash } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings.ts";
import { readConfiguration, withEntry, writeConfiguration } from "./configuration.ts";
import { flagsIn, thisMachine } from "./connection.ts";
import type { Host } from "./known-hosts.ts";
import { launchOf, type Launch } from "./launch.ts";
import { differenceOf } from "./line-difference.ts";
import { withoutEntry } from "./removal.ts";
import { flagsOf } from "./setting-flags.ts";

interface Asked {
  /** The name of the entry. */
  readonly name: string;
  readonly removes: boolean;
}

export interface HostChange {
  readonly file: string;
  /** Undefined if there is nothing to change. */
  readonly difference: string | undefined;
  /** True if the entry of that name starts another program. */
  readonly isOther: boolean;
  /** True if the file is deleted, since it contains nothing else. */
  readonly isDeletion: boolean;
  /** Differs if the file, or what would be written, is another one. */
  readonly stamp: string;
  /** How the host would start the server; undefined if the entry is removed. */
  readonly launch: Launch | undefined;
  /** @returns the path of the backup, if there was a file */
  readonly write: () => Promise<string | undefined>;
}

/** Throws a Problem if the file is damaged. */
export async function planHostChange(host: Host, settings: Settings, { name, removes }: Asked): Promise<HostChange> {
  const configuration = readConfiguration(host, thisMachine());
  const backups = join(settings.folders.data, "backups");
  const before = configuration.entries[name];
  // The flags of an entry are kept unless new ones are given.
  const given = flagsOf(settings);
  const launch = removes ? undefined : thisProgram(given.length > 0 ? given : flagsIn(before));
  if (launch !== undefined) checkTaken(host, launch, before === undefined);
  const text =
    launch === undefined
      ? withoutEntry(configuration, name, backups)
      : withEntry(configuration, name, host.entry(launch));
  return {
    file: configuration.file,
    difference: text === configuration.text ? undefined : differenceOf(configuration.text, text ?? ""),
    isOther: before !== undefined,
    isDeletion: text === undefined,
    stamp: quickHash(JSON.stringify([configuration.text, text ?? null])),
    launch,
    write: () => {
      tightenFolders(settings.folders);
      return writeConfiguration(configuration, text, backups);
    },
  };
}

/** Throws if the host would list every tool twice, or would change what the entry says. */
function checkTaken({ title, plugin, replaces }: Host, { args, env = {} }: Launch, isNew: boolean): void {
  if (isNew && plugin?.isEnabled(thisMachine()))
    throw new Problem(
      "exists",
      `${title} has the plugin, which starts this server: with an entry it would list every tool twice.`,
      `Take the plugin out first: ${plugin.removal}`,
    );
  const replaced = [...args, ...Object.values(env)].find((text) => replaces?.test(text));
  if (replaced !== undefined)
    throw new Problem(
      "invalid",
      `${title} replaces ${replaces!.exec(replaced)![0]} in ${replaced} by the value of a variable.`,
      "Use a path without a dollar sign, such as a link to that folder, or name the vault in config.json.",
    );
}

function thisProgram(flags: readonly string[]): Launch {
  const { env: environment, execPath: node } = process;
  return launchOf({ system: operatingSystem(), environment, node, script: process.argv[1]! }, flags);
}
