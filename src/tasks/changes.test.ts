import { describe, expect, it } from "vitest";
import { changedTask, type TaskChange } from "./changes.ts";
import { parseTaskLine } from "./lines/task-line.ts";
import { dayOf } from "./recurrence/dates.ts";
import { settingsIn } from "./settings/task-settings.ts";

const TODAY = "2026-11-17";

/** The lines that a change makes, the next task first; the settings are those of the plugin. */
function made(line: string, change: TaskChange, settings: Record<string, unknown> = {}, today = TODAY): string[] {
  const read = settingsIn(settings);
  const [, symbol, body] = /^\[(.)\] (.*)$/u.exec(line)!;
  const before = { status: read.statuses.of(symbol!), line: parseTaskLine(body!) };
  const { task, next } = changedTask(before, change, read, dayOf(today)!);
  return [next, task].flatMap((state) => (state === undefined ? [] : [`[${state.status.symbol}] ${state.line.body}`]));
}

describe("a task whose status changes", () => {
  const cases: readonly (readonly [line: string, status: string, ...made: string[]])[] = [
    ["[ ] a", "done", "[x] a ✅ 2026-11-17"],
    ["[ ] a", "x", "[x] a ✅ 2026-11-17"],
    ["[ ] a", "Done", "[x] a ✅ 2026-11-17"],
    ["[x] a ✅ 2026-01-01", "done", "[x] a ✅ 2026-01-01"],
    ["[x] a ✅ 2026-01-01", "todo", "[ ] a"],
    ["[x] a ✅ 2026-01-01", "open", "[ ] a"],
    ["[x] a ✅ 2026-01-01", " ", "[ ] a"],
    ["[ ] a", "in progress", "[/] a"],
    ["[ ] a", "IN_PROGRESS", "[/] a"],
    ["[ ] a", "cancelled", "[-] a ❌ 2026-11-17"],
    ["[x] a ✅ 2026-01-01", "cancelled", "[-] a ❌ 2026-11-17"],
    ["[-] a ❌ 2026-01-01", "done", "[x] a ✅ 2026-11-17"],
    ["[ ] a", "?", "[?] a"],
    ["[X] a ✅ 2026-01-01", "done", "[x] a ✅ 2026-01-01"],
    ["[ ] a  [due:: 2026-01-01]", "done", "[x] a  [due:: 2026-01-01]  [completion:: 2026-11-17]"],
    ["[ ] a 📅 2026-01-01 ^id", "done", "[x] a 📅 2026-01-01 ✅ 2026-11-17 ^id"],
  ];
  it.each(cases)("%s → %s", (line, status, ...expected) => {
    expect(made(line, { status })).toEqual(expected);
  });

  it("gets dates as the settings say", () => {
    expect(made("[ ] a", { status: "done" }, { setDoneDate: false })).toEqual(["[x] a"]);
    expect(made("[ ] a", { status: "cancelled" }, { setCancelledDate: false })).toEqual(["[-] a"]);
    expect(made("[ ] a", { status: "done" }, { taskFormat: "dataview" })).toEqual(["[x] a  [completion:: 2026-11-17]"]);
  });

  it("takes the names and characters of the settings", () => {
    const status = (symbol: string, name: string, nextStatusSymbol: string, type: string) => ({
      symbol,
      name,
      nextStatusSymbol,
      type,
    });
    const statusSettings = {
      coreStatuses: [status(" ", "Todo", "!", "TODO"), status("x", "Done", "-", "DONE")],
      customStatuses: [
        status("!", "Important", "D", "TODO"),
        status("D", "Doing it", "X", "IN_PROGRESS"),
        status("X", "Finished", "!", "DONE"),
        status("-", "Cancelled", " ", "CANCELLED"),
      ],
    };
    const of = (line: string, to: string) => made(line, { status: to }, { statusSettings, setDoneDate: false });
    expect(of("[ ] a", "doing IT")).toEqual(["[D] a"]);
    expect(of("[ ] a", "Important")).toEqual(["[!] a"]);
    expect(of("[ ] a", "done")).toEqual(["[x] a"]);
    // The status after done is the first to do in the chain.
    expect(of("[D] a 🔁 every day", "Finished")).toEqual(["[!] a 🔁 every day", "[X] a 🔁 every day"]);
    expect(of("[D] a 🔁 every day", "x")).toEqual(["[ ] a 🔁 every day", "[x] a 🔁 every day"]);
    expect(() => of("[ ] a", "Nowhere")).toThrow(/There is no status "Nowhere" here/);
  });
});

describe("a recurring task that is done", () => {
  it("after the last year of four digits is refused", () => {
    expect(() => made("[ ] a 🔁 every day 📅 9999-12-31", { status: "done" })).toThrow(
      'The rule "every day" has no next date.',
    );
    expect(() => made("[ ] a 🔁 every day 🛫 9999-12-30 📅 9999-12-31", { status: "done" })).toThrow("no next date");
    expect(made("[ ] a 🔁 every day 📅 9999-12-30", { status: "done" })[0]).toBe("[ ] a 🔁 every day 📅 9999-12-31");
  });

  const cases: readonly (readonly [line: string, settings: Record<string, unknown>, ...made: string[]])[] = [
    [
      "[ ] take out the trash 🔁 every Sunday 📅 2021-04-25",
      {},
      "[ ] take out the trash 🔁 every Sunday 📅 2021-05-02",
      "[x] take out the trash 🔁 every Sunday 📅 2021-04-25 ✅ 2026-11-17",
    ],
    [
      "[ ] take out the trash 🔁 every Sunday ➕ 2020-01-01 📅 2021-04-25",
      { setCreatedDate: true },
      "[ ] take out the trash 🔁 every Sunday ➕ 2026-11-17 📅 2021-05-02",
      "[x] take out the trash 🔁 every Sunday ➕ 2020-01-01 📅 2021-04-25 ✅ 2026-11-17",
    ],
    [
      "[ ] sweep 🔁 every week when done ⏳ 2021-02-06",
      {},
      "[ ] sweep 🔁 every week when done ⏳ 2026-11-24",
      "[x] sweep 🔁 every week when done ⏳ 2021-02-06 ✅ 2026-11-17",
    ],
    [
      "[ ] Mow 🔁 every 2 weeks ⏳ 2021-10-28 📅 2021-10-30",
      { setDoneDate: false },
      "[ ] Mow 🔁 every 2 weeks ⏳ 2021-11-11 📅 2021-11-13",
      "[x] Mow 🔁 every 2 weeks ⏳ 2021-10-28 📅 2021-10-30",
    ],
    [
      "[ ] a 🔁 every month 🛫 2022-01-01 ⏳ 2022-01-04 📅 2022-01-10",
      { setDoneDate: false, removeScheduledDateOnRecurrence: true },
      "[ ] a 🔁 every month 🛫 2022-02-01 📅 2022-02-10",
      "[x] a 🔁 every month 🛫 2022-01-01 ⏳ 2022-01-04 📅 2022-01-10",
    ],
    [
      "[ ] a 🔁 every month ⏳ 2022-01-04",
      { setDoneDate: false, removeScheduledDateOnRecurrence: true },
      "[ ] a 🔁 every month ⏳ 2022-02-04",
      "[x] a 🔁 every month ⏳ 2022-01-04",
    ],
    // Ids, dependencies and block ids belong to the one that was done; so do dates of being done.
    [
      "[-] a 🆔 q1 ⛔ z ⏫ 🔁 every day 📅 2026-11-17 ❌ 2026-01-01 ^block",
      { setDoneDate: false },
      "[ ] a ⏫ 🔁 every day 📅 2026-11-18",
      "[x] a 🆔 q1 ⛔ z ⏫ 🔁 every day 📅 2026-11-17 ^block",
    ],
    ["[ ] Do stuff 🔁 every day", {}, "[ ] Do stuff 🔁 every day", "[x] Do stuff 🔁 every day ✅ 2026-11-17"],
    [
      "[ ] a [repeat:: every day] [due:: 2026-11-17]",
      {},
      "[ ] a [repeat:: every day] [due:: 2026-11-18]",
      "[x] a [repeat:: every day] [due:: 2026-11-17]  [completion:: 2026-11-17]",
    ],
    ["[ ] gone 🏁 delete", {}],
    ["[ ] kept 🏁 keep", { setDoneDate: false }, "[x] kept 🏁 keep"],
    [
      "[ ] a 📅 2021-05-20 🔁 every day when done 🏁 delete",
      {},
      "[ ] a 📅 2026-11-18 🔁 every day when done 🏁 delete",
    ],
  ];
  it.each(cases.map(([line, settings, ...expected]) => ({ line, settings, expected })))(
    "makes its next one: $line $settings",
    ({ line, settings, expected }) => {
      expect(made(line, { status: "done" }, settings)).toEqual(expected);
    },
  );

  it("makes none if it is cancelled, was done already, or is only changed", () => {
    const line = "[ ] a 🔁 every day 📅 2026-11-17";
    expect(made(line, { status: "cancelled" }, { setCancelledDate: false })).toEqual([line.replace("[ ]", "[-]")]);
    expect(made(line.replace("[ ]", "[X]"), { status: "x" }, { setDoneDate: false })).toHaveLength(1);
    expect(made(line, { due: "tomorrow" })).toEqual(["[ ] a 🔁 every day 📅 2026-11-18"]);
  });

  it("counts from the day on which it was done, if that is sent", () => {
    expect(made("[ ] a 🔁 every week when done 📅 2026-01-01", { status: "done", done: "2026-11-10" })).toEqual([
      "[ ] a 🔁 every week when done 📅 2026-11-17",
      "[x] a 🔁 every week when done 📅 2026-01-01 ✅ 2026-11-10",
    ]);
  });

  it.each([
    ["[ ] a 🔁 every two weeks 📅 2026-11-17", /rule "every two weeks" cannot be read/],
    ["[ ] a 🔁 every 12 months on the 31st 📅 2026-02-10", /has no next date/],
    ["[ ] a 🔁 every year 📅 2024-02-30", /due date 2024-02-30 does not exist/],
    ["[ ] a 🔁 every year 📅 2024-02-28 ⏳ 2024-02-31", /scheduled date 2024-02-31 does not exist/],
  ])("is refused rather than guessed: %s", (line, message) => {
    expect(() => made(line, { status: "done" })).toThrow(message);
  });

  it("is finished for good without its rule", () => {
    expect(made("[ ] a 🔁 every two weeks", { status: "done", recurrence: "" })).toEqual(["[x] a ✅ 2026-11-17"]);
  });
});

describe("other changes of a task", () => {
  const cases: readonly (readonly [line: string, change: TaskChange, made: string])[] = [
    ["[ ] a", { due: "tomorrow" }, "[ ] a 📅 2026-11-18"],
    ["[ ] a 📅 2026-11-18", { due: "" }, "[ ] a"],
    ["[ ] a", { priority: "high", scheduled: "friday" }, "[ ] a ⏫ ⏳ 2026-11-20"],
    ["[ ] a ⏫", { priority: "none" }, "[ ] a"],
    ["[ ] a ⏫", { priority: "normal" }, "[ ] a"],
    ["[ ] a 📅 2026-11-18 #x ^id", { text: "b" }, "[ ] b 📅 2026-11-18 ^id"],
    ["[ ] a", { recurrence: "every day", start: "today" }, "[ ] a 🔁 every day 🛫 2026-11-17"],
    ["[ ] a", {}, "[ ] a"],
  ];
  it.each(cases)("%s %j", (line, change, expected) => {
    expect(made(line, change)).toEqual([expected]);
  });

  it("keep the global filter in its words", () => {
    expect(made("[ ] #task a", { text: "b" }, { globalFilter: "#task" })).toEqual(["[ ] #task b"]);
    expect(made("[ ] #task a", { text: "b #task" }, { globalFilter: "#task" })).toEqual(["[ ] b #task"]);
  });

  it.each([
    [{ due: "soon" }, /due must be a date/],
    [{ due: "2026-02-30" }, /due must be a date/],
    [{ priority: "urgent" }, /priority must be one of/],
    [{ text: "" }, /must be one line/],
    [{ text: "a\nb" }, /must be one line/],
    [{ text: "a 📅 2026-01-01" }, /words of the task alone/],
    [{ text: "a ^id" }, /words of the task alone/],
    [{ recurrence: "sometimes" }, /cannot be read/],
  ])("are refused with what to send: %j", (change, message) => {
    expect(() => made("[ ] a", change)).toThrow(message);
  });
});
