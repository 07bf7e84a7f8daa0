import { describe, expect, it } from "vitest";
import { quickHash } from "./quick-hash.ts";

describe("a quick hash", () => {
  it("is the same for the same text, in every release", () => {
    expect(quickHash("")).toMatch(/^[0-9a-f]{16}$/);
    expect(quickHash("/home/ann/Notes")).toMatchInlineSnapshot(`"fb375fb4d2708079"`);
  });

  it("differs for 300,000 texts that hardly differ", () => {
    const texts = Array.from({ length: 100_000 }, (_, i) => [
      `/notes/${i}`,
      `${i}/notes`,
      `/notes/${" ".repeat(i % 100)}${i}x`,
    ]);
    expect(new Set(texts.flat().map(quickHash)).size).toBe(new Set(texts.flat()).size);
  });

  it("has every bit set in about half of all texts", () => {
    const counts = Array.from({ length: 64 }, () => 0);
    for (let i = 0; i < 10_000; i++) {
      const bits = BigInt(`0x${quickHash(`note ${i}`)}`)
        .toString(2)
        .padStart(64, "0");
      for (const [at, bit] of [...bits].entries()) if (bit === "1") counts[at]!++;
    }
    expect(Math.min(...counts)).toBeGreaterThan(4_700);
    expect(Math.max(...counts)).toBeLessThan(5_300);
  });
});
