// Parses manifests (package.json, Cargo.toml, …): a project's kind, name, entry
// points, and the commands that build and test it. Their text is not trusted: it
// is read, never run, and anything unexpected is ignored. Pure; description.ts
// reads the files.
import { parse as parseToml } from "smol-toml";
import { isRecord, parseJson } from "../kernel/kernel.ts";

export interface ManifestFacts {
  readonly kind: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly packageManager?: string | undefined;
  /** Paths from the manifest's folder. */
  readonly entryPoints?: readonly string[];
  /** Command lines. */
  readonly scripts?: readonly string[];
}

type Facts = Readonly<Record<string, unknown>>;
type Reader = (text: string) => ManifestFacts;

/** A kind of project whose commands are always the same, and whose manifest has its name in one place. */
const usual =
  (kind: string, scripts: readonly string[] = [], name?: RegExp): Reader =>
  (text) => ({ kind, scripts, name: name?.exec(text)?.[1] });

const MAVEN = usual("Maven", ["mvn package", "mvn test"]);
const GRADLE = usual("Gradle", ["./gradlew build", "./gradlew test"], /rootProject\.name\s*=\s*["']([^"']+)["']/);
const DOTNET = usual(".NET", ["dotnet build", "dotnet test"]);
const CLOJURE = usual("Clojure");

/** By file name in lower case; an extension has a dot before it. Maps, since every file of a project is looked up. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["package.json", readPackageJson],
  ["deno.json", readDeno],
  ["deno.jsonc", readDeno],
  ["composer.json", readComposer],
  ["pyproject.toml", readPyproject],
  ["cargo.toml", readCargo],
  ["makefile", readMakefile],
  ["gnumakefile", readMakefile],
  ["setup.py", usual("Python", [], /\bname\s*=\s*["']([^"']+)["']/)],
  ["requirements.txt", usual("Python")],
  ["pipfile", usual("Python")],
  ["go.mod", usual("Go", ["go build ./...", "go test ./..."], /^module\s+"?([^\s"]+)/m)],
  ["pom.xml", readPom],
  ["build.gradle", GRADLE],
  ["build.gradle.kts", GRADLE],
  ["settings.gradle", GRADLE],
  ["settings.gradle.kts", GRADLE],
  ["build.sbt", usual("sbt", ["sbt compile", "sbt test"])],
  ["gemfile", usual("Ruby")],
  [".gemspec", usual("Ruby")],
  [".csproj", DOTNET],
  [".fsproj", DOTNET],
  [".vbproj", DOTNET],
  [".sln", DOTNET],
  ["cmakelists.txt", usual("CMake", ["cmake -B build && cmake --build build"], /^\s*project\s*\(\s*"?([^\s")]+)/im)],
  ["meson.build", usual("Meson", ["meson setup build && meson compile -C build"], /project\s*\(\s*'([^']+)'/)],
  ["justfile", usual("Just")],
  ["mix.exs", usual("Elixir", ["mix compile", "mix test"], /\bapp:\s*:(\w+)/)],
  ["pubspec.yaml", usual("Dart", ["dart test"], /^name:\s*["']?([\w-]+)/m)],
  ["package.swift", usual("Swift", ["swift build", "swift test"], /\bname:\s*"([^"]+)"/)],
  ["stack.yaml", usual("Haskell", ["stack build", "stack test"])],
  [".cabal", usual("Haskell", ["cabal build", "cabal test"])],
  ["dune-project", usual("OCaml", ["dune build", "dune test"])],
  ["build.zig", usual("Zig", ["zig build", "zig build test"])],
  ["project.clj", CLOJURE],
  ["deps.edn", CLOJURE],
]);

function readerFor(name: string): Reader | undefined {
  const lower = name.toLowerCase();
  const dot = lower.lastIndexOf(".");
  return READERS.get(lower) ?? (dot < 1 ? undefined : READERS.get(lower.slice(dot)));
}

export function isManifest(name: string): boolean {
  return readerFor(name) !== undefined;
}

/** @param name of the file, without folders */
export function readManifest(name: string, text: string): ManifestFacts | undefined {
  return readerFor(name)?.(text.replace(/^\uFEFF/, ""));
}

function readPackageJson(text: string): ManifestFacts {
  const json = objectIn(text);
  const packageManager = textIn(json, "packageManager")?.replace(/@.*$/s, "");
  return {
    ...named("Node.js", json),
    packageManager,
    entryPoints: ["bin", "main", "module", "source", "exports"].flatMap((key) => textsIn(json[key], 4)),
    scripts: commandsIn(json["scripts"], `${packageManager ?? "npm"} run`),
  };
}

function readDeno(text: string): ManifestFacts {
  // Comments are allowed in the second of its two forms.
  const json = objectIn(text.replace(/^\s*\/\/.*$/gm, ""));
  return {
    ...named("Deno", json),
    packageManager: "deno",
    entryPoints: textsIn(json["exports"], 4),
    scripts: commandsIn(json["tasks"], "deno task"),
  };
}

function readComposer(text: string): ManifestFacts {
  const json = objectIn(text);
  const scripts = commandsIn(json["scripts"], "composer run");
  return { ...named("PHP", json), packageManager: "composer", entryPoints: textsIn(json["bin"], 2), scripts };
}

function readPyproject(text: string): ManifestFacts {
  const toml = tablesIn(text);
  const [project, tool, build] = ["project", "tool", "build-system"].map((key) => recordIn(toml, key));
  const poetry = recordIn(tool!, "poetry");
  const backend = textIn(build!, "build-backend") ?? "";
  const usesPytest = "pytest" in tool! || /\bpytest\b/.test(text);
  return {
    ...named("Python", { ...poetry, ...project }),
    packageManager: ["poetry", "pdm", "hatch", "uv", "rye"].find((name) => backend.includes(name) || name in tool!),
    entryPoints: [project!, poetry]
      .flatMap((table) => textsIn(table["scripts"], 1))
      .map((target) => target.replace(/:.*$/s, "").replaceAll(".", "/"))
      .flatMap((path) => [`${path}.py`, `src/${path}.py`, `${path}/__init__.py`, `src/${path}/__init__.py`]),
    scripts: [...(backend === "" ? [] : ["python -m build"]), ...(usesPytest ? ["pytest"] : [])],
  };
}

function readCargo(text: string): ManifestFacts {
  const toml = tablesIn(text);
  const binaries = Array.isArray(toml["bin"]) ? (toml["bin"] as unknown[]).filter(isRecord) : [];
  const paths = [recordIn(toml, "lib"), ...binaries].flatMap((table) => textIn(table, "path") ?? []);
  return {
    ...named("Rust", recordIn(toml, "package")),
    packageManager: "cargo",
    entryPoints: ["src/main.rs", "src/lib.rs", ...paths],
    scripts: ["cargo build", "cargo test"],
  };
}

function readPom(text: string): ManifestFacts {
  // These elements contain the names of other artifacts.
  const own = text.replace(/<(parent|dependencies|dependencyManagement|build|profiles)>[\s\S]*?<\/\1>/g, "");
  const of = (element: string) => new RegExp(`<${element}>\\s*([^<]+?)\\s*<`).exec(own)?.[1];
  return { ...MAVEN(text), name: of("artifactId"), description: of("description") };
}

function readMakefile(text: string): ManifestFacts {
  const targets = [...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?![:=])/gm)].map(([, target = ""]) => `make ${target}`);
  return { kind: "Make", scripts: targets };
}

function named(kind: string, facts: Facts): ManifestFacts {
  return { kind, name: textIn(facts, "name"), description: textIn(facts, "description") };
}

function objectIn(text: string): Facts {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}

function tablesIn(text: string): Facts {
  try {
    return parseToml(text);
  } catch {
    return {};
  }
}

function recordIn(object: Facts, key: string): Facts {
  const value = object[key];
  return isRecord(value) ? value : {};
}

function textIn(object: Facts, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** All strings in a value: a string, or an object of strings, down to this depth. */
function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth - 1));
}

/** Only scripts whose names can be typed in a shell without quotes. */
function commandsIn(scripts: unknown, runner: string): readonly string[] {
  if (!isRecord(scripts)) return [];
  return Object.keys(scripts)
    .filter((name) => /^[\w:.@/-]{1,60}$/.test(name))
    .map((name) => `${runner} ${name}`);
}
