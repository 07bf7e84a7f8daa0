// However a file is damaged, reading it ends with rows or with a Problem. Nothing
// else is thrown, and an edit of what was read succeeds or is refused.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeats } from "../../../test/campaign.ts";
import { expectLinearTime } from "../../../test/growth.ts";
import { FIXTURES } from "../../../test/fixtures/outline-files.ts";
import { contentsOf } from "../../../test/references/outline-reader.ts";
import { Problem } from "../../kernel/problem.ts";
import { applyRowEdits } from "./row-edits.ts";
import { openContainer, parseOutline } from "../formats/format-detection.ts";
import type { ParsedOutline } from "../formats/parsed-outline.ts";
import { assignIds } from "./row-ids.ts";

const mutation = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), at: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), length: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant("end" as const), at: fc.nat() }),
  fc.record({
    kind: fc.constant("copy" as const),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 200 }),
    to: fc.nat(),
  }),
  fc.record({
    kind: fc.constant("text" as const),
    at: fc.nat(),
    text: fc.constantFrom(
      "<",
      ">",
      "&",
      '"',
      "</item>",
      "<item>",
      "]]>",
      "<!--",
      "\0",
      "\r\n",
      "- ",
      "# ",
      "```\n",
      "\t",
      "é",
      "\uFEFF",
      "<lit/>",
      "<p/>",
      'rank=""',
    ),
  }),
);

function mutated(
  bytes: Buffer,
  mutations: readonly (typeof mutation extends fc.Arbitrary<infer T> ? T : never)[],
): Buffer {
  let now = bytes;
  for (const each of mutations) {
    const at = each.at % (now.length + 1);
    const [before, behind] = [now.subarray(0, at), now.subarray(at)];
    if (each.kind === "set") now = Buffer.concat([before, each.bytes, behind.subarray(each.bytes.length)]);
    else if (each.kind === "cut") now = Buffer.concat([before, behind.subarray(each.length)]);
    else if (each.kind === "end") now = Buffer.from(before);
    else if (each.kind === "text") now = Buffer.concat([before, Buffer.from(each.text), behind]);
    else {
      const to = each.to % (now.length + 1);
      now = Buffer.concat([now.subarray(0, to), behind.subarray(0, each.length), now.subarray(to)]);
    }
  }
  return now;
}

/** Undefined if a Problem is thrown; any other error fails the test. */
function unlessProblem<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Reads every row, and tries an edit of each kind on the file. */
function useAll(parsed: ParsedOutline): void {
  const topics = new Float64Array(parsed.count);
  for (let row = 0; row < parsed.count; row++) {
    topics[row] = parsed.topicNumber(row);
    parsed.topic(row);
    parsed.note(row);
    expect(parsed.parents[row]).toBeLessThan(row);
  }
  const ids = parsed.ids ?? assignIds({ ...parsed, topics }, undefined);
  const last = ids.at(-1);
  const newId = () => "zzzzzzzzzzz";
  const edits = [
    { kind: "add", rows: [{ topic: "new", note: "note" }], position: { parentId: last ?? null, index: 0 } },
  ] as const;
  unlessProblem(() => applyRowEdits({ parsed, ids }, edits, newId));
  if (last === undefined) return;
  unlessProblem(() =>
    applyRowEdits({ parsed, ids }, [{ kind: "update", id: last, topic: "other", note: "n", state: "checked" }], newId),
  );
  unlessProblem(() =>
    applyRowEdits({ parsed, ids }, [{ kind: "move", id: last, position: { parentId: null, index: 0 } }], newId),
  );
  unlessProblem(() => applyRowEdits({ parsed, ids }, [{ kind: "delete", id: last }], newId));
}

describe.each(FIXTURES)("$name, damaged", ({ bytes }) => {
  it("is read or refused if its container is damaged", () => {
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const parsed = unlessProblem(() => parseOutline(openContainer(mutated(bytes, mutations)).contents()));
        if (parsed !== undefined) useAll(parsed);
      }),
      { numRuns: repeats({ short: 60, long: 3_000 }) },
    );
  });

  it("is read and edited, or refused, if its text is damaged", () => {
    const contents = contentsOf(bytes);
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const parsed = unlessProblem(() => parseOutline(mutated(contents, mutations)));
        if (parsed !== undefined) useAll(parsed);
      }),
      { numRuns: repeats({ short: 80, long: 4_000 }) },
    );
  });

  it("is read or refused wherever it is cut off", () => {
    const contents = contentsOf(bytes);
    const readAll = () => {
      for (let end = 0; end < contents.length; end++) unlessProblem(() => parseOutline(contents.subarray(0, end)));
      for (let end = 0; end < bytes.length; end++)
        unlessProblem(() => parseOutline(openContainer(bytes.subarray(0, end)).contents()));
    };
    expect(readAll).not.toThrow();
  });
});

describe("a file whose name says that it holds XML", () => {
  const OPML = '<?xml version="1.0"?>\n<opml version="2.0">\n<body>\n<outline text="a"/>\n</body>\n</opml>\n';

  it("is refused if the beginning of its content is missing, and read in all other cases", () => {
    for (let start = 0; start <= OPML.length; start++) {
      const parse = () => parseOutline(Buffer.from(OPML.slice(start)), "Lists/Plan.OPML");
      if (/^\s*<(?:\?xml|opml)/.test(OPML.slice(start))) expect(parse().count, String(start)).toBe(1);
      else expect(parse, String(start)).toThrow(/not changed/);
    }
  });

  it.each(["a.opml", "a.ooutline", "a.oo3", "A.ooutline/contents.xml"])(
    "is never taken for lines of text: %s",
    (path) => {
      for (const text of ["", "- a\n- b\n", "\0\0", "lines\nof text"])
        expect(() => parseOutline(Buffer.from(text), path)).toThrow("The outline file is damaged");
    },
  );

  it.each(["a.md", "a.txt", "opml", ""])("is a list under any other name: %j", (path) => {
    expect(parseOutline(Buffer.from("- a\n- b\n"), path).count).toBe(2);
  });
});

describe("a hostile file", () => {
  it.each([
    ["thousands of levels of OPML", `<opml><body>${'<outline text="a">'.repeat(200_000)}`],
    [
      "thousands of levels of version 3",
      `<outline xmlns="http://www.omnigroup.com/namespace/OmniOutliner/v3"><columns><column is-outline-column="yes"/></columns><root>${'<item id="a"><children>'.repeat(100_000)}`,
    ],
    [
      "entities of its own",
      `<!DOCTYPE opml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><opml><body><outline text="&b;"/></body></opml>`,
    ],
  ])("is refused: %s", (_, text) => {
    expect(() => parseOutline(Buffer.from(text))).toThrow(Problem);
  });

  it("is read if it is only deep: a list of a thousand levels", () => {
    const text = Array.from({ length: 1_000 }, (_, level) => `${"  ".repeat(level)}- a`).join("\n");
    const parsed = parseOutline(Buffer.from(text));
    expect(parsed.count).toBe(1_000);
    useAll(parsed);
  });

  const marks = ["- ", "#", "```\n", "1. ", "> ", "\t", "[x] ", "a\n---\n", "- a\n\n", "\\"];
  it.each(marks)("takes linear time to read: %j repeated", (piece) => {
    const readTopics = (bytes: Buffer) => {
      const parsed = parseOutline(bytes);
      for (let row = 0; row < parsed.count; row++) parsed.topic(row);
    };
    expectLinearTime((size) => Buffer.from(piece.repeat(size / piece.length)), readTopics, 100_000);
  });
});
