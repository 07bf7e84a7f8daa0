import { describe, expect, it } from "vitest";
import { placesWith, PLUGIN } from "../../test/fixtures/task-places.ts";
import { listTasks } from "./tasks.ts";

const OPML = (rows: string) => `<opml version="2.0"><head/><body>${rows}</body></opml>`;

describe("the list of tasks", () => {
  it("has the open ones of all notes, those that are due first, then by priority and place", async () => {
    const { texts } = placesWith({
      "b.md": "- [ ] later\n- [ ] first 📅 2026-01-01\n- [x] done\n- [-] cancelled",
      "a/c.md": "- [ ] second [due:: 2026-02-02]\n- [ ] low 🔽\n- [/] high ⏫\n- [ ] no such day 📅 2026-02-30",
    });
    expect(await texts()).toEqual(["first", "second", "high", "no such day", "later", "low"]);
  });

  it("may be of one priority", async () => {
    const { texts } = placesWith({ "n.md": "- [ ] a ⏫\n- [ ] b 🔽\n- [ ] c\n- [ ] d [priority:: high]" });
    expect(await texts({ priority: "High" })).toEqual(["a", "d"]);
    expect(await texts({ priority: "none" })).toEqual(["c"]);
    await expect(texts({ priority: "urgent" })).rejects.toThrow("priority must be one of highest, high");
  });

  it("has what is needed to show and to change a task", async () => {
    const { list } = placesWith({
      "n.md":
        "# One\n\n## Two\n- [/] Pay #home 🆔 q1 ⛔ q2,q3 ⏫ 🔁 every day 🏁 keep ➕ 2026-01-01 🛫 2026-01-02 ⏳ 2026-01-03 📅 2026-02-30 ^b\n- [ ] x 🆔 q3",
    });
    const [task] = await list({ text: "pay" });
    expect(task).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{11}$/),
      path: "n.md",
      line: 4,
      status: "in progress",
      mark: "/",
      text: "Pay #home",
      heading: "Two",
      taskId: "q1",
      dependsOn: "q2,q3",
      priority: "high",
      recurrence: "every day",
      onCompletion: "keep",
      created: "2026-01-01",
      start: "2026-01-02",
      scheduled: "2026-01-03",
      due: "2026-02-30",
      blocked: true,
      invalid: ["due"],
    });
  });

  const NOTES = {
    "home/n.md":
      "- [ ] a #home/flat 📅 2026-11-16\n# Work\n- [ ] b #work 📅 2026-11-17\n- [x] c ✅ 2026-11-01\n- [X] d\n- [-] e\n- [?] f Ünïcode",
    "home/other.md": "# Work\n## Deep\n- [ ] g 📅 2026-12-24 #work",
    "plain.md": "nothing here",
  };
  const cases: readonly (readonly [question: object, ...texts: string[]])[] = [
    [{}, "a #home/flat", "b #work", "g #work", "f Ünïcode"],
    [{ status: "done" }, "c", "d"],
    [{ status: "all" }, "a #home/flat", "b #work", "g #work", "c", "d", "e", "f Ünïcode"],
    [{ status: "cancelled" }, "e"],
    [{ status: "?" }, "f Ünïcode"],
    [{ status: "x" }, "c"],
    [{ overdue: true }, "a #home/flat"],
    [{ overdue: true, status: "done" }],
    [{ dueBy: "yesterday" }, "a #home/flat"],
    [{ dueBy: "tomorrow" }, "a #home/flat", "b #work"],
    [{ dueBy: "2026-12-23" }, "a #home/flat", "b #work"],
    [{ dueBy: "2026-12-24", overdue: false }, "a #home/flat", "b #work", "g #work"],
    [{ dueBy: "today" }, "a #home/flat", "b #work"],
    [{ dueBy: "2026-12-24" }, "a #home/flat", "b #work", "g #work"],
    [{ dueBy: "2026-12-24", overdue: true }, "a #home/flat"],
    [{ path: "home/other.md" }, "g #work"],
    [{ path: "home/other" }, "g #work"],
    [{ path: "Home/OTHER.md" }, "g #work"],
    [{ path: "other" }, "g #work"],
    [{ path: "[[Other]]" }, "g #work"],
    [{ path: "HOME" }, "a #home/flat", "b #work", "g #work", "f Ünïcode"],
    [{ path: "/home/" }, "a #home/flat", "b #work", "g #work", "f Ünïcode"],
    [{ path: "/" }, "a #home/flat", "b #work", "g #work", "f Ünïcode"],
    [{ path: "plain.md" }],
    [{ tag: "#home" }, "a #home/flat"],
    [{ tag: "WORK" }, "b #work", "g #work"],
    [{ tag: "flat" }],
    [{ heading: "work" }, "b #work", "f Ünïcode"],
    [{ heading: "## Deep" }, "g #work"],
    [{ text: "unicode F" }, "f Ünïcode"],
    [{ kind: "outline" }],
    [{ kind: "note", tag: "work", heading: "deep" }, "g #work"],
  ];
  it.each(cases.map(([question, ...texts]) => ({ question, texts })))(
    "is filtered: $question",
    async ({ question, texts }) => {
      expect(await placesWith(NOTES).texts(question)).toEqual(texts);
    },
  );

  it("names the note that a day without one stands for", async () => {
    const settings = { ".obsidian/daily-notes.json": '{"folder": "Daily"}' };
    await expect(placesWith({ ...NOTES, ...settings }).list({ path: "daily:2026-01-05" })).rejects.toMatchObject({
      message: "File not found: daily:2026-01-05",
      hint: expect.stringMatching(/^It stands for Daily\/2026-01-05\.md, which does not exist yet/),
    });
  });

  it.each([
    [{ dueBy: "soon" }, /dueBy must be a date/],
    [{ path: "nowhere" }, /File not found: nowhere/],
    [{ status: "Nonsense" }, /There is no status "Nonsense" here/],
  ])("says what is wrong: %j", async (question, message) => {
    await expect(placesWith(NOTES).list(question)).rejects.toThrow(message);
  });

  it.each([
    [
      "path",
      [
        ["home/n.md", 3],
        ["home/other.md", 1],
      ],
    ],
    [
      "heading",
      [
        ["home/n.md", 1],
        ["home/n.md › Work", 2],
        ["home/other.md › Deep", 1],
      ],
    ],
    [
      "due",
      [
        ["2026-11-16", 1],
        ["2026-11-17", 1],
        ["2026-12-24", 1],
        ["no due date", 1],
      ],
    ],
    [
      "tag",
      [
        ["#home/flat", 1],
        ["#work", 2],
        ["no tag", 1],
      ],
    ],
    ["status", [["todo", 4]]],
    ["priority", [["normal", 4]]],
  ] as const)("is grouped by %s", async (group, expected) => {
    const { places, list } = placesWith(NOTES);
    const { groups } = await listTasks([places], { group });
    expect(groups(0, 100)!.map(({ value, count }) => [value, count])).toEqual(expected);
    const inOrder = (await list({ group })).map((task) => task.group);
    // A page names the groups that it shows, with all their tasks.
    const counts = new Map<string, number>(expected);
    for (const [i, task] of (await list({ group })).entries())
      expect(groups(i, 1)).toEqual([{ value: task.group, count: counts.get(task.group!) }]);
    expect(inOrder).toEqual(expected.flatMap(([value, count]) => Array.from({ length: count }, () => value)));
  });

  it("takes the address of a day, and the day of the person's own clock", async () => {
    const files = { "2026-11-18.md": "- [ ] a\n- [ ] b 📅 2026-11-17" };
    // In Auckland it is the 18th already.
    const { texts } = placesWith(files, { clock: { timeZone: "Pacific/Auckland" } });
    expect(await texts({ path: "daily:today" })).toEqual(["b", "a"]);
    expect(await texts({ overdue: true })).toEqual(["b"]);
    expect(await placesWith(files).texts({ overdue: true })).toEqual([]);
  });

  it("sees what was changed since, by this process or another program", async () => {
    const { texts, write, vault } = placesWith({ "n.md": "- [ ] a" });
    expect(await texts()).toEqual(["a"]);
    write("n.md", "- [x] a\n- [ ] b");
    await vault.index.refresh();
    expect(await texts()).toEqual(["b"]);
  });
});

describe("the settings of the Tasks plugin", () => {
  const NOTE = { "daily/2026-11-16.md": "- [ ] a #task\n- [ ] b\n- [!] c #task\n- [D] d #task\n- [Q] e #task" };
  const withSettings = (settings: object) => placesWith({ ...NOTE, [PLUGIN]: JSON.stringify(settings) });

  it("say which check boxes are tasks", async () => {
    expect(await withSettings({ globalFilter: "#task" }).texts()).toEqual(["a #task", "c #task", "d #task", "e #task"]);
    const hidden = withSettings({ globalFilter: "#task", removeGlobalFilter: true });
    expect(await hidden.texts()).toEqual(["a", "c", "d", "e"]);
  });

  it("say what the characters mean", async () => {
    const customStatuses = [
      { symbol: "!", name: "Important", nextStatusSymbol: "x", type: "TODO" },
      { symbol: "D", name: "Fertig", nextStatusSymbol: " ", type: "DONE" },
      { symbol: "Q", name: "Question", nextStatusSymbol: "A", type: "NON_TASK" },
    ];
    const { texts, list } = withSettings({ statusSettings: { coreStatuses: [], customStatuses } });
    expect(await texts()).toEqual(["a #task", "b", "c #task"]);
    expect(await texts({ status: "done" })).toEqual(["d #task"]);
    expect(await texts({ status: "fertig" })).toEqual(["d #task"]);
    expect(await texts({ status: "Question" })).toEqual(["e #task"]);
    expect((await list({ status: "important" }))[0]).toMatchObject({ mark: "!", status: "todo" });
  });

  it("may take the date in a note's name for that of its tasks without one", async () => {
    const dated = withSettings({ useFilenameAsScheduledDate: true, filenameAsDateFolders: ["daily"] });
    expect((await dated.list())[0]).toMatchObject({ scheduled: "2026-11-16" });
    const elsewhere = withSettings({ useFilenameAsScheduledDate: true, filenameAsDateFolders: ["other"] });
    expect((await elsewhere.list())[0]).not.toHaveProperty("scheduled");
    const decomposed = placesWith({
      [PLUGIN]: JSON.stringify({ useFilenameAsScheduledDate: true, filenameAsDateFolders: ["März"] }),
      [`${"März".normalize("NFD")}/2026-03-01.md`]: "- [ ] a",
    });
    expect((await decomposed.list())[0]).toMatchObject({ scheduled: "2026-03-01" });
  });

  it("may have a format of their own for the dates in names", async () => {
    const settings = { useFilenameAsScheduledDate: true, filenameAsScheduledDateFormat: "dddd, D.M.YYYY" };
    const { list } = placesWith({
      [PLUGIN]: JSON.stringify(settings),
      "Tuesday, 3.2.2026.md": "- [ ] a",
      "Monday, 3.2.2026.md": "- [ ] b",
      "Log of 2026-02-04.md": "- [ ] c",
      "Work/20260205.md": "- [ ] d\n- [ ] e 📅 2026-03-01",
    });
    const dates = (await list()).map(({ text, scheduled }) => [text, scheduled]);
    expect(Object.fromEntries(dates)).toEqual({
      a: "2026-02-03",
      b: undefined,
      c: "2026-02-04",
      d: "2026-02-05",
      e: undefined,
    });
  });

  it.each(["", "{", "[]", "null", '{"statusSettings": {"coreStatuses": 5}}', '{"globalFilter": 7}'])(
    "are the defaults if they cannot be read: %s",
    async (text) => {
      expect(await placesWith({ ...NOTE, [PLUGIN]: text }).texts()).toHaveLength(5);
    },
  );
});

describe("outlines in the list of tasks", () => {
  it("give their rows with boxes of their own, of every kind of file, each once", async () => {
    const rows =
      '<outline text="P" _status="unchecked"><outline text="one 📅 2026-01-01" _status="unchecked"/><outline text="two" _status="checked"/></outline><outline text="own" _status="unchecked"><outline text="plain"/></outline><outline text="none"/>';
    const { list, texts, home } = placesWith(
      { "in.opml": OPML('<outline text="in the vault" _complete="false"/>'), "n.md": "- [ ] note" },
      {
        outline: { name: "o.opml", content: OPML(rows) },
        folders: { "f.opml": OPML('<outline text="folder" _status="unchecked"/>') },
      },
    );
    expect(await texts({ status: "all" })).toEqual(["one", "note", "in the vault", "folder", "P", "two", "own"]);
    const [one] = await list({ text: "one" });
    expect(one).toMatchObject({ path: `${home}/o.opml`, heading: "P", due: "2026-01-01", status: "todo" });
    expect(one).toHaveProperty("row");
    expect(await texts({ kind: "outline", path: "in.opml" })).toEqual(["in the vault"]);
    expect(await texts({ kind: "note" })).toEqual(["note"]);
  });

  it("are listed once if the outline is a note of the vault, and with their rows if it is Markdown elsewhere", async () => {
    const { texts, places } = placesWith({ "n.md": "- [ ] a\n  - [ ] b" });
    await places.outlines.open("n.md");
    expect(await texts()).toEqual(["a", "b"]);
    const elsewhere = placesWith({}, { outline: { name: "o.md", content: "# H\n- [ ] c\n- [x] d\n" } });
    expect(await elsewhere.texts({ status: "all" })).toEqual(["c", "d"]);
  });

  it("do not hide other tasks if one of them is damaged", async () => {
    const { places, texts } = placesWith({ "bad.opml": "<opml><body><outline", "n.md": "- [ ] a" });
    expect(await texts()).toEqual(["a"]);
    expect((await listTasks([places], {})).unread).toEqual([expect.stringContaining("bad.opml")]);
  });
});
