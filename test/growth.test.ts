import { describe, expect, it } from "vitest";
import { expectLinearTime, expectLinearTimeAsync, expectLinearTimeForText } from "./growth.ts";

/** Work that cannot be optimised away, about a nanosecond per step. */
function spin(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++) sum = (Math.imul(sum, 31) + step) | 0;
  return sum;
}

const itself = (size: number) => size;

describe("linear time is recognised", () => {
  it("in a loop", () => {
    expectLinearTime(itself, (size) => spin(size * 100), 200_000);
  });

  it("in a sort, whose time is within a logarithm of linear", () => {
    const numbers = (size: number) => Array.from({ length: size }, (_, index) => (index * 48_271) % 2_147_483_647);
    expectLinearTime(numbers, (list) => list.sort((one, other) => one - other), 100_000);
  });

  it("in work that is too short to measure, and in work that does not grow", () => {
    expectLinearTime(itself, () => {}, 1_000_000);
    expectLinearTime(itself, () => spin(10_000_000), 1_000_000);
  });

  it("in work that waits", async () => {
    const spinAndWait = async (size: number) => {
      spin(size * 50);
      await new Promise((resolve) => setTimeout(resolve, size / 10_000));
      spin(size * 50);
    };
    await expectLinearTimeAsync(spinAndWait, 200_000);
  });

  it("in text that is scanned once", () => {
    expectLinearTimeForText("[[a", (text) => text.split("a").length, 4_000_000);
  });
});

describe("other growth is refused", () => {
  it("of a quadratic loop", () => {
    expect(() => expectLinearTime(itself, (size) => spin(size * size), 20_000)).toThrow("Not linear");
  });

  it("of a quadratic loop that begins beside much linear work", () => {
    expect(() => expectLinearTime(itself, (size) => spin(1_000 * size + size * size), 8_000)).toThrow("Not linear");
  });

  it("of a quadratic loop that waits", async () => {
    const spinAndWait = async (size: number) => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve(spin((size * size) / 10));
    };
    await expect(expectLinearTimeAsync(spinAndWait, 20_000)).rejects.toThrow("Not linear");
  });

  it("of a search that begins again at every character, before the text is large", () => {
    let longest = 0;
    const searchEverywhere = (text: string) => {
      longest = Math.max(longest, text.length);
      let found = 0;
      for (let at = 0; at < text.length; at++) found += text.indexOf("]", at);
      return found;
    };
    expect(() => expectLinearTimeForText("[", searchEverywhere, 4_000_000)).toThrow("Not linear");
    expect(longest).toBeLessThan(4_000_000);
  });

  it("of a pattern that backtracks", () => {
    expect(() => expectLinearTimeForText("a", (text) => /a+$/.test(`${text}b`), 100_000)).toThrow("Not linear");
  });

  it("of a loop in n to the power of 1.75", () => {
    expect(() => expectLinearTime(itself, (size) => spin(size ** 1.75), 100_000)).toThrow("Not linear");
  });
});
