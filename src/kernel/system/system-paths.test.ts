import { describe, expect, it } from "vitest";
import { operatingSystem } from "./operating-system.ts";
import { expandHome, isPortableName, isPossibleName, mountedPath, pathWithin } from "./system-paths.ts";

const WINDOWS = operatingSystem("win32");
const MACOS = operatingSystem("darwin");
const LINUX = operatingSystem("linux");

describe("a path below a folder", () => {
  it.each([
    ["C:\\Notes", "C:\\Notes\\Plan\\a.md", "Plan/a.md"],
    ["C:\\Notes", "C:\\Notes", ""],
    ["C:\\Notes\\", "c:\\NOTES\\a.md", "a.md"],
    ["C:\\Notes", "C:/Notes/a.md", "a.md"],
    ["C:\\Notes", "C:\\Notes2\\a.md", undefined],
    ["C:\\Notes", "C:\\Notes\\..\\a.md", undefined],
    ["C:\\Notes", "C:\\Notes\\..a\\b.md", "..a/b.md"],
    ["C:\\Notes", "D:\\Notes\\a.md", undefined],
    ["E:\\", "E:\\a.md", "a.md"],
    ["\\\\server\\share\\Notes", "\\\\SERVER\\share\\Notes\\a.md", "a.md"],
    ["\\\\server\\share\\Notes", "\\\\server\\other\\Notes\\a.md", undefined],
    ["\\\\server\\share", "C:\\share\\a.md", undefined],
    ["\\\\?\\C:\\Notes", `\\\\?\\C:\\Notes\\${"deep\\".repeat(80)}a.md`, `${"deep/".repeat(80)}a.md`],
    // Node's rules keep this form of a path apart from the usual one.
    ["C:\\Notes", "\\\\?\\C:\\Notes\\a.md", undefined],
  ])("on Windows: of %j, %j is %j", (folder, path, within) => {
    expect(pathWithin(folder, path, WINDOWS)).toBe(within);
  });

  it.each([
    ["/notes", "/notes/Plan/a.md", "Plan/a.md"],
    ["/notes", "/NOTES/a.md", undefined],
    ["/notes", "/notes/a\\b.md", "a\\b.md"],
    ["/notes", "/notes/..a/b.md", "..a/b.md"],
    ["/", "/a.md", "a.md"],
  ])("elsewhere: of %j, %j is %j", (folder, path, within) => {
    expect(pathWithin(folder, path, LINUX)).toBe(within);
    expect(pathWithin(folder, path, MACOS)).toBe(within);
  });
});

it("~ is the home folder, and ~name a name", () => {
  expect(expandHome("~\\Notes", "C:\\Users\\ann", WINDOWS)).toBe("C:\\Users\\ann\\Notes");
  expect(expandHome("~/Notes", "C:\\Users\\ann", WINDOWS)).toBe("C:\\Users\\ann\\Notes");
  expect(expandHome("~/Notes", "/Users/ann", MACOS)).toBe("/Users/ann/Notes");
  expect(expandHome("~", "/home/ann", LINUX)).toBe("/home/ann");
  expect(expandHome("~draft", "/home/ann", LINUX)).toBe("~draft");
});

it("a drive of Windows is where WSL mounts it, except on Windows", () => {
  expect(mountedPath("D:\\code\\shop", LINUX)).toBe("/mnt/d/code/shop");
  expect(mountedPath("c:/code", LINUX)).toBe("/mnt/c/code");
  expect(mountedPath("C:", LINUX)).toBe("/mnt/c");
  expect(mountedPath("D:\\code\\shop", WINDOWS)).toBe("D:\\code\\shop");
  expect(mountedPath("/code/a:b", LINUX)).toBe("/code/a:b");
  expect(mountedPath("x:y.md", LINUX)).toBe("x:y.md");
});

describe("a name", () => {
  it.each(["CON", "con.md", "NUL", "Com1.txt", "LPT³", "aux .md", "CONOUT$", "a.", "a ", "a:b"])(
    "%j is not one that Windows keeps",
    (name) => {
      expect(isPortableName(name)).toBe(false);
      expect(isPossibleName(name, WINDOWS)).toBe(false);
      expect(isPossibleName(name, LINUX)).toBe(true);
    },
  );

  it.each(["console.md", "COM10.md", "null", ".con", "a.b", "a b"])("%j is", (name) => {
    expect(isPortableName(name)).toBe(true);
    expect(isPossibleName(name, WINDOWS)).toBe(true);
  });

  it.each(["what?.md", "a<b", 'say "x"', "a|b", "*"])("%j has characters that Windows refuses", (name) => {
    expect(isPossibleName(name, WINDOWS)).toBe(false);
    expect(isPossibleName(name, MACOS)).toBe(true);
  });

  it("may have 255 units: of UTF-16 on Windows, bytes elsewhere", () => {
    const name = "漢".repeat(200);
    expect([WINDOWS, MACOS, LINUX].map((system) => isPossibleName(name, system))).toEqual([true, false, false]);
    expect(isPossibleName("x".repeat(256), WINDOWS)).toBe(false);
  });
});
