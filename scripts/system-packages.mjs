// Installs programs that tests need with apt-get. Used by chromium.mjs, nginx.mjs,
// postgresql.mjs and windows/wine.mjs.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Only for root on Debian and systems derived from it, as in CI; elsewhere it does
 * nothing, since it would have to ask.
 * @param {string} purpose in words, for the message
 * @param {string[]} packages
 */
export function installSystemPackages(purpose, packages) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.error(`Installing ${packages[0]} for ${purpose}.`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-qq", "-y", "--no-install-recommends", ...packages],
  ])
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env });
}
