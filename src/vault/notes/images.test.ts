// Images of a vault are read by the vault's rules, and nothing else is.
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { readImage } from "./images.ts";

describe("an image", () => {
  const { vault } = vaultWith({
    "Pictures/a.PNG": new Uint8Array([1, 2, 3]),
    "note.md": "text",
    ".obsidian/icon.png": new Uint8Array([4]),
    "huge.jpg": new Uint8Array(13 * 1024 * 1024),
  });

  it("is its bytes and its type", () => {
    expect(readImage(vault, "Pictures/a.PNG")).toEqual({ bytes: Buffer.from([1, 2, 3]), type: "image/png" });
  });

  it("is not what has another name, is not there, or is a folder", () => {
    expect(readImage(vault, "note.md")).toBeUndefined();
    expect(readImage(vault, "none.png")).toBeUndefined();
    expect(readImage(vault, "Pictures")).toBeUndefined();
  });

  it("is never outside of the vault, hidden, or too large to show", () => {
    expect(() => readImage(vault, "../other.png")).toThrow("Path cannot contain '..'");
    expect(() => readImage(vault, ".obsidian/icon.png")).toThrow("Cannot access system folder");
    expect(() => readImage(vault, "huge.jpg")).toThrow("The image is too large");
  });
});
