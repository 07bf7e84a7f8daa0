// Requests that only a person may make of the program and its set-up: by the page,
// never by a host. Everything that changes something is planned first, with its
// effects and a stamp; it is made only if the stamp is still the same. Used
// by the server over HTTP.
import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { Problem, quickHash, VERSION } from "../kernel/kernel.ts";
import { type Settings, withVault } from "../settings.ts";
import type { Connection, DiskUse, Finding, KnownVault } from "../setup/setup.ts";
import type { Commonplace } from "./app.ts";

const NAME = "commonplace";
/** Loaded when it is first needed. */
const setup = () => import("../setup/setup.ts");

export interface Status {
  readonly version: string;
  readonly findings: readonly Finding[];
  readonly vault: { readonly path: string; readonly origin: string; readonly isGuide: boolean };
  readonly diskUse: readonly DiskUse[];
  readonly isReadOnly: boolean;
}

export interface Progress {
  readonly vault: Status["vault"];
  /** Undefined until it has begun. */
  readonly notes: Indexing | undefined;
  readonly conversations: Indexing | undefined;
}

interface Indexing {
  readonly done: number;
  readonly total: number;
  /** Since it began. */
  readonly milliseconds: number;
  readonly isComplete: boolean;
  readonly problem?: string;
}

/** A planned change, for the person to agree to. */
export interface PlannedChange {
  readonly file: string;
  /** Undefined if there is nothing to change. */
  readonly difference: string | undefined;
  /** Further notes for the person. */
  readonly notes: readonly string[];
  readonly stamp: string;
}

export interface MadeChange {
  readonly backup: string | undefined;
  readonly notes: readonly string[];
}

export interface HostAsked {
  readonly host: string;
  readonly removes: boolean;
}

export interface PersonCalls {
  readonly status: () => Promise<Status>;
  /** How far the first indexing is. Begins it, if nobody has. */
  readonly progress: () => Promise<Progress>;
  /** With the vaults that each is connected to, if none is one of this server. */
  readonly hosts: () => Promise<readonly (Connection & { readonly otherVaults: readonly string[] | undefined })[]>;
  readonly planHost: (asked: HostAsked) => Promise<PlannedChange>;
  readonly changeHost: (asked: HostAsked & Stamped) => Promise<MadeChange>;
  readonly vaults: () => Promise<readonly KnownVault[]>;
  readonly planVault: (asked: VaultAsked) => Promise<PlannedChange>;
  /** Writes the setting, and serves that vault from now on unless this server was started with another. */
  readonly chooseVault: (asked: VaultAsked & Stamped) => Promise<MadeChange>;
  /** The person says that what was in this part is gone on purpose. */
  readonly acceptMissing: (asked: { readonly part: string }) => Promise<MadeChange>;
  readonly planSchedule: (asked: ScheduleAsked) => Promise<PlannedChange>;
  readonly changeSchedule: (asked: ScheduleAsked & Stamped) => Promise<MadeChange>;
}

interface VaultAsked {
  readonly vault: string;
}

interface ScheduleAsked {
  readonly removes: boolean;
}

interface Stamped {
  readonly stamp: string;
}

/** @param serve serves with these settings from now on */
export function personCalls(commonplace: Commonplace, serve: (settings: Settings) => Promise<void>): PersonCalls {
  const settings = () => commonplace.settings;
  const progress = trackProgress(commonplace);

  const hostChange = async ({ host, removes }: HostAsked) => {
    const { HOSTS, notesAfter, planHostChange } = await setup();
    const known = HOSTS.find(({ name }) => name === host);
    if (known === undefined) throw new Problem("not_found", `Unknown host '${host}'.`);
    return {
      notes: notesAfter(known, removes === true),
      change: await planHostChange(known, settings(), { name: NAME, removes }),
    };
  };
  const vaultChange = async ({ vault }: VaultAsked) => {
    const { planSetting } = await setup();
    if (settings().vaults.length > 1)
      throw new Problem(
        "denied",
        "This server has several vaults: choosing one would take out the others.",
        `They are set by ${settings().origins.vault}; change that instead.`,
      );
    const path = checkedFolder(vault);
    return { path, change: planSetting(settings(), "vault", path) };
  };
  const schedule = async ({ removes }: ScheduleAsked) => {
    const { checkFree, ownSchedule, writtenFiles } = await setup();
    const planned = await ownSchedule(settings());
    if (!removes) checkFree(planned);
    return { planned, written: writtenFiles(planned) };
  };

  return {
    status: async () => {
      const { diskUse, findings } = await setup();
      return {
        version: VERSION,
        findings: await findings(settings()),
        vault: vaultOf(settings()),
        diskUse: diskUse(settings()),
        isReadOnly: settings().readOnly,
      };
    },
    progress: async () => progress(),
    hosts: async () => {
      const { connections, otherVaults, thisMachine } = await setup();
      return connections(thisMachine()).map((one) => ({ ...one, otherVaults: otherVaults(one, settings()) }));
    },
    planHost: async (asked) => {
      const { notes, change } = await hostChange(asked);
      const { file, difference, stamp, isDeletion } = change;
      return {
        file,
        difference,
        stamp,
        notes: [...(isDeletion ? ["The file is deleted: it contains nothing else."] : []), ...notes],
      };
    },
    changeHost: async ({ stamp, ...asked }) => {
      checkWritable(settings());
      const { notes, change } = await hostChange(asked);
      checkStamp(stamp, change);
      return { backup: await change.write(), notes };
    },
    vaults: async () => {
      const { knownVaults, thisMachine } = await setup();
      return knownVaults(settings(), thisMachine());
    },
    planVault: async (asked) => {
      const { path, change } = await vaultChange(asked);
      const { file, difference, stamp } = change;
      return { file, difference, stamp, notes: await consequencesOf(path, settings()) };
    },
    chooseVault: async ({ stamp, ...asked }) => {
      checkWritable(settings());
      const { isLocal } = await setup();
      const { path, change } = await vaultChange(asked);
      checkStamp(stamp, change);
      const backup = change.difference === undefined ? undefined : await change.write();
      const { origins } = settings();
      const isApplied = !isLocal(origins.vault);
      if (isApplied)
        await serve({ ...withVault(settings(), path), origins: { ...origins, vault: `vault in ${change.file}` } });
      return { backup, notes: isApplied ? [] : [keptVault(settings())] };
    },
    acceptMissing: async ({ part }) => {
      const place = (await commonplace.missingPlaces()).find((each) => each.part === part);
      if (place === undefined) throw new Problem("not_found", `Nothing is missing from the ${part}.`);
      await place.accept();
      return { backup: undefined, notes: [] };
    },
    planSchedule: async (asked) => {
      const { planned, written } = await schedule(asked);
      const files = asked.removes ? written : planned.files;
      const commands = asked.removes ? planned.stop : planned.start;
      const mark = asked.removes ? "- " : "+ ";
      const lines = files.flatMap(({ path, text }) => [
        `  ${path}`,
        ...text
          .trimEnd()
          .split("\n")
          .map((line) => mark + line),
      ]);
      return {
        file: planned.files[0]!.path,
        difference: files.length === 0 ? undefined : lines.join("\n"),
        notes: [...commands.map((words) => `Runs: ${words.join(" ")}`), ...(asked.removes ? [] : [planned.note])],
        stamp: stampOf([asked.removes, files.map(({ path, text }) => [path, text])]),
      };
    },
    changeSchedule: async ({ stamp, ...asked }) => {
      checkWritable(settings());
      const { installSchedule, removeSchedule } = await setup();
      const { planned, written } = await schedule(asked);
      const files = asked.removes ? written : planned.files;
      checkStamp(stamp, { stamp: stampOf([asked.removes, files.map(({ path, text }) => [path, text])]) });
      const failed = asked.removes ? removeSchedule(planned) : await installSchedule(planned);
      return {
        backup: undefined,
        notes: failed.map(({ words, reason }) => `This failed (${reason}); run it yourself: ${words.join(" ")}`),
      };
    },
  };
}

function vaultOf({ vault, origins }: Settings): Status["vault"] {
  return { path: vault, origin: origins.vault, isGuide: origins.vault === "default" };
}

function stampOf(value: unknown): string {
  return quickHash(JSON.stringify(value));
}

function checkStamp(seen: string, { stamp }: Stamped): void {
  if (seen !== stamp)
    throw new Problem(
      "conflict",
      "The file has changed since this was shown. Nothing was written.",
      "Look at the change again.",
    );
}

function checkWritable({ readOnly }: Settings): void {
  if (readOnly) throw new Problem("denied", "Nothing is changed while the server is read-only.");
}

function checkedFolder(vault: string): string {
  if (!isAbsolute(vault))
    throw new Problem("invalid", "Name the whole path of the folder.", "For example /home/you/Notes.");
  const path = resolve(vault);
  if (path === resolve(path, ".."))
    throw new Problem("invalid", "A whole drive cannot be a vault.", "Name a folder on it.");
  if (!isFolder(path)) throw new Problem("not_found", `There is no folder ${path}.`, "Its drive may not be mounted.");
  return path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const namesVault = ({ entries }: Connection) => entries.some(({ words }) => words.includes("--vault"));
const titles = (hosts: readonly Connection[]) => hosts.map(({ title }) => title).join(", ");

/** Lists the other changes that come with the vault, and the things that stay. */
async function consequencesOf(path: string, settings: Settings): Promise<string[]> {
  const { connections, isLocal, thisMachine } = await setup();
  const connected = connections(thisMachine()).filter(({ state }) => state === "connected");
  const own = connected.filter(namesVault);
  const others = connected.filter((host) => !namesVault(host));
  return [
    isLocal(settings.origins.vault)
      ? keptVault(settings)
      : `This server shows ${path} at once. Notes, index, history and memory of ${settings.vault} stay where they are.`,
    ...(own.length > 0
      ? [`${titles(own)}: the entry names a vault of its own and keeps it; connect again to change it.`]
      : []),
    ...(others.length > 0 ? [`${titles(others)}: uses it from the next start on.`] : []),
  ];
}

function keptVault({ vault, origins }: Settings): string {
  return `This server was started with ${origins.vault} and keeps showing ${vault}; the setting counts where none is named.`;
}

type Working = { done: number; total: number; began: number; ended?: number; problem?: string };

/** Begins the first indexing when it is first asked for, once for each vault. */
function trackProgress(commonplace: Commonplace): () => Progress {
  let vault: string | undefined;
  let notes: Working | undefined;
  let conversations: Working | undefined;
  const track = (work: (onProgress: (done: number, total: number) => void) => Promise<unknown>): Working => {
    const working: Working = { done: 0, total: 0, began: performance.now() };
    const onProgress = (done: number, total: number) => Object.assign(working, { done, total });
    void work(onProgress)
      .catch((error: unknown) => void (working.problem = error instanceof Problem ? error.message : "It failed."))
      .finally(() => (working.ended = performance.now()));
    return working;
  };
  return () => {
    if (vault !== commonplace.settings.vault) {
      vault = commonplace.settings.vault;
      notes = track(async (onProgress) => {
        for (const { name } of commonplace.settings.vaults) await commonplace.refreshIndex({ onProgress }, name);
      });
      conversations = track(async (onProgress) => (await commonplace.conversations()).refresh({ onProgress }));
    }
    return { vault: vaultOf(commonplace.settings), notes: shown(notes), conversations: shown(conversations) };
  };
}

function shown(working: Working | undefined): Indexing | undefined {
  if (working === undefined) return undefined;
  const { done, total, began, ended, problem } = working;
  return {
    done,
    total,
    milliseconds: Math.round((ended ?? performance.now()) - began),
    isComplete: ended !== undefined,
    ...(problem !== undefined && { problem }),
  };
}

export type { Connection, Finding };
