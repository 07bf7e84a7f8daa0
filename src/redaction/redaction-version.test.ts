import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tokenizer } from "acorn";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { REDACTION } from "./redaction-version.ts";

/**
 * The code of every version of the redaction, the newest last. When what is recognised changes, REDACTION is raised and
 * a row is added. Only where the code is another and recognises the same (a name, a file) the last row is replaced.
 */
const VERSIONS: readonly (readonly [version: number, code: string])[] = [
  [2, "049bbb93ec9f88d8"],
  [3, "81fca1016751d335"],
  [4, "3e5c3626d3c4cf56"],
];

/** A hash of all tokens of a text in TypeScript: without comments, types, line breaks and spaces. */
function codeOf(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) {
    const { code } = transformSync(text, { loader: "ts", minifyWhitespace: true, charset: "utf8" });
    for (const token of tokenizer(code, { ecmaVersion: "latest", sourceType: "module" }))
      hash.update(`${code.slice(token.start, token.end)}\0`);
  }
  return hash.digest("hex").slice(0, 16);
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "redaction-version.ts")
  .map((name) => name.replaceAll("\\", "/"))
  .toSorted();
const texts = files.map((name) => readFileSync(join(import.meta.dirname, name), "utf8").replaceAll("\r\n", "\n"));

describe("the version of the redaction", () => {
  it("is raised when its code changes", () => {
    const hint = `src/redaction changed: raise REDACTION if other secrets are recognised, and state its code in VERSIONS`;
    expect([REDACTION, codeOf(texts)], hint).toEqual(VERSIONS.at(-1));
  });

  it("is raised by one each time, and never used again", () => {
    expect(VERSIONS.map(([version]) => version)).toEqual(VERSIONS.map((_, i) => i + 2));
    expect(new Set(VERSIONS.map(([, code]) => code)).size).toBe(VERSIONS.length);
  });

  it("depends on every pattern, and on no comment, type or line break", () => {
    const code = 'export const ROWS = [\n  // a comment\n  ["a", /x{2}/u],\n];\n';
    const same = 'export const ROWS: readonly unknown[] = [["a", /x{2}/u]]; // another comment\n';
    expect(codeOf([code])).toBe(codeOf([same.replace("]];", "],\n];")]));
    for (const [from, to] of [
      ["x{2}", "x{3}"],
      ['"a"', '"b"'],
      ["/u", "/iu"],
    ] as const)
      expect(codeOf([code.replace(from, to)])).not.toBe(codeOf([code]));
  });
});
