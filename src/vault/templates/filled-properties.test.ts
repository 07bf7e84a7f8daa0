// The properties of a filled template say what was sent, or nothing is created.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProperties } from "../../markdown/markdown.ts";
import { FilledProperties } from "./filled-properties.ts";

/** The frontmatter that a template becomes with one value in all its variables. */
function filledWith(yaml: string, value: string): string {
  const template = `---\n${yaml}\n---\n`;
  const properties = new FilledProperties(template);
  const text = template.replace(/\{\{x\}\}/g, (whole, at: number) => properties.written(value, at, at + whole.length));
  properties.check(text);
  return text.slice(4, -5);
}

describe("a property that is filled in", () => {
  it.each([
    ["who: {{x}}", "Ann", "who: Ann"],
    ["who: {{x}}", "Ann # boss", 'who: "Ann # boss"'],
    ["who: {{x}}", "# x", 'who: "# x"'],
    ["who: {{x}}", "~", 'who: "~"'],
    ["who: {{x}}", "007", 'who: "007"'],
    ["who: {{x}}", "7", "who: 7"],
    ["who: {{x}}", "true", "who: true"],
    ["who: {{x}}", "2026-11-16", "who: 2026-11-16"],
    ["who: {{x}}", "", "who: "],
    ["who: {{x}}", "a: b: c", 'who: "a: b: c"'],
    ["who: {{x}}", "x\nevil: 1", 'who: "x\\nevil: 1"'],
    ["who: {{x}} # whom", "Ann # boss", 'who: "Ann # boss" # whom'],
    ["- {{x}}", "a", undefined],
    ["list:\n  - {{x}}", "# a", 'list:\n  - "# a"'],
    ["up: {{x}}", "[[Kyoto]]", 'up: "[[Kyoto]]"'],
    ["tags: {{x}}", "[a, b]", "tags: [a, b]"],
    ["tags: [{{x}}]", "a, b", "tags: [a, b]"],
    ['who: "{{x}}"', 'say "hi"', 'who: "say \\"hi\\""'],
    ["who: 'with {{x}}'", "Ann's", "who: 'with Ann''s'"],
    ["who: Ann's {{x}}", "cat", "who: Ann's cat"],
    ["at: {{x}}T{{x}}", "1", "at: 1T1"],
    [`"a: 'b": "{{x}}"`, 'say "hi"', `"a: 'b": "say \\"hi\\""`],
    ["{{x}}: 1", "who", "who: 1"],
    ["who: with {{x}}", "Ann # boss", undefined],
    ["who: with {{x}}", "Ann\nevil: 1", undefined],
    ["{{x}}: 1", "a: b", undefined],
    ["who: 'x {{x}}'", "a\nb", undefined],
  ])("%j with %j", (yaml, value, expected) => {
    if (expected === undefined) expect(() => filledWith(yaml, value)).toThrow("nothing was created");
    else expect(filledWith(yaml, value)).toBe(expected);
  });

  it("reads back as the value, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 12 }), (value) => {
        for (const yaml of ["who: {{x}}\nend: 1", 'who: "{{x}}"\nend: 1', "who: '{{x}}'\nend: 1"]) {
          const { who, ...others } = readProperties(`---\n${filledWith(yaml, value)}\n---\n`).properties;
          expect(String(who ?? "")).toBe(value);
          expect(others).toEqual({ end: 1 });
        }
      }),
    );
  });
});
