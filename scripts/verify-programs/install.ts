// Installs the newest release of a program that can be installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npmCommand } from "../steps.mjs";
import type { Program } from "./program.ts";

export interface Installed {
  readonly version: string;
  /** The newest release and the package of it that the registry does not have, if it could not be installed. */
  readonly missing?: { readonly release: string; readonly package: string } | undefined;
}

const MAX_TRIES = 8;
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
    // Packages that were missing, the newest release's first.
    const missing: string[] = [];
    const isInstalled = released.slice(0, MAX_TRIES).some((version) => {
      const lacking = installed(`${name}@${version}`, folder);
      if (lacking !== undefined) missing.push(lacking);
      return lacking === undefined;
    });
    if (!isInstalled) throw new Error(`no release of ${name} can be installed: ${missing[0]} is not in the registry`);
    writeFileSync(join(folder, MISSING), JSON.stringify(missing));
  }
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  // A package of one platform may be ahead of the one that names it.
  if (version.localeCompare(newest, "en", { numeric: true }) >= 0) return { version };
  const [lacking = `${name}@${newest}`] = JSON.parse(readFileSync(join(folder, MISSING), "utf8")) as string[];
  return { version, missing: { release: newest, package: lacking } };
}

/** Kept for a later run in the same folder, which installs nothing. */
const MISSING = "missing-packages.json";

/** @returns a package that it needs and the registry does not have; undefined if it was installed */
function installed(release: string, folder: string): string | undefined {
  try {
    npm(["install", ...QUIET, "--prefix", folder, release], folder);
    return undefined;
  } catch (error) {
    const text = String(error);
    if (!text.includes("ETARGET") && !text.includes("E404")) throw error;
    return /No matching version found for (\S+?)\.?(?:\s|$)/.exec(text)?.[1] ?? release;
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
