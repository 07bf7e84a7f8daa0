// Classifies a file by its name: its role in the project, what that role is worth,
// and its language. Pure. Used by project.ts, ranking.ts and statistics.ts.
import { nameIn } from "../kernel/kernel.ts";
import { isManifest } from "./manifests.ts";

/** The role of a file that nobody wrote by hand in this project. */
type UnwrittenRole = "lock file" | "generated" | "vendored";

export type Role =
  | "entry point"
  | "manifest"
  | "readme"
  | "source"
  | "test"
  | "documentation"
  | "configuration"
  | "data"
  | UnwrittenRole;

/** From 1 (open it first) to 0. A negative value puts a file after all others, regardless of its other parts. */
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

const TEST_FOLDERS = words("test tests __tests__ spec specs e2e testdata fixtures __mocks__");
const TEST_NAME = /(?:[._-](?:test|spec|tests|specs)\.\w+|_test\.\w+|^test_[^/]*\.py|tests?\.(?:java|kt|cs|swift))$/;
/** Usual names of entry points, with one extension. */
const ENTRY_NAME =
  /^(?:index|main|__main__|app|server|cli|mod|lib|program|manage|wsgi|asgi|application)\.(?:[mc]?[jt]s|[jt]sx|py|rs|go|java|kt|cs|rb|php|swift|dart|c|cc|cpp|zig|exs?|scala|hs|vue|svelte)$/;
const CONFIGURATION =
  /^(?:\.[^/]*|[^/]*\.config\.\w+|[^/]*rc(?:\.\w+)?|tsconfig[^/]*\.json|dockerfile|containerfile|makefile|justfile|docker-compose[^/]*|compose\.ya?ml|[^/]*\.(?:ini|cfg|conf|toml|ya?ml|properties|env))$/;
const DOCUMENTATION =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|tex|typ)$|^(?:licen[sc]e|copying|notice|authors|changelog|changes|contributing|history)(?:\.\w+)?$/;

/** Names of lock files that the expression below does not match, in lower case. */
const LOCK_FILES = words(
  "npm-shrinkwrap.json bun.lockb go.sum go.work.sum gems.locked package.resolved cartfile.resolved cpanfile.snapshot cabal.project.freeze dub.selections.json lake-manifest.json maven_install.json manifest.toml pylock.toml",
);
/** `yarn.lock`, `package-lock.json`, `.terraform.lock.hcl`, `gradle.lockfile`, `x.opam.locked` … */
const LOCK_NAME = /.[.-]lock(?:file|ed)?(?:\.(?:json|ya?ml|hcl|toml))?$|^pylock\.[^.]+\.toml$/;

const VENDORED_NAMES = words("gradlew gradlew.bat mvnw mvnw.cmd .pnp.cjs .pnp.loader.mjs");
/** Minified, bundled, hashed and compiled files, maps, snapshots of tests, and what is made from schemas and annotations. */
const GENERATED_NAME = new RegExp(
  [
    String.raw`[.-](?:min|bundle|chunk)\.(?:[mc]?js|css|html)$`,
    String.raw`[.-](?=[0-9a-f]*\d)[0-9a-f]{8,}\.(?:[mc]?js|css)$`,
    String.raw`\.(?:map|tsbuildinfo|snap|ambr|pyc|pyo|class|o|obj)$`,
    String.raw`_pb2?(?:_grpc|_service)?\.(?:pyi?|js|ts|d\.ts|rb)$`,
    String.raw`\.pb(?:json|enum|server|grpc|\.\w+)?\.(?:go|cc|h|dart|swift|ts|rs)$`,
    String.raw`\.(?:(?:g|gr|freezed|mocks)\.dart|(?:g|g\.i|designer)\.(?:cs|vb))$`,
    String.raw`[._-](?:generated|autogen)\.\w+$|\.gen\.\w+$|^zz_generated`,
    String.raw`^(?:next-env\.d\.ts|lcov\.info|coverage-final\.json|\.coverage)$`,
  ].join("|"),
);

const FOLDERS: ReadonlyMap<string, UnwrittenRole> = new Map([
  ...[
    ...words(
      "node_modules bower_components vendor vendors vendored _vendor third_party third-party thirdparty 3rdparty 3rd-party 3rd_party .yarn .venv venv site-packages pods carthage godeps",
    ),
  ].map((name) => [name, "vendored"] as const),
  ...[
    ...words(
      "dist generated __generated__ __snapshots__ __image_snapshots__ coverage htmlcov .nyc_output __pycache__ .mypy_cache .pytest_cache .ruff_cache .next .nuxt .output .svelte-kit .astro .docusaurus .angular .vercel .turbo .cache .gradle .dart_tool .terraform _build deriveddata cmakefiles .eggs",
    ),
  ].map((name) => [name, "generated"] as const),
]);
const GENERATED_FOLDER_NAME = /^(?:cmake-build-.*|bazel-(?:bin|out|testlogs)|.*\.egg-info)$/;
/** Also ordinary words: below a folder of source code they name a part of the program. */
const AMBIGUOUS_FOLDERS: ReadonlyMap<string, UnwrittenRole> = new Map([
  ["external", "vendored"],
  ["externals", "vendored"],
  ["extern", "vendored"],
  ["out", "generated"],
  ["target", "generated"],
  ["snapshots", "generated"],
]);
const SOURCE_FOLDERS = words("src source sources lib app internal pkg");

/** Clues from the folder of a file. */
interface FolderSigns {
  readonly depth: number;
  readonly role: UnwrittenRole | undefined;
  readonly isForTests: boolean;
}

/**
 * The roles of a project's files. Each folder is looked at once: a large project
 * has a hundred thousand files.
 * @param entryPoints what the manifests name as such
 * @param marked files that .gitattributes marks as generated or vendored
 */
export function rolesWith(entryPoints: readonly string[], marked: ReadonlySet<string>): (path: string) => Role {
  const named = new Set(entryPoints);
  const folders = new Map<string, FolderSigns>();
  return (path) => {
    const start = path.lastIndexOf("/") + 1;
    const folder = path.slice(0, start);
    let signs = folders.get(folder);
    if (signs === undefined) folders.set(folder, (signs = readFolder(folder)));
    if (marked.has(path)) return "generated";
    const name = path.slice(start).toLowerCase();
    return signs.role ?? unwrittenByName(name) ?? writtenRole(name, signs, named.has(path));
  };
}

/** @param folder with a slash at the end, or empty */
function readFolder(folder: string): FolderSigns {
  const names = folder.toLowerCase().split("/").slice(0, -1);
  const isForTests = names.some((name) => TEST_FOLDERS.has(name));
  return { depth: names.length, role: unwrittenByFolders(names), isForTests };
}

/** @param names of the folders that a file is in, outermost first, in lower case */
function unwrittenByFolders(names: readonly string[]): UnwrittenRole | undefined {
  for (const name of names) {
    const role = FOLDERS.get(name);
    if (role !== undefined) return role;
    if (GENERATED_FOLDER_NAME.test(name)) return "generated";
  }
  const telling = names.find((name) => AMBIGUOUS_FOLDERS.has(name) || SOURCE_FOLDERS.has(name));
  return telling === undefined ? undefined : AMBIGUOUS_FOLDERS.get(telling);
}

function unwrittenByName(name: string): UnwrittenRole | undefined {
  if (LOCK_FILES.has(name) || LOCK_NAME.test(name)) return "lock file";
  if (VENDORED_NAMES.has(name)) return "vendored";
  return GENERATED_NAME.test(name) ? "generated" : undefined;
}

function writtenRole(name: string, { depth, isForTests }: FolderSigns, isEntryPoint: boolean): Role {
  if (isEntryPoint) return "entry point";
  const isAManifest = isManifest(name);
  if (depth <= 2 && isAManifest) return "manifest";
  if (depth <= 1 && /^readme(?:\.\w+)?$/.test(name)) return "readme";
  if (isForTests || TEST_NAME.test(name)) return "test";
  if (depth <= 2 && ENTRY_NAME.test(name)) return "entry point";
  if (DOCUMENTATION.test(name)) return "documentation";
  if (isAManifest || CONFIGURATION.test(name)) return "configuration";
  const language = languageOf(name);
  return language === undefined || NOT_CODE.has(language) ? "data" : "source";
}

/** Languages by extension. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  `
    TypeScript: ts tsx mts cts; JavaScript: js jsx mjs cjs; Python: py pyi pyw; Rust: rs; Go: go; Java: java;
    Kotlin: kt kts; Scala: scala sc; Groovy: groovy gradle; Clojure: clj cljs cljc edn; C: c h;
    C++: cc cpp cxx hh hpp hxx ino; C#: cs csx; F#: fs fsi fsx; Visual Basic: vb; Objective-C: m mm; Swift: swift;
    Dart: dart; Ruby: rb rake gemspec erb; PHP: php phtml; Perl: pl pm; Lua: lua; R: r rmd; Julia: jl; Haskell: hs lhs;
    OCaml: ml mli; Elm: elm; Elixir: ex exs heex; Erlang: erl hrl; Zig: zig; Nim: nim; Crystal: cr; D: d;
    Fortran: f f90 f95 for; Pascal: pas pp; Solidity: sol; Assembly: asm s; CUDA: cu cuh; GLSL: glsl vert frag comp;
    Shell: sh bash zsh fish ksh; PowerShell: ps1 psm1 psd1; Batch: bat cmd; SQL: sql; GraphQL: graphql gql;
    Protocol Buffers: proto; Terraform: tf tfvars; Nix: nix; CMake: cmake; HTML: html htm xhtml; CSS: css;
    Sass: scss sass; Less: less; Vue: vue; Svelte: svelte; Astro: astro; Markdown: md mdx markdown;
    reStructuredText: rst; AsciiDoc: adoc asciidoc; TeX: tex sty cls bib; Typst: typ; Jupyter Notebook: ipynb;
    Vim Script: vim; Emacs Lisp: el; Lisp: lisp lsp cl; Scheme: scm ss rkt; WebAssembly: wat;
    JSON: json json5 jsonc jsonl; YAML: yaml yml; TOML: toml; XML: xml xsd xsl xslt plist`
    .split(";")
    .map((row) => row.trim().split(": "))
    .flatMap(([language = "", extensions = ""]) => extensions.split(" ").map((extension) => [extension, language])),
);

const NAMES: ReadonlyMap<string, string> = new Map([
  ["makefile", "Makefile"],
  ["gnumakefile", "Makefile"],
  ["dockerfile", "Dockerfile"],
  ["containerfile", "Dockerfile"],
  ["jenkinsfile", "Groovy"],
  ["rakefile", "Ruby"],
  ["gemfile", "Ruby"],
  ["vagrantfile", "Ruby"],
  ["cmakelists.txt", "CMake"],
  ["justfile", "Just"],
]);

/** Languages that hold data or prose: counted, but a project is not written in them. */
export const NOT_CODE = new Set(["JSON", "YAML", "TOML", "XML", "Markdown", "reStructuredText", "AsciiDoc"]);

export function languageOf(path: string): string | undefined {
  const name = nameIn(path).toLowerCase();
  const dot = name.lastIndexOf(".");
  return NAMES.get(name) ?? (dot < 0 ? undefined : EXTENSIONS.get(name.slice(dot + 1)));
}
