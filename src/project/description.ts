// Describes a project by its manifests and its README, read from the listed files.
// Used by project.ts.
import { basename, join, posix } from "node:path";
import { nameIn } from "../kernel/kernel.ts";
import { isManifest, readManifest, type ManifestFacts, type Script } from "./manifests.ts";
import { attributesFilesIn } from "./path-rules.ts";
import { readBeginning, stampOf } from "./project-files.ts";

export interface Description {
  readonly name: string;
  readonly description: string | undefined;
  readonly kinds: readonly string[];
  readonly manifests: readonly string[];
  readonly packageManagers: readonly string[];
  readonly entryPoints: readonly string[];
  readonly scripts: readonly Script[];
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

/** The files that describe a project. */
export interface DescribingFiles {
  readonly manifests: readonly string[];
  readonly readme: string | undefined;
  readonly attributes: readonly string[];
  /** The names of files at the root. */
  readonly atRoot: readonly string[];
}

const depthOf = (path: string): number => path.split("/").length - 1;

const isVendored = (path: string): boolean => /(?:^|\/)(?:node_modules|vendor)\//.test(path);

/** Called for every file of the project, so it does not split the path. */
function isNear(path: string): boolean {
  let slash = -1;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    slash = path.indexOf("/", slash + 1);
    if (slash === -1) return true;
  }
  return false;
}

export function describingFilesIn(files: readonly string[]): DescribingFiles {
  const manifests = files
    .filter((path) => isNear(path) && isManifest(nameIn(path)) && !isVendored(path))
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .slice(0, MAX_MANIFESTS);
  const atRoot = files.filter((path) => !path.includes("/"));
  const readmes = atRoot.filter(isReadme);
  return {
    manifests,
    readme: readmes.find((path) => /\.md$/i.test(path)) ?? readmes[0],
    attributes: attributesFilesIn(files),
    atRoot,
  };
}

/** Changes whenever one of the files does. */
export function stampOfFiles(root: string, { manifests, readme, attributes }: DescribingFiles): string {
  return [...manifests, ...(readme === undefined ? [] : [readme]), ...attributes]
    .map((path) => `${path}:${stampOf(join(root, path))}`)
    .join("\n");
}

export function describe(
  root: string,
  { manifests, readme, atRoot }: DescribingFiles,
  has: (path: string) => boolean,
): Description {
  const read = manifests.flatMap((path): ReadManifest[] => {
    const text = readBeginning(join(root, path), MAX_MANIFEST_BYTES);
    const facts = text === undefined ? undefined : readManifest(posix.basename(path), text);
    return facts === undefined ? [] : [{ path, facts }];
  });
  const own = read.filter(({ path }) => !path.includes("/")).map(({ facts }) => facts);
  const first = (key: "name" | "description") => own.map((facts) => facts[key]).find((text) => text !== undefined);
  const packageManagers = distinct([
    ...own.flatMap(({ packageManager }) => packageManager ?? []),
    ...atRoot.flatMap((name) => packageManagerOf(name) ?? []),
  ]);
  let firstAsked: Pick<Description, "readme"> | undefined;
  return {
    name: limited(first("name") ?? basename(root)),
    description: limitedOr(first("description")),
    kinds: distinct(read.map(({ facts }) => facts.kind)),
    manifests: read.map(({ path }) => path),
    packageManagers,
    entryPoints: entryPointsOf(read, has).slice(0, MAX_ENTRY_POINTS),
    scripts: scriptsOf(own, packageManagers),
    // Read on demand: most calls do not need the README.
    get readme() {
      firstAsked ??= { readme: readReadme(root, readme) };
      return firstAsked.readme;
    },
  };
}

function readReadme(root: string, path: string | undefined): Description["readme"] {
  const beginning = path === undefined ? undefined : readBeginning(join(root, path), MAX_README_BYTES);
  return path === undefined || beginning === undefined ? undefined : { path, text: firstLines(beginning) };
}

/** Only files of the project: a manifest may name any path. */
function entryPointsOf(read: readonly ReadManifest[], has: (path: string) => boolean): string[] {
  const named = read.flatMap(({ path, facts }) =>
    (facts.entryPoints ?? []).map((entry) => posix.join(posix.dirname(path), entry.slice(0, MAX_CHARACTERS))),
  );
  return distinct(named.filter(has));
}

const isMain = ({ name }: Script): number => Number(/^(?:build|test)/i.test(name));

/** Those that build and test come first. */
function scriptsOf(own: readonly ManifestFacts[], packageManagers: readonly string[]): Script[] {
  const runner = packageManagers.find((name) => ["pnpm", "yarn", "bun"].includes(name));
  const scripts = own.flatMap(({ scripts = [] }) => scripts);
  const byCommand = new Map(
    scripts.map(({ name, command }) => {
      const run = runner === undefined ? command : command.replace(/^npm run /, `${runner} run `);
      return [run, { name, command: run }] as const;
    }),
  );
  return [...byCommand.values()].toSorted((a, b) => isMain(b) - isMain(a)).slice(0, MAX_SCRIPTS);
}

/** Files that package managers leave at the root of a project. */
const PACKAGE_MANAGERS: Readonly<Record<string, string>> = {
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "yarn.lock": "yarn",
  "pnpm-lock.yaml": "pnpm",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "deno.lock": "deno",
  "poetry.lock": "poetry",
  "uv.lock": "uv",
  "pdm.lock": "pdm",
  "pipfile.lock": "pipenv",
  "requirements.txt": "pip",
  "cargo.lock": "cargo",
  "cargo.toml": "cargo",
  "go.mod": "go",
  "gemfile.lock": "bundler",
  "composer.lock": "composer",
  "pom.xml": "maven",
  gradlew: "gradle",
  "mix.lock": "mix",
  "pubspec.lock": "pub",
  "package.resolved": "swift",
  "flake.lock": "nix",
};

function packageManagerOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(PACKAGE_MANAGERS, lower) ? PACKAGE_MANAGERS[lower] : undefined;
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function limited(text: string): string {
  return (text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`).toWellFormed();
}

function limitedOr(text: string | undefined): string | undefined {
  return text === undefined ? undefined : limited(text);
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
