import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventOf, lineOf, type MemoryEvent } from "./event.ts";

const text = fc.string({ minLength: 1, unit: "binary" }).filter((each) => each.isWellFormed());
const moment = { id: text, at: fc.nat() };
const trace = fc.record(
  {
    type: fc.constant("trace" as const),
    ...moment,
    session: text,
    workspace: text,
    tool: text,
    paths: fc.array(text),
    more: fc.nat(),
    about: text,
    why: text,
    subgoal: text,
    error: text,
  },
  { requiredKeys: ["type", "id", "at", "session", "workspace", "tool"] },
);
const statement = fc.record({
  type: fc.constantFrom("workspace" as const, "session" as const, "state" as const),
  ...moment,
  of: text,
  set: fc.dictionary(text, fc.jsonValue() as never, { noNullPrototype: true }),
  weight: fc.constantFrom("said" as const, "assumed" as const),
});

describe("an event", () => {
  it("is read back from its line unchanged, and is a single line", () => {
    fc.assert(
      fc.property(fc.oneof(trace, statement), (event) => {
        const line = lineOf(event as MemoryEvent);
        expect(line).not.toMatch(/[\n\r]/);
        expect(eventOf(line)).toEqual(JSON.parse(JSON.stringify(event)));
      }),
    );
  });

  it("that was torn anywhere is ignored", () => {
    fc.assert(
      fc.property(fc.oneof(trace, statement), fc.nat(), (event, cut) => {
        const line = lineOf(event as MemoryEvent);
        expect(eventOf(line.slice(0, cut % line.length))).toBeUndefined();
      }),
    );
  });

  it.each([
    ["of a later release", '{"v":2,"id":"a","at":1,"type":"session","of":"s","set":{}}'],
    ["of a kind that is yet to come", '{"v":1,"id":"a","at":1,"type":"dream","of":"s","set":{}}'],
    ["without an id", '{"v":1,"at":1,"type":"session","of":"s","set":{}}'],
    ["of no time", '{"v":1,"id":"a","at":"now","type":"session","of":"s","set":{}}'],
    ["of a time that no date has", '{"v":1,"id":"a","at":1e99,"type":"session","of":"s","set":{}}'],
    ["about nothing", '{"v":1,"id":"a","at":1,"type":"session","set":{}}'],
    ["that is no object", "[1]"],
    ["that is no JSON", "hello"],
  ])("%s is passed over", (_, line) => {
    expect(eventOf(line)).toBeUndefined();
  });
});
