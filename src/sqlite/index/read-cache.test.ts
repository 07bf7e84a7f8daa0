import { beforeEach, describe, expect, it } from "vitest";
import { ReadCache } from "./read-cache.ts";

let version: number;
let stored: Map<string, string>;
let reads: string[][];

beforeEach(() => {
  version = 1;
  stored = new Map([
    ["a", "1"],
    ["b", "2"],
    ["c", "3"],
  ]);
  reads = [];
});

const cacheOf = ({ most = 10, keeps = false } = {}) =>
  new ReadCache<string, string, { readonly text: string }>(
    { version: () => String(version) },
    {
      read: (keys) => {
        reads.push([...keys]);
        return keys.filter((key) => stored.has(key)).map((key) => [key, stored.get(key)!] as const);
      },
      make: (text) => ({ text }),
      ...(keeps && { isSame: (before, now) => before === now }),
      most,
    },
  );

describe("a cache of what was read", () => {
  it("reads each key once, and only those that are missing", () => {
    const cache = cacheOf();
    expect([...cache.of(["b", "a"])]).toEqual([
      ["b", { text: "2" }],
      ["a", { text: "1" }],
    ]);
    cache.of(["a", "c", "b"]);
    expect(reads).toEqual([["b", "a"], ["c"]]);
  });

  it("reads again after a write", () => {
    const cache = cacheOf();
    cache.get("a");
    stored.set("a", "changed");
    expect(cache.get("a")).toEqual({ text: "1" });
    version++;
    expect(cache.get("a")).toEqual({ text: "changed" });
  });

  it("keeps a value across writes if what it was made from is the same", () => {
    const cache = cacheOf({ keeps: true });
    const [a, b] = [cache.get("a"), cache.get("b")];
    stored.set("b", "changed");
    version++;
    expect(cache.get("a")).toBe(a);
    expect(cache.get("b")).not.toBe(b);
  });

  it("forgets what was deleted", () => {
    const cache = cacheOf({ keeps: true });
    cache.get("a");
    stored.delete("a");
    version++;
    expect([...cache.of(["a", "b"]).keys()]).toEqual(["b"]);
  });

  it("drops what was asked for longest ago, but not from the answer", () => {
    const cache = cacheOf({ most: 2 });
    cache.of(["a", "b"]);
    cache.get("a");
    expect(cache.of(["c"]).size).toBe(1);
    reads = [];
    cache.of(["a", "c"]);
    expect(reads).toEqual([]);
    expect(cache.of(["a", "b", "c"]).size).toBe(3);
    expect(reads).toEqual([["b"]]);
  });
});
