import { describe, expect, it } from "vitest";
import {
  choice,
  flag,
  integer,
  list,
  object,
  optional,
  requested,
  text,
  withDefault,
} from "../../definition/schema.ts";
import { InvalidArgument, readFields, type Fields } from "../../definition/field.ts";
import { Problem } from "../../../kernel/kernel.ts";
import { argumentHint } from "./argument-hints.ts";
import { inputOf, type Tool } from "../../definition/define-tool.ts";
import { TOOLS } from "../../toolbox.ts";

function hintFor(fields: Fields, sent: Readonly<Record<string, unknown>>): string {
  try {
    readFields(fields, sent);
  } catch (error) {
    if (error instanceof InvalidArgument) return argumentHint(fields, sent, error);
    throw error;
  }
  throw new Error("The arguments fit.");
}

const fields = {
  filePath: text("", { missing: "File path is required" }),
  kinds: optional(list(choice(["note", "outline"]))),
  limit: withDefault(integer("", { minimum: 1, maximum: 100, isStrict: true }), 10),
  confirmed: requested(flag()),
  range: optional(object({ from: text(), to: optional(text()) })),
};

describe("the hint of an error about an argument", () => {
  it.each([
    [
      {},
      'Missing: filePath. Expected: filePath must be a string. For example: {"filePath":"Folder/Note.md","confirmed":true}',
    ],
    [
      { filePath: "a.md", confirmed: false, kinds: ["nodes"] },
      'Sent kinds: ["nodes"]. For example: {"filePath":"a.md","kinds":["note"],"confirmed":false}',
    ],
    [
      { filePath: "a.md", limit: 500 },
      'Sent limit: 500. Expected: limit must be a whole number from 1 to 100. For example: {"filePath":"a.md","limit":100,"confirmed":true}',
    ],
    [
      { filePath: "a.md", range: { from: 5 } },
      'Sent range: {"from":5}. Expected: range must be an object with from, to. For example: {"filePath":"a.md","confirmed":true,"range":{"from":"text","to":"text"}}',
    ],
  ])("for %j says what was sent, what was expected, and a call that would work", (sent, hint) => {
    expect(hintFor(fields, sent)).toBe(hint);
  });

  it("gives a sample for a text that was sent empty, though it can be read", () => {
    const refused = new InvalidArgument("filePath", new Problem("invalid", "File path is required"));
    expect(argumentHint(fields, { filePath: " ", limit: 12 }, refused)).toBe(
      'Sent filePath: " ". Expected: filePath must be a string with something in it. For example: {"filePath":"Folder/Note.md","limit":12,"confirmed":true}',
    );
  });

  it.each([
    ["contentManager_replaceByLine", { filePath: "a.md", startLine: 2, newContent: "x" }, '"startLine":2,"endLine":2'],
    ["memoryManager_updateWorkspace", { workspaceId: "W" }, '"fieldPath":"currentGoal"'],
    [
      "contentManager_batchContent",
      { operations: [{ type: "delete all" }] },
      '{"operations":[{"type":"append","filePath":"Folder/Note.md","content":"Text"}]}',
    ],
    ["recall_conversations", { days_lookback: 90 }, 'For example: {"since":"90d"}'],
    ["recall_conversations", { days_lookback: "9999", limit: 5 }, 'For example: {"limit":5,"since":"all"}'],
    ["recall_conversations", { days_lookback: JSON.parse('{"toString": 1}') }, 'For example: {"days_lookback":30}'],
    ["recall_conversations", { days_lookback: 0 }, 'For example: {"days_lookback":1}'],
  ])("of %s %j has a call that works", (name, sent, example) => {
    const tool: Tool = TOOLS.find((each) => each.name === name)!;
    expect(hintFor(inputOf(tool), sent)).toContain(example);
  });

  it("suggests the choice that is meant, if letters are no help", () => {
    const states = { state: choice(["checked", "unchecked", "none"]) };
    expect(hintFor(states, { state: "Done" })).toContain('For example: {"state":"checked"}');
    expect(hintFor(states, { state: false })).toContain('For example: {"state":"unchecked"}');
    expect(hintFor(states, { state: "constructor" })).toContain('For example: {"state":"checked"}');
  });

  it("cuts what was sent", () => {
    expect(hintFor(fields, { filePath: "a".repeat(1_000_000), limit: "b".repeat(1_000_000) }).length).toBeLessThan(300);
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(hintFor(fields, { filePath: deep })).toContain("Sent filePath: [[[[…]]]].");
    expect(hintFor(fields, { filePath: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i, i])) })).toContain(
      'Sent filePath: {"0":0,"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9,…}.',
    );
  });

  const tools: readonly Tool[] = TOOLS;
  it.each(tools.filter(({ input }) => Object.values(input).some(({ presence }) => presence === "required")))(
    "of $name without arguments has an example that fits",
    (tool) => {
      const [, example] = /For example: (.*)$/.exec(hintFor(inputOf(tool), {}))!;
      expect(() => readFields(inputOf(tool), JSON.parse(example!) as Record<string, unknown>)).not.toThrow();
    },
  );
});
