// Random notes: the list against a plain scan of their lines, and every change
// undone to the same bytes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { CAMPAIGN, repeats } from "../../test/campaign.ts";
import { placesWith, PLUGIN } from "../../test/fixtures/task-places.ts";

/** Lines that mean the same wherever they stand, with what a plain scan makes of them. */
const TASK = fc
  .record({
    quote: fc.constantFrom("", "> ", "> > "),
    marker: fc.constantFrom("-", "*", "+", "1.", "23)"),
    status: fc.constantFrom(" ", "x", "X", "-", "/", "?", "😀"),
    words: fc.constantFrom("Pay rent", "call #home", "Ünï `code`", "[[Link]]", "a ^", "x  y", "#task b"),
    fields: fc.subarray(["📅 2026-11-16", "⏳ 2026-01-01", "🔁 every week", "⏫", "🆔 q1", "✅ 2026-11-01"]),
    id: fc.constantFrom("", " ^block"),
  })
  .map(({ quote, marker, status, words, fields, id }) => ({
    line: `${quote}${marker} [${status}] ${[words, ...fields].join(" ")}${id}`,
    status,
    due: fields.find((field) => field.startsWith("📅"))?.slice(3),
  }));
const OTHER = fc
  .constantFrom(
    "text",
    "",
    "# Heading",
    "- item",
    "```\n- [ ] code\n```",
    "%%\n- [ ] c\n%%",
    "| a | b |",
    "> quote",
    "[ ] no",
  )
  .map((line) => ({ line, status: undefined, due: undefined }));
const NOTE = fc.array(fc.oneof(TASK, OTHER), { minLength: 1, maxLength: 12 });
const ENDING = fc.constantFrom("\n", "\r\n");

/** A blank line between, so that every line is a block of its own; the first line shows how lines end. */
const textOf = (lines: readonly { line: string }[], ending: string, end: string) =>
  [{ line: "text" }, ...lines].map(({ line }) => line.replaceAll("\n", ending)).join(ending + ending) + end;

it("lists what a plain scan of the lines finds", CAMPAIGN, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(NOTE, { maxLength: 5 }), ENDING, async (notes, ending) => {
      const files = Object.fromEntries(notes.map((lines, i) => [`n${i}.md`, textOf(lines, ending, "")]));
      const { list } = placesWith(files);
      const found = await list({ status: "all" });
      const expected = notes.flatMap((lines, i) => {
        let number = 3;
        return lines.flatMap(({ line, status, due }) => {
          const at = number;
          number += line.split("\n").length + 1;
          return status === undefined ? [] : [{ path: `n${i}.md`, line: at, mark: status, due }];
        });
      });
      const place = ({ path, line }: { path: string; line?: number }) => `${path}:${String(line).padStart(4, "0")}`;
      const shown = found.map(({ path, line, status, mark, due }) => ({
        path,
        line,
        mark: mark ?? (status === "done" ? "x" : " "),
        due,
      }));
      const sorted = (some: { path: string; line?: number }[]) =>
        some.toSorted((a, b) => place(a).localeCompare(place(b)));
      expect(sorted(shown as never)).toEqual(sorted(expected));
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      const overdue = expected.filter(({ due, mark }) => due === "2026-11-16" && !["x", "X", "-"].includes(mark));
      expect(await list({ overdue: true })).toHaveLength(overdue.length);
      expect(await list({ status: "done" })).toHaveLength(expected.filter(({ mark }) => /^x$/i.test(mark)).length);
    }),
    { numRuns: repeats({ short: 60, long: 1000 }) },
  );
});

const CHANGE = fc.record(
  {
    status: fc.constantFrom("done", "todo", "in progress", "cancelled", "😀"),
    due: fc.constantFrom("", "tomorrow", "2026-12-24"),
    scheduled: fc.constantFrom("", "friday"),
    priority: fc.constantFrom("high", "none"),
    recurrence: fc.constantFrom("", "every month on the last", "every day when done"),
    text: fc.constantFrom("other words", "#task new"),
  },
  { requiredKeys: [] },
);

it("changes one line or adds one beside it, and undo brings the same bytes back", CAMPAIGN, async () => {
  const settings = fc.record({
    recurrenceOnNextLine: fc.boolean(),
    setDoneDate: fc.boolean(),
    setCreatedDate: fc.boolean(),
    taskFormat: fc.constantFrom("tasksPluginEmoji", "dataview"),
  });
  await fc.assert(
    fc.asyncProperty(
      NOTE,
      ENDING,
      fc.boolean(),
      settings,
      CHANGE,
      fc.nat(),
      async (lines, ending, isEnded, set, change, pick) => {
        const before = textOf(lines, ending, isEnded ? ending : "");
        const { list, update, read, undo, vault } = placesWith({ "n.md": before, [PLUGIN]: JSON.stringify(set) });
        const tasks = await list({ status: "all" });
        const task = tasks[pick % Math.max(1, tasks.length)];
        if (task === undefined) return;
        const { task: own, next } = await update(task.id, change);
        const after = read("n.md");
        const added = after.split(ending).length - before.split(ending).length;
        expect(added).toBe(next === undefined ? 0 : 1);
        // Every other line is as it was, in its order.
        const others = before.split(ending).filter((_, i) => i + 1 !== task.line);
        const changed = new Set([own?.line, next?.line]);
        expect(after.split(ending).filter((_, i) => !changed.has(i + 1))).toEqual(others);
        // The returned task is the one that a list finds now.
        await vault.index.refresh();
        const now = await list({ status: "all" });
        for (const shown of [own, next]) {
          if (shown === undefined) continue;
          const { blocked: _, ...facts } = shown;
          expect(now).toContainEqual(expect.objectContaining(facts));
        }
        if (after === before) return;
        await undo();
        expect(read("n.md")).toBe(before);
      },
    ),
    { numRuns: repeats({ short: 80, long: 1500 }) },
  );
});
