// The outline contract on a document of each format, against the packed
// program; after each call the file is read again by a second reader.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStdio, ERAS, temporaryFolder } from "../program.ts";
import { linesOf, WRITERS } from "./outline-files.ts";
import { BEFORE, FORMATS, OUTLINE_CASES, RowNamed } from "./outline.ts";

describe.each(FORMATS)("the outline contract on .%s", (format) => {
  const file = join(temporaryFolder(), `Plan.${format}`);
  let client: Client;
  beforeAll(async () => {
    WRITERS[format](file, BEFORE);
    client = await connectStdio(temporaryFolder(), ERAS["2025-11-25 and before"], [
      "--outline",
      file,
      "--toolsets",
      "all",
    ]);
  });
  const call = (name: string, sent: object = {}) => client.callTool({ name, arguments: { ...sent } });

  /** What stands for rows in a value becomes their ids. */
  const withIds = async (value: unknown): Promise<unknown> => {
    const { rows } = (await call("get_outline_structure")).structuredContent as {
      rows: { id: string; topic: string }[];
    };
    const ids = new Map(rows.map(({ id, topic }) => [topic, id]));
    const resolve = (part: unknown): unknown => {
      if (part instanceof RowNamed) return ids.get(part.topic) ?? expect.fail(`There is no row ${part.topic}`);
      if (Array.isArray(part)) return part.map(resolve);
      const isPlain = typeof part === "object" && part !== null && Object.getPrototypeOf(part) === Object.prototype;
      return isPlain ? Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, resolve(inner)])) : part;
    };
    return resolve(value);
  };

  /** A new row has a checkbox where those beside it have; in OPML it has none before it is set. */
  const inFormat = (lines: unknown) =>
    format !== "opml" && Array.isArray(lines)
      ? lines.map((line: string) => line.replace(/^ {2}Task title/, "  [ ] Task title"))
      : lines;

  it("begins with the same rows", () => {
    expect(linesOf(file)).toEqual(BEFORE);
  });

  const cases = OUTLINE_CASES.filter(({ only }) => only?.includes(format) !== false);
  it.each(cases.map((each) => [each.tool, each.it, each] as const))("%s %s", async (_tool, _it, each) => {
    const before = readFileSync(file);
    const result = await call(each.tool, (await withIds(each.arguments ?? {})) as object);
    expect(result.isError, JSON.stringify(result.structuredContent)).toBe(each.isError);
    expect(result.structuredContent).toMatchObject((await withIds(each.result)) as object);
    if (each.after === undefined) expect(readFileSync(file).equals(before), "not a byte may change").toBe(true);
    else expect(linesOf(file)).toEqual(inFormat(each.after));
  });
});
