// Finds Chromium, or installs it, for the tests of the page and its pictures.
import { existsSync } from "node:fs";
import { installSystemPackages } from "./system-packages.mjs";

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
export function findOrInstallChromium() {
  if (findChromium() === undefined) installSystemPackages("the tests of the page", ["chromium"]);
  return findChromium();
}
