// Classifies a file by its name and what .gitattributes says about it: its role in
// the project, what that role is worth, and its language. Pure.
import { nameIn } from "../kernel/kernel.ts";
import { unwrittenByFolders, unwrittenByName, type UnwrittenRole } from "./generated-and-vendored.ts";
import { isManifest } from "./manifests.ts";
import type { AttributeMarks } from "./path-rules.ts";

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
const ENTRY_NAMES = words("index main __main__ app server cli mod lib program manage wsgi asgi application");
const ENTRY_EXTENSIONS = words(
  "ts tsx js jsx mts mjs cjs py rs go java kt cs rb php swift dart c cc cpp zig ex exs scala hs vue svelte",
);
const CONFIGURATION =
  /^(?:\.[^/]*|[^/]*\.config\.\w+|[^/]*rc(?:\.\w+)?|tsconfig[^/]*\.json|dockerfile|containerfile|makefile|justfile|docker-compose[^/]*|compose\.ya?ml|[^/]*\.(?:ini|cfg|conf|toml|ya?ml|properties|env))$/;
const DOCUMENTATION =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|tex|typ)$|^(?:licen[sc]e|copying|notice|authors|changelog|changes|contributing|history)(?:\.\w+)?$/;

/** Clues from the folder of a file. */
interface FolderSigns {
  readonly depth: number;
  readonly role: UnwrittenRole | undefined;
  readonly isForTests: boolean;
}

/** Evaluates each folder once for all files in it: a large project has a hundred thousand. */
function folderReader(): (folder: string) => FolderSigns {
  const folders = new Map<string, FolderSigns>();
  return (folder) => {
    let signs = folders.get(folder);
    if (signs === undefined) folders.set(folder, (signs = readFolder(folder)));
    return signs;
  };
}

/**
 * The roles of a project's files, each determined once.
 * @param entryPoints what the manifests name as such
 * @param marks of .gitattributes files
 */
export function rolesWith(entryPoints: readonly string[], marks: AttributeMarks): (path: string) => Role {
  const named = new Set(entryPoints);
  const signsOf = folderReader();
  const roles = new Map<string, Role>();
  return (path) => {
    let role = roles.get(path);
    if (role === undefined) {
      const start = path.lastIndexOf("/") + 1;
      const name = path.slice(start).toLowerCase();
      const signs = signsOf(path.slice(0, start));
      roles.set(path, (role = unwrittenRole(path, name, signs, marks) ?? writtenRole(name, signs, named.has(path))));
    }
    return role;
  };
}

/** Recognizes all files but lock files, generated and vendored ones. Cheaper than finding all roles. */
export function writtenByHand(marks: AttributeMarks): (path: string) => boolean {
  const signsOf = folderReader();
  return (path) => {
    const start = path.lastIndexOf("/") + 1;
    return unwrittenRole(path, path.slice(start).toLowerCase(), signsOf(path.slice(0, start)), marks) === undefined;
  };
}

/** @param folder with a slash at the end, or empty */
function readFolder(folder: string): FolderSigns {
  const names = folder.toLowerCase().split("/").slice(0, -1);
  const isForTests = names.some((name) => TEST_FOLDERS.has(name));
  return { depth: names.length, role: unwrittenByFolders(names), isForTests };
}

/** A usual name of an entry point, with one extension. */
function isEntryName(name: string): boolean {
  const dot = name.indexOf(".");
  return ENTRY_NAMES.has(name.slice(0, Math.max(0, dot))) && ENTRY_EXTENSIONS.has(name.slice(dot + 1));
}

function unwrittenRole(
  path: string,
  name: string,
  { role }: FolderSigns,
  marks: AttributeMarks,
): UnwrittenRole | undefined {
  const guess = role ?? unwrittenByName(name);
  const isVendored = marks.vendored?.(path);
  if (isVendored === true) return "vendored";
  const isGenerated = marks.generated?.(path);
  if (isGenerated === true) return "generated";
  if ((guess === "vendored" && isVendored === false) || (guess === "generated" && isGenerated === false))
    return undefined;
  return guess;
}

function writtenRole(name: string, { depth, isForTests }: FolderSigns, isEntryPoint: boolean): Role {
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

const EXTENSIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    TypeScript: "ts tsx mts cts",
    JavaScript: "js jsx mjs cjs",
    Python: "py pyi pyw",
    Rust: "rs",
    Go: "go",
    Java: "java",
    Kotlin: "kt kts",
    Scala: "scala sc",
    Groovy: "groovy gradle",
    Clojure: "clj cljs cljc edn",
    C: "c h",
    "C++": "cc cpp cxx hh hpp hxx ino",
    "C#": "cs csx",
    "F#": "fs fsi fsx",
    "Visual Basic": "vb",
    "Objective-C": "m mm",
    Swift: "swift",
    Dart: "dart",
    Ruby: "rb rake gemspec erb",
    PHP: "php phtml",
    Perl: "pl pm",
    Lua: "lua",
    R: "r rmd",
    Julia: "jl",
    Haskell: "hs lhs",
    OCaml: "ml mli",
    Elm: "elm",
    Elixir: "ex exs heex",
    Erlang: "erl hrl",
    Zig: "zig",
    Nim: "nim",
    Crystal: "cr",
    D: "d",
    Fortran: "f f90 f95 for",
    Pascal: "pas pp",
    Solidity: "sol",
    Assembly: "asm s",
    CUDA: "cu cuh",
    GLSL: "glsl vert frag comp",
    Shell: "sh bash zsh fish ksh",
    PowerShell: "ps1 psm1 psd1",
    Batch: "bat cmd",
    SQL: "sql",
    GraphQL: "graphql gql",
    "Protocol Buffers": "proto",
    Terraform: "tf tfvars",
    Nix: "nix",
    CMake: "cmake",
    HTML: "html htm xhtml",
    CSS: "css",
    Sass: "scss sass",
    Less: "less",
    Vue: "vue",
    Svelte: "svelte",
    Astro: "astro",
    Markdown: "md mdx markdown",
    reStructuredText: "rst",
    AsciiDoc: "adoc asciidoc",
    TeX: "tex sty cls bib",
    Typst: "typ",
    "Jupyter Notebook": "ipynb",
    "Vim Script": "vim",
    "Emacs Lisp": "el",
    Lisp: "lisp lsp cl",
    Scheme: "scm ss rkt",
    WebAssembly: "wat",
    JSON: "json json5 jsonc jsonl",
    YAML: "yaml yml",
    TOML: "toml",
    XML: "xml xsd xsl xslt plist",
  }).flatMap(([language, extensions]) => extensions.split(" ").map((extension) => [extension, language])),
);

const NAMES: Readonly<Record<string, string>> = {
  makefile: "Makefile",
  gnumakefile: "Makefile",
  dockerfile: "Dockerfile",
  containerfile: "Dockerfile",
  jenkinsfile: "Groovy",
  rakefile: "Ruby",
  gemfile: "Ruby",
  vagrantfile: "Ruby",
  "cmakelists.txt": "CMake",
  justfile: "Just",
};

/** Languages that hold data or prose: counted, but a project is not written in them. */
export const NOT_CODE: ReadonlySet<string> = new Set([
  "JSON",
  "YAML",
  "TOML",
  "XML",
  "Markdown",
  "reStructuredText",
  "AsciiDoc",
]);

export function languageOf(path: string): string | undefined {
  const name = nameIn(path).toLowerCase();
  const named = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (named !== undefined) return named;
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot + 1);
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}
