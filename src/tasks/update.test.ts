import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zipOf, V5 } from "../../test/fixtures/outline-files.ts";
import { placesWith, PLUGIN } from "../../test/fixtures/task-places.ts";
import type { TaskChange } from "./tasks.ts";

/** Returns the note after a change of the task with these words. */
async function changed(note: string, words: string, change: TaskChange, settings: object | null = {}) {
  const files = settings === null ? {} : { [PLUGIN]: JSON.stringify(settings) };
  const { list, update, read, undo } = placesWith({ "n.md": note, ...files });
  const [task] = await list({ text: words, status: "all" });
  const updated = await update(task!.id, change);
  const text = read("n.md");
  // A change can be undone, byte for byte.
  if (text !== note) await undo();
  expect(read("n.md")).toBe(note);
  return { ...updated, text };
}

it("an id of one of two equal tasks follows what is nested below it, if they are swapped", async () => {
  const { list, update, read, write } = placesWith({ "n.md": "- [ ] call\n  - Ann\n- [ ] call\n  - Bob\n" });
  const [ann] = await list();
  write("n.md", "- [ ] call\n  - Bob\n- [ ] call\n  - Ann\n");
  await update(ann!.id, { status: "done" });
  expect(read("n.md")).toBe("- [ ] call\n  - Bob\n- [x] call\n  - Ann\n");
});

it("a recurring task whose date is in the name of its note moves on with a date of its own", async () => {
  const settings = JSON.stringify({ useFilenameAsScheduledDate: true, setDoneDate: false });
  const { list, update, read } = placesWith({ "2026-11-03.md": "- [ ] a 🔁 every week\n", [PLUGIN]: settings });
  const [task] = await list();
  const { next } = await update(task!.id, { status: "done" });
  expect(next).toMatchObject({ scheduled: "2026-11-10" });
  expect(read("2026-11-03.md")).toBe("- [ ] a 🔁 every week ⏳ 2026-11-10\n- [x] a 🔁 every week\n");
});

it("a task keeps its dates when it is opened again, where the Tasks plugin is not installed", async () => {
  const { text } = await changed("- [x] a ✅ 2026-01-01\n", "a", { status: "todo" }, null);
  expect(text).toBe("- [ ] a ✅ 2026-01-01\n");
});

describe("a changed task in a note", () => {
  const done = { status: "done" };
  const cases: readonly (readonly [note: string, change: TaskChange, made: string])[] = [
    ["- [ ] a", done, "- [x] a ✅ 2026-11-17"],
    ["- [ ] a\r\n- [ ] b\r\n", done, "- [x] a ✅ 2026-11-17\r\n- [ ] b\r\n"],
    ["\uFEFF- [ ] a\n", done, "\uFEFF- [x] a ✅ 2026-11-17\n"],
    ["- x\n\t1) [ ]\ta  \nb", done, "- x\n\t1) [x]\ta ✅ 2026-11-17  \nb"],
    ["- [ ] a\u00a0\n", done, "- [x] a ✅ 2026-11-17\u00a0\n"],
    [
      "- [ ] a 🔁 every day 📅 2026-11-17\u00a0\n",
      done,
      "- [ ] a 🔁 every day 📅 2026-11-18\u00a0\n- [x] a 🔁 every day 📅 2026-11-17 ✅ 2026-11-17\u00a0\n",
    ],
    ["> > - [/] a ^id\n> text", done, "> > - [x] a ✅ 2026-11-17 ^id\n> text"],
    ["- [😀] a 📅 2026-01-01\n", { due: "" }, "- [😀] a\n"],
    ["- [ ] a\n", { status: "😀" }, "- [😀] a\n"],
    ["---\nk: v\n---\n- [ ] a\n  more\n", { text: "b" }, "---\nk: v\n---\n- [ ] b\n  more\n"],
    // The next one of a recurring task comes above, and what is nested stays with the old one.
    [
      "- [ ] a 🔁 every day 📅 2026-11-17\n  - [ ] sub\n",
      done,
      "- [ ] a 🔁 every day 📅 2026-11-18\n- [x] a 🔁 every day 📅 2026-11-17 ✅ 2026-11-17\n  - [ ] sub\n",
    ],
    [
      "> 1. [ ] a 🔁 every day 📅 2026-11-17 ^id",
      done,
      "> 1. [ ] a 🔁 every day 📅 2026-11-18\n> 1. [x] a 🔁 every day 📅 2026-11-17 ✅ 2026-11-17 ^id",
    ],
    ["x\r\n- [ ] a 🔁 every day\r\n", done, "x\r\n- [ ] a 🔁 every day\r\n- [x] a 🔁 every day ✅ 2026-11-17\r\n"],
    ["- x\n- [ ] a 🏁 delete\n- y", done, "- x\n- y"],
    ["- x\n- [ ] a 🏁 delete", done, "- x\n"],
    ["- [ ] a 🏁 delete 🔁 every day\n  - sub", done, "- [ ] a 🏁 delete 🔁 every day\n  - sub"],
  ];
  it.each(cases)("keeps every other byte: %j %j", async (note, change, made) => {
    expect((await changed(note, "a", change)).text).toBe(made);
  });

  const below: readonly (readonly [note: string, made: string])[] = [
    ["- [ ] a 🔁 every day", "- [x] a 🔁 every day\n- [ ] a 🔁 every day"],
    ["- [ ] a 🔁 every day\n\n- b\n", "- [x] a 🔁 every day\n- [ ] a 🔁 every day\n\n- b\n"],
    [
      "- [ ] a 🔁 every day\n\t- sub\n\n\t  text\n- b",
      "- [x] a 🔁 every day\n\t- sub\n\n\t  text\n- [ ] a 🔁 every day\n- b",
    ],
    ["- [ ] a 🔁 every day\ncontinued\n\nend", "- [x] a 🔁 every day\ncontinued\n- [ ] a 🔁 every day\n\nend"],
    ["- [ ] a 🔁 every day\n  - sub", "- [x] a 🔁 every day\n  - sub\n- [ ] a 🔁 every day"],
    [
      "> - [ ] a 🔁 every day\n>   - sub\n> - b\nend",
      "> - [x] a 🔁 every day\n>   - sub\n> - [ ] a 🔁 every day\n> - b\nend",
    ],
  ];
  it.each(below)("has its next one below, if that is set: %j", async (note, made) => {
    const settings = { recurrenceOnNextLine: true, setDoneDate: false };
    expect((await changed(note, "a", done, settings)).text).toBe(made);
  });

  it("gets no date in a vault without the plugin", async () => {
    expect((await changed("- [ ] a 📅 2026-01-01", "a", done, null)).text).toBe("- [x] a 📅 2026-01-01");
  });

  it("is returned as it is now, with its next one, and the words for a person", async () => {
    const { message, task, next } = await changed("- [ ] a 🔁 every day 📅 2026-11-17\n", "a", done);
    expect(message).toBe("The task is now done. The next one is of 2026-11-18.");
    expect(task).toMatchObject({ line: 2, status: "done", done: "2026-11-17" });
    expect(next).toMatchObject({ line: 1, status: "todo", due: "2026-11-18" });
    expect((await changed("- [ ] a 🏁 delete", "a", done)).message).toContain("was deleted");
    expect((await changed("- [x] a", "a", done)).message).toContain("Nothing to change");
  });

  it("may be done while it waits for another one, which is said", async () => {
    const { message } = await changed("- [ ] a ⛔ q1\n- [ ] b 🆔 q1", "a", done);
    expect(message).toContain("It waited for q1, which is not done.");
  });

  it("is refused if lines below it would lose it", async () => {
    const { list, update, read } = placesWith({ "n.md": "- [ ] a 🏁 delete\n    - [ ] sub" });
    await expect(update((await list({ text: "a" }))[0]!.id, done)).rejects.toThrow(/nested below it/);
    expect(read("n.md")).toBe("- [ ] a 🏁 delete\n    - [ ] sub");
  });
});

describe("the id of a task", () => {
  it("survives edits elsewhere, and changes of other tasks in a row", async () => {
    const { list, update, read, write } = placesWith({ "n.md": "- [ ] a\n- [ ] b\n- [ ] c\n" });
    const ids = (await list()).map(({ id }) => id);
    write("n.md", "# New\n\ntext\n- [ ] z\n- [ ] a\n- [ ] b\n- [ ] c\n");
    for (const id of ids) await update(id, { status: "done" });
    expect(read("n.md")).toBe("# New\n\ntext\n- [ ] z\n- [x] a\n- [x] b\n- [x] c\n");
  });

  it.each([
    ["was ticked", "- [x] a"],
    ["has other words", "- [ ] a!"],
    ["is gone", "text"],
    ["has an equal beside it", "# One\n- [ ] a\n# Two\n- [ ] a"],
    ["is code now", "```\n- [ ] a\n```"],
  ])("is refused once its task %s, with what to do", async (_, text) => {
    const { list, update, read, write } = placesWith({ "n.md": "- [ ] a" });
    const { id } = (await list())[0]!;
    write("n.md", text);
    await expect(update(id, { due: "today" })).rejects.toMatchObject({
      code: "conflict",
      hint: expect.stringContaining("list_tasks"),
    });
    expect(read("n.md")).toBe(text);
  });

  it("is refused if no task has it", async () => {
    await expect(placesWith({}).update("n.md:4", {})).rejects.toMatchObject({ code: "invalid" });
    await expect(placesWith({}).update("aaaaaabbbbb", {})).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("a changed task in an outline", () => {
  const opml = (rows: string) => `<opml version="2.0"><head/><body>${rows}</body></opml>`;
  const change = async (name: string, content: string | Uint8Array, words: string, wanted: TaskChange) => {
    const places = placesWith({}, { outline: { name, content } });
    const [task] = await places.list({ text: words, status: "all" });
    const updated = await places.update(task!.id, wanted);
    const file = join(places.home, name);
    const after = readFileSync(file);
    const [journal] = await places.places.outlines.journals("all");
    await journal!.undo({});
    expect(readFileSync(file)).toEqual(Buffer.from(content));
    return { ...updated, text: after.toString() };
  };

  it("keeps every other byte of OPML, and makes its next one", async () => {
    const before =
      '<outline text="P"><outline text="a 🔁 every week 📅 2026-11-17" _status="unchecked"/><!-- c --></outline>';
    const { text, next } = await change("o.opml", opml(before), "a", { status: "done" });
    expect(text).toBe(
      opml(
        '<outline text="P"><outline text="a 🔁 every week 📅 2026-11-24" _status="unchecked"/><outline text="a 🔁 every week 📅 2026-11-17" _status="checked"/><!-- c --></outline>',
      ),
    );
    expect(next).toMatchObject({ due: "2026-11-24", row: expect.any(String) });
  });

  it("leaves the rows below it as they are, if they have no boxes", async () => {
    const before = '<outline text="a" _status="unchecked"><outline text="plain"/></outline>';
    const { text } = await change("o.opml", opml(before), "a", { status: "done" });
    expect(text).toBe(opml(before.replace("unchecked", "checked")));
    expect((await change("o.md", "- [ ] a\n  - plain\n", "a", { status: "done" })).text).toBe("- [x] a\n  - plain\n");
  });

  it("works in Markdown outside the vault, and in OmniOutliner's files", async () => {
    const { text } = await change("o.md", "# H\n\n- [ ] a 📅 2026-11-17\n- b\n", "a", {
      due: "tomorrow",
      priority: "high",
    });
    expect(text).toBe("# H\n\n- [ ] a ⏫ 📅 2026-11-18\n- b\n");
    const zip = zipOf({ "contents.xml": V5 });
    const places = placesWith({}, { outline: { name: "o.ooutline", content: zip } });
    const [task] = await places.list({ status: "all" });
    const { task: after } = await places.update(task!.id, { text: "renamed" });
    expect(after).toMatchObject({ row: task!.row, text: "renamed" });
  });

  it("is deleted or refused as its field says, and knows no status but done", async () => {
    const rows = '<outline text="a 🏁 delete" _status="unchecked"/><outline text="b" _status="unchecked"/>';
    expect((await change("o.opml", opml(rows), "a", { status: "done" })).text).toBe(
      opml('<outline text="b" _status="unchecked"/>'),
    );
    await expect(change("o.opml", opml(rows), "b", { status: "in progress" })).rejects.toThrow(/has no status/);
  });

  it("is refused if its row has changed since", async () => {
    const content = opml('<outline text="a" _status="unchecked"/>');
    const places = placesWith({}, { outline: { name: "o.opml", content } });
    const [task] = await places.list();
    writeFileSync(join(places.home, "o.opml"), content.replace('text="a"', 'text="other"'));
    await expect(places.update(task!.id, { status: "done" })).rejects.toMatchObject({ code: "conflict" });
  });
});
