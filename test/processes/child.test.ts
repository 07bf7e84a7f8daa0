import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { AS_NOBODY, bundled, nodeForNobody } from "./child.ts";

const TESTS = dirname(import.meta.dirname);

const closed = mkdtempSync(join(tmpdir(), "commonplace-closed-"));
afterAll(() => rmSync(closed, { recursive: true, force: true }));

it("tests run the packed program with the Node under test, not with their own", () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" });
  const sources = files.filter((name) => name.endsWith(".ts"));
  const wrong = sources.filter((name) =>
    /process\.execPath\W{1,6}(?:\.\.\.\w+, )?PROGRAM/.test(readFileSync(join(TESTS, name), "utf8")),
  );
  expect(wrong).toEqual([]);
});

describe.skipIf(process.getuid?.() !== 0)("a user without rights (needs root to become one)", () => {
  it("can run a program of the tests, wherever the checkout lies", () => {
    const folder = join(closed, "a folder");
    mkdirSync(folder);
    symlinkSync(TESTS, join(folder, "test"));
    chmodSync(closed, 0o700);
    const program = bundled(join(folder, "test", "faults", "children", "unprivileged-reader.ts"));
    const { stdout, stderr } = spawnSync(nodeForNobody(), [...program, closed], { ...AS_NOBODY, encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: '["denied The project\'s folder may not be read."]', stderr: "" });
  });
});
