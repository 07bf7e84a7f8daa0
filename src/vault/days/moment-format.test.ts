import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dateOf, DAY, dayNumber, ENGLISH_WEEK, ISO_WEEK, startOfWeek, weekOf, type WeekRule } from "./calendar.ts";
import type { LocalTime } from "./local-time.ts";
import { formatted } from "./moment-format.ts";

const time = (text: string, offset = 0): LocalTime => {
  const instant = Date.parse(`${text}Z`);
  const day = Math.floor(instant / DAY);
  return { day, milliseconds: instant - day * DAY, offset };
};

const AFTERNOON = time("2010-02-14T15:25:50.125", -300);

describe("a format", () => {
  // The tokens of Moment's documentation, for Sunday, 14 February 2010, 15:25:50.125 at -05:00.
  it.each([
    ["M Mo MM MMM MMMM", "2 2nd 02 Feb February"],
    ["Q Qo", "1 1st"],
    ["D Do DD", "14 14th 14"],
    ["DDD DDDo DDDD", "45 45th 045"],
    ["d do dd ddd dddd", "0 0th Su Sun Sunday"],
    ["e E", "0 7"],
    ["w wo ww", "8 8th 08"],
    ["W Wo WW", "6 6th 06"],
    ["YY YYYY YYYYY YYYYYY Y", "10 2010 02010 +002010 2010"],
    ["y yo yy yyy yyyy", "2010 2010th 2010 2010 2010"],
    ["N NN NNN NNNN NNNNN", "AD AD AD Anno Domini AD"],
    ["gg gggg ggggg", "10 2010 02010"],
    ["GG GGGG GGGGG", "10 2010 02010"],
    ["A a", "PM pm"],
    ["H HH h hh k kk", "15 15 3 03 15 15"],
    ["m mm s ss", "25 25 50 50"],
    ["hmm hmmss Hmm Hmmss", "325 32550 1525 152550"],
    ["S SS SSS SSSS SSSSSSSSS", "1 12 125 1250 125000000"],
    ["z|zz|Z|ZZ", "||-05:00|-0500"],
    ["X x", "1266179150 1266179150125"],
    ["LT|LTS", "3:25 PM|3:25:50 PM"],
    ["L|LL|LLL", "02/14/2010|February 14, 2010|February 14, 2010 3:25 PM"],
    ["LLLL", "Sunday, February 14, 2010 3:25 PM"],
    ["l|ll|lll", "2/14/2010|Feb 14, 2010|Feb 14, 2010 3:25 PM"],
    ["llll", "Sun, Feb 14, 2010 3:25 PM"],
    ["dddd, MMMM Do YYYY, h:mm:ss a", "Sunday, February 14th 2010, 3:25:50 pm"],
    ["ddd, hA", "Sun, 3PM"],
    ["[Today is] dddd", "Today is Sunday"],
    ["YYYY-MM-DDTHH:mm:ssZ", "2010-02-14T15:25:50-05:00"],
    ["YYYY/MMMM/YYYY-MMM-DD", "2010/February/2010-Feb-14"],
    ["YYYYMMDDHHmm", "201002141525"],
    ["gggg-[W]ww", "2010-W08"],
    ["[[]D[]]", "[14]"],
    ["\\D \\DD D", "D DD 14"],
    ["[ D", "[ 14"],
    ["", ""],
    ["日 D 🗓", "日 14 🗓"],
  ])("%s gives %s", (format, written) => {
    expect(formatted(AFTERNOON, format, ENGLISH_WEEK)).toBe(written);
  });

  it.each([
    ["2026-01-01T00:05", "h hh H k kk a", "12 12 0 24 24 am"],
    ["2026-01-01T12:00", "h hh H k kk A", "12 12 12 12 12 PM"],
    ["2026-01-11T00:00", "Do DDDo", "11th 11th"],
    ["2026-01-21T00:00", "Do", "21st"],
    ["2026-01-22T00:00", "Do", "22nd"],
    ["2026-01-23T00:00", "Do", "23rd"],
    ["2026-04-21T00:00", "DDDo", "111th"],
    ["2024-12-31T00:00", "DDDD Q", "366 4"],
  ])("at %s: %s gives %s", (at, format, written) => {
    expect(formatted(time(at), format, ENGLISH_WEEK)).toBe(written);
  });

  // The last days of a year may be in the first week of the next, and the first days in the last.
  it.each([
    ["2020-12-27", "2021 01", "2020 52"],
    ["2020-12-31", "2021 01", "2020 53"],
    ["2021-01-01", "2021 01", "2020 53"],
    ["2021-01-04", "2021 02", "2021 01"],
    ["2022-01-01", "2022 01", "2021 52"],
    ["2024-12-29", "2025 01", "2024 52"],
    ["2024-12-30", "2025 01", "2025 01"],
    ["2026-01-01", "2026 01", "2026 01"],
    ["2026-11-15", "2026 47", "2026 46"],
    ["2026-11-16", "2026 47", "2026 47"],
    ["2027-01-01", "2027 01", "2026 53"],
  ])("of %s has the week %s in English and %s in ISO 8601", (date, english, iso) => {
    expect(formatted(time(`${date}T12:00`), "gggg ww", ENGLISH_WEEK)).toBe(english);
    expect(formatted(time(`${date}T12:00`), "GGGG WW", ENGLISH_WEEK)).toBe(iso);
  });
});

describe("any time", () => {
  const day = fc.integer({ min: dayNumber(1000), max: dayNumber(9999, 12, 31) });
  const moment = fc.record({ day, milliseconds: fc.nat(DAY - 1), offset: fc.integer({ min: -12 * 60, max: 14 * 60 }) });

  it("reads back from an ISO format as it was", () => {
    fc.assert(
      fc.property(moment, (at) => {
        const written = formatted(at, "YYYY-MM-DD[T]HH:mm:ss.SSSZ", ENGLISH_WEEK);
        expect(Date.parse(written)).toBe(Number(formatted(at, "x", ENGLISH_WEEK)));
        expect(Math.floor(Date.parse(written) / 1000)).toBe(Number(formatted(at, "X", ENGLISH_WEEK)));
      }),
    );
  });

  it("is written as the system's own formats have it", () => {
    const long = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" });
    fc.assert(
      fc.property(moment, (at) => {
        expect(formatted(at, "dddd, MMMM D, YYYY", ENGLISH_WEEK)).toBe(long.format(at.day * DAY));
      }),
    );
  });

  it("keeps every literal in brackets", () => {
    fc.assert(
      fc.property(moment, fc.string({ unit: "grapheme" }), (at, text) => {
        const literal = text.replaceAll(/[[\]]/g, "");
        expect(formatted(at, `[${literal}]YYYY`, ENGLISH_WEEK)).toBe(literal + formatted(at, "YYYY", ENGLISH_WEEK));
      }),
    );
  });

  const rule = fc.constantFrom<WeekRule>(
    ENGLISH_WEEK,
    ISO_WEEK,
    { firstWeekday: 1, inFirstWeek: 2 },
    { firstWeekday: 6, inFirstWeek: 7 },
  );

  it("is in the week that its number and year name, with the six days beside it", () => {
    fc.assert(
      fc.property(day, rule, (at, week) => {
        const named = weekOf(at, week);
        const start = startOfWeek(named.year, named.week, week)!;
        expect(at - start).toBeGreaterThanOrEqual(0);
        expect(at - start).toBeLessThan(7);
        for (let i = 0; i < 7; i++) expect(weekOf(start + i, week)).toEqual(named);
        expect(weekOf(dayNumber(dateOf(at).year, 1, week.inFirstWeek), week)).toEqual({
          year: dateOf(at).year,
          week: 1,
        });
      }),
    );
  });
});
