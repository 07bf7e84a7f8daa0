import { describe, expect, it } from "vitest";
import { compare } from "./comparison.ts";

const problem = (args: Record<string, unknown>, given: Record<string, unknown>) =>
  compare({ id: "a", ask: "a", tools: ["t"], args }, [{ tool: "t", args: given }]).problem;

describe("the arguments that matter", () => {
  it.each([
    [{ path: "A" }, { path: "A", more: 1 }],
    [{ path: "/^a\\.md$/i" }, { path: "A.md" }],
    [{ limit: 20 }, { limit: "20" }],
    [{ confirmed: false }, { confirmed: "false" }],
    [{ tools: ["a", "b"] }, { tools: ["b", "a"] }],
    [{ set: { status: "done" } }, { set: { status: "done", more: 1 } }],
    [{ set: "/done/" }, { set: { status: "done" } }],
    [{ "query|search_query": "/x/" }, { search_query: "x" }],
  ])("%j are in %j", (expected, given) => {
    expect(problem(expected, given)).toBeUndefined();
  });

  it.each([
    [{ path: "A" }, {}, 'path is missing, not "A"'],
    [{ path: "A" }, { path: "B" }, 'path is "B", not "A"'],
    [{ confirmed: false }, { confirmed: true }, "confirmed is true, not false"],
    [{ confirmed: false }, { confirmed: null }, "confirmed is null, not false"],
    [{ tools: ["a"] }, { tools: ["a", "b"] }, 'tools is ["a","b"], not ["a"]'],
    [{ set: { status: "done" } }, { set: {} }, 'set is {}, not {"status":"done"}'],
    [{ "query|search_query": "/x/" }, { search_query: "y" }, 'query|search_query is "y", not "/x/"'],
  ])("%j are not in %j", (expected, given, sentence) => {
    expect(problem(expected, given)).toBe(sentence);
  });

  it("do not count for another tool", () => {
    const verdict = compare({ id: "a", ask: "a", tools: ["t"] }, [
      { tool: "u", args: {} },
      { tool: "t", args: {} },
    ]);
    expect(verdict).toEqual({ rightTool: false, right: false, harmful: false, problem: "called u" });
  });
});
