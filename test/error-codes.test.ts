// Errors are recognised by their class or code: their words are for people, and
// may be rewritten without checking the code that handles them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "..", "src");

/** V8 and SQLite have no code for these. */
const WITHOUT_CODE = /^(?:sqlite\/unforeseen|conversations\/sources\/windsurf\/[\w-]+)\.ts: /;

const COMPARED =
  /\b(?:error|problem|reason)\b(?: as Error\))?\.message(?: [=!]==|\.(?:startsWith|endsWith|includes|match|search)\()|\.(?:test|exec)\(\(?(?:error|problem|reason)\b(?: as Error\))?\.message/;

it("recognises no error by its message", () => {
  expect("if (error.message === text)").toMatch(COMPARED);
  expect("/malformed/.test((error as Error).message)").toMatch(COMPARED);
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => name.replaceAll("\\", "/"));
  const lines = files.flatMap((name) =>
    readFileSync(join(SOURCES, name), "utf8")
      .split("\n")
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(lines.filter((line) => COMPARED.test(line) && !WITHOUT_CODE.test(line))).toEqual([]);
});
