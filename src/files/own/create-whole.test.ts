import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWhole } from "./create-whole.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "commonplace-whole-"))));
afterEach(() => rmSync(folder, { recursive: true }));

describe("a file that several processes create", () => {
  it("has the content of the first, and nothing is left beside it", () => {
    const file = join(folder, "name");
    createWhole(file, "first\n");
    createWhole(file, "second\n");
    expect(readFileSync(file, "utf8")).toBe("first\n");
    expect(readdirSync(folder)).toEqual(["name"]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is reported if it cannot be created", () => {
    expect(() => createWhole(join(folder, "gone", "name"), "x")).toThrow("ENOENT");
  });
});
