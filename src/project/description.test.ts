import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, type Files } from "../../test/fixtures/repositories.ts";
import { describe as describeProject } from "./description.ts";

function descriptionOf(files: Files) {
  const folder = newFolder(files);
  const names = Object.keys(files);
  return describeProject(folder, names, (path) => names.includes(path));
}

describe("what a project is", () => {
  it("says a package.json: name, entry points that are files, scripts, package manager", () => {
    const manifest = {
      name: "thing",
      description: "Does it",
      packageManager: "pnpm@9.1.0",
      bin: { thing: "./bin/thing.js" },
      main: "dist/made.js",
      exports: { ".": { import: "./src/index.ts" }, "./escape": "../../etc/passwd" },
      scripts: { lint: "x", test: "vitest", build: "tsc", "evil; rm": "x" },
    };
    expect(
      descriptionOf({
        "package.json": JSON.stringify(manifest),
        "bin/thing.js": "",
        "src/index.ts": "",
        "pnpm-lock.yaml": "",
      }),
    ).toMatchObject({
      name: "thing",
      description: "Does it",
      kinds: ["Node.js"],
      packageManagers: ["pnpm"],
      entryPoints: ["bin/thing.js", "src/index.ts"],
      scripts: ["pnpm run test", "pnpm run build", "pnpm run lint"],
    });
  });

  it.each([
    [
      "pyproject.toml",
      '[build-system]\nbuild-backend = "hatchling.build"\n[project]\nname = "py" # c\ndescription = \'Words\'\n[project.scripts]\nrun = "pkg.cli:main"\n[tool.pytest.ini_options]\n',
      {
        kinds: ["Python"],
        name: "py",
        description: "Words",
        packageManagers: ["hatch"],
        entryPoints: ["src/pkg/cli.py"],
      },
    ],
    [
      "Cargo.toml",
      '[package]\nname = "crate"\n[[bin]]\nname = "x"\npath = "src/bin/x.rs"\n',
      { kinds: ["Rust"], name: "crate", entryPoints: ["src/main.rs", "src/bin/x.rs"], packageManagers: ["cargo"] },
    ],
    [
      "go.mod",
      "module example.com/me/go\n\ngo 1.22\n",
      { kinds: ["Go"], name: "example.com/me/go", packageManagers: ["go"] },
    ],
    [
      "pom.xml",
      "<project><parent><artifactId>up</artifactId></parent><artifactId>mvn</artifactId><description> D </description></project>",
      {
        kinds: ["Maven"],
        name: "mvn",
        description: "D",
        scripts: ["mvn package", "mvn test"],
      },
    ],
    ["settings.gradle.kts", 'rootProject.name = "gr"', { kinds: ["Gradle"], name: "gr" }],
    [
      "composer.json",
      '{"name": "me/php", "scripts": {"test": "phpunit"}}',
      { kinds: ["PHP"], scripts: ["composer run test"] },
    ],
    ["deno.jsonc", '// c\n{"name": "d", "tasks": {"test": "x"}}', { kinds: ["Deno"], name: "d" }],
    ["CMakeLists.txt", 'cmake_minimum_required(VERSION 3)\nproject( "cm" C)', { kinds: ["CMake"], name: "cm" }],
    [
      "Makefile",
      "CC := gcc\nall: x\ntest:\n\techo\n.PHONY: all\n",
      {
        kinds: ["Make"],
        scripts: ["make test", "make all"],
      },
    ],
    ["App.csproj", "<Project/>", { kinds: [".NET"] }],
    ["Gemfile", "source 'x'", { kinds: ["Ruby"] }],
    ["mix.exs", "[app: :ex]", { kinds: ["Elixir"], name: "ex" }],
    ["pubspec.yaml", "name: dart_thing\n", { kinds: ["Dart"], name: "dart_thing" }],
    ["Package.swift", 'Package(name: "sw")', { kinds: ["Swift"], name: "sw" }],
  ])("says %s", (name, text, expected) => {
    const entries = { "src/pkg/cli.py": "", "src/main.rs": "", "src/bin/x.rs": "" };
    expect(descriptionOf({ [name]: text, ...entries })).toMatchObject(expected);
  });

  it.each([
    "{",
    "[]",
    "null",
    '"text"',
    '{"name": 5, "scripts": [], "bin": null}',
    `${"[".repeat(100_000)}`,
    '{"__proto__": {"name": "x"}, "scripts": {"constructor": "x"}}',
  ])("is told without a manifest that is not as it should be: %.40s", (text) => {
    const { kinds, entryPoints } = descriptionOf({ "package.json": text });
    expect({ kinds, entryPoints }).toEqual({ kinds: ["Node.js"], entryPoints: [] });
  });

  it("is not read from a link or a folder of that name", () => {
    const folder = newFolder({ outside: '{"name": "outside"}' });
    mkdirSync(join(folder, "project", "README.md"), { recursive: true });
    symlinkSync(join(folder, "outside"), join(folder, "project", "package.json"));
    const { name, readme, kinds } = describeProject(join(folder, "project"), ["package.json", "README.md"], () => true);
    expect({ name, readme, kinds }).toEqual({ name: "project", readme: undefined, kinds: [] });
  });

  it("says the README, without its decoration and not for longer than anybody reads", () => {
    const text = `<!-- c -->\n<p align="center"><img src="x"></p>\n\n[![b](u)](v) ![p](q)\n# Title\n\n---\nIt does things.\n${"long ".repeat(1000)}`;
    const { readme } = descriptionOf({ "readme.txt": "no", "README.md": text });
    expect(readme!.path).toBe("README.md");
    expect(readme!.text).toMatch(/^# Title\nIt does things\.\nlong/);
    expect(readme!.text).toMatch(/ long…$/);
    expect(readme!.text.length).toBeLessThanOrEqual(600);
  });

  it("names the manifests of a monorepo's parts, and not those of dependencies", () => {
    const { manifests, kinds } = descriptionOf({
      "packages/a/package.json": "{}",
      "packages/b/Cargo.toml": "",
      "a/b/c/package.json": "{}",
      "vendor/x/go.mod": "",
      "package.json": "{}",
    });
    expect(manifests).toEqual(["package.json", "packages/a/package.json", "packages/b/Cargo.toml"]);
    expect(kinds).toEqual(["Node.js", "Rust"]);
  });
});
