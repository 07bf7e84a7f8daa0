// The layout of a whole vault.
import { describe, expect, it } from "vitest";
import { layOutVault } from "./vault-layout.ts";

const settled = (count: number, links: readonly number[], groups: ArrayLike<number>) => {
  const layout = layOutVault(count, links, groups);
  while (layout.work(50));
  return layout.places;
};
const distance = (places: Float32Array, a: number, b: number) =>
  Math.hypot(places[2 * a]! - places[2 * b]!, places[2 * a + 1]! - places[2 * b + 1]!);

describe("the layout of a vault", () => {
  it("brings linked notes together, keeps all apart, and is the same each time", () => {
    const groups = Array.from({ length: 60 }, (_, i) => i % 3);
    const places = settled(60, [0, 1, 1, 2], groups);
    expect(settled(60, [0, 1, 1, 2], groups)).toEqual(places);
    expect([...places].every(Number.isFinite)).toBe(true);
    const others = Array.from({ length: 57 }, (_, i) => distance(places, 1, i + 3));
    const mean = others.reduce((sum, one) => sum + one, 0) / others.length;
    expect(distance(places, 0, 1)).toBeLessThan(mean / 2);
    for (let a = 0; a < 60; a++) for (let b = a + 1; b < 60; b++) expect(distance(places, a, b)).toBeGreaterThan(1);
  });

  it("has notes that begin at one place apart in the end", () => {
    const layout = layOutVault(2, [], [0, 0]);
    layout.places.fill(5);
    while (layout.work(50));
    expect(distance(layout.places, 0, 1)).toBeGreaterThan(1);
  });

  it("has nothing to do for no notes", () => {
    expect(settled(0, [], [])).toHaveLength(0);
  });
});
