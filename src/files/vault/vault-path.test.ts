import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operatingSystem, type Problem } from "../../kernel/kernel.ts";
import { comparable, parseEntryPath, parseFolderPath, parseNotePath, parseVaultPath } from "./vault-path.ts";

const [LINUX, WINDOWS] = [operatingSystem("linux"), operatingSystem("win32")];

describe("a vault path", () => {
  test.each([
    ["daily:../../x", "Path cannot contain '..'", "Send a path from the root of the vault."],
    ["../Notes/x.md", "Path cannot contain '..'", 'Send a path from the root of the vault, such as "Notes/x.md".'],
    [".obsidian/x.md", "Cannot access system folder", expect.stringContaining("(.obsidian)")],
    ["C:/x.md", "Invalid path: C:/x.md", expect.stringContaining("without a drive")],
  ])("that is refused has a hint what to send instead: %s", (path, message, hint) => {
    expect(() => parseVaultPath(path)).toThrow(expect.objectContaining({ message, hint }));
  });

  test("is suggested only without what no path may have", () => {
    const hintOf = (sent: string) => {
      try {
        return (parseVaultPath(sent), undefined);
      } catch (error) {
        return (error as Problem).hint;
      }
    };
    expect(hintOf("a\\b")).toBe('Send "a/b": slashes between names.');
    for (const sent of ["a\\b\u0007", "a:b\\c", "a\\b\uD800", "\\"])
      expect(hintOf(sent)).toMatch(/^Send a path from the root/);
  });

  test.each([
    ["note.md", "note.md"],
    ["/etc/passwd", "etc/passwd"],
    ["./a", "a"],
    ["a//b", "a/b"],
    ["/.//a/././/b.md", "a/b.md"],
    ["a/b c/ü 🗂.md", "a/b c/ü 🗂.md"],
    ["a..b/c...md", "a..b/c...md"],
    ["trailing. /name .", "trailing. /name ."],
    [`${"x".repeat(252)}.md`, `${"x".repeat(252)}.md`],
  ])("%j is taken as %j", (sent, path) => {
    expect(parseVaultPath(sent, LINUX)).toBe(path);
  });

  test.each(["..", "../x", "a/../b", "a/..", "/../x", "..\\x", "a\\..\\b"])("%j cannot lead up", (sent) => {
    expect(() => parseVaultPath(sent)).toThrow("Path cannot contain '..'");
  });

  test.each([".obsidian/app.json", ".trash/x", "a/.git/config", "a/.hidden.md", "/.commonplace", ".../x"])(
    "%j is a system folder",
    (sent) => {
      expect(() => parseVaultPath(sent)).toThrow("Cannot access system folder");
    },
  );

  test.each([
    ["", "/", "//", "//server/share", "a/", "a//", "a/.", "a\\b", "\\\\server\\share", "C:/x", "c:", "C:\\x", "/d:/x"],
    ["a\0b", "a\nb", "a\tb.md", "\u007f", "a\u0085b", "lone \ud800 surrogate", "x".repeat(256), "ü".repeat(128)],
  ])("%j is refused as it was sent", (...sent) => {
    for (const path of sent) expect(() => parseVaultPath(path, LINUX), path).toThrow(`Invalid path: ${path}`);
  });

  test("a path that begins with a drive letter is refused on every system", () => {
    for (const path of ["C:/Windows", "c:x.md", "Q: why.md", "/c:x.md"])
      for (const platform of ["linux", "darwin", "win32"] as const)
        expect(() => parseVaultPath(path, operatingSystem(platform)), path).toThrow(`Invalid path: ${path}`);
  });

  test("another colon names a stream on Windows, and is part of a name elsewhere", () => {
    for (const path of ["a/b:c.md", "12:30.md", "a/c:x.md"]) {
      expect(parseVaultPath(path, LINUX)).toBe(path);
      expect(() => parseVaultPath(path, WINDOWS), path).toThrow(`Invalid path: ${path}`);
    }
  });

  test("a path longer than any system accepts is refused at once", () => {
    const long = "d/".repeat(2100);
    expect(() => parseVaultPath(`${long}x.md`)).toThrow("Invalid path: d/d/d");
    expect(parseVaultPath(`${"d/".repeat(1000)}x.md`)).toHaveLength(2004);
  });

  test("on Windows, names that would be another file there are refused", () => {
    for (const path of [
      "CON",
      "con.md",
      "a/NUL .txt",
      "com1.md",
      "LPT9",
      "a.",
      "a ",
      "a./b",
      "xy:z.md",
      "what?",
      "a*",
      "<b>",
    ]) {
      expect(() => parseVaultPath(path, WINDOWS), path).toThrow(`Invalid path: ${path}`);
      expect(parseVaultPath(path, LINUX)).toBe(path);
    }
    expect(parseVaultPath("console/community.md", WINDOWS)).toBe("console/community.md");
    expect(parseVaultPath("漢".repeat(200), WINDOWS)).toHaveLength(200);
  });

  test("no text can make a path that leaves the vault or enters a hidden folder", () => {
    const segment = fc.constantFrom("..", ".", "", "a", ".git", "\\", "C:", "\0", "ä", "%2e%2e", "a\\..");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(segment).map((parts) => parts.join("/")),
        ),
        (sent) => {
          let path: string;
          try {
            path = parseVaultPath(sent);
          } catch {
            return;
          }
          for (const part of path.split("/")) expect(part).toMatch(/^[^.\\/\0][^\\/\0]*$/);
        },
      ),
    );
  });
});

describe("a note path", () => {
  test.each([
    ["note", "note.md"],
    ["v1.2 plan", "v1.2 plan.md"],
    ["notes.2024", "notes.2024.md"],
    ["a.b/c", "a.b/c.md"],
    ["第1.概要", "第1.概要.md"],
    ["x.verylongextension", "x.verylongextension.md"],
    ["note.", "note..md"],
    ["picture.PNG", "picture.PNG"],
    ["song.mp3", "song.mp3"],
    ["board.canvas", "board.canvas"],
  ])("%j is %j", (sent, path) => {
    expect(parseNotePath(sent, LINUX)).toBe(path);
  });

  test("a name that is too long with its extension is refused as it was sent", () => {
    const sent = "x".repeat(254);
    expect(() => parseNotePath(sent)).toThrow(new RegExp(`^Invalid path: ${sent}$`));
  });
});

test("a folder path may end in a slash, and the vault itself is a folder", () => {
  expect(["", "/", ".", "./", ".//"].map((sent) => parseFolderPath(sent))).toEqual(["", "", "", "", ""]);
  expect(["a/", "/a/b/", "a", "a//", "./a//b/"].map((sent) => parseFolderPath(sent))).toEqual([
    "a",
    "a/b",
    "a",
    "a",
    "a/b",
  ]);
  expect(() => parseFolderPath("//")).toThrow("Invalid path: //");
  expect(() => parseFolderPath("../")).toThrow("Path cannot contain '..'");
});

test("a stored path may be in the trash or a temporary file, and is checked all the same", () => {
  for (const kept of [
    "a/b.md",
    ".trash",
    ".trash/b.md",
    ".commonplace-0123456789ab.tmp",
    "a/.commonplace-0123456789ab.tmp",
    ".trash/.commonplace-0123456789ab.tmp",
  ])
    expect(parseEntryPath(kept)).toBe(kept);
  for (const kept of [
    "../x",
    "a/../x",
    "a/..",
    "/etc/passwd",
    "a//b",
    "a/",
    "./a",
    "a\0b",
    ".trash/../x",
    ".trash/",
    ".trash//x",
    ".trash/.trash/x",
    "a/.trash/x",
    ".git/x",
    ".trash/.git",
    "../.commonplace-0123456789ab.tmp",
    ".commonplace-0123456789ab.tmp/x",
    ".commonplace-x.tmp",
  ])
    expect(() => parseEntryPath(kept), kept).toThrow("Invalid path");
});

test("a stored path may have any name that a disk accepts, even if no user could have sent it", () => {
  for (const kept of ["Q: why.md", "C:/x", "a\\b.md", "a\nb.md", "\u007f", "x".repeat(300), ".trash/Q: a\\b.md"])
    expect(parseEntryPath(kept, LINUX)).toBe(kept);
  for (const kept of ["a\\..\\..\\b", "C:/x", "note.md:stream", "\\\\server\\share"])
    expect(() => parseEntryPath(kept, WINDOWS), kept).toThrow("Invalid path");
});

test("two spellings of one name are comparable, and case counts only on case-sensitive disks", () => {
  expect(comparable("é.md")).toBe(comparable("e\u0301.md"));
  expect(comparable("A.md")).not.toBe(comparable("a.md"));
  expect(comparable("É.md", { ignoreCase: true })).toBe(comparable("e\u0301.md", { ignoreCase: true }));
});
