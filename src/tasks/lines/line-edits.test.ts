import fc from "fast-check";
import { expect, it } from "vitest";
import { withDescription, withField } from "./line-edits.ts";
import { DATE_FIELDS, type FieldName, type Form, parseTaskLine, valueOf } from "./task-line.ts";

const cases: readonly (readonly [body: string, name: FieldName, value: string | undefined, made: string])[] = [
  ["a", "due", "2026-01-02", "a 📅 2026-01-02"],
  ["", "due", "2026-01-02", "📅 2026-01-02"],
  ["a ^id", "due", "2026-01-02", "a 📅 2026-01-02 ^id"],
  ["a #t", "due", "2026-01-02", "a #t 📅 2026-01-02"],
  // White space other than spaces stays where it is.
  ["a\u00a0", "due", "2026-01-02", "a 📅 2026-01-02\u00a0"],
  ["a 📅 2026-01-01\u000b", "due", "2026-01-02", "a 📅 2026-01-02\u000b"],
  ["a 📅 2026-01-01\u000b", "due", undefined, "a\u000b"],
  ["a\u00a0📅 2026-01-01", "priority", "low", "a\u00a0 🔽 📅 2026-01-01"],
  ["a\u00a0 📅 2026-01-01 ^id\u00a0", "due", undefined, "a\u00a0 ^id\u00a0"],
  ["a 📅 2026-01-01 #t", "done", "2026-01-02", "a 📅 2026-01-01 #t ✅ 2026-01-02"],
  ["a 🔁 every day 📅 2026-01-01", "created", "2026-01-02", "a 🔁 every day ➕ 2026-01-02 📅 2026-01-01"],
  ["a ✅ 2026-01-01 ^id", "due", "2026-01-02", "a 📅 2026-01-02 ✅ 2026-01-01 ^id"],
  ["a 🗓️2026-01-01 b", "due", "2026-01-02", "a 🗓️2026-01-01 b 📅 2026-01-02"],
  ["a 🗓️2026-01-01", "due", "2026-01-02", "a 🗓️2026-01-02"],
  ["a 📅 2026-01-01 #t", "due", "2026-01-02", "a 📅 2026-01-02 #t"],
  ["a 📅 2026-01-01 #t", "due", undefined, "a #t"],
  // Of several the first counts.
  ["a 📅 2026-01-01 📅 2026-01-03", "due", "2026-01-02", "a 📅 2026-01-02 📅 2026-01-03"],
  ["a 📅 2026-01-01 📅 2026-01-03", "due", undefined, "a"],
  ["a 🔼", "priority", "highest", "a 🔺"],
  ["a 🔼️ 📅 2026-01-01", "priority", undefined, "a 📅 2026-01-01"],
  ["a 📅 2026-01-01", "priority", "low", "a 🔽 📅 2026-01-01"],
  ["a", "priority", undefined, "a"],
  ["a  [due:: 2026-01-01]", "done", "2026-01-02", "a  [due:: 2026-01-01]  [completion:: 2026-01-02]"],
  ["Pay (due:: 2026-01-01) rent", "due", "2026-01-02", "Pay (due:: 2026-01-02) rent"],
  ["Pay [due:: 2026-01-01] rent", "due", undefined, "Pay rent"],
  ["Pay [due:: 2026-01-01] rent", "priority", "high", "Pay [due:: 2026-01-01] rent  [priority:: high]"],
  ["a [due:: 2026-01-01]", "recurrence", "every day", "a  [repeat:: every day]  [due:: 2026-01-01]"],
];
it.each(cases)("changes one field and nothing else: %s, %s = %s", (body, name, value, made) => {
  expect(withField(parseTaskLine(body), name, value, "emoji").body).toBe(made);
});

it("writes the form that is set where a task has no fields", () => {
  expect(withField(parseTaskLine("a"), "due", "2026-01-02", "inline").body).toBe("a  [due:: 2026-01-02]");
});

it.each([
  ["a 📅 2026-01-01 #old ⏫ ^id", "b #new", "b #new 📅 2026-01-01 ⏫ ^id"],
  ["a", "b", "b"],
  ["Pay [due:: 2026-01-01] rent", "Paid", "Paid  [due:: 2026-01-01]"],
])("replaces the words and keeps the fields: %s", (body, words, made) => {
  expect(withDescription(parseTaskLine(body), words).body).toBe(made);
});

const WORDS = fc.constantFrom("Pay", "#tag", "rent", "🔼", "[x](y)", "(due)", "📅", "every");
const FIELD = fc.constantFrom(
  "📅 2026-01-01",
  "[due:: 2026-03-03]",
  "⏳2026-02-02",
  "🔁 every day",
  "(start:: 2026-01-05)",
  "⏫",
  "🗓️ 2026-05-05",
);
const BODY = fc
  .tuple(fc.array(fc.oneof(WORDS, FIELD), { maxLength: 8 }), fc.constantFrom("", " ^block-1"))
  .map(([parts, id]) => parts.join(" ") + (parts.length > 0 ? id : ""));

it("makes a line that says what was set, for any line, and keeps its words", () => {
  const form = fc.constantFrom<Form>("emoji", "inline");
  fc.assert(
    fc.property(BODY, fc.constantFrom(...DATE_FIELDS), form, (body, name, preferred) => {
      const before = parseTaskLine(body);
      const after = withField(before, name, "2030-12-24", preferred);
      expect(valueOf(after, name)).toBe("2030-12-24");
      for (const other of DATE_FIELDS) if (other !== name) expect(valueOf(after, other)).toBe(valueOf(before, other));
      expect(after.description.split(/\s+/)).toEqual(before.description.split(/\s+/));
      expect(after.body.slice(after.end)).toBe(before.body.slice(before.end));
      const without = withField(after, name, undefined, preferred);
      expect(valueOf(without, name)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
