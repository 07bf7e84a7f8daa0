// npm run try-container: builds the Dockerfile and runs it as compose.yaml says,
// without Docker and without a registry of images: see inside.ts for what it proves.
// This half downloads what that takes; the other one runs in a network that has
// loopback only. Debian and root only; elsewhere it says that it is skipped.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmCommand } from "../node-releases.mjs";
import { installSystemPackages } from "../system-packages.mjs";
import { baseOf, makeBaseImage } from "./base-image.ts";
import { must } from "./command.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PROGRAMS = ["buildah", "podman", "crun", "debootstrap"];
const areThere = () => PROGRAMS.every((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0);

if (process.platform === "linux" && !areThere()) installSystemPackages("the check of the container", PROGRAMS);
if (process.getuid?.() !== 0 || !areThere()) {
  console.log("Skipped: the check of the container takes root, and buildah, podman, crun and debootstrap.");
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "commonplace-container-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const name of ["base", "packages"]) mkdirSync(join(folder, name));
// Images and containers of this run alone, in plain folders, which work on every file system.
const storage = `[storage]\ndriver = "vfs"\nrunroot = "${folder}/run"\ngraphroot = "${folder}/storage"\n`;
writeFileSync(join(folder, "storage.conf"), storage);
process.env["CONTAINERS_STORAGE_CONF"] = join(folder, "storage.conf");

console.log("Making the base image of Debian's and Node's packages.");
makeBaseImage(baseOf(join(ROOT, "Dockerfile")), join(folder, "base"));

console.log("Downloading the packages that the build installs.");
for (const path of ["package.json", "package-lock.json", "test/package.json", "scripts/no-canvas"])
  if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(folder, "packages", path), { recursive: true });
const install = ["install", "--workspaces=false", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
must([...npmCommand(), ...install, "--cache", join(folder, "npm-cache")], join(folder, "packages"));
writeFileSync(join(folder, "npmrc"), "cache=/npm-cache\noffline=true\n");

// crun wants the one hierarchy of control groups that newer systems have: it is mounted for this process alone.
const prepare = 'ip link set lo up && mount -t cgroup2 none /sys/fs/cgroup && exec "$@"';
const inside = [process.execPath, ...process.execArgv, join(import.meta.dirname, "inside.ts"), folder];
const { status } = spawnSync("unshare", ["--net", "--mount", "sh", "-c", prepare, "sh", ...inside], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
