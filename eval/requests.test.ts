import { describe, expect, it } from "vitest";
import { TOOLS } from "../src/tools/toolbox.ts";
import { listingOf, type ToolListing } from "../src/tools/definition/define-tool.ts";
import { patternOf, readRequests } from "./requests.ts";
import { toolsOf } from "./tool-list.ts";

const requests = readRequests();
const byName = new Map<string, ToolListing>(TOOLS.map((tool) => [tool.name, listingOf(tool)]));

describe("the requests", () => {
  it("are at least 200, half of them beside one that sounds alike and needs another tool", () => {
    expect(requests.length).toBeGreaterThanOrEqual(200);
    const pairs = Map.groupBy(
      requests.filter(({ pair }) => pair !== undefined),
      ({ pair }) => pair,
    );
    const inPairs = [...pairs.values()].filter((rows) => new Set(rows.map(({ tools }) => tools[0])).size > 1).flat();
    expect(inPairs.length).toBeGreaterThanOrEqual(requests.length / 2);
  });

  it("have ids of their own", () => {
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
  });

  it.each(toolsOf("default").map(({ name }) => [name]))("ask for %s at least three times", (name) => {
    expect(requests.filter(({ tools }) => tools.includes(name)).length).toBeGreaterThanOrEqual(3);
  });

  it.each(requests.map((request) => [request.id, request] as const))("%s names what there is", (_, request) => {
    const { tools, args = {}, not = [] } = request;
    expect([...tools, ...not].filter((name) => !byName.has(name))).toEqual([]);
    expect(tools.filter((name) => not.includes(name))).toEqual([]);
    for (const [names, expected] of Object.entries(args)) {
      expect(() => patternOf(expected)).not.toThrow();
      for (const tool of tools)
        expect(
          names.split("|").some((name) => Object.hasOwn(byName.get(tool)!.inputSchema.properties ?? {}, name)),
          `${tool} has no ${names}`,
        ).toBe(true);
    }
  });
});
