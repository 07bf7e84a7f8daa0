import { describe, expect, it } from "vitest";
import { readFields, schemaOf } from "./field.ts";
import {
  confirmation,
  requested,
  choice,
  flag,
  integer,
  list,
  number,
  object,
  optional,
  text,
  textOr,
  withDefault,
} from "./schema.ts";

const fields = {
  filePath: text("Path of the note", { missing: "File path is required" }),
  limit: withDefault(integer("How many", { minimum: 1, maximum: 100 }), 10),
  ratio: optional(number("A share", { minimum: 0 })),
  line: optional(integer("", { minimum: 1, maximum: 9, isStrict: true })),
  deep: optional(flag("All the way down")),
  order: optional(choice(["newest", "oldest"], "Which first")),
  tags: optional(list(text("A tag"), "Tags", 2)),
  range: optional(object({ from: text("Start"), to: optional(text("End")) }, "A range")),
};
const read = (sent: Record<string, unknown>) => readFields(fields, sent);

describe("reading arguments", () => {
  it("accepts values that fit, and fills in defaults", () => {
    expect(read({ filePath: "a.md" })).toEqual({ filePath: "a.md", limit: 10 });
  });

  it("accepts numbers and booleans that were sent as strings", () => {
    expect(read({ filePath: "a", limit: "7", ratio: " 0.5 ", deep: "TRUE" })).toEqual({
      filePath: "a",
      limit: 7,
      ratio: 0.5,
      deep: true,
    });
  });

  it("accepts lists and objects that were sent as JSON text", () => {
    expect(read({ filePath: "a", tags: '["x"]', range: '{"from":"b"}' })).toMatchObject({
      tags: ["x"],
      range: { from: "b" },
    });
  });

  it("ignores unknown arguments, and treats null as absent", () => {
    expect(read({ filePath: "a", other: 1, ratio: null, limit: null })).toEqual({ filePath: "a", limit: 10 });
  });

  it("does not read inherited properties", () => {
    expect(() => read(Object.create({ filePath: "a" }) as Record<string, unknown>)).toThrow("File path is required");
  });

  it.each([
    [{}, "File path is required"],
    [{ filePath: 5 }, "filePath must be a string"],
    [{ filePath: "\ud800" }, "filePath must be well-formed Unicode"],
    [{ filePath: "a", limit: 1.5 }, "limit must be a whole number"],
    [{ filePath: "a", limit: "" }, "limit must be a number"],
    [{ filePath: "a", limit: "Infinity" }, "limit must be a number"],
    [{ filePath: "a", line: 0 }, "line must be between 1 and 9"],
    [{ filePath: "a", deep: "perhaps" }, "deep must be true or false"],
    [{ filePath: "a", order: "first" }, "order must be one of newest, oldest"],
    [{ filePath: "a", tags: 5 }, "tags must be a list"],
    [{ filePath: "a", tags: ["x", 5] }, "tags[1] must be a string"],
    [{ filePath: "a", tags: ["x", "y", "z"] }, "tags must have at most 2 items"],
    [{ filePath: "a", range: {} }, "range.from is required"],
    [{ filePath: "a", range: [] }, "range must be an object"],
  ])("refuses %j with a sentence that names the argument", (sent, sentence) => {
    expect(() => read(sent)).toThrow(sentence);
  });

  it("takes a choice in another case, with other separators or in the plural, if only one is meant", () => {
    expect(read({ filePath: "a", order: "Newest" })).toMatchObject({ order: "newest" });
    const kinds = { kinds: list(choice(["note", "claude-code", "co-pilot", "copilot"])) };
    expect(readFields(kinds, { kinds: ["notes", "Claude Code"] })).toEqual({ kinds: ["note", "claude-code"] });
    expect(() => readFields(kinds, { kinds: ["co_pilot"] })).toThrow("kinds[0] must be one of");
    expect(() => readFields(kinds, { kinds: ["nodes"] })).toThrow("kinds[0] must be one of");
  });

  it("takes a single word for a list of one", () => {
    expect(read({ filePath: "a", tags: "x" })).toMatchObject({ tags: ["x"] });
    expect(() => readFields({ rows: list(object({ topic: text() })) }, { rows: "x" })).toThrow("rows must be a list");
  });

  it('takes nothing but true and "true" for a confirmation, and no other value for an error', () => {
    const confirmed = withDefault(confirmation(), false);
    for (const yes of [true, "true"])
      expect(readFields({ confirmed }, { confirmed: yes })).toEqual({ confirmed: true });
    for (const other of [false, "yes", "True", " true", 1, "1", "on", null, {}, [true], "", undefined])
      expect(readFields({ confirmed }, { confirmed: other })).toEqual({ confirmed: false });
  });

  it("clamps an optional number to its range, unless a contract names an error for it", () => {
    expect(read({ filePath: "a", limit: 0 })).toMatchObject({ limit: 1 });
    expect(read({ filePath: "a", limit: "30000" })).toMatchObject({ limit: 100 });
    expect(read({ filePath: "a", ratio: -1 })).toMatchObject({ ratio: 0 });
    for (const limit of [
      optional(integer("", { minimum: 1, isStrict: true })),
      withDefault(integer("", { minimum: 1, invalid: "No" }), 5),
    ])
      expect(() => readFields({ limit }, { limit: 0 })).toThrow();
    expect(() => readFields({ line: integer("", { minimum: 1 }) }, { line: 0 })).toThrow("line must be at least 1");
  });

  it("uses the contract's sentence for a value that does not fit", () => {
    const limit = integer("How many", {
      minimum: 1,
      maximum: 100,
      invalid: "Invalid search limit: must be between 1 and 100",
    });
    expect(() => readFields({ limit }, { limit: 500 })).toThrow("Invalid search limit: must be between 1 and 100");
  });

  it("treats a blank text as missing if it must not be empty", () => {
    const query = text("What to look for", { missing: "Say what", notEmpty: true });
    expect(() => readFields({ query }, { query: "  " })).toThrow("Say what");
    expect(() => readFields({ query: text("", { notEmpty: true }) }, { query: "" })).toThrow("query must not be empty");
  });

  it("puts the sentence for a whole object before the exact fault", () => {
    const who = object({ name: text(), age: integer("Age") }, "A person", {
      missing: "Say who",
      invalid: "Say name and age",
    });
    expect(() => readFields({ who }, {})).toThrow("Say who");
    expect(() => readFields({ who }, { who: 5 })).toThrow("Say name and age");
    expect(() => readFields({ who }, { who: { name: "x" } })).toThrow("Say name and age (who.age is required)");
  });

  it("reports the first field in the order of the definition", () => {
    expect(() => read({ limit: 0 })).toThrow("File path is required");
  });
});

describe("the JSON Schema", () => {
  it("is a plain object that hosts accept", () => {
    expect(schemaOf(fields)).toEqual({
      type: "object",
      properties: {
        filePath: { type: "string", description: "Path of the note" },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 10, description: "How many" },
        ratio: { type: "number", minimum: 0, description: "A share" },
        line: { type: "integer", minimum: 1, maximum: 9 },
        deep: { type: "boolean", description: "All the way down" },
        order: { type: "string", enum: ["newest", "oldest"], description: "Which first" },
        tags: { type: "array", items: { type: "string", description: "A tag" }, maxItems: 2, description: "Tags" },
        range: {
          type: "object",
          properties: { from: { type: "string", description: "Start" }, to: { type: "string", description: "End" } },
          required: ["from"],
          description: "A range",
        },
      },
      required: ["filePath"],
    });
  });
});

describe("a requested field", () => {
  it("is listed as required, but not enforced", () => {
    const confirming = { rowId: text(), confirmed: requested(flag("To go on")) };
    expect(schemaOf(confirming).required).toEqual(["rowId", "confirmed"]);
    expect(readFields(confirming, { rowId: "a" })).toEqual({ rowId: "a" });
    expect(readFields(confirming, { rowId: "a", confirmed: "true" })).toEqual({ rowId: "a", confirmed: true });
  });
});

describe("a field that is a text or something else", () => {
  const content = { content: textOr(text("One"), list(object({ topic: text() }), "Several"), "What") };

  it("lists both in the property, never at the root", () => {
    expect(schemaOf(content)).toEqual({
      type: "object",
      properties: {
        content: {
          oneOf: [
            { type: "string", description: "One" },
            {
              type: "array",
              items: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
              description: "Several",
            },
          ],
          description: "What",
        },
      },
      required: ["content"],
    });
  });

  it("treats every string as the text, even if it is JSON", () => {
    expect(readFields(content, { content: '[{"topic":"a"}]' })).toEqual({ content: '[{"topic":"a"}]' });
    expect(readFields(content, { content: [{ topic: "a" }] })).toEqual({ content: [{ topic: "a" }] });
    expect(() => readFields(content, { content: [{}] })).toThrow("content[0].topic is required");
    expect(() => readFields(content, { content: 5 })).toThrow("content must be a list");
  });
});

describe("a text with a minimum length", () => {
  it("may be blank, but not empty", () => {
    const query = { query: text("", { minLength: 1 }) };
    expect(schemaOf(query).properties).toEqual({ query: { type: "string", minLength: 1 } });
    expect(readFields(query, { query: " " })).toEqual({ query: " " });
    expect(() => readFields(query, { query: "" })).toThrow("query must not be empty");
  });
});
