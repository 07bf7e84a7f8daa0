// Files that are not notes are opened by the vault's rules.
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { fileTypeOf } from "./file-types.ts";
import { imageIn, openMedia } from "./media-file.ts";

describe("a media file", () => {
  const { vault, write } = vaultWith({
    "Pictures/a.PNG": new Uint8Array([1, 2, 3]),
    "note.md": "text",
    ".obsidian/icon.png": new Uint8Array([4]),
    "huge.jpg": new Uint8Array(13 * 1024 * 1024),
  });

  it("has a type, a size and bytes at any place", async () => {
    const file = (await openMedia(vault, "Pictures/a.PNG"))!;
    expect(file).toMatchObject({ path: "Pictures/a.PNG", kind: "image", type: "image/png", size: 3 });
    expect([file.read(1, 1), file.read(1, 99), file.read(99, 1)]).toEqual([
      Buffer.of(2),
      Buffer.of(2, 3),
      Buffer.alloc(0),
    ]);
    file.close();
  });

  it("has another tag after a change", async () => {
    write("b.mp3", "one");
    const tag = async () => {
      const file = (await openMedia(vault, "b.mp3"))!;
      file.close();
      return file.tag;
    };
    const before = await tag();
    expect(await tag()).toBe(before);
    write("b.mp3", "two");
    expect(await tag()).not.toBe(before);
  });

  it("is not what is not there, or is a folder", async () => {
    expect(await openMedia(vault, "none.png")).toBeUndefined();
    expect(await openMedia(vault, "Pictures")).toBeUndefined();
  });

  it("is never outside of the vault, or hidden", async () => {
    await expect(openMedia(vault, "../other.png")).rejects.toThrow("Path cannot contain '..'");
    await expect(openMedia(vault, ".obsidian/icon.png")).rejects.toThrow("Cannot access system folder");
  });

  it("is given whole only if it is an image that is not too large", async () => {
    expect(imageIn((await openMedia(vault, "Pictures/a.PNG"))!)).toEqual({
      bytes: Buffer.of(1, 2, 3),
      type: "image/png",
    });
    expect(imageIn((await openMedia(vault, "note.md"))!)).toBeUndefined();
    const huge = (await openMedia(vault, "huge.jpg"))!;
    expect(() => imageIn(huge)).toThrow("too large");
  });
});

it.each([
  ["a.png", "image", "image/png"],
  ["a.JPEG", "image", "image/jpeg"],
  ["x/a.b.svg", "image", "image/svg+xml"],
  ["a.mp3", "audio", "audio/mpeg"],
  ["a.mov", "video", "video/quicktime"],
  ["a.pdf", "pdf", "application/pdf"],
  ["a.html", "other", "application/octet-stream"],
  ["a.zip", "other", "application/zip"],
  ["a.md", "other", "application/octet-stream"],
  ["constructor", "other", "application/octet-stream"],
  ["a.constructor", "other", "application/octet-stream"],
])("%s is of the kind %s and the type %s", (path, kind, type) => {
  expect(fileTypeOf(path)).toEqual({ kind, type });
});
