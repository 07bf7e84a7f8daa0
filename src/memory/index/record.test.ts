import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Statement, Values, Weight } from "../log/event.ts";
import { newAssumptions, stated, tagFields, tagsOf, textOf, type MemoryRecord } from "./record.ts";

const say = (set: Values, at: number, weight: Weight = "said"): Statement => ({
  type: "session",
  of: "s",
  id: `${weight}${at}`,
  at,
  set,
  weight,
});

const recordOf = (statements: readonly Statement[]): MemoryRecord | undefined =>
  statements.reduce<MemoryRecord | undefined>((record, statement) => stated(record, statement), undefined);

const statements = fc.array(
  fc.record({
    type: fc.constant("session" as const),
    of: fc.constant("s"),
    // Few of each, so that they meet.
    id: fc.constantFrom("a", "b", "c"),
    at: fc.integer({ min: 0, max: 3 }),
    set: fc.dictionary(fc.constantFrom("name", "goal", "#x", "#y"), fc.constantFrom("1", "2", true, false, null)),
    weight: fc.constantFrom("said" as const, "assumed" as const, "found" as const),
  }),
  { maxLength: 8 },
);

describe("a record", () => {
  it("does not depend on the order of its statements, nor on how often each is read", () => {
    const shuffledTwice = statements.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
    );
    fc.assert(
      fc.property(shuffledTwice, ([list, shuffled]) => {
        expect(recordOf(shuffled)).toEqual(recordOf(list));
      }),
      { numRuns: 500 },
    );
  });

  it("has the later of two equal statements, field by field", () => {
    const record = recordOf([say({ name: "new", goal: "g" }, 2), say({ name: "old", description: "d" }, 1)]);
    expect([textOf(record, "name"), textOf(record, "goal"), textOf(record, "description")]).toEqual(["new", "g", "d"]);
    expect(record).toMatchObject({ created: 1, used: 2 });
  });

  it("prefers what was said on purpose to what was assumed or found, however late", () => {
    const record = recordOf([
      say({ name: "found" }, 9, "found"),
      say({ name: "said" }, 1),
      say({ name: "assumed" }, 8, "assumed"),
    ]);
    expect(textOf(record, "name")).toBe("said");
  });

  it("keeps the tags that two devices added independently", () => {
    const record = recordOf([
      say(tagFields(["a"]), 1),
      say(tagFields(["b"]), 1),
      say(tagFields([], ["a"]), 2),
      say(tagFields(["#c"]), 0),
    ])!;
    expect(tagsOf(record)).toEqual(["b", "c"]);
  });

  it("has no field that a session cannot have", () => {
    const record = recordOf([
      say(JSON.parse('{"name":"n","__proto__":"x","constructor":"y","later":1}') as Values, 1),
    ])!;
    expect(Object.keys(record.claims)).toEqual(["name"]);
  });
});

describe("what a call assumes about its session", () => {
  const known = recordOf([say({ description: "first", goal: "old" }, 1, "assumed")]);

  it("is new only if nothing is known, or if the goal has changed", () => {
    expect(newAssumptions(undefined, { description: "d", goal: "", workspace: "w" })).toEqual({
      description: "d",
      workspace: "w",
    });
    expect(newAssumptions(known, { description: "other", goal: "new" })).toEqual({ goal: "new" });
    expect(newAssumptions(known, { description: "first", goal: "old" })).toEqual({});
  });

  it("does not change a goal that was set on purpose", () => {
    expect(newAssumptions(stated(known, say({ goal: "set" }, 2)), { goal: "new" })).toEqual({});
  });
});
