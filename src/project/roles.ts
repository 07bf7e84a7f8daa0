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
  test: 0.4,
  documentation: 0.4,
  configuration: 0.4,
  data: 0.15,
  "lock file": -1,
  generated: -1,
  vendored: -1,
};

const LOCK_FILE =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|deno\.lock|cargo\.lock|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|go\.sum|mix\.lock|pubspec\.lock|podfile\.lock|package\.resolved|flake\.lock|gradle\.lockfile|packages\.lock\.json|conan\.lock)$/;
const VENDORED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|vendors|third[_-]?party|external|\.yarn|\.venv|venv|site-packages|pods|carthage|godeps|jspm_packages)\//;
const GENERATED_FOLDER =
  /(?:^|\/)(?:dist|out|\.next|\.nuxt|target|coverage|__generated__|generated|__snapshots__|snapshots|storybook-static)\//;
const GENERATED_NAME =
  /(?:\.min\.(?:js|css|mjs|cjs|html)|[.-]bundle\.js|\.(?:js|css|mjs|cjs)\.map|\.map|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|\.g\.dart|\.freezed\.dart|\.designer\.cs|\.generated\.\w+|\.gen\.\w+|_generated\.\w+|\.snap|\.d\.ts\.map|\.tsbuildinfo)$/;
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testdata|fixtures|__mocks__)\//;
const TEST_NAME = /(?:[._-](?:test|spec|tests|specs)\.\w+|_test\.\w+|^test_[^/]*\.py|tests?\.(?:java|kt|cs|swift))$/;
const ENTRY_NAME =
  /^(?:index|main|__main__|app|server|cli|mod|lib|program|manage|wsgi|asgi|application)\.(?:tsx?|jsx?|mts|mjs|cjs|py|rs|go|java|kt|cs|rb|php|swift|dart|c|cc|cpp|zig|exs?|scala|hs|vue|svelte)$/;
const CONFIGURATION =
  /^(?:\.[^/]*|[^/]*\.config\.\w+|[^/]*rc(?:\.\w+)?|tsconfig[^/]*\.json|dockerfile|containerfile|makefile|justfile|docker-compose[^/]*|compose\.ya?ml|[^/]*\.(?:ini|cfg|conf|toml|ya?ml|properties|env))$/;
const DOCUMENTATION =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|tex|typ)$|^(?:licen[sc]e|copying|notice|authors|changelog|changes|contributing|history)(?:\.\w+)?$/;

/**
 * @param entryPoints what the manifests name as such
 */
export function roleOf(path: string, entryPoints: ReadonlySet<string>): Role {
  const lower = path.toLowerCase();
  const slash = lower.lastIndexOf("/");
  const name = lower.slice(slash + 1);
  const depth = slash < 0 ? 0 : path.split("/").length - 1;
  if (LOCK_FILE.test(name)) return "lock file";
  if (slash >= 0 && VENDORED.test(lower)) return "vendored";
  if ((slash >= 0 && GENERATED_FOLDER.test(lower)) || GENERATED_NAME.test(name)) return "generated";
  if (entryPoints.has(path)) return "entry point";
  if (depth <= 2 && isManifest(name)) return "manifest";
  if (depth <= 1 && /^readme(?:\.\w+)?$/.test(name)) return "readme";
  if (TEST_NAME.test(name) || (slash >= 0 && TEST_FOLDER.test(lower))) return "test";
  if (depth <= 2 && ENTRY_NAME.test(name)) return "entry point";
  if (DOCUMENTATION.test(name)) return "documentation";
  if (CONFIGURATION.test(name) || isManifest(name)) return "configuration";
  const language = languageOf(path);
  return language === undefined || NOT_CODE.has(language) ? "data" : "source";
}
