// The image that the Dockerfile builds on, made of Debian's packages and Node's and
// npm's from the npm registry, so that no registry of images is needed. It has what
// the Dockerfile counts on in the official one: Debian, `node`, `npm`, a user `node`.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { npmCommand, RELEASES } from "../node-releases.mjs";
import { must } from "./command.ts";

const DEBIAN = "bookworm";
const NPM = "npm@11";
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];

/** The name of the image, as the Dockerfile has it: all of its stages build on one. */
export function baseOf(dockerfile: string): string {
  const names = new Set([...readFileSync(dockerfile, "utf8").matchAll(/^FROM (\S+)/gm)].map(([, name]) => name!));
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) throw new Error("The Dockerfile builds on more than one image.");
  return `docker.io/library/${name}`;
}

/** @param folder is empty, and gets about 400 MB */
export function makeBaseImage(name: string, folder: string): void {
  const root = join(folder, "root");
  const packages = join(folder, "packages");
  must(["debootstrap", "--variant=minbase", DEBIAN, root]);
  mkdirSync(packages);
  const node = `${RELEASES!.name}@${RELEASES!.development}`;
  must([...npmCommand(), "install", ...QUIET, "--prefix", packages, node, NPM]);
  const installed = join(packages, "node_modules");
  const programs = join(root, "usr", "local", "bin");
  cpSync(join(installed, RELEASES!.name, "bin", "node"), join(programs, "node"));
  const npm = join(root, "usr", "local", "lib", "node_modules", "npm");
  mkdirSync(dirname(npm), { recursive: true });
  cpSync(join(installed, "npm"), npm, { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(programs, "npm"));
  must(["chroot", root, "useradd", "--create-home", "--uid", "1000", "--user-group", "node"]);
  const container = must(["buildah", "from", "scratch"]).trim();
  must(["buildah", "add", "--quiet", container, root, "/"]);
  must(["buildah", "config", "--env", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container]);
  must(["buildah", "commit", "--quiet", "--rm", container, name]);
  rmSync(folder, { recursive: true, force: true });
}
