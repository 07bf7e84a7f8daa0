// commonplace uninstall: takes the entries out of hosts, the schedules out of the
// system, and everything of ours from the disk. Notes and outlines stay.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { countOnlyInStore } from "../conversations/conversations.ts";
import {
  coloured,
  counted,
  isRunning,
  joined,
  print,
  printable,
  type Printable,
  printJson,
  Problem,
} from "../kernel/kernel.ts";
import type { Settings } from "../settings.ts";
import {
  commandLine,
  connections,
  HOSTS,
  INDEXING,
  isNotes,
  ownEntries,
  ownSchedule,
  planHostChange,
  pushingTo,
  removeEntries,
  removeSchedule,
  servingRecords,
  thisMachine,
  writtenFiles,
} from "../setup/setup.ts";
import type { Command } from "./command.ts";
import { isConfirmed } from "./confirmation.ts";

export const command: Command = {
  usage: "uninstall [--yes] [--json]",
  help: `Takes Commonplace off this machine: its entries in the hosts, its schedules, and
its folders with the index, memory, past conversations, undo and settings. Notes and
outlines stay, and so do memory that is kept in a vault, exports and backups that you
made, and whatever else is in its folders. It shows first what it removes. Quit the
hosts before: a server that runs would write again.`,
  flags: { yes: { help: "do not ask" }, json: { help: "as JSON" } },
  ignoresConfigErrors: true,
  leavesNothing: true,
  run: async (invocation) => {
    const { settings, flags } = invocation;
    checkStopped(settings);
    const hosts = await hostChanges(settings);
    const schedules = (
      await Promise.all([INDEXING, pushingTo(undefined, undefined)].map((task) => ownSchedule(settings, task)))
    ).filter((schedule) => writtenFiles(schedule).length > 0);
    const vaults = settings.vaults.filter(({ space }) => space === undefined).map(({ folder }) => folder);
    const damaged = connections(thisMachine()).filter(({ state }) => state === "damaged");
    // A copy of ours may be the last one that can be read.
    const staysThere = { vaults, keepsBackups: damaged.length > 0 };
    const entries = ownEntries(settings.folders, staysThere);
    const only = onlyHere(settings);
    const removed = [
      ...hosts.map(({ change }) => change.file),
      ...schedules.flatMap((schedule) => writtenFiles(schedule).map(({ path }) => path)),
      ...entries.paths,
    ];
    const plugins = [
      ...damaged.map(({ title, problem }) => `${title}: look for an entry of ours there. ${problem}`),
      ...pluginsOf(),
    ];
    const outcome = { removed, stays: entries.left, conversations_only_here: only, by_hand: plugins };
    if (!flags["json"])
      print(
        joined([
          ...hosts.map(({ title, change }) => printable`${title}: ${change.file}\n${coloured(change.difference!)}`),
          ...schedules.flatMap((schedule) => writtenFiles(schedule).map(({ path }) => printable`delete ${path}`)),
          ...entries.paths.map((path) => printable`delete ${path}`),
          ...(removed.length === 0 ? ["Nothing of Commonplace is here."] : []),
          ...entries.left.map((path) => staying(path, settings)),
          ...(only > 0
            ? [`${counted(only, "conversation")} exist only here: '${commandLine("backup", "FILE")}' keeps them.`]
            : []),
        ]),
      );
    if (removed.length > 0) {
      if (!(await isConfirmed(invocation, "Remove all of this? It cannot be undone.", "removes it"))) {
        if (flags["json"]) printJson({ ...outcome, result: "pending" });
        else print("Nothing was removed.");
        return 1;
      }
      // The backups that show what a host had before are in our data: they go last.
      for (const { change } of hosts) await change.write();
    }
    const failed = [
      ...schedules.flatMap(removeSchedule).map(({ words, reason }) => `${words.join(" ")}: ${reason}`),
      ...(removed.length === 0 ? [] : removeEntries(ownEntries(settings.folders, staysThere))),
    ];
    if (flags["json"]) printJson({ ...outcome, result: removed.length === 0 ? "unchanged" : "removed", failed });
    else
      print(
        joined([
          ...(removed.length === 0 ? [] : ["Removed."]),
          ...failed.map((line) => printable`This failed: ${line}`),
          ...plugins.map((line) => printable`${line}`),
          ...PACKAGE,
        ]),
      );
    return failed.length === 0 ? 0 : 1;
  },
};

const PACKAGE = ["The program itself: 'npm uninstall --global commonplace-mcp', or delete its checkout."];

/** A server over HTTP would write again. Of those that hosts start, nothing is recorded. */
function checkStopped(settings: Settings): void {
  const running = servingRecords(settings).find(({ process: id }) => isRunning(id));
  if (running !== undefined)
    throw new Problem(
      "conflict",
      `Commonplace is serving on port ${running.port}.`,
      "Stop that server, and quit the hosts that start one.",
    );
}

async function hostChanges(settings: Settings) {
  const found = connections(thisMachine()).flatMap(({ host, entries }) => entries.map(({ name }) => ({ host, name })));
  const changes = found.map(async ({ host: id, name }) => {
    const host = HOSTS.find((one) => one.name === id)!;
    return { title: host.title, change: await planHostChange(host, settings, { name, removes: true }) };
  });
  return (await Promise.all(changes)).filter(({ change }) => change.difference !== undefined);
}

function pluginsOf(): string[] {
  const machine = thisMachine();
  return HOSTS.flatMap(({ title, plugin }) =>
    plugin?.isEnabled(machine) === true ? [`${title} has the plugin: ${plugin.removal}`] : [],
  );
}

function onlyHere({ folders }: Settings): number {
  const file = join(folders.data, "conversations.db");
  try {
    return existsSync(file) ? countOnlyInStore(file) : 0;
  } catch {
    // A store of another release, or a damaged one.
    return 0;
  }
}

function staying(path: string, { folders, vaults }: Settings): Printable {
  const isTheirs =
    isNotes(path, folders) ||
    path === join(folders.data, "backups") ||
    vaults.some(({ folder }) => path === join(folder, ".commonplace", "memory"));
  return isTheirs ? printable`stays: ${path}` : printable`stays, since it is not ours: ${path}`;
}
