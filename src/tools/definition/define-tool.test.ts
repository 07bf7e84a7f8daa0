// Mostly checked by the compiler: each @ts-expect-error fails if its line compiles.
import { describe, expect, expectTypeOf, it } from "vitest";
import type { CallResult } from "../call/call.ts";
import { defineTool, type ResultOf } from "./define-tool.ts";
import { READS } from "./effects.ts";
import { LazyList } from "./lazy-list.ts";
import { flag, list, object, optional, resultObject, returnedBy, text, unlisted } from "./schema.ts";
import type { ResultNamed } from "../toolbox.ts";

const shared = {
  title: "Probe",
  description: "A tool of this test.",
  toolset: "every",
  byDefault: true,
  contract: "vault",
  effects: READS,
  input: { path: text() },
  output: {
    success: flag(),
    data: object({ path: text(), lines: list(text()), note: unlisted(text()) }),
    message: optional(text()),
  },
} as const;

describe("the definition of a tool", () => {
  it("infers the result type from the output, with optional unlisted fields", () => {
    const tool = defineTool({
      ...shared,
      name: "probe",
      run: ({ path }) => ({ success: true, data: { path, lines: ["a"] } }),
    });
    type Result = ResultOf<typeof tool>;
    expectTypeOf<Result["success"]>().toEqualTypeOf<boolean>();
    expectTypeOf<Result["data"]["lines"]>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<Result["data"]["note"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Result["message"]>().toEqualTypeOf<string | undefined>();
    expect(tool.name).toBe("probe");
  });

  it("refuses a run that returns less, something else, or more than the output declares", () => {
    // @ts-expect-error lines are missing
    defineTool({ ...shared, name: "less", run: ({ path }) => ({ success: true, data: { path } }) });
    // @ts-expect-error a number is no text
    defineTool({ ...shared, name: "other", run: () => ({ success: true, data: { path: 1, lines: [] } }) });
    // @ts-expect-error more is not declared
    defineTool({ ...shared, name: "more", run: ({ path }) => ({ success: true, data: { path, lines: [] }, more: 1 }) });
    // @ts-expect-error nor is it within an object, where it is only sometimes
    defineTool({
      ...shared,
      name: "deep",
      run: ({ path }) => ({ success: true, data: { path, lines: [], ...(path === "" && { more: 1 }) } }),
    });
    expect.assertions(0);
  });

  it("lets run return a list of which only a page is made", () => {
    const lines = new LazyList(2, (start) => ["a", "b"].slice(start));
    const tool = defineTool({
      ...shared,
      name: "lazy",
      run: ({ path }) => ({ success: true, data: { path, lines } }),
    });
    expectTypeOf<ResultOf<typeof tool>["data"]["lines"]>().toEqualTypeOf<readonly string[]>();
    expect(tool.name).toBe("lazy");
  });

  it("knows the full type of an object whose schema is short", () => {
    const row = resultObject<{ readonly id: string }>();
    expect(row.schema).toEqual({ type: "object" });
    expect(() => row.read({}, "row")).toThrow("never read");
    expectTypeOf<ReturnType<typeof row.read>>().toEqualTypeOf<{ readonly id: string }>();
  });
});

describe("a field made by a function", () => {
  it("has the type of what the function returns, which must have the fields of the schema", () => {
    const field = returnedBy((id: string) => ({ id, size: 1 }), { id: text() });
    expect(field.schema).toEqual({ type: "object", properties: { id: { type: "string" } }, required: ["id"] });
    expectTypeOf<ReturnType<typeof field.read>>().toEqualTypeOf<{ id: string; size: number }>();
    // @ts-expect-error the schema promises an id
    returnedBy(() => ({ size: 1 }), { id: text() });
  });
});

describe("the result of a call", () => {
  it("is typed by the name of the tool", () => {
    expectTypeOf<ResultNamed<"search">["results"][number]["title"]>().toEqualTypeOf<string>();
    expectTypeOf<ResultNamed<"get_row">["row"]["childIds"]>().toEqualTypeOf<readonly string[]>();
    type Searched = CallResult<ResultNamed<"search">>;
    type Failed = Extract<Searched, { isError: true }>;
    expectTypeOf<Failed["structuredContent"]["results"]>().toEqualTypeOf<unknown>();
    expect.assertions(0);
  });
});
