// The digest by which a sweep knows that no file has changed.
import { describe, expect, it } from "vitest";
import type { Version } from "../../search/documents/document.ts";
import { Listing } from "./file-listing.ts";

type File = readonly [path: string, size: number, mtime: number, inode: number];

function digestOf(files: readonly File[]): number | undefined {
  const listing = new Listing();
  for (const [path, size, mtime, inode] of files) listing.add(path, { size, mtime, inode });
  return listing.digest;
}

const A: File = ["a.md", 10, 1_767_312_000_000.25, 7];
const B: File = ["folder/b.md", 20, 1_767_312_000_001, 8];

describe("the digest of a listing", () => {
  it("is the same for any order of the files", () => {
    expect(digestOf([B, A])).toBe(digestOf([A, B]));
  });

  const others: Record<string, readonly File[]> = {
    "a file is gone": [A],
    "a file came": [A, B, ["c.md", 0, 0, 9]],
    "a file has another name": [A, ["folder/c.md", 20, 1_767_312_000_001, 8]],
    "a file is in another folder": [A, ["b.md", 20, 1_767_312_000_001, 8]],
    "two files changed their names": [
      ["folder/b.md", 10, 1_767_312_000_000.25, 7],
      ["a.md", 20, 1_767_312_000_001, 8],
    ],
    "a file has another size": [["a.md", 11, 1_767_312_000_000.25, 7], B],
    "a file has another time, by a fraction": [["a.md", 10, 1_767_312_000_000.5, 7], B],
    "a file has another inode": [["a.md", 10, 1_767_312_000_000.25, 6], B],
    "two files changed their versions": [
      ["a.md", 20, 1_767_312_000_001, 8],
      ["folder/b.md", 10, 1_767_312_000_000.25, 7],
    ],
  };
  it.each(Object.entries(others))("is another one when %s", (_, files) => {
    expect(digestOf(files)).not.toBe(digestOf([A, B]));
  });

  it("is another one for each of 40,000 small changes", () => {
    const seen = new Set<number>();
    for (let i = 0; i < 20_000; i++) {
      seen.add(digestOf([A, [`Note ${i}.md`, 20, 1_767_312_000_001, 8]])!);
      seen.add(digestOf([A, ["folder/b.md", 20, 1_767_312_000_001 + i, 9]])!);
    }
    expect(seen.size).toBe(40_000);
  });

  it("is unknown if something could not be listed", () => {
    const listing = new Listing();
    const unknown: Version = { size: -1, mtime: 0, inode: 0 };
    listing.add("closed/", unknown, "EACCES");
    expect(listing.digest).toBeUndefined();
  });
});
