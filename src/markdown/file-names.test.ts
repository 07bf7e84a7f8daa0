import { describe, expect, it } from "vitest";
import { operatingSystem } from "../kernel/kernel.ts";
import { isOnlyInCloud, kindOfFile, placeholderFor } from "./file-names.ts";

describe("the kind of a file", () => {
  it.each([
    ["note.md", "note"],
    ["Note.MD", "note"],
    ["v1.2 plan.md", "note"],
    ["note 2.md", "note"],
    ["note (1).md", "note"],
    ["On conflict copies.md", "note"],
    ["map.canvas", "canvas"],
    ["table.base", "base"],
    ["photo.png", "file"],
    ["4913.md", "note"],
  ])("%s is a %s", (name, kind) => expect(kindOfFile(name)).toBe(kind));

  it.each([
    "note (conflicted copy 2026-01-02).md",
    "note (Ann's conflicted copy 2026-01-02).md",
    "note (Conflicted copy laptop 202601021011).md",
    "note (Ann's Case Conflict).md",
    "note_conflict-20260102-101112.md",
    "note.sync-conflict-20260102-101112-ABCDEFG.md",
    "note (SFConflict ann@example.org 2026-01-02-10-11-12).md",
    "note.Conflict.md",
  ])("%s is a copy, and no note", (name) => expect(kindOfFile(name)).toBe("copy"));

  it.each([
    "note.md.part",
    "note.md.crdownload",
    "note.md.partial",
    "note.md.tmp",
    "note.tmp.md",
    "note.md~",
    "#note.md#",
    "~$note.md",
    "~syncthing~note.md.tmp",
    "note.md.swp",
    "note.md.sb-1a2b3c4d-AbCdEf",
    "4913",
  ])("%s comes and goes, and is nothing", (name) => expect(kindOfFile(name)).toBeUndefined());
});

describe("files in the cloud", () => {
  it("are known by their placeholder", () => {
    expect(placeholderFor(".note.md.icloud")).toBe("note.md");
    expect(placeholderFor("note.md")).toBeUndefined();
    expect(placeholderFor(".icloud")).toBeUndefined();
  });

  it("are known by having no blocks, on macOS", () => {
    expect(isOnlyInCloud({ size: 10n, blocks: 0n }, operatingSystem("darwin"))).toBe(true);
    expect(isOnlyInCloud({ size: 10n, blocks: 8n }, operatingSystem("darwin"))).toBe(false);
    expect(isOnlyInCloud({ size: 0n, blocks: 0n }, operatingSystem("darwin"))).toBe(false);
    expect(isOnlyInCloud({ size: 10n, blocks: 0n }, operatingSystem("linux"))).toBe(false);
  });
});
