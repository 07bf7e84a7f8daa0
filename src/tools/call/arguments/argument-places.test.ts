import { describe, expect, it } from "vitest";
import type { Tool } from "../../definition/define-tool.ts";
import { placeHint, refuseOtherTarget } from "./argument-places.ts";

describe("the hint about an argument that names a folder", () => {
  it("says which path to send", () => {
    expect(placeHint("parent_folder", "./A/B/", { filePath: "C/x.md" })).toBe(
      'The folder belongs to the path: send filePath "A/B/x.md".',
    );
  });

  it.each([
    ["folder", "a", "A/x.md"],
    ["folder", "/", "x.md"],
    ["folder", ".", "x.md"],
    ["folder", 7, "x.md"],
    ["folder", "f".repeat(201), "x.md"],
    ["colour", "A", "x.md"],
    ["folder", "A", "daily:today"],
  ])("is not given for %s: %j and a note at %s", (name, value, filePath) => {
    expect(placeHint(name, value, { filePath })).toBeUndefined();
  });
});

describe("a write", () => {
  const refusal = (toolset: Tool["toolset"], values: object, unknown: object): string | undefined => {
    try {
      refuseOtherTarget({ name: "tool", toolset } as Tool, { ...values }, { ...unknown }, "This tool takes x.");
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    ["vault", { filePath: "x.md" }, { documentName: "Plan" }],
    ["vault", { filePath: "x.md" }, { project: "Apollo" }],
    ["vault", { filePath: "Work/x.md" }, { folder: "Trips" }],
    ["vault", { filePath: "x.md" }, { path: "y.md" }],
    ["outline", {}, { vault: "Work" }],
    ["outline", { documentName: "Plan" }, { vault: "Work" }],
    ["recall", {}, { vault_name: "Work" }],
  ] as const)("of the toolset %s with %j is refused beside %j", (toolset, values, unknown) => {
    expect(refusal(toolset, values, unknown)).toBe(
      `Nothing was changed: tool does not take ${Object.keys(unknown)[0]}.`,
    );
  });

  it.each([
    ["vault", { filePath: "Trips/x.md" }, { folder: "trips/" }],
    ["vault", { filePath: "Trips/x.md" }, { path: "./Trips/x.md", noteName: "x" }],
    ["vault", { filePath: "x.md" }, { folder: "", directory: "/", path: null }],
    ["vault", { filePath: "x.md" }, { reason: "asked to", position: "top" }],
    ["vault", { id: "k3f" }, { path: "x.md" }],
    ["memory", { name: "s" }, { project: "Apollo" }],
  ] as const)("of the toolset %s with %j is made, whatever %j says", (toolset, values, unknown) => {
    expect(refusal(toolset, values, unknown)).toBeUndefined();
  });
});
