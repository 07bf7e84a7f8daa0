import { describe, expect, it } from "vitest";
import { selectTools, TOOLS } from "./toolbox.ts";

const names = (toolsets: Parameters<typeof selectTools>[0]["toolsets"], readOnly = false) =>
  selectTools({ toolsets, readOnly }).tools.map((tool) => tool.name);

describe("the toolbox", () => {
  it("offers the default list, a set, or everything, always in the order of the table", () => {
    expect(names(["all"])).toEqual(TOOLS.map((tool) => tool.name));
    expect(names(["default"])).toEqual(TOOLS.filter((tool) => tool.byDefault).map((tool) => tool.name));
    expect(names(["recall"])).toEqual(
      TOOLS.filter((tool) => tool.toolset === "recall" || tool.toolset === "every").map((tool) => tool.name),
    );
  });

  it("offers no tool that writes when it is read-only", () => {
    expect(selectTools({ toolsets: ["all"], readOnly: true }).tools.every((tool) => tool.effects.readOnly)).toBe(true);
  });

  it("has no name twice", () => {
    expect(new Set(TOOLS.map((tool) => tool.name)).size).toBe(TOOLS.length);
  });
});
