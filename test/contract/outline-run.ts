// Runs the outline contract on one document, with the packed program: as a file, in
// OmniOutliner or in a shared store. After each call a second reader reads it.
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { BEFORE, OF_LEAVES, RowNamed, type Format } from "./outline-case.ts";
import { OUTLINE_CASES } from "./outline.ts";

/** One document, and how to inspect it independently. */
export interface Subject {
  readonly format: Format;
  /** A client for which it is the current document. */
  readonly connect: () => Promise<Client>;
  readonly lines: () => string[] | Promise<string[]>;
  /** The rows by topic, if they can be inspected. */
  readonly ids?: () => ReadonlyMap<string, string>;
  /** Everything that must not change in a call that changes nothing. */
  readonly content: () => string | Promise<string>;
  /** What the contract requires but this interface of the application cannot do: the person does it. */
  readonly beyond?: { readonly it: string; readonly message: RegExp; readonly byHand: () => void };
}

export function describeOutlineContract(name: string, open: () => Subject): void {
  describe(`the outline contract on ${name}`, () => {
    const { format, connect, lines, ids, content, beyond } = open();
    let client: Client;
    beforeAll(async () => {
      client = await connect();
    });
    const call = (tool: string, sent: object = {}) => client.callTool({ name: tool, arguments: { ...sent } });

    const listedIds = async () => {
      const { rows } = (await call("get_outline_structure")).structuredContent as {
        rows: { id: string; topic: string }[];
      };
      return new Map(rows.map(({ id, topic }) => [topic, id]));
    };

    /** Replaces references to rows in a value by their ids. */
    const withIds = async (value: unknown): Promise<unknown> => {
      const known = ids?.() ?? (await listedIds());
      const resolve = (part: unknown): unknown => {
        if (part instanceof RowNamed) return known.get(part.topic) ?? expect.fail(`There is no row ${part.topic}`);
        if (part === OF_LEAVES) return format === "opml" || format === "md" ? "none" : "mixed";
        if (Array.isArray(part)) return part.map(resolve);
        const isPlain = typeof part === "object" && part !== null && Object.getPrototypeOf(part) === Object.prototype;
        return isPlain ? Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, resolve(inner)])) : part;
      };
      return resolve(value);
    };

    /** A new row has a checkbox if its siblings have; in OPML and in the application it has none until it is set. */
    const inFormat = (expected: unknown) =>
      (format === "ooutline" || format === "md") && Array.isArray(expected)
        ? expected.map((line: string) => line.replace(/^ {2}Task title/, "  [ ] Task title"))
        : expected;

    it("begins with the same rows", async () => {
      expect(await lines()).toEqual(BEFORE);
    });

    const cases = OUTLINE_CASES.filter(({ only }) => only?.includes(format) !== false);
    it.each(cases.map((each) => [each.tool, each.it, each] as const))("%s %s", async (_tool, _it, each) => {
      const before = await content();
      const result = await call(each.tool, (await withIds(each.arguments ?? {})) as object);
      if (beyond?.it === each.it) {
        expect(result.structuredContent).toMatchObject({ error: { message: expect.stringMatching(beyond.message) } });
        expect(await content()).toBe(before);
        beyond.byHand();
        return;
      }
      const wanted = { ...(each.result as object), ...(format === "app" && each.inApp) };
      expect(result.isError, JSON.stringify(result.structuredContent)).toBe(each.isError);
      expect(result.structuredContent).toMatchObject((await withIds(wanted)) as object);
      if (each.after === undefined) expect((await content()) === before, "not a byte may change").toBe(true);
      else expect(await lines()).toEqual(inFormat(each.after));
    });
  });
}
