// Routes and their addresses.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, SEARCH, TODAY, KINDS, noteAddress, routeAt, type Route } from "./address.ts";

const at = (address: string) => routeAt(new URL(address, "http://127.0.0.1"));

const text = fc.string({ unit: "grapheme" }).filter((some) => some.isWellFormed());
/** A vault path: no part is empty, or leads up. */
const path = fc
  .array(
    text.filter((part) => part !== "" && part !== "." && part !== ".." && !part.includes("/")),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join("/"));

const route: fc.Arbitrary<Route> = fc.oneof(
  fc.record({
    view: fc.constant("search" as const),
    query: text,
    kinds: fc.subarray([...KINDS]),
    since: text,
    source: text,
    project: text,
    folder: text,
  }),
  fc.record({ view: fc.constant("note" as const), path, heading: text, query: text, isEdited: fc.boolean() }),
  fc.record({ view: fc.constant("folder" as const), path: fc.oneof(path, fc.constant("")) }),
  fc.record({
    view: fc.constant("outline" as const),
    document: fc.oneof(path, fc.constant("")),
    row: text,
    query: text,
  }),
  fc.record({
    view: fc.constant("conversation" as const),
    id: path,
    message: text,
    query: text,
    find: text,
    source: text,
    project: text,
    model: text,
    branch: text,
    file: text,
    since: text,
    day: text,
    order: text,
  }),
  fc.record({ view: fc.constant("activity" as const) }),
);

describe("an address of the page", () => {
  it("leads back to the route that it was made for, whatever that contains", () => {
    fc.assert(
      fc.property(route, (one) => {
        expect(at(addressOf(one))).toEqual(one);
      }),
    );
  });

  it("never leads to another host", () => {
    fc.assert(
      fc.property(route, (one) => {
        expect(new URL(addressOf(one), "http://127.0.0.1").origin).toBe("http://127.0.0.1");
      }),
    );
  });

  it("is readable", () => {
    expect(addressOf(SEARCH)).toBe("/search");
    expect(addressOf({ view: "today", day: "2026-01-31" })).toBe("/?day=2026-01-31");
    expect(noteAddress("Garden/Runner beans.md", { heading: "at-spring" })).toBe(
      "/note/Garden/Runner%20beans.md#at-spring",
    );
    expect(addressOf({ ...SEARCH, view: "search", query: "two words", kinds: ["note"] } as Route)).toBe(
      "/search?q=two+words&kind=note",
    );
  });

  it("that is unknown leads to no view, and unknown parameters change nothing", () => {
    expect(at("/nowhere/x%20y")).toEqual({ view: "missing", path: "/nowhere/x y" });
    expect(at("/")).toEqual(TODAY);
    expect(at("/search")).toEqual(SEARCH);
    expect(at("/search?kind=note&kind=spell")).toEqual({ ...SEARCH, kinds: ["note"] });
    expect(at("/note/%E0%A4%A")).toMatchObject({ view: "note", path: "%E0%A4%A" });
  });
});
