// The outline contract on a document of each format, against the packed
// program; after each call the file is read again by a second reader.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { asLines, readNaively } from "../naive-outlines.ts";
import { connectStdio, ERAS, temporaryFolder } from "../program.ts";
import { BEFORE, FORMATS, OUTLINE_CASES, RowNamed, type Format } from "./outline.ts";
import { writeOoutline } from "./outline-files.ts";

const MARKDOWN = `- Project Tasks
  the plan
  - [ ] Design
  - [x] Build
- Completed Tasks
- Meeting Notes
  - Item 1
    - Sub-item
  - Item 2
`;

const OPML = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head><title>Plan</title></head>
  <body>
    <outline text="Project Tasks" _note="the plan">
      <outline text="Design" _status="unchecked"/>
      <outline text="Build" _status="checked"/>
    </outline>
    <outline text="Completed Tasks"/>
    <outline text="Meeting Notes">
      <outline text="Item 1">
        <outline text="Sub-item"/>
      </outline>
      <outline text="Item 2"/>
    </outline>
  </body>
</opml>
`;

const WRITERS: Readonly<Record<Format, (path: string) => void>> = {
  md: (path) => writeFileSync(path, MARKDOWN),
  opml: (path) => writeFileSync(path, OPML),
  ooutline: (path) => writeOoutline(path, BEFORE),
};

describe.each(FORMATS)("the outline contract on .%s", (format) => {
  const file = join(temporaryFolder(), `Plan.${format}`);
  let client: Client;
  beforeAll(async () => {
    WRITERS[format](file);
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
    expect(asLines(readNaively(file))).toEqual(BEFORE);
  });

  const cases = OUTLINE_CASES.filter(({ only }) => only?.includes(format) !== false);
  it.each(cases.map((each) => [each.tool, each.it, each] as const))("%s %s", async (_tool, _it, each) => {
    const before = readFileSync(file);
    const result = await call(each.tool, (await withIds(each.arguments ?? {})) as object);
    expect(result.isError, JSON.stringify(result.structuredContent)).toBe(each.isError);
    expect(result.structuredContent).toMatchObject((await withIds(each.result)) as object);
    if (each.after === undefined) expect(readFileSync(file).equals(before), "not a byte may change").toBe(true);
    else expect(asLines(readNaively(file))).toEqual(inFormat(each.after));
  });
});
