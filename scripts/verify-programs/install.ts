// Installs the newest release of a program that can be installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { npmCommand } from "../node-releases.mjs";
import type { Program } from "./program.ts";

export interface Installed {
  readonly version: string;
  /** The newest release, if a package of it is missing in this registry. */
  readonly newest?: string | undefined;
}

const MOST_TRIES = 8;
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund"];

/** Scripts of its packages are not run: they would have the network and our rights. */
export function install({ package: main, platformPackage }: Program, folder: string): Installed {
  mkdirSync(folder, { recursive: true });
  const name = platformPackage ?? main;
  const manifest = join(folder, "node_modules", name, "package.json");
  const newest = npm(["view", main, "version"], folder).trim();
  if (!existsSync(manifest)) {
    const all = [JSON.parse(npm(["view", name, "versions", "--json"], folder)) as string[] | string].flat();
    const released = all.filter((version) => !version.includes("-")).toReversed();
    const isInstalled = released.slice(0, MOST_TRIES).some((version) => isThere(`${name}@${version}`, folder));
    if (!isInstalled) throw new Error(`no release of ${name} can be installed`);
  }
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  // A package of one platform may be ahead of the one that names it.
  const isNewest = version.localeCompare(newest, "en", { numeric: true }) >= 0;
  return { version, newest: isNewest ? undefined : newest };
}

/** False if a package that it needs is not in this registry. */
function isThere(release: string, folder: string): boolean {
  try {
    npm(["install", ...QUIET, "--prefix", folder, release], folder);
    return true;
  } catch (error) {
    if (String(error).includes("ETARGET") || String(error).includes("E404")) return false;
    throw error;
  }
}

function npm(args: readonly string[], cwd: string): string {
  const [command, ...first] = npmCommand();
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args, "--loglevel=error"], {
    cwd,
    encoding: "utf8",
    timeout: 600_000,
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr.trim().slice(0, 500)}`);
  return stdout;
}
