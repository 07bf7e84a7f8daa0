// What there is of everything the server works on: shown by doctor, and in
// short by the program itself when it is started in a terminal. Only looked
// at, never made.
import { accessSync, constants, statSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import type { Settings } from "../settings.ts";

export interface Finding {
  readonly part: string;
  readonly state: "ok" | "missing" | "problem";
  readonly path?: string;
  /** What was found, or what to do. */
  readonly note: string;
}

export function findings(settings: Settings): Finding[] {
  return [
    { part: "node", state: "ok", path: process.execPath, note: process.versions.node },
    vaultFinding(settings),
    outlineFinding(settings),
    ownFolder("data", settings.folders.data),
    ownFolder("cache", settings.folders.cache),
    configFinding(settings.folders.config),
  ];
}

function vaultFinding({ vault: path, sources }: Settings): Finding {
  const stats = look(path);
  if (stats?.isDirectory()) return readable({ part: "vault", path });
  if (stats)
    return {
      part: "vault",
      state: "problem",
      path,
      note: `not a folder (set by ${sources.vault}): name the folder of your notes`,
    };
  if (sources.vault === "default")
    return {
      part: "vault",
      state: "missing",
      path,
      note: "embedded default, made on first use: name your own with --vault DIR",
    };
  return {
    part: "vault",
    state: "problem",
    path,
    note: `not there (set by ${sources.vault}): mount it, or correct the path`,
  };
}

function outlineFinding({ outline: path, sources }: Settings): Finding {
  if (path === "app") return { part: "outline", state: "ok", note: "OmniOutliner itself" };
  const stats = look(path);
  // OmniOutliner's documents may be folders; a plain one is none of them.
  if (stats?.isDirectory() && !/\.(ooutline|oo3)$/i.test(path)) {
    return { part: "outline", state: "problem", path, note: `a folder (set by ${sources.outline}): name the file` };
  }
  if (stats) return readable({ part: "outline", path });
  if (sources.outline === "default") {
    return {
      part: "outline",
      state: "missing",
      path,
      note: "embedded default, made on first use: name your own with --outline FILE",
    };
  }
  return { part: "outline", state: "problem", path, note: `not there (set by ${sources.outline}): correct the path` };
}

function configFinding(path: string): Finding {
  const isThere = look(path) !== undefined;
  return {
    part: "config",
    state: isThere ? "ok" : "missing",
    path,
    note: isThere ? "read" : "none, and none is needed",
  };
}

/** A folder of our own: either there and writable, or one that can be made. */
function ownFolder(part: string, path: string): Finding {
  const existing = deepestExisting(path);
  if (!look(existing)?.isDirectory())
    return { part, state: "problem", path, note: `${existing} is not a folder: move it away` };
  if (!may(existing, constants.W_OK))
    return { part, state: "problem", path, note: `may not be written: check the permissions of ${existing}` };
  return existing === path
    ? { part, state: "ok", path, note: "writable" }
    : { part, state: "missing", path, note: "made on first use" };
}

function readable({ part, path }: { part: string; path: string }): Finding {
  if (!may(path, constants.R_OK))
    return { part, state: "problem", path, note: "may not be read: check its permissions" };
  return { part, state: "ok", path, note: may(path, constants.W_OK) ? "found" : "found, but may not be written" };
}

function deepestExisting(path: string): string {
  return look(path) || path === dirname(path) ? path : deepestExisting(dirname(path));
}

/** What is at a path; undefined where there is nothing, or nothing that can be reached. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

const MARKS = { ok: "ok     ", missing: "-      ", problem: "PROBLEM" };

export function tableOf(rows: readonly Finding[]): string {
  const width = Math.max(...rows.map(({ part }) => part.length));
  return rows
    .map(
      ({ part, state, path, note }) =>
        `${MARKS[state]}  ${part.padEnd(width)}  ${path === undefined ? note : `${path} (${note})`}`,
    )
    .join("\n");
}
