import { execFileSync } from "node:child_process";
import fs, {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { withAnswers } from "../../../test/fixtures/simulated-file-systems.ts";
import {
  copyTo,
  megabytes,
  openForAppending,
  openForReading,
  readBeginning,
  readBytes,
  readText,
} from "./open-file.ts";
import { listReal, makeInReal, readReal } from "./real-path.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-open-")));
const at = (name: string) => join(home, name);

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
const server = createServer();
afterAll(() => {
  server.close();
  rmSync(home, { recursive: true, force: true });
});

writeFileSync(at("file.md"), "text");
mkdirSync(at("folder"));
symlinkSync("file.md", at("link.md"));
symlinkSync("nothing", at("dangling.md"));

const isWindows = process.platform === "win32";
const NOT_FILES = ["folder", ...(isWindows ? [] : ["pipe", "socket", ...(existsSync("/dev/zero") ? ["device"] : [])])];
if (!isWindows) {
  execFileSync("mkfifo", [at("pipe")]);
  symlinkSync("pipe", at("link to pipe"));
  symlinkSync("/dev/zero", at("device"));
  await new Promise<void>((listening) => void server.listen(at("socket"), () => listening()));
}

const WAYS = {
  openForReading: (path: string) => closeSync(openForReading(path, { followsLinks: true })),
  readBytes: (path: string) => readBytes(path, { followsLinks: true }),
  readText: (path: string) => readText(path, { followsLinks: true }),
  readBeginning: (path: string) => readBeginning(path, 10, { followsLinks: true }),
  openForAppending: (path: string) => closeSync(openForAppending(path, 0o600)),
  copyTo: (path: string) => copyTo(at("copy"), path),
  readReal: (path: string) => readReal(path),
};

describe.each(Object.entries(WAYS))("%s", (_, way) => {
  test.each(NOT_FILES)("refuses what is not a regular file, without blocking on it: a %s", (kind) => {
    const handles = openHandles();
    expect(() => way(at(kind))).toThrow(/EISDIR|EFTYPE|ENXIO|ELOOP/);
    expect(openHandles()).toEqual(handles);
    expect(existsSync(at("copy"))).toBe(false);
  });
});

test.skipIf(isWindows)("a link to a pipe is refused where links are followed", () => {
  expect(() => readBytes(at("link to pipe"), { followsLinks: true })).toThrow("EFTYPE");
});

test("a link is followed only on request", () => {
  expect(readText(at("link.md"), { followsLinks: true })).toBe("text");
  for (const name of ["link.md", "dangling.md"]) {
    expect(() => readText(at(name)), name).toThrow("ELOOP");
    expect(() => openForAppending(at(name), 0o600), name).toThrow("ELOOP");
  }
  expect(existsSync(at("nothing"))).toBe(false);
});

test("a system without flags for that compares before and after", async () => {
  const { openSync } = await import("node:fs");
  const handles = openHandles();
  vi.spyOn(process, "platform", "get").mockReturnValue("win32");
  try {
    expect(readText(at("file.md"))).toBe("text");
    expect(() => readText(at("link.md"))).toThrow("ELOOP");
    const swapped = (path: string, flags: number) => {
      renameSync(path, `${path}.aside`);
      symlinkSync(at("file.md"), path);
      return openSync(path, flags);
    };
    writeFileSync(at("swapped.md"), "first");
    await withAnswers({ openSync: swapped }, () => expect(() => readText(at("swapped.md"))).toThrow("ELOOP"));
  } finally {
    vi.restoreAllMocks();
  }
  expect(openHandles()).toEqual(handles);
});

test("a copy has the bytes of the file", () => {
  copyTo(at("copied"), at("link.md"));
  expect(readFileSync(at("copied"), "utf8")).toBe("text");
});

describe.each([
  ["where the system knows the path of an open file", process.platform],
  ["where it does not", "darwin" as const],
])("at a real path, %s", (_, platform) => {
  const imitated = (work: () => void) => {
    vi.spyOn(process, "platform", "get").mockReturnValue(platform);
    try {
      work();
    } finally {
      vi.restoreAllMocks();
    }
  };

  test.skipIf(isWindows)("nothing is read or listed through a link among the folders", () => {
    rmSync(at("real"), { recursive: true, force: true });
    mkdirSync(at("real/below"), { recursive: true });
    writeFileSync(at("real/below/note (deleted).md"), "note");
    writeFileSync(at("real/below/note (deleted)"), "named so");
    rmSync(at("way"), { force: true });
    symlinkSync("real", at("way"));
    imitated(() => {
      expect(readReal(at("real/below/note (deleted).md")).bytes.toString()).toBe("note");
      expect(readReal(at("real/below/note (deleted)")).bytes.toString()).toBe("named so");
      expect(listReal(at("real/below"), (path) => readdirSync(path))).toHaveLength(2);
      expect(() => readReal(at("way/below/note (deleted).md"))).toThrow("ELOOP");
      for (const folder of ["way", "way/below"])
        expect(() => listReal(at(folder), (path) => readdirSync(path)), folder).toThrow(/ELOOP|ENOTDIR/);
    });
  });

  test.skipIf(isWindows)("no folder is made behind a link, nor stays behind one that came in between", async () => {
    rmSync(at("real"), { recursive: true, force: true });
    rmSync(at("aside"), { recursive: true, force: true });
    mkdirSync(at("real/below"), { recursive: true });
    rmSync(at("way"), { force: true });
    symlinkSync("real", at("way"));
    imitated(() => {
      expect(makeInReal(at("real/below/new"), 0o700)).toBe(true);
      expect(makeInReal(at("real/below/new"), 0o700)).toBe(false);
      for (const path of ["way/new", "way/below/other"])
        expect(() => makeInReal(at(path), 0o700), path).toThrow("ELOOP");
      expect(() => makeInReal(at("missing/new"), 0o700)).toThrow("ENOENT");
    });
    expect(readdirSync(at("real"), { recursive: true }).toSorted()).toEqual(["below", "below/new"]);
    // The look at the folder is over when the link takes its place.
    const make = fs.mkdirSync;
    const swapping = (path: string, options: object) => {
      renameSync(at("real"), at("aside"));
      make(at("elsewhere"));
      symlinkSync("elsewhere", at("real"));
      return make(path, options);
    };
    vi.spyOn(process, "platform", "get").mockReturnValue(platform);
    const error = await withAnswers({ mkdirSync: swapping }, () => failureOf(() => makeInReal(at("real/new"), 0o700)));
    vi.restoreAllMocks();
    // Held open, it is still the folder that was looked at.
    if (platform === "linux") expect(readdirSync(at("aside"))).toContain("new");
    else expect(String(error)).toContain("ELOOP");
    expect(readdirSync(at("elsewhere"))).toEqual([]);
    rmSync(at("real"));
    rmSync(at("elsewhere"), { recursive: true });
  });
});

/** Counts the entries of the folder where the system lists them. */
function openHandles(): string[] {
  return process.platform === "linux" ? readdirSync("/proc/self/fd") : [];
}

test("a size is rounded up to megabytes, with a comma between thousands", () => {
  expect([1, 64 * 1024 * 1024, 1_500 * 1024 * 1024].map(megabytes)).toEqual(["1 MB", "64 MB", "1,500 MB"]);
  expect(megabytes(1_234_567 * 1024 * 1024)).toBe("1,234,567 MB");
});
