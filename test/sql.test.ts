// What the SQL of the sources may use: it has to run on every Node that package.json allows.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "..", "src");

it("has no numbered parameters: older releases of Node refuse positional values for them", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const lines = files.flatMap((name) =>
    readFileSync(join(SOURCES, name), "utf8")
      .split("\n")
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(lines.filter((line) => /\bFROM \w/.test(line)).length).toBeGreaterThan(50);
  expect(lines.filter((line) => /(?:^|[\s(,=<>])\?\d/.test(line))).toEqual([]);
});
