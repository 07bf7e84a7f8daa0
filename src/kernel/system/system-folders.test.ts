import { expect, it } from "vitest";
import { foldersOf } from "../../files/files.ts";
import { operatingSystem } from "./operating-system.ts";
import { systemFolders } from "./system-folders.ts";

const WINDOWS = operatingSystem("win32");
const MACOS = operatingSystem("darwin");
const LINUX = operatingSystem("linux");

it("are those of the profile on Windows, wherever it is", () => {
  const home = "D:\\Users\\Ann Lee";
  expect(systemFolders({ home, environment: {} }, WINDOWS)).toEqual({
    settings: "D:\\Users\\Ann Lee\\AppData\\Roaming",
    data: "D:\\Users\\Ann Lee\\AppData\\Local",
    cache: "D:\\Users\\Ann Lee\\AppData\\Local",
  });
  // A company may keep profiles on a server.
  const environment = { APPDATA: "\\\\server\\profiles$\\ann\\AppData\\Roaming", LOCALAPPDATA: "E:\\Local" };
  expect(systemFolders({ home, environment }, WINDOWS)).toEqual({
    settings: "\\\\server\\profiles$\\ann\\AppData\\Roaming",
    data: "E:\\Local",
    cache: "E:\\Local",
  });
});

it("are in ~/Library on macOS, whatever the variables of other systems say", () => {
  const environment = { XDG_DATA_HOME: "/x", APPDATA: "C:\\x" };
  expect(systemFolders({ home: "/Users/ann", environment }, MACOS)).toEqual({
    settings: "/Users/ann/Library/Application Support",
    data: "/Users/ann/Library/Application Support",
    cache: "/Users/ann/Library/Caches",
  });
});

it("follow XDG elsewhere, where an empty variable counts as none", () => {
  const environment = { XDG_DATA_HOME: "/data", XDG_CACHE_HOME: "", APPDATA: "C:\\x" };
  expect(systemFolders({ home: "/home/ann", environment }, LINUX)).toEqual({
    settings: "/home/ann/.config",
    data: "/data",
    cache: "/home/ann/.cache",
  });
});

it.each([
  [
    WINDOWS,
    "C:\\Users\\ann",
    {
      data: "C:\\Users\\ann\\AppData\\Local\\commonplace\\Data",
      cache: "C:\\Users\\ann\\AppData\\Local\\commonplace\\Cache",
      config: "C:\\Users\\ann\\AppData\\Roaming\\commonplace\\config.json",
    },
  ],
  [
    MACOS,
    "/Users/ann",
    {
      data: "/Users/ann/Library/Application Support/commonplace",
      cache: "/Users/ann/Library/Caches/commonplace",
      config: "/Users/ann/Library/Application Support/commonplace/config.json",
    },
  ],
  [
    LINUX,
    "/home/ann",
    {
      data: "/home/ann/.local/share/commonplace",
      cache: "/home/ann/.cache/commonplace",
      config: "/home/ann/.config/commonplace/config.json",
    },
  ],
])("have our own below them: $platform", (system, user, folders) => {
  expect(foldersOf({}, undefined, { user, system })).toEqual(folders);
});

it("stay apart from our own where one variable names data and caches", () => {
  const environment = { XDG_DATA_HOME: "/x", XDG_CACHE_HOME: "/x" };
  expect(foldersOf(environment, undefined, { user: "/h", system: LINUX }).data).toBe("/x/commonplace");
});

it("are not used with --home", () => {
  expect(foldersOf({ APPDATA: "E:\\x" }, "D:\\Book", { user: "C:\\Users\\ann", system: WINDOWS })).toEqual({
    data: "D:\\Book\\data",
    cache: "D:\\Book\\cache",
    config: "D:\\Book\\config.json",
  });
});
