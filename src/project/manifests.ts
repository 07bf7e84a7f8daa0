// Parses manifests (package.json, Cargo.toml, …): a project's kind, name, entry
// points, and the commands that build and test it. Their text is not trusted: it
// is read, never run, and anything unexpected is ignored. Pure; description.ts
// reads the files.
import { isRecord, parseJson } from "../kernel/kernel.ts";

export interface Script {
  /** The name in the manifest. */
  readonly name: string;
  /** The command line that runs it. */
  readonly command: string;
}

export interface ManifestFacts {
  readonly kind: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly packageManager?: string | undefined;
  /** Paths from the manifest's folder. */
  readonly entryPoints?: readonly string[];
  readonly scripts?: readonly Script[];
}

type Reader = (text: string) => ManifestFacts;

const script = (name: string, command: string): Script => ({ name, command });

/** A reader for a kind of project whose commands are always the same. */
const fixed =
  (
    kind: string,
    scripts: readonly Script[] = [],
    facts: (text: string) => Partial<ManifestFacts> = () => ({}),
  ): Reader =>
  (text) => ({ kind, scripts, ...facts(text) });

const MAVEN = [script("build", "mvn package"), script("test", "mvn test")];
const GRADLE = [script("build", "./gradlew build"), script("test", "./gradlew test")];
const DOTNET = [script("build", "dotnet build"), script("test", "dotnet test")];
const SWIFT = [script("build", "swift build"), script("test", "swift test")];
const MIX = [script("build", "mix compile"), script("test", "mix test")];

const READERS: Readonly<Record<string, Reader>> = {
  "package.json": readPackageJson,
  "deno.json": readDeno,
  "deno.jsonc": readDeno,
  "pyproject.toml": readPyproject,
  "setup.py": fixed("Python", [], (text) => ({ name: /\bname\s*=\s*["']([^"']+)["']/.exec(text)?.[1] })),
  "setup.cfg": fixed("Python", [], (text) => ({ name: /^\s*name\s*=\s*(\S.*)$/m.exec(text)?.[1]?.trim() })),
  "requirements.txt": fixed("Python"),
  pipfile: fixed("Python"),
  "cargo.toml": readCargo,
  "go.mod": fixed("Go", [script("build", "go build ./..."), script("test", "go test ./...")], (text) => ({
    name: /^module\s+"?([^\s"]+)/m.exec(text)?.[1],
    entryPoints: ["main.go"],
  })),
  "pom.xml": fixed("Maven", MAVEN, readPom),
  "build.gradle": fixed("Gradle", GRADLE),
  "build.gradle.kts": fixed("Gradle", GRADLE),
  "settings.gradle": fixed("Gradle", [], readGradleSettings),
  "settings.gradle.kts": fixed("Gradle", [], readGradleSettings),
  "build.sbt": fixed("sbt", [script("build", "sbt compile"), script("test", "sbt test")]),
  gemfile: fixed("Ruby"),
  "composer.json": readComposer,
  "cmakelists.txt": fixed(
    "CMake",
    [script("build", "cmake -B build && cmake --build build"), script("test", "ctest --test-dir build")],
    (text) => ({
      name: /^\s*project\s*\(\s*"?([^\s")]+)/im.exec(text)?.[1],
    }),
  ),
  "meson.build": fixed(
    "Meson",
    [script("build", "meson setup build && meson compile -C build"), script("test", "meson test -C build")],
    (text) => ({
      name: /project\s*\(\s*'([^']+)'/.exec(text)?.[1],
    }),
  ),
  makefile: readMakefile,
  gnumakefile: readMakefile,
  justfile: fixed("Just"),
  "mix.exs": fixed("Elixir", MIX, (text) => ({ name: /\bapp:\s*:(\w+)/.exec(text)?.[1] })),
  "pubspec.yaml": fixed("Dart", [script("test", "dart test")], (text) => ({
    name: /^name:\s*["']?([\w-]+)/m.exec(text)?.[1],
    description: /^description:\s*["']?([^"'\n]+)/m.exec(text)?.[1],
  })),
  "package.swift": fixed("Swift", SWIFT, (text) => ({ name: /\bname:\s*"([^"]+)"/.exec(text)?.[1] })),
  "stack.yaml": fixed("Haskell", [script("build", "stack build"), script("test", "stack test")]),
  "dune-project": fixed("OCaml", [script("build", "dune build"), script("test", "dune test")]),
  "build.zig": fixed("Zig", [script("build", "zig build"), script("test", "zig build test")]),
  "project.clj": fixed("Clojure", [script("test", "lein test")]),
  "deps.edn": fixed("Clojure"),
  "rebar.config": fixed("Erlang", [script("build", "rebar3 compile"), script("test", "rebar3 eunit")]),
};

const BY_EXTENSION: Readonly<Record<string, Reader>> = {
  csproj: fixed(".NET", DOTNET),
  fsproj: fixed(".NET", DOTNET),
  vbproj: fixed(".NET", DOTNET),
  sln: fixed(".NET", DOTNET),
  gemspec: fixed("Ruby"),
  cabal: fixed("Haskell", [script("build", "cabal build"), script("test", "cabal test")]),
};

/** Maps, since every file of a project is looked up. */
const readers = {
  byName: new Map(Object.entries(READERS)),
  byExtension: new Map(Object.entries(BY_EXTENSION)),
};

function readerFor(name: string): Reader | undefined {
  const lower = name.toLowerCase();
  const dot = lower.lastIndexOf(".");
  return readers.byName.get(lower) ?? (dot === -1 ? undefined : readers.byExtension.get(lower.slice(dot + 1)));
}

export function isManifest(name: string): boolean {
  return readerFor(name) !== undefined;
}

/** @param name of the file, without folders */
export function readManifest(name: string, text: string): ManifestFacts | undefined {
  return readerFor(name)?.(text.replace(/^\uFEFF/, ""));
}

function readPackageJson(text: string): ManifestFacts {
  const json = parseObject(text);
  const { bin, main, module, source, exports } = json;
  const packageManager = textIn(json, "packageManager")?.replace(/@.*$/s, "");
  const runner = packageManager ?? "npm";
  const entries = [bin, main, module, source, exports].flatMap((value) => textsIn(value, 4));
  return {
    kind: "Node.js",
    name: textIn(json, "name"),
    description: textIn(json, "description"),
    packageManager,
    entryPoints: entries,
    scripts: namesIn(json["scripts"]).map((name) => script(name, `${runner} run ${name}`)),
  };
}

function readDeno(text: string): ManifestFacts {
  // Comments are allowed in the second of its two forms.
  const json = parseObject(text.replace(/^\s*\/\/.*$/gm, ""));
  return {
    kind: "Deno",
    name: textIn(json, "name"),
    packageManager: "deno",
    entryPoints: textsIn(json["exports"], 4),
    scripts: namesIn(json["tasks"]).map((name) => script(name, `deno task ${name}`)),
  };
}

function readComposer(text: string): ManifestFacts {
  const json = parseObject(text);
  return {
    kind: "PHP",
    name: textIn(json, "name"),
    description: textIn(json, "description"),
    packageManager: "composer",
    entryPoints: textsIn(json["bin"], 2),
    scripts: namesIn(json["scripts"]).map((name) => script(name, `composer run ${name}`)),
  };
}

function readPyproject(text: string): ManifestFacts {
  const tables = tomlStrings(text);
  const of = (table: string, key: string) => tomlText(tables, table, key);
  const backend = of("build-system", "build-backend") ?? "";
  const manager = ["poetry", "pdm", "hatch", "uv", "rye"].find(
    (tool) =>
      backend.includes(tool) || tables.some(({ name }) => name === `tool.${tool}` || name.startsWith(`tool.${tool}.`)),
  );
  const modules = tables
    .filter(({ name }) => /^(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)$/.test(name))
    .flatMap(({ texts }) => [...texts.values()])
    .map((target) => target.replace(/:.*$/s, "").replaceAll(".", "/"));
  const usesPytest = tables.some(({ name }) => name.startsWith("tool.pytest")) || /\bpytest\b/.test(text);
  return {
    kind: "Python",
    name: of("project", "name") ?? of("tool.poetry", "name"),
    description: of("project", "description") ?? of("tool.poetry", "description"),
    packageManager: manager,
    entryPoints: modules.flatMap((path) => [
      `${path}.py`,
      `src/${path}.py`,
      `${path}/__init__.py`,
      `src/${path}/__init__.py`,
    ]),
    scripts: [
      ...(backend === "" ? [] : [script("build", "python -m build")]),
      ...(usesPytest ? [script("test", "pytest")] : []),
    ],
  };
}

function readCargo(text: string): ManifestFacts {
  const tables = tomlStrings(text);
  const named = tables
    .filter(({ name }) => name === "bin" || name === "lib")
    .flatMap(({ texts }) => texts.get("path") ?? []);
  return {
    kind: "Rust",
    name: tomlText(tables, "package", "name"),
    description: tomlText(tables, "package", "description"),
    packageManager: "cargo",
    entryPoints: ["src/main.rs", "src/lib.rs", ...named],
    scripts: [script("build", "cargo build"), script("test", "cargo test")],
  };
}

function readPom(text: string): Partial<ManifestFacts> {
  // These elements contain the names of other artifacts.
  const own = text.replace(/<(parent|dependencies|dependencyManagement|build|profiles)>[\s\S]*?<\/\1>/g, "");
  return {
    name: /<artifactId>\s*([^<\s]+)/.exec(own)?.[1],
    description: /<description>\s*([^<]+?)\s*</.exec(own)?.[1],
  };
}

function readGradleSettings(text: string): Partial<ManifestFacts> {
  return { name: /rootProject\.name\s*=\s*["']([^"']+)["']/.exec(text)?.[1] };
}

function readMakefile(text: string): ManifestFacts {
  const targets = [...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?![:=])/gm)].map(([, target = ""]) => target);
  return { kind: "Make", scripts: [...new Set(targets)].map((target) => script(target, `make ${target}`)) };
}

function tomlText(tables: readonly TomlTable[], table: string, key: string): string | undefined {
  return tables.find(({ name, texts }) => name === table && texts.has(key))?.texts.get(key);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}

function textIn(object: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** All strings in a value: a string, or an object of strings, down to this depth. */
function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth - 1));
}

/** The names of scripts that can be typed in a shell without quotes. */
function namesIn(value: unknown): readonly string[] {
  return typeof value === "object" && value !== null
    ? Object.keys(value).filter((name) => /^[\w:.@/-]{1,60}$/.test(name))
    : [];
}

/**
 * The strings in a TOML file, by table and key: all that is needed of a manifest.
 * Not a TOML parser: it ignores numbers, lists and multi-line strings, and never
 * fails.
 */
interface TomlTable {
  /** As in `[tool.poetry]`; empty for what comes before the first table. */
  readonly name: string;
  readonly texts: ReadonlyMap<string, string>;
}

const TABLE = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const TEXT = /^\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_.-]+))\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/;

function tomlStrings(text: string): readonly TomlTable[] {
  let texts = new Map<string, string>();
  const tables = [{ name: "", texts }];
  for (const line of text.split(/\r?\n/)) {
    const table = TABLE.exec(line)?.[1];
    const pair = table === undefined ? TEXT.exec(line) : null;
    if (table !== undefined) {
      texts = new Map();
      tables.push({ name: table, texts });
    } else if (pair !== null) {
      const value = pair[4]?.replace(/\\(["\\])/g, "$1") ?? pair[5] ?? "";
      texts.set(pair[1] ?? pair[2] ?? pair[3] ?? "", value);
    }
  }
  return tables;
}
