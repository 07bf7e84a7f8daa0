import { posix, win32 } from "node:path";
import { expect, it } from "vitest";
import { operatingSystem } from "./operating-system.ts";

it("is this one unless another is named", () => {
  expect(operatingSystem()).toBe(operatingSystem(process.platform));
  expect(operatingSystem().path.sep).toBe(process.platform === "win32" ? win32.sep : posix.sep);
});

it.each([
  ["win32", "win32", win32.sep, "ignored"],
  ["darwin", "darwin", posix.sep, "usually ignored"],
  ["linux", "linux", posix.sep, "kept"],
  // FreeBSD has no /proc, snaps or xdg-open that could be relied on.
  ["freebsd", "linux", posix.sep, "kept"],
] as const)("%s belongs to the family %s, with its rules of paths and names", (platform, family, sep, caseOfNames) => {
  expect(operatingSystem(platform)).toMatchObject({ platform, family, path: { sep }, caseOfNames });
});

it("has /proc on Linux alone", () => {
  const having = (["win32", "darwin", "linux", "freebsd"] as const).filter((name) => operatingSystem(name).hasProc);
  expect(having).toEqual(["linux"]);
});
