import { describe, expect, it } from "vitest";
import { pathMatcher } from "./path-patterns.ts";

const PATHS = ["Vendors.md", "Meetings/2026-11-09 Apollo.md", "Meetings/2026-11-16.md", "Old/Meetings/x.pdf"];

describe("a pattern of paths", () => {
  it.each([
    ["Meetings/2026-11-0*", [PATHS[1]]],
    ["./meetings//*.md", [PATHS[1], PATHS[2]]],
    ["**/Vend*.md", [PATHS[0]]],
    ["Vend?rs", [PATHS[0]]],
    ["**/Meet*", PATHS.slice(1)],
    ["Meet*", PATHS.slice(1)],
    ["Meetings/**", [PATHS[1], PATHS[2]]],
    ["Old/*.pdf", []],
    ["Old/**/*.pdf", [PATHS[3]]],
    ["**", PATHS],
    ["*/*/*/*", []],
  ])("%s means files by their paths, or by a folder above them", (pattern, expected) => {
    expect(PATHS.filter(pathMatcher(pattern))).toEqual(expected);
  });
});
