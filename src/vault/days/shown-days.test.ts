import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { append } from "../edits/note-changes.ts";
import { editNote } from "../edits/note-editor.ts";
import { readNote } from "../notes/note-reader.ts";
import { resolveDay } from "../notes/note-paths.ts";
import { dayNumber, ENGLISH_WEEK, type Period } from "./calendar.ts";
import { formatted } from "./moment-format.ts";
import { shownDays } from "./shown-days.ts";

/** Wednesday. */
const TODAY = dayNumber(2026, 11, 18);

function notes(folder: string, format: string, { count = 100, every = 1, last = TODAY - 1 } = {}): string[] {
  return Array.from({ length: count }, (_, i) => {
    const name = formatted({ day: last - i * every, milliseconds: 0, offset: 0 }, format, ENGLISH_WEEK);
    return `${folder}${folder === "" ? "" : "/"}${name}.md`;
  });
}

const OTHERS = ["Plan 2026.md", "Inbox.md", "Projects/2026 budget.md", "Projects/Atlas/2026-11-17 call.md"];

function shown(paths: readonly string[], period: Period = "daily") {
  return shownDays([...OTHERS, ...paths], period, TODAY);
}

describe("the notes of a vault show where days are", () => {
  it.each([
    ["Daily", "YYYY-MM-DD"],
    ["Journal/Days", "YYYY/YYYY-MM-DD"],
    ["Diary", "YYYY/MM/YYYY-MM-DD"],
    ["Diary", "YYYY/MM-MMMM/YYYY-MM-DD"],
    ["Diary", "YYYY-MM/YYYY-MM-DD"],
    ["Diary", "YYYY/MM/DD"],
    ["Diary", "YYYY/MMMM/D MMMM YYYY"],
    ["Daily", "YYYY-MM-DD dddd"],
    ["journals", "YYYY_MM_DD"],
    ["Tage", "DD.MM.YYYY"],
    ["Days", "DD-MM-YYYY"],
    ["Days", "MM-DD-YYYY"],
    ["Days", "YYYYMMDD"],
    ["Roam", "MMMM Do, YYYY"],
    ["Log", "D.M.YYYY"],
  ])("in %s as %s", (folder, format) => {
    expect(shown(notes(folder, format))).toEqual({ folder, format });
  });

  it("in the vault itself, with folders of years or without", () => {
    expect(shown(notes("", "YYYY-MM-DD"))).toEqual({ folder: undefined, format: "YYYY-MM-DD" });
    expect(shown(notes("", "YYYY/YYYY-MM-DD"))).toEqual({ folder: undefined, format: "YYYY/YYYY-MM-DD" });
  });

  it("for weeks, months, quarters and years, each by its own notes", () => {
    const month = { every: 31, count: 12 };
    const paths = [
      ...notes("Daily", "YYYY-MM-DD"),
      ...notes("Weeks", "gggg-[W]ww", { every: 7, count: 9 }),
      ...notes("Months", "YYYY/YYYY-MM", month),
      ...notes("Reviews", "YYYY-[Q]Q", { every: 92, count: 4 }),
    ];
    expect(shown(paths, "weekly")).toEqual({ folder: "Weeks", format: "gggg-[W]ww" });
    expect(shown(paths, "monthly")).toEqual({ folder: "Months", format: "YYYY/YYYY-MM" });
    expect(shown(paths, "quarterly")).toEqual({ folder: "Reviews", format: "YYYY-[Q]Q" });
    expect(shown(paths, "yearly")).toBeUndefined();
  });

  it("by what was done last, in a vault that was arranged otherwise for years", () => {
    const archived = notes("Daily", "YYYY/YYYY-MM-DD", { count: 300, last: dayNumber(2025, 12, 31) });
    const now = notes("Daily", "YYYY-MM-DD", { count: 40 });
    expect(shown([...archived, ...now])).toEqual({ folder: "Daily", format: "YYYY-MM-DD" });
  });

  it("whatever else is named after days, less often or of a time to come", () => {
    const days = notes("Daily", "YYYY-MM-DD");
    const meetings = notes("Meetings", "YYYY-MM-DD", { count: 50, every: 7, last: TODAY });
    const planned = notes("Events", "YYYY-MM-DD", { count: 50, every: 2, last: TODAY + 200 });
    expect(shown([...meetings, ...planned, ...days])).toEqual({ folder: "Daily", format: "YYYY-MM-DD" });
  });

  it("only if there are enough, and in one place more than in any other", () => {
    const few = notes("Daily", "YYYY-MM-DD", { count: 2 });
    expect(shown(few)).toBeUndefined();
    expect(shown([...notes("A", "YYYY-MM-DD"), ...notes("B", "YYYY-MM-DD")])).toBeUndefined();
    expect(shown(notes("Daily", "YYYY-MM-DD").map((path) => path.replace(".md", ".pdf")))).toBeUndefined();
  });
});

describe("an address of a day, without settings,", () => {
  const clock = { now: () => Date.UTC(2026, 10, 18, 9), timeZone: "UTC" };
  const days = Object.fromEntries(notes("Daily", "YYYY/YYYY-MM-DD").map((path) => [path, "a day\n"]));
  const author = { tool: "test" };

  it("stands for the notes that are there, and begins one beside them", async () => {
    const { vault, read } = vaultWith(days, clock);
    expect((await readNote(vault, "daily:yesterday")).note.text).toBe("a day\n");
    const edit = { filePath: "daily:today", change: append("one\n") };
    expect(await editNote(vault, author, edit)).toMatchObject({ path: "Daily/2026/2026-11-18.md", created: true });
    const again = await editNote(vault, author, edit);
    expect(again.created).toBeUndefined();
    expect(read("Daily/2026/2026-11-18.md")).toBe("one\none\n");
    const { entries } = await vault.journal.history({ limit: 2 });
    expect(entries.map(({ message }) => message)).toEqual([
      "Appended to Daily/2026/2026-11-18.md",
      "Created Daily/2026/2026-11-18.md",
    ]);
  });

  it("follows the settings as soon as there are any", async () => {
    const { vault, write } = vaultWith(days, clock);
    write(".obsidian/daily-notes.json", '{"template": "T"}');
    expect(await resolveDay(vault, "daily:today")).toBe("2026-11-18.md");
  });
});
