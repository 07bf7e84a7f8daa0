import { lstatSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ntfsNumbers, withAnswers } from "../../../test/fixtures/simulated-file-systems.ts";
import { floatOfInode, identityAt, isSameFile, millisecondsOf } from "./file-identity.ts";

let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-identity-")))));
afterEach(() => rmSync(folder, { recursive: true }));

describe("the identity of a file", () => {
  it("differs between files whose numbers are equal as JavaScript numbers", async () => {
    const [a, b] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(a, "");
    writeFileSync(b, "");
    await withAnswers(ntfsNumbers(), () => {
      expect(statSync(a).ino).toBe(statSync(b).ino);
      expect(identityAt(a)).not.toBe(identityAt(b));
      expect(identityAt(a)).toBe(identityAt(a));
      const look = (path: string) => lstatSync(path, { bigint: true });
      expect([isSameFile(look(a), look(a)), isSameFile(look(a), look(b))]).toEqual([true, false]);
      expect(identityAt(join(folder, "none"))).toBeUndefined();
    });
  });

  it("as a float is the number itself up to 2^53, and another one for neighbours beyond", () => {
    expect([0n, 1n, 123_456_789n, 2n ** 53n - 1n].map(floatOfInode)).toEqual([0, 1, 123_456_789, 2 ** 53 - 1]);
    const first = 0x7abcn << 48n;
    // Records of one disk, and the reuses of one record.
    const numbers = Array.from({ length: 4096 }, (_, i) => [first + BigInt(i), (BigInt(i + 32) << 48n) + 77n]).flat();
    expect(new Set(numbers.map(Number)).size).toBeLessThan(numbers.length / 1.9);
    expect(new Set(numbers.map(floatOfInode)).size).toBe(numbers.length);
    for (const number of numbers.map(floatOfInode)) expect(number < 0 && Number.isSafeInteger(number)).toBe(true);
  });
});

describe("a time in milliseconds", () => {
  it("is the same number as in plain stats", () => {
    const file = join(folder, "a");
    writeFileSync(file, "");
    for (const time of [0, 1, 1_767_312_000.123_456, 1_700_000_000.999_999, 987_654_321.000_001]) {
      utimesSync(file, time, time);
      expect(millisecondsOf(statSync(file, { bigint: true }).mtimeNs)).toBe(statSync(file).mtimeMs);
    }
  });
});
