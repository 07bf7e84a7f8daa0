import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getMember, parseJson, removeMember, setMember } from "./json-members.ts";

const ENTRY = { command: "node", args: ["a.js"] };
const KEYS = ["mcpServers", "commonplace"] as const;
const added = (text: string) => setMember(text, KEYS, ENTRY);

describe("reading JSON with comments", () => {
  it("reads what JSON.parse reads, with the same result", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, 2, 4, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("ignores comments and trailing commas", () => {
    const text = '/* a */ { // b\n "x": [1, /* c */ 2,], // "y": 3\n "z": "// no comment",\n} // end';
    expect(parseJson(text)).toEqual({ x: [1, 2], z: "// no comment" });
  });

  it.each([
    ["{", "Unexpected end of file."],
    ['{"a": 1,, "b": 2}', 'Unexpected "," in line 1.'],
    ["{\n  a: 1\n}", 'Unexpected "a" in line 2.'],
    ['{"a": 1}\n{"b": 2}', 'Unexpected "{" in line 2.'],
    ['{"a": 01}', 'Unexpected "1" in line 1.'],
    ['{"a": "b\n"}', 'Unexpected "\\"" in line 1.'],
    ['{"a": "b', 'Unexpected "\\"" in line 1.'],
    ["{ /* never closed ", 'Unexpected "/" in line 1.'],
    ["", "Unexpected end of file."],
    ["<<<<<<< HEAD\n{}", 'Unexpected "<" in line 1.'],
  ])("refuses %j", (text, message) => {
    expect(() => parseJson(text)).toThrow(message);
  });

  it("refuses brackets without end", () => {
    expect(() => parseJson("[".repeat(100_000))).toThrow("It is nested too deeply.");
  });

  it("reads strings of megabytes", () => {
    const text = JSON.stringify({ history: `${"x".repeat(5_000_000)}\\"${'"'.repeat(100_000)}` });
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});

describe("setMember", () => {
  it("creates an object in an empty text", () => {
    expect(added("")).toBe(
      '{\n  "mcpServers": {\n    "commonplace": {\n      "command": "node",\n      "args": [\n        "a.js"\n      ]\n    }\n  }\n}\n',
    );
  });

  it("appends a member with the indentation of the file and leaves comments where they are", () => {
    const text = `{
	// what I use
	"mcpServers": {
		"git": { "command": "uvx" } // the fast one
		/* more to come */
	},
	"theme": "dark"
}
`;
    expect(setMember(text, KEYS, { command: "node" })).toBe(`{
	// what I use
	"mcpServers": {
		"git": { "command": "uvx" }, // the fast one
		/* more to come */
		"commonplace": {
			"command": "node"
		}
	},
	"theme": "dark"
}
`);
  });

  it("keeps a trailing comma", () => {
    expect(setMember('{\n  "a": 1,\n}', ["b"], 2)).toBe('{\n  "a": 1,\n  "b": 2,\n}');
  });

  it("stays on one line if the object is on one line", () => {
    expect(setMember('{"a":1}', ["b", "c"], 2)).toBe('{"a":1, "b": {"c":2}}');
  });

  it("expands an empty object", () => {
    expect(setMember('{\r\n    "mcpServers": {}\r\n}\r\n', ["mcpServers", "x"], 1)).toBe(
      '{\r\n    "mcpServers": {\r\n        "x": 1\r\n    }\r\n}\r\n',
    );
  });

  it("moves a closing brace that shared the last line to a new line", () => {
    expect(setMember('{\n  "a": 1 }', ["b"], 2)).toBe('{\n  "a": 1,\n  "b": 2\n}');
  });

  it("replaces a value only if it differs", () => {
    const text = '{\n  "a": 1, // one\n  "b": [ 1,2 ] // two\n}';
    expect(setMember(text, ["a"], 3)).toBe('{\n  "a": 3, // one\n  "b": [ 1,2 ] // two\n}');
    expect(setMember(text, ["b"], [1, 2])).toBe(text);
  });

  it.each([
    ["[]", "The file is not an object."],
    ['{"mcpServers": []}', '"mcpServers" is not an object.'],
    ['{"mcpServers": null}', '"mcpServers" is not an object.'],
    ['{"mcpServers": {}', "Unexpected end of file."],
  ])("refuses %j", (text, message) => {
    expect(() => added(text)).toThrow(message);
  });
});

describe("removeMember", () => {
  it.each([
    ['{\n  "a": 1,\n  "b": 2\n}', "a", '{\n  "b": 2\n}'],
    ['{\n  "a": 1,\n  "b": 2\n}', "b", '{\n  "a": 1\n}'],
    ['{\n  "a": 1,\n  "b": 2,\n}', "b", '{\n  "a": 1,\n}'],
    ['{"a": 1, "b": 2, "c": 3}', "b", '{"a": 1, "c": 3}'],
    ['{"a": 1, "b": 2}', "b", '{"a": 1}'],
    ['{"a": 1}', "a", "{}"],
    ['{\n  "a": 1\n}', "a", "{}"],
    ['{\n  "a": 1, // one\n  "b": 2 // two\n}', "b", '{\n  "a": 1 // one\n  // two\n}'],
    ['{\n  // about a\n  "a": 1,\n  // about b\n  "b": 2\n}', "a", '{\n  // about a\n  // about b\n  "b": 2\n}'],
    ['{"a": 1, "b": 2, "a": 3}', "a", '{"b": 2}'],
    ['{"a": 1}', "z", '{"a": 1}'],
  ])("removes from %j: %s", (text, key, result) => {
    expect(removeMember(text, [key])).toBe(result);
  });
});

describe("any file", () => {
  const separators = fc.constantFrom("", " ", "\n  ", "\n\t", " // c\n  ", " /* c */ ", "\r\n    ", "\n\n");
  /** JSON with trivia of all kinds between its tokens. */
  const jsonc: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("1", "-2.5e3", "true", "null", '"x"', '"// {"', "[]", '["a", 2]'),
      tie("object"),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(fc.constantFrom("a", "b", "mcpServers", "git"), { maxLength: 3 }),
        fc.array(tie("value"), { minLength: 3, maxLength: 3 }),
        fc.array(separators, { minLength: 8, maxLength: 8 }),
        fc.boolean(),
      )
      .map(([keys, values, gaps, hasComma]) => {
        const members = keys.map((key, i) => `${gaps[i]}"${key}":${gaps[i + 3]}${values[i]}`);
        return `{${members.join(",")}${hasComma && members.length > 0 ? "," : ""}${gaps[7]}}`;
      }),
  })).object;

  it("contains the member after setMember, and otherwise the same values and comments; removeMember undoes it", () => {
    fc.assert(
      fc.property(jsonc, (text) => {
        const before = parseJson(text) as Record<string, unknown>;
        const servers = before["mcpServers"];
        if (servers !== undefined && (typeof servers !== "object" || servers === null || Array.isArray(servers))) {
          expect(() => added(text)).toThrow("is not an object");
          return;
        }
        const after = added(text);
        expect(getMember(after, KEYS)).toEqual(ENTRY);
        expect(parseJson(after)).toEqual({ ...before, mcpServers: { ...servers, commonplace: ENTRY } });
        expect(added(after)).toBe(after);
        expect(after.match(/\/\/ c|\/\* c \*\//g)).toEqual(text.match(/\/\/ c|\/\* c \*\//g));
        const removed = removeMember(after, KEYS);
        expect(parseJson(removed)).toEqual({ ...before, mcpServers: servers ?? {} });
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '{\n  "mcpServers": {\n    "git": {\n      "command": "uvx"\n    }\n  },\n  "x": 1\n}\n',
    '{\r\n\t"mcpServers": {\r\n\t\t"git": {}, // here\r\n\t\t// and there\r\n\t},\r\n}',
    '{"mcpServers":{"git":{"command":"uvx"}}}',
    '{ "mcpServers": {} }',
  ])("is the same to the byte after setMember and removeMember: %j", (text) => {
    expect(removeMember(added(text), KEYS)).toBe(text);
  });
});
