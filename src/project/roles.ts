// What part a file plays in a project, told by its name alone, and how much
// that says about whether to open it. Pure.
import { isManifest } from "./manifests.ts";
import { languageOf, NOT_CODE } from "./languages.ts";

export type Role =
  | "entry point"
  | "manifest"
  | "readme"
  | "source"
  | "test"
  | "documentation"
  | "configuration"
  | "data"
  | "lock file"
  | "generated"
  | "vendored";

/** From 1, open it first, to below 0, hardly ever. */
export const ROLE_WORTH: Readonly<Record<Role, number>> = {
  "entry point": 1,
  manifest: 0.9,
  readme: 1,
  source: 0.6,
  test: 0.5,
  documentation: 0.6,
  configuration: 0.4,
  data: 0.15,
  "lock file": -1,
  generated: -1,
  vendored: -1,
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const LOCK_FILES = words(
  "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-lock.yml bun.lock bun.lockb deno.lock cargo.lock poetry.lock pdm.lock uv.lock pipfile.lock gemfile.lock composer.lock go.sum mix.lock pubspec.lock podfile.lock package.resolved flake.lock gradle.lockfile packages.lock.json conan.lock",
);
const VENDORED = words(
  "node_modules bower_components vendor vendors third_party third-party thirdparty external .yarn .venv venv site-packages pods carthage godeps jspm_packages",
);
const GENERATED_FOLDERS = words(
  "dist out .next .nuxt target coverage __generated__ generated __snapshots__ snapshots storybook-static",
);
const TEST_FOLDERS = words("test tests __tests__ spec specs e2e testdata fixtures __mocks__");
const GENERATED_NAME =
  /(?:\.min\.(?:js|css|mjs|cjs|html)|[.-]bundle\.js|\.(?:js|css|mjs|cjs)\.map|\.map|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|\.g\.dart|\.freezed\.dart|\.designer\.cs|\.generated\.\w+|\.gen\.\w+|_generated\.\w+|\.snap|\.d\.ts\.map|\.tsbuildinfo)$/;
const TEST_NAME = /(?:[._-](?:test|spec|tests|specs)\.\w+|_test\.\w+|^test_[^/]*\.py|tests?\.(?:java|kt|cs|swift))$/;
const ENTRY_NAMES = words("index main __main__ app server cli mod lib program manage wsgi asgi application");
const ENTRY_EXTENSIONS = words(
  "ts tsx js jsx mts mjs cjs py rs go java kt cs rb php swift dart c cc cpp zig ex exs scala hs vue svelte",
);
const CONFIGURATION =
  /^(?:\.[^/]*|[^/]*\.config\.\w+|[^/]*rc(?:\.\w+)?|tsconfig[^/]*\.json|dockerfile|containerfile|makefile|justfile|docker-compose[^/]*|compose\.ya?ml|[^/]*\.(?:ini|cfg|conf|toml|ya?ml|properties|env))$/;
const DOCUMENTATION =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|tex|typ)$|^(?:licen[sc]e|copying|notice|authors|changelog|changes|contributing|history)(?:\.\w+)?$/;

/** What the folder of a file says about it. */
interface FolderSigns {
  readonly depth: number;
  readonly role: "vendored" | "generated" | undefined;
  readonly isForTests: boolean;
}

/** What each folder says, found out once for all files in it: a large project has a hundred thousand of them. */
function folderReader(): (folder: string) => FolderSigns {
  const folders = new Map<string, FolderSigns>();
  return (folder) => {
    let signs = folders.get(folder);
    if (signs === undefined) folders.set(folder, (signs = readFolder(folder)));
    return signs;
  };
}

/**
 * The roles of a project's files, each found out once.
 * @param entryPoints what the manifests name as such
 */
export function rolesWith(entryPoints: readonly string[]): (path: string) => Role {
  const named = new Set(entryPoints);
  const signsOf = folderReader();
  const roles = new Map<string, Role>();
  return (path) => {
    let role = roles.get(path);
    if (role === undefined) {
      const start = path.lastIndexOf("/") + 1;
      const name = path.slice(start).toLowerCase();
      roles.set(path, (role = roleOf(name, signsOf(path.slice(0, start)), named.has(path))));
    }
    return role;
  };
}

/** Tells what nobody wrote here: lock files, what is generated, what is vendored. Cheaper than all roles. */
export function foreignFiles(): (path: string) => boolean {
  const signsOf = folderReader();
  return (path) => {
    const start = path.lastIndexOf("/") + 1;
    return foreignRole(path.slice(start).toLowerCase(), signsOf(path.slice(0, start))) !== undefined;
  };
}

/** @param folder with a slash at the end, or empty */
function readFolder(folder: string): FolderSigns {
  const names = folder.toLowerCase().split("/").slice(0, -1);
  const isIn = (kinds: ReadonlySet<string>) => names.some((name) => kinds.has(name));
  const role = isIn(VENDORED) ? "vendored" : isIn(GENERATED_FOLDERS) ? "generated" : undefined;
  return { depth: names.length, role, isForTests: isIn(TEST_FOLDERS) };
}

/** One dot, with what programs are started by on its left. */
function isEntryName(name: string): boolean {
  const dot = name.indexOf(".");
  return ENTRY_NAMES.has(name.slice(0, Math.max(0, dot))) && ENTRY_EXTENSIONS.has(name.slice(dot + 1));
}

function foreignRole(name: string, { role }: FolderSigns): Role | undefined {
  if (LOCK_FILES.has(name)) return "lock file";
  return role ?? (GENERATED_NAME.test(name) ? "generated" : undefined);
}

function roleOf(name: string, signs: FolderSigns, isEntryPoint: boolean): Role {
  const { depth, isForTests } = signs;
  const foreign = foreignRole(name, signs);
  if (foreign !== undefined) return foreign;
  if (isEntryPoint) return "entry point";
  const isAManifest = isManifest(name);
  if (depth <= 2 && isAManifest) return "manifest";
  if (depth <= 1 && /^readme(?:\.\w+)?$/.test(name)) return "readme";
  if (isForTests || TEST_NAME.test(name)) return "test";
  if (depth <= 2 && isEntryName(name)) return "entry point";
  if (DOCUMENTATION.test(name)) return "documentation";
  if (isAManifest || CONFIGURATION.test(name)) return "configuration";
  const language = languageOf(name);
  return language === undefined || NOT_CODE.has(language) ? "data" : "source";
}
