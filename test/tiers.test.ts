// The tables of tiers.ts name what is there, and busy machines run fewer files.
import { globSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, it } from "vitest";
import { costOf, PROGRAMS, TIER_1, TIER_2 } from "./tiers.ts";
import { filesAtATime, WORKERS } from "./turns.ts";

const programs = globSync(PROGRAMS, { cwd: join(import.meta.dirname, "..") }).map((file) => file.replaceAll("\\", "/"));
const left = programs.filter((file) => !(file in TIER_1));

it("names program tests of tier 1 that exist", () => {
  expect(Object.keys(TIER_1).filter((file) => !programs.includes(file))).toEqual([]);
});

it("has a reason for every program test of tier 2, and no reason without a test", () => {
  const reasonOf = (file: string) => TIER_2.find(({ files }) => matchesGlob(file, files));
  expect(left.filter((file) => reasonOf(file) === undefined)).toEqual([]);
  expect(TIER_2.filter((reason) => !left.some((file) => reasonOf(file) === reason))).toEqual([]);
});

it("runs what is cheap first", () => {
  const files = ["src/app/app.test.ts", "test/e2e/vault.test.ts", "test/faults/disk.test.ts", "test/page/note.test.ts"];
  const costs = [...files, "test/e2e/windows/windows-notes.test.ts"].map(costOf);
  expect(costs).toEqual(costs.toSorted((one, other) => one - other));
  expect(new Set(costs).size).toBe(costs.length);
});

it("runs fewer files at a time on a busy machine, and never none", () => {
  expect([0, 6, 8, 9, 100].map((load) => filesAtATime(load, 2))).toEqual([WORKERS, WORKERS, WORKERS, 2, 2]);
  expect(filesAtATime(20, 8)).toBe(WORKERS);
});
