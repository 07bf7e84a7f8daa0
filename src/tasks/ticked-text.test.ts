import { describe, expect, it } from "vitest";
import { placesWith, PLUGIN } from "../../test/fixtures/task-places.ts";
import { editNote, replace, replaceByLine, replaceEverywhere } from "../vault/vault.ts";
import { tickingTasks } from "./tasks.ts";

const FERNS = "- [ ] Water the ferns 🔁 every week 📅 2026-11-18";

async function edited(note: string, change: Parameters<typeof tickingTasks>[1], settings?: object) {
  const files = settings === undefined ? {} : { [PLUGIN]: JSON.stringify(settings) };
  const { vault, read, undo } = placesWith({ "n.md": note, ...files });
  const { facts } = await editNote(
    vault,
    { tool: "test" },
    { filePath: "n.md", change: await tickingTasks(vault, change) },
  );
  const text = read("n.md");
  await undo();
  expect(read("n.md")).toBe(note);
  return { text, nextTasks: (facts as { nextTasks?: string[] }).nextTasks };
}

describe("an edit of a text that ticks a recurring task", () => {
  const next = "- [ ] Water the ferns 🔁 every week 📅 2026-11-25";
  const done = FERNS.replace("[ ]", "[x]");

  it("makes the next one above it, and says so", async () => {
    expect(await edited(`a\n${FERNS}\nb\n`, replace("- [ ] Water the ferns", "- [x] Water the ferns"))).toEqual({
      text: `a\n${next}\n${done}\nb\n`,
      nextTasks: [next],
    });
  });

  it("does so by line, everywhere, and for what is nested and has Windows' line endings", async () => {
    expect((await edited(`${FERNS}\n`, replaceByLine(1, 1, done))).text).toBe(`${next}\n${done}\n`);
    expect(
      (await edited(`${FERNS}\r\n  - [ ] b\r\n- [ ] c 🔁 every day 📅 2026-11-17`, replaceEverywhere("[ ]", "[x]")))
        .text,
    ).toBe(
      `${next}\r\n${done}\r\n  - [x] b\r\n- [ ] c 🔁 every day 📅 2026-11-18\r\n- [x] c 🔁 every day 📅 2026-11-17`,
    );
  });

  it("dates it as the Tasks plugin does, and keeps a date that the edit gave it", async () => {
    expect((await edited(FERNS, replace("[ ]", "[x]"), {})).text).toBe(`${next}\n${done} ✅ 2026-11-17`);
    const dated = `${done} ✅ 2026-11-16`;
    expect((await edited(FERNS, replace(FERNS, dated), {})).text).toBe(`${next}\n${dated}`);
  });

  it.each([
    ["adds the next one itself", FERNS, replace(FERNS, `${next}\n${done}`), `${next}\n${done}`],
    ["opens it again", done, replace("[x]", "[ ]"), FERNS],
    ["ticks another task", "- [ ] a\n", replace("[ ]", "[x]"), "- [x] a\n"],
    ["changes other words", FERNS, replace("ferns", "roses"), FERNS.replace("ferns", "roses")],
    [
      "ticks one whose rule nobody can read",
      "- [ ] a 🔁 now and then",
      replace("[ ]", "[x]"),
      "- [x] a 🔁 now and then",
    ],
  ])("makes none if it %s", async (_, note, change, text) => {
    expect(await edited(note, change)).toEqual({ text, nextTasks: undefined });
  });
});
