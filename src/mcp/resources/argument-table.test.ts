import { describe, expect, it } from "vitest";
import { schemaOf } from "../../tools/definition/field.ts";
import {
  choice,
  flag,
  integer,
  list,
  number,
  object,
  optional,
  text,
  withDefault,
} from "../../tools/definition/schema.ts";
import { argumentTable } from "./argument-table.ts";

const rowsOf = (fields: Parameters<typeof schemaOf>[0]) => argumentTable(schemaOf(fields)).split("\n").slice(2);

describe("the table of a tool's arguments", () => {
  it("lists type, limits and default of each", () => {
    expect(
      rowsOf({
        query: text("Words", { minLength: 1 }),
        limit: withDefault(integer("How many", { minimum: 1, maximum: 100 }), 20),
        from: optional(integer("", { minimum: 0 })),
        share: optional(number("", { maximum: 1 })),
        kinds: optional(list(choice(["note", "outline"]), "Only these")),
        names: list(text(), "", 5),
        all: withDefault(flag(), false),
      }),
    ).toEqual([
      "| `query` | string, not empty | required | Words |",
      "| `limit` | integer, 1 to 100 | default 20 | How many |",
      "| `from` | integer, 0 or more |  |  |",
      "| `share` | number, 1 or less |  |  |",
      "| `kinds` | (note \\| outline)[] |  | Only these |",
      "| `names` | string[], at most 5 | required |  |",
      "| `all` | boolean | default false |  |",
    ]);
  });

  it("lists the fields of objects and of lists of objects", () => {
    expect(
      rowsOf({
        range: optional(object({ start: optional(text("Date")) }, "When")),
        searches: list(object({ query: text("Words"), paths: optional(list(text())) }), "Several", 20),
      }),
    ).toEqual([
      "| `range` | object |  | When |",
      "| `range.start` | string |  | Date |",
      "| `searches` | object[], at most 20 | required | Several |",
      "| `searches[].query` | string | required | Words |",
      "| `searches[].paths` | string[] |  |  |",
    ]);
  });

  it("names required strings without descriptions in one line", () => {
    expect(rowsOf({ context: object({ sessionId: text(), subgoal: text() }) })).toEqual([
      "| `context` | object of the strings sessionId, subgoal | required |  |",
    ]);
  });

  it("is a sentence if it has no arguments", () => {
    expect(argumentTable(schemaOf({}))).toBe("No arguments.");
  });
});
