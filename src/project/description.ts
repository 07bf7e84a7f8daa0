// Describes a project by its manifests and its README, read from the listed files.
// Used by project.ts.
import { basename, join, posix } from "node:path";
import { nameIn } from "../kernel/kernel.ts";
import { isManifest, readManifest, type ManifestFacts } from "./manifests.ts";
import { readBeginning } from "./project-files.ts";

export interface Description {
  readonly name: string;
  readonly description: string | undefined;
  readonly kinds: readonly string[];
  readonly manifests: readonly string[];
  readonly packageManagers: readonly string[];
  readonly entryPoints: readonly string[];
  /** Command lines; those that build and test come first. */
  readonly scripts: readonly string[];
  readonly readme: { readonly path: string; readonly text: string } | undefined;
}

interface ReadManifest {
  readonly path: string;
  readonly facts: ManifestFacts;
}

/** Enough for the parts of a monorepo, without every example in it. */
const MAX_MANIFESTS = 20;
const MAX_DEPTH = 2;
const MAX_MANIFEST_BYTES = 256 * 1024;
const MAX_README_BYTES = 16 * 1024;
const MAX_SCRIPTS = 20;
const MAX_ENTRY_POINTS = 20;
const MAX_CHARACTERS = 300;

const depthOf = (path: string): number => path.split("/", MAX_DEPTH + 2).length - 1;

const isVendored = (path: string): boolean => /(?:^|\/)(?:node_modules|vendor)\//.test(path);

const isMain = (command: string): number => Number(/(?:^| )(?:py)?(?:build|package|test)/i.test(command));

/** @param has whether a path is a file of the project: a manifest may name any path as an entry point */
export function describe(root: string, files: readonly string[], has: (path: string) => boolean): Description {
  const read = files
    .filter((path) => isManifest(nameIn(path)) && depthOf(path) <= MAX_DEPTH && !isVendored(path))
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .slice(0, MAX_MANIFESTS)
    .flatMap((path): ReadManifest[] => {
      const text = readBeginning(join(root, path), MAX_MANIFEST_BYTES);
      const facts = text === undefined ? undefined : readManifest(posix.basename(path), text);
      return facts === undefined ? [] : [{ path, facts }];
    });
  const atRoot = files.filter((path) => !path.includes("/"));
  const own = read.filter(({ path }) => !path.includes("/")).map(({ facts }) => facts);
  const first = (key: "name" | "description") => own.map((facts) => facts[key]).find((text) => text !== undefined);
  const description = first("description");
  const packageManagers = distinct([
    ...own.flatMap(({ packageManager }) => packageManager ?? []),
    ...atRoot.flatMap((name) => PACKAGE_MANAGERS.get(name.toLowerCase()) ?? []),
  ]);
  const runner = packageManagers.find((name) => ["pnpm", "yarn", "bun"].includes(name)) ?? "npm";
  const entryPoints = read.flatMap(({ path, facts }) =>
    (facts.entryPoints ?? []).map((entry) => posix.join(posix.dirname(path), entry.slice(0, MAX_CHARACTERS))),
  );
  return {
    name: limited(first("name") ?? basename(root)),
    description: description === undefined ? undefined : limited(description),
    kinds: distinct(read.map(({ facts }) => facts.kind)),
    manifests: read.map(({ path }) => path),
    packageManagers,
    entryPoints: distinct(entryPoints.filter(has)).slice(0, MAX_ENTRY_POINTS),
    scripts: distinct(
      own.flatMap(({ scripts = [] }) => scripts).map((line) => line.replace(/^npm run /, `${runner} run `)),
    )
      .toSorted((a, b) => isMain(b) - isMain(a))
      .slice(0, MAX_SCRIPTS),
    readme: readReadme(root, atRoot.filter(isReadme)),
  };
}

function readReadme(root: string, readmes: readonly string[]): Description["readme"] {
  const path = readmes.find((name) => /\.md$/i.test(name)) ?? readmes[0];
  const beginning = path === undefined ? undefined : readBeginning(join(root, path), MAX_README_BYTES);
  return path === undefined || beginning === undefined ? undefined : { path, text: firstLines(beginning) };
}

/** Files that package managers leave at the root of a project. */
const PACKAGE_MANAGERS: ReadonlyMap<string, string> = new Map([
  ["package-lock.json", "npm"],
  ["yarn.lock", "yarn"],
  ["pnpm-lock.yaml", "pnpm"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["deno.lock", "deno"],
  ["poetry.lock", "poetry"],
  ["uv.lock", "uv"],
  ["pdm.lock", "pdm"],
  ["pipfile.lock", "pipenv"],
  ["requirements.txt", "pip"],
  ["cargo.toml", "cargo"],
  ["go.mod", "go"],
  ["gemfile.lock", "bundler"],
  ["pom.xml", "maven"],
  ["gradlew", "gradle"],
  ["mix.lock", "mix"],
  ["pubspec.lock", "pub"],
  ["package.resolved", "swift"],
  ["flake.lock", "nix"],
]);

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function limited(text: string): string {
  return (text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`).toWellFormed();
}

const README_LINES = 15;
const README_CHARACTERS = 600;

/** The first lines of a README with text: without badges, images and comments. */
function firstLines(text: string): string {
  const plain = text
    .replace(/^\uFEFF/, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    // Pictures, also those that are links, as badges are.
    .replace(/\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)/g, "")
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/<\/?[a-z][^>]*>/gi, "");
  const lines = plain
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .slice(0, README_LINES);
  const kept = lines.join("\n");
  if (kept.length <= README_CHARACTERS) return kept;
  const cut = kept.slice(0, README_CHARACTERS - 1).toWellFormed();
  return `${cut.replace(/(?<=\s)\S{1,40}$/, "").trimEnd()}…`;
}

function isReadme(path: string): boolean {
  return /^readme(?:\.(?:md|markdown|rst|adoc|txt|org))?$/i.test(path);
}
