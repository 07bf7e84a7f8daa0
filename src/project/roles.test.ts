import { expect, it } from "vitest";
import { rolesWith } from "./roles.ts";

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
  ["vendor/lib/x.go", "vendored"],
  ["third_party/x/main.c", "vendored"],
])("%s is a %s", (path, role) => {
  expect(rolesWith(["start.js", "dist/main.js"])(path)).toBe(role);
});
