// Where a Chromium is, for the tests of the page and its picture. Where there is
// none, it is installed if that can be done without asking: on Debian and its kin,
// by root, as in CI.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** @returns {string | undefined} */
export function findChromium() {
  return PLACES.find((place) => place !== undefined && existsSync(place));
}

/** @returns {string | undefined} */
export function bringChromium() {
  const found = findChromium();
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return found;
  console.error("Installing chromium for the tests of the page.");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-qq", "-y", "--no-install-recommends", "chromium"],
  ])
    spawnSync("apt-get", args, { stdio: ["ignore", "ignore", "inherit"], env });
  return findChromium();
}
