import { expect, it } from "vitest";
import { rolesWith } from "./file-kinds.ts";

it.each([
  ["README.md", "readme"],
  ["docs/README", "readme"],
  ["package.json", "manifest"],
  ["packages/a/Cargo.toml", "manifest"],
  ["src/main.rs", "entry point"],
  ["src/index.ts", "entry point"],
  ["app/__main__.py", "entry point"],
  ["start.js", "entry point"],
  ["src/deep/down/here/index.ts", "source"],
  ["src/scoring.ts", "source"],
  ["src/scoring.test.ts", "test"],
  ["tests/helpers.py", "test"],
  ["pkg/thing_test.go", "test"],
  ["docs/guide.md", "documentation"],
  ["LICENSE", "documentation"],
  [".eslintrc.json", "configuration"],
  ["vite.config.ts", "configuration"],
  ["logo.png", "data"],
  ["fixture.json", "data"],
  ["package-lock.json", "lock file"],
  ["sub/Cargo.lock", "lock file"],
  ["web/app.min.js", "generated"],
  ["dist/main.js", "generated"],
  ["api/thing.pb.go", "generated"],
  ...`yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock npm-shrinkwrap.json composer.lock symfony.lock Gemfile.lock
    gems.locked poetry.lock uv.lock pdm.lock pixi.lock Pipfile.lock pylock.toml pylock.dev.toml requirements-dev.lock
    conda-lock.yml go.sum go.work.sum Gopkg.lock mix.lock rebar.lock pubspec.lock Podfile.lock Package.resolved
    Cartfile.resolved flake.lock devbox.lock gradle.lockfile buildscript-gradle.lockfile packages.lock.json paket.lock
    conan.lock .terraform.lock.hcl Chart.lock MODULE.bazel.lock maven_install.json stack.yaml.lock cabal.project.freeze
    shard.lock dub.selections.json renv.lock Manifest.toml lake-manifest.json foundry.lock cpanfile.snapshot buf.lock
    jsonnetfile.lock.json x.opam.locked Policyfile.lock.json`
    .split(/\s+/)
    .map((name) => [name, "lock file"]),
  ...`web/app-min.css web/app.bundle.mjs web/3.chunk.js web/main.4f3a9c01.js web/app.js.map types/a.d.ts.map a.tsbuildinfo
    api/thing_pb2.py api/thing_pb.d.ts api/thing.pbgrpc.dart api/thing.pb.gw.go lib/a.g.dart lib/a.freezed.dart
    Form.Designer.cs App.g.i.cs src/schema.generated.ts src/routes.gen.ts pkg/zz_generated.deepcopy.go next-env.d.ts
    src/__snapshots__/a.snap src/snapshots/a.snap tests/a.ambr coverage/index.html .next/a.js _build/a.html
    cmake-build-debug/a.c x.egg-info/PKG-INFO target/debug/a.rs crates/a/target/b.rs snapshots/a.json`
    .split(/\s+/)
    .map((name) => [name, "generated"]),
  ["src/target/parser.ts", "source"],
  ["src/external/client.ts", "source"],
  ["src/lock.ts", "source"],
  ["src/file-lock.ts", "source"],
  ["src/bundle.js", "source"],
  ["src/deadbeef.js", "source"],
  ["docs/unlock.md", "documentation"],
  ["third-party/x.js", "vendored"],
  ["3rdparty/x.c", "vendored"],
  ["external/x.c", "vendored"],
  ["gradlew", "vendored"],
  ["vendor/lib/x.go", "vendored"],
  ["third_party/x/main.c", "vendored"],
])("%s is a %s", (path, role) => {
  expect(rolesWith(["start.js", "dist/main.js"], new Set())(path)).toBe(role);
});

it("takes a marked file for a generated one, whatever its name", () => {
  const roleOf = rolesWith([], new Set(["api/client.ts", "README.md"]));
  expect(["api/client.ts", "README.md", "api/other.ts"].map(roleOf)).toEqual(["generated", "generated", "source"]);
});
