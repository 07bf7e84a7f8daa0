// The documents name files and tests of the project. Files are renamed and tests
// reworded; a document must not name what no longer exists.
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
const files = globSync(["*.*", "{bin,src,web,test,bench,scripts,docs}/**/*.*"], { cwd: ROOT }).map((path) =>
  path.replaceAll("\\", "/"),
);
const names = new Set(files.map((path) => basename(path)));
const tests = files.filter((path) => path.endsWith(".test.ts") || path.startsWith("test/"));
const testTexts = tests.filter((path) => path.endsWith(".ts")).map((path) => readFileSync(join(ROOT, path), "utf8"));

/** Source files in backticks: `journal/plan.ts`, `plan.ts`. Names with `<`, `…` or `*` are patterns. */
const SOURCE_FILE = /`([\w./-]+\.(?:ts|tsx|mjs|cjs|css))`/g;
const LINK = /\]\((?!https?:|#)([^)\s#]+)/g;
const CODE = /```[^]*?```|`[^`\n]*`/g;
/** `x.test.ts` "the name of a test" */
const TEST_NAME = /`[\w./-]+\.test\.ts`:? "([^"]+)"/g;

function isThere(path: string): boolean {
  if (!path.includes("/")) return names.has(path);
  return files.some((file) => file === path || file.endsWith(`/${path}`)) || existsSync(join(ROOT, path));
}

describe.each(documents)("%s", (document) => {
  const text = readFileSync(join(ROOT, document), "utf8");

  it("names source files that exist", () => {
    const named = [...text.matchAll(SOURCE_FILE)].map((match) => match[1]!);
    expect(named.filter((path) => !isThere(path) && !path.startsWith("dist/"))).toEqual([]);
  });

  it("links to files that exist", () => {
    const linked = [...text.replace(CODE, "").matchAll(LINK)].map((match) => match[1]!);
    expect(linked.filter((path) => !existsSync(join(ROOT, dirname(document), path)))).toEqual([]);
  });

  it("quotes names of tests that exist", () => {
    const quoted = [...text.matchAll(TEST_NAME)].map((match) => match[1]!);
    expect(quoted.filter((name) => !testTexts.some((source) => source.includes(name)))).toEqual([]);
  });
});
