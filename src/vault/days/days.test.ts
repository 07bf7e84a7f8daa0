import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../kernel/kernel.ts";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { dayAt } from "../notes/note-paths.ts";
import { openVault } from "../vault.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { daySpan } from "./days.ts";
import { onDay, timeZone } from "./local-time.ts";

/** Monday, 16 November 2026, 23:30 UTC. */
const NOW = Date.UTC(2026, 10, 16, 23, 30);
const clock = { now: () => NOW, timeZone: "UTC" };

const DAILY = ".obsidian/daily-notes.json";
const PERIODIC = ".obsidian/plugins/periodic-notes/data.json";
const CALENDAR = ".obsidian/plugins/calendar/data.json";
const PLUGINS = ".obsidian/community-plugins.json";

type Files = Readonly<Record<string, unknown>>;

/** The path that an address stands for, in a vault with these settings. */
async function pathOf(sent: string, settings: Files = {}, at = clock): Promise<string | undefined> {
  const files = Object.fromEntries(Object.entries(settings).map(([path, value]) => [path, JSON.stringify(value)]));
  return (await dayAt(vaultWith(files, at).vault, sent))?.path;
}

describe("without settings, an address stands for", () => {
  it.each([
    ["daily:today", "2026-11-16.md"],
    ["daily:2026-11-15", "2026-11-15.md"],
    ["weekly:", "2026-W47.md"],
    ["weekly:2026-W46", "2026-W46.md"],
    ["weekly:2021-01-01", "2021-W01.md"],
    ["weekly:2020-12-31", "2021-W01.md"],
    ["monthly:2026-11", "2026-11.md"],
    ["quarterly:2026-Q4", "2026-Q4.md"],
    ["yearly:2026", "2026.md"],
  ])("%s: %s", async (sent, path) => {
    expect(await pathOf(sent)).toBe(path);
  });

  it("nothing if it is a path", async () => {
    expect(await pathOf("Daily/2026-11-16.md")).toBeUndefined();
  });
});

describe("the settings of", () => {
  it.each<[string, Files, string, string]>([
    ["Daily notes give the folder", { [DAILY]: { folder: "Daily" } }, "daily:today", "Daily/2026-11-16.md"],
    [
      "Daily notes give a folder with slashes",
      { [DAILY]: { folder: "/Log//Days/ " } },
      "daily:today",
      "Log/Days/2026-11-16.md",
    ],
    ["Daily notes give the vault itself", { [DAILY]: { folder: "/" } }, "daily:today", "2026-11-16.md"],
    [
      "Daily notes give the format",
      { [DAILY]: { format: "YYYY/MMMM/YYYY-MMM-DD" } },
      "daily:today",
      "2026/November/2026-Nov-16.md",
    ],
    [
      "Daily notes give a format that ends like an extension",
      { [DAILY]: { format: "DD.MMM" } },
      "daily:today",
      "16.Nov.md",
    ],
    [
      "Daily notes give a format with the extension",
      { [DAILY]: { format: "YYYY-MM-DD[.md]" } },
      "daily:today",
      "2026-11-16.md",
    ],
    ["Daily notes are those of days only", { [DAILY]: { folder: "Daily" } }, "weekly:", "2026-W47.md"],
    ["Daily notes count for nothing if they are no object", { [DAILY]: ["Daily"] }, "daily:today", "2026-11-16.md"],
    [
      "Daily notes count for nothing if they are no text",
      { [DAILY]: { folder: 5, format: {} } },
      "daily:today",
      "2026-11-16.md",
    ],
    [
      "Periodic Notes 0.x come before those of Daily notes",
      { [DAILY]: { folder: "Core" }, [PERIODIC]: { daily: { enabled: true, folder: "Periodic", format: "" } } },
      "daily:today",
      "Periodic/2026-11-16.md",
    ],
    [
      "Periodic Notes 0.x count only where they are enabled",
      { [DAILY]: { folder: "Core" }, [PERIODIC]: { daily: { enabled: false, folder: "Periodic" } } },
      "daily:today",
      "Core/2026-11-16.md",
    ],
    [
      "Periodic Notes 0.x give weeks",
      { [PERIODIC]: { weekly: { enabled: true, folder: "Weeks", format: "GGGG-[W]WW" } } },
      "weekly:2026-W46",
      "Weeks/2026-W46.md",
    ],
    [
      "Periodic Notes 1.0 are those of the active set",
      {
        [PERIODIC]: {
          activeCalendarSet: "work",
          calendarSets: [
            { id: "home", month: { enabled: true, folder: "Home" } },
            { id: "work", month: { enabled: true, folder: "Work", format: "YYYY-MM MMMM" } },
          ],
        },
      },
      "monthly:2026-11",
      "Work/2026-11 November.md",
    ],
    [
      "Periodic Notes 1.0 give quarters and years",
      {
        [PERIODIC]: {
          activeCalendarSet: "gone",
          calendarSets: [
            { id: "Default", quarter: { enabled: true, folder: "Q" }, year: { enabled: true, folder: "Y" } },
          ],
        },
      },
      "quarterly:",
      "Q/2026-Q4.md",
    ],
    [
      "a plugin that is not enabled count for nothing",
      { [PLUGINS]: ["dataview"], [PERIODIC]: { weekly: { enabled: true, folder: "Weeks" } } },
      "weekly:",
      "2026-W47.md",
    ],
    [
      "a plugin that is enabled count",
      { [PLUGINS]: ["periodic-notes"], [PERIODIC]: { weekly: { enabled: true, folder: "Weeks" } } },
      "weekly:",
      "Weeks/2026-W47.md",
    ],
    [
      "Calendar give weeks if Periodic Notes does not",
      { [CALENDAR]: { weeklyNoteFolder: "Weeks", weeklyNoteFormat: "[Week] w, gggg", weekStart: "locale" } },
      "weekly:",
      "Weeks/Week 47, 2026.md",
    ],
    [
      "Calendar give the first day of the week",
      { [CALENDAR]: { weekStart: "monday", weeklyNoteFormat: "YYYY-MM-DD" } },
      "weekly:2026-11-15",
      "2026-11-09.md",
    ],
    [
      "the app give the first day of the week",
      { ".obsidian/app.json": { weekStart: "saturday" }, [CALENDAR]: { weeklyNoteFormat: "YYYY-MM-DD" } },
      "weekly:2026-11-15",
      "2026-11-14.md",
    ],
  ])("%s", async (_, settings, sent, path) => {
    expect(await pathOf(sent, settings)).toBe(path);
  });

  // Output of moment 2.30 for these days in these languages, with the first day of the week as the plugin changes it.
  it.each([
    ["de", "locale", "2020-W53", "2026-W01", "2026-W47", "2026-W53"],
    ["de-de", "locale", "2020-W53", "2026-W01", "2026-W47", "2026-W53"],
    ["tr", "locale", "2021-W01", "2026-W01", "2026-W47", "2027-W01"],
    ["en-au", "locale", "2020-W53", "2026-W02", "2026-W47", "2026-W53"],
    ["ar", "locale", "2021-W01", "2026-W02", "2026-W47", "2027-W02"],
    ["pt-br", "locale", "2021-W01", "2026-W02", "2026-W47", "2027-W01"],
    ["fr-ca", "locale", "2021-W01", "2026-W02", "2026-W47", "2027-W01"],
    ["ja", "locale", "2021-W01", "2026-W02", "2026-W47", "2027-W01"],
    ["system-default", "locale", "2021-W01", "2026-W02", "2026-W47", "2027-W01"],
    ["de", "sunday", "2020-W53", "2026-W02", "2026-W47", "2026-W53"],
    ["tr", "sunday", "2021-W01", "2026-W02", "2026-W47", "2027-W01"],
    ["ar", "monday", "2021-W02", "2026-W02", "2026-W48", "2027-W02"],
  ])(
    "weeks are counted as in the language %s that Calendar is set to, from %s",
    async (localeOverride, weekStart, ...weeks) => {
      const settings = { [CALENDAR]: { localeOverride, weekStart } };
      const days = ["2021-01-01", "2026-01-04", "2026-11-17", "2027-01-02"];
      const paths = await Promise.all(days.map((day) => pathOf(`weekly:${day}`, settings)));
      expect(paths).toEqual(weeks.map((week) => `${week}.md`));
    },
  );

  it("weeks are counted as in Calendar's language from the day that another setting names", async () => {
    const settings = { ".obsidian/app.json": { weekStart: "monday" }, [CALENDAR]: { localeOverride: "de" } };
    expect(await pathOf("weekly:2026-W53", settings)).toBe("2026-W53.md");
    expect(await pathOf("weekly:2027-01-02", settings)).toBe("2026-W53.md");
  });

  it("ISO weeks are those from Monday, whatever day it is", async () => {
    const settings = { [PERIODIC]: { weekly: { enabled: true, format: "GGGG-[W]WW" } } };
    const on = (day: number) => pathOf("weekly:", settings, { ...clock, now: () => Date.UTC(2026, 10, day, 12) });
    const paths = await Promise.all([14, 15, 16, 22, 23].map(on));
    expect(paths).toEqual(["46", "46", "47", "47", "48"].map((week) => `2026-W${week}.md`));
  });

  it("a file that is not JSON counts for nothing", async () => {
    const { vault } = vaultWith({ [DAILY]: '{"folder": "Da' }, clock);
    expect((await dayAt(vault, "daily:today"))?.path).toBe("2026-11-16.md");
  });
});

describe("settings that lead out of the vault", () => {
  it.each([
    [{ folder: "../../x" }, "Path cannot contain '..'"],
    [{ format: "[../../]YYYY" }, "Path cannot contain '..'"],
    [{ folder: ".obsidian" }, "Cannot access system folder"],
    [{ format: "[.git/]YYYY" }, "Cannot access system folder"],
    [{ folder: "C:\\Users" }, "Invalid path: daily:today"],
    [{ folder: "a\u0000b" }, "Invalid path: daily:today"],
    [{ format: "Y".repeat(4000) }, "Invalid path: daily:today"],
  ])("%j are refused like a path in a call", async (settings, sentence) => {
    await expect(pathOf("daily:today", { [DAILY]: settings })).rejects.toThrow(sentence);
    try {
      await pathOf("daily:today", { [DAILY]: settings });
    } catch (error) {
      expect((error as Problem).hint).toContain("by the settings in .obsidian/daily-notes.json");
    }
  });
});

describe("an address that names no day", () => {
  it("is refused with what to send", async () => {
    const { vault } = vaultWith({}, clock);
    await expect(dayAt(vault, "daily:2026-02-30")).rejects.toThrow("Invalid path: daily:2026-02-30");
    try {
      await dayAt(vault, "weekly:someday");
    } catch (error) {
      expect((error as Problem).hint).toBe(
        "For a week, send weekly:this, weekly:last, weekly:next, weekly:2026-W46 or weekly:2026-11-15.",
      );
    }
  });

  it.skipIf(process.platform === "win32")("is the file of that name, if there is one", async () => {
    const { vault } = vaultWith({ "Daily: standup.md": "x" }, clock);
    expect(await dayAt(vault, "Daily: standup")).toBeUndefined();
  });
});

describe("today", () => {
  it.each([
    ["UTC", "2026-11-16"],
    ["America/Los_Angeles", "2026-11-16"],
    ["Europe/Berlin", "2026-11-17"],
    ["Asia/Kolkata", "2026-11-17"],
    ["Pacific/Kiritimati", "2026-11-17"],
    ["Pacific/Pago_Pago", "2026-11-16"],
    ["+05:45", "2026-11-17"],
  ])("at half past 23 UTC is in %s %s", async (timeZone, date) => {
    expect(await pathOf("daily:today", {}, { ...clock, timeZone })).toBe(`${date}.md`);
  });

  // Clocks go forward on 29 March and back on 25 October 2026 in Berlin, at 1:00 UTC.
  it.each([
    ["2026-03-28T22:59:59Z", "2026-03-28"],
    ["2026-03-28T23:00:00Z", "2026-03-29"],
    ["2026-03-29T21:59:59Z", "2026-03-29"],
    ["2026-03-29T22:00:00Z", "2026-03-30"],
    ["2026-10-24T21:59:59Z", "2026-10-24"],
    ["2026-10-24T22:00:00Z", "2026-10-25"],
    ["2026-10-25T22:59:59Z", "2026-10-25"],
    ["2026-10-25T23:00:00Z", "2026-10-26"],
  ])("at %s is %s in Berlin", async (instant, date) => {
    const at = { now: () => Date.parse(instant), timeZone: "Europe/Berlin" };
    expect(await pathOf("daily:today", {}, at)).toBe(`${date}.md`);
  });

  it("in São Paulo has no midnight on a day of 2018, and is that day all the same", async () => {
    const at = { now: () => Date.parse("2018-11-04T03:00:00Z"), timeZone: "America/Sao_Paulo" };
    expect(await pathOf("daily:today", {}, at)).toBe("2018-11-04.md");
    expect(await pathOf("daily:yesterday", {}, at)).toBe("2018-11-03.md");
  });

  it("in Samoa after the 29th of December 2011 was the 31st", async () => {
    const at = { now: () => Date.parse("2011-12-30T10:00:00Z"), timeZone: "Pacific/Apia" };
    expect(await pathOf("daily:today", {}, at)).toBe("2011-12-31.md");
  });
});

describe("a whole day", () => {
  const HOUR = 3_600_000;
  it.each([
    ["Europe/Berlin", "2026-11-16", "2026-11-15T23:00:00.000Z", 24],
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z", 23],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z", 25],
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z", 23],
    ["Asia/Kolkata", "2026-11-16", "2026-11-15T18:30:00.000Z", 24],
  ])("in %s, %s, begins at %s and has %d hours", (zone, date, begins, hours) => {
    const span = daySpan(date, { now: () => NOW, zone: timeZone(zone) })!;
    expect({ ...span, start: new Date(span.start).toISOString() }).toMatchObject({ date, start: begins });
    expect((span.end - span.start) / HOUR).toBe(hours);
  });

  it("is today or yesterday, or none", () => {
    const at = { now: () => NOW, zone: timeZone("Europe/Berlin") };
    expect(["today", "yesterday", "2026-02-30"].map((when) => daySpan(when, at)?.date)).toEqual([
      "2026-11-17",
      "2026-11-16",
      undefined,
    ]);
  });
});

describe("a time of day on another day", () => {
  const berlin = timeZone("Europe/Berlin");
  const HOUR = 3_600_000;
  const on = (date: string, hours: number) => {
    const { milliseconds, offset } = onDay(Date.parse(date) / (24 * HOUR), hours * HOUR, berlin);
    return { hours: milliseconds / HOUR, offset };
  };

  it.each([
    ["2026-03-28", 2.5, 2.5, 60],
    ["2026-03-29", 1.5, 1.5, 60],
    ["2026-03-29", 2.5, 3.5, 120],
    ["2026-03-29", 3.5, 3.5, 120],
    ["2026-10-25", 1.5, 1.5, 120],
    ["2026-10-25", 2.5, 2.5, 120],
    ["2026-10-25", 3.5, 3.5, 60],
  ])("on %s at %d is %d, %d minutes ahead", async (date, hours, shown, offset) => {
    expect(await on(date, hours)).toEqual({ hours: shown, offset });
  });
});

const REAL = join(import.meta.dirname, "../../../../shared/data/vaults/kepano");

describe.skipIf(!existsSync(REAL))("a vault of a person (real data)", () => {
  it("has its days in the folder that its settings name", async () => {
    const home = temporaryFolder();
    const vault = openVault({
      folder: REAL,
      isEmbedded: false,
      journals: join(home, "journal"),
      cache: join(home, "cache"),
      log: () => {},
      ...clock,
    });
    const days = readdirSync(join(REAL, "Daily")).filter((name) => /^\d{4}-\d\d-\d\d\.md$/.test(name));
    expect(days.length).toBeGreaterThan(0);
    for (const name of days) {
      const day = (await dayAt(vault, `daily:${name.replace(".md", "")}`))!;
      expect(day.path).toBe(`Daily/${name}`);
      expect(day.settings.template).toBe("Templates/Daily Note Template");
      expect((await vault.root.locate(day.path)).kind).toBe("file");
    }
    await vault.close();
  });
});
