// The outline contract on a document of each format, and on one in OmniOutliner
// (simulated; see simulator/), with the packed program. After each call a second
// reader reads the file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStdio, ERAS, temporaryFolder, type Machine } from "../processes/program.ts";
import { documentOf, idsByTopic, openSimulator, rowNamed } from "../simulator/simulator.ts";
import { linesOf, WRITERS } from "./outline-files.ts";
import { OUTLINE_CASES } from "./outline.ts";
import { BEFORE, OF_LEAVES, RowNamed, type Format } from "./outline-case.ts";

/** One document, and how to inspect it independently. */
interface Subject {
  readonly format: Format;
  readonly outline: string;
  readonly machine?: Machine;
  readonly lines: () => string[];
  /** The rows by topic, if they can be inspected. */
  readonly ids?: () => ReadonlyMap<string, string>;
  /** Everything that must not change in a call that changes nothing. */
  readonly content: () => string;
  /** What the contract requires but this interface of the application cannot do: the person does it. */
  readonly beyond?: { readonly it: string; readonly message: RegExp; readonly byHand: () => void };
}

function fileSubject(format: keyof typeof WRITERS): Subject {
  const file = join(temporaryFolder(), `Plan.${format}`);
  WRITERS[format](file, BEFORE);
  return { format, outline: file, lines: () => linesOf(file), content: () => readFileSync(file).toString("hex") };
}

function appSubject(answersAutomation: boolean): Subject {
  const documents = [documentOf("Plan", "/Users/me/Plan.ooutline", BEFORE)];
  const machine = openSimulator(temporaryFolder(), { answersAutomation, documents });
  const { state, change, lines } = machine;
  const removeCheckbox = () =>
    change(({ documents: [front] }) => Object.assign(rowNamed(front!.rows, "Item zero")!, { note: "", state: null }));
  const beyond = { it: "removes a note and a checkbox", message: /checkbox/, byHand: removeCheckbox };
  return {
    format: "app",
    outline: "app",
    machine,
    lines,
    ids: () => idsByTopic(state().documents[0]!.rows),
    content: () => JSON.stringify(state().documents),
    ...(!answersAutomation && { beyond }),
  };
}

const SUBJECTS: Readonly<Record<string, () => Subject>> = {
  ".ooutline": () => fileSubject("ooutline"),
  ".opml": () => fileSubject("opml"),
  ".md": () => fileSubject("md"),
  "OmniOutliner by Omni Automation": () => appSubject(true),
  "OmniOutliner by its dictionary": () => appSubject(false),
};

describe.each(Object.entries(SUBJECTS))("the outline contract on %s", (_name, open) => {
  const { format, outline, machine = {}, lines, ids, content, beyond } = open();
  let client: Client;
  beforeAll(async () => {
    client = await connectStdio(
      temporaryFolder(),
      ERAS["2025-11-25 and before"],
      ["--outline", outline, "--toolsets", "all"],
      machine,
    );
  });
  const call = (name: string, sent: object = {}) => client.callTool({ name, arguments: { ...sent } });

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

  it("begins with the same rows", () => {
    expect(lines()).toEqual(BEFORE);
  });

  const cases = OUTLINE_CASES.filter(({ only }) => only?.includes(format) !== false);
  it.each(cases.map((each) => [each.tool, each.it, each] as const))("%s %s", async (_tool, _it, each) => {
    const before = content();
    const result = await call(each.tool, (await withIds(each.arguments ?? {})) as object);
    if (beyond?.it === each.it) {
      expect(result.structuredContent).toMatchObject({ error: { message: expect.stringMatching(beyond.message) } });
      expect(content()).toBe(before);
      beyond.byHand();
      return;
    }
    const wanted = { ...(each.result as object), ...(format === "app" && each.inApp) };
    expect(result.isError, JSON.stringify(result.structuredContent)).toBe(each.isError);
    expect(result.structuredContent).toMatchObject((await withIds(wanted)) as object);
    if (each.after === undefined) expect(content() === before, "not a byte may change").toBe(true);
    else expect(lines()).toEqual(inFormat(each.after));
  });
});
