import { describe, expect, it } from "vitest";
import { LINES } from "./lines.ts";
import { readOpenFaults } from "./open-faults.ts";
import { callsOf, REQUESTS } from "./requests.ts";

describe("the requests of the outcomes", () => {
  it("are at least 120 that people make, each with an id of its own", () => {
    expect(REQUESTS.filter(({ calls }) => calls === undefined).length).toBeGreaterThanOrEqual(120);
    expect(new Set(REQUESTS.map(({ id }) => id)).size).toBe(REQUESTS.length);
  });

  it.each(Object.keys(LINES))("try at least twice: %s", (line) => {
    expect(REQUESTS.filter(({ about }) => about.some((each) => each === line)).length).toBeGreaterThanOrEqual(2);
  });

  it("have recorded calls, or a line in open.json", () => {
    const open = readOpenFaults();
    const without = [...callsOf(REQUESTS)].filter(([, calls]) => calls.length === 0).map(([id]) => id);
    expect(without.filter((id) => open[id] === undefined)).toEqual([]);
  });

  it("include everything that open.json lists", () => {
    const ids = new Set(REQUESTS.map(({ id }) => id));
    expect(Object.keys(readOpenFaults()).filter((id) => !ids.has(id))).toEqual([]);
  });
});
