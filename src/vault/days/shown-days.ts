// Finds the folder and the format that the notes of a vault show, for periods that no
// settings of Obsidian describe: a day must not begin in the root of a vault beside a
// folder of a hundred days. Pure. Used by day-settings.ts.
import { dayNumber, ENGLISH_WEEK, type DayNumber, type Period } from "./calendar.ts";
import { formatted } from "./moment-format.ts";
import { dayReader, type DayReader } from "./moment-parse.ts";

export interface ShownDays {
  /** Undefined: the vault itself. */
  readonly folder: string | undefined;
  readonly format: string;
}

/** The common names, the most common first: what two of them read is told apart by the other notes of the folder. */
const NAMES: Readonly<Record<Period, readonly string[]>> = {
  daily: [
    "YYYY-MM-DD",
    "YYYY-MM-DD dddd",
    "YYYY-MM-DD ddd",
    "YYYY-MM-DD-dddd",
    "YYYY-MM-DD-ddd",
    "YYYY-MM-DD, dddd",
    "dddd, YYYY-MM-DD",
    "YYYYMMDD",
    "YYYY_MM_DD",
    "YYYY.MM.DD",
    "YYYY MM DD",
    "DD-MM-YYYY",
    "DD.MM.YYYY",
    "D.M.YYYY",
    "DD_MM_YYYY",
    "MM-DD-YYYY",
    "D MMMM YYYY",
    "DD MMMM YYYY",
    "D MMM YYYY",
    "MMMM D, YYYY",
    "MMMM Do, YYYY",
    "MMM Do, YYYY",
    "MMM D, YYYY",
    "dddd, MMMM Do YYYY",
    "dddd, MMMM Do, YYYY",
    "YYYY-MMMM-DD",
    "YYYY-MMM-DD",
  ],
  weekly: ["gggg-[W]ww", "gggg-[w]ww", "gggg[W]ww", "gggg [W]ww", "gggg_[W]ww", "[Week] ww gggg"],
  monthly: [
    "YYYY-MM",
    "YYYY_MM",
    "YYYY.MM",
    "YYYYMM",
    "MM-YYYY",
    "MMMM YYYY",
    "YYYY MMMM",
    "YYYY-MM MMMM",
    "YYYY-MMMM",
  ],
  quarterly: ["YYYY-[Q]Q", "YYYY_[Q]Q", "YYYY [Q]Q", "YYYY[Q]Q", "[Q]Q YYYY", "[Q]Q-YYYY"],
  yearly: ["YYYY"],
};

/** Names that only the folders above them complete. */
const WITH_FOLDERS: Readonly<Partial<Record<Period, readonly string[]>>> = {
  daily: [
    "YYYY/MM/DD",
    "YYYY/M/D",
    "YYYY/MM-MMMM/DD",
    "YYYY/MMMM/DD",
    "YYYY-MM/DD",
    "YYYY/YYYY-MM/DD",
    "YYYY/MM-DD",
    "YYYY/MM/MM-DD",
    "YYYY/MM/DD dddd",
    "YYYY/MM/DD-dddd",
  ],
  weekly: ["gggg/[W]ww"],
  monthly: ["YYYY/MM", "YYYY/MMMM", "YYYY/MM-MMMM", "YYYY/MM MMMM"],
  quarterly: ["YYYY/[Q]Q"],
};

/** Folders of a year, a quarter, a month or a week, which go on with it: they belong to the format. */
const FOLDERS = [
  "YYYY",
  "YYYY-MM",
  "YYYY_MM",
  "YYYY.MM",
  "YYYYMM",
  "MM",
  "MM-MMMM",
  "MM MMMM",
  "MM_MMMM",
  "MM. MMMM",
  "MM-MMM",
  "MM MMM",
  "MMMM",
  "MMM",
  "MMMM YYYY",
  "YYYY-MM-MMMM",
  "YYYY-MM MMMM",
  "[Q]Q",
  "YYYY-[Q]Q",
  "gggg-[W]ww",
  "[W]ww",
];

/** So few notes with such names may be there by chance. */
const MIN_NOTES = 3;

/** The notes that decide: what was done for years, and no longer is, does not. */
const MAX_NEWEST = 30;

/** A path without one is no date in any of these formats. */
const YEAR = /\d{4}/;

interface Reader {
  readonly format: string;
  readonly read: DayReader;
  /** How many names of a path it reads. */
  readonly depth: number;
}

const READERS = new Map<Period, readonly Reader[]>();

function readersOf(period: Period): readonly Reader[] {
  const known = READERS.get(period);
  if (known !== undefined) return known;
  const readers = [...NAMES[period], ...(WITH_FOLDERS[period] ?? [])].map((format) => ({
    format,
    read: dayReader(format),
    depth: format.split("/").length,
  }));
  READERS.set(period, readers);
  return readers;
}

interface Group extends ShownDays {
  /** The place of the format in its list. */
  readonly order: number;
  notes: number;
}

/**
 * The folder and format of most of the newest notes that are named after a day (week, month …) up to today's.
 * Undefined if too few are, or if two places have as many.
 * @param paths of notes
 */
export function shownDays(paths: Iterable<string>, period: Period, today: DayNumber): ShownDays | undefined {
  const groups = new Map<string, Group>();
  const dated: (readonly { readonly day: DayNumber; readonly group: Group }[])[] = [];
  for (const path of paths) {
    const readings = readingsOf(path, period).filter(({ day }) => day <= today && day >= dayNumber(1900));
    if (readings.length === 0) continue;
    dated.push(
      readings.map(({ day, folder, format, order }) => {
        const key = `${folder ?? ""}\n${format}`;
        const group = groups.get(key) ?? { folder, format, order, notes: 0 };
        groups.set(key, group);
        group.notes++;
        return { day, group };
      }),
    );
  }
  // 05-11-2026 may be of May: the notes beside it know.
  const read = dated.map((readings) => readings.toSorted((a, b) => inOrder(a.group, b.group))[0]!);
  const newest = read.toSorted((a, b) => b.day - a.day).slice(0, MAX_NEWEST);
  const votes = new Map<Group, number>();
  for (const { group } of newest) votes.set(group, (votes.get(group) ?? 0) + 1);
  const [most, next] = [...votes].toSorted(([, a], [, b]) => b - a);
  if (most === undefined || most[1] < MIN_NOTES || most[1] === next?.[1]) return undefined;
  const { folder, format } = most[0];
  return { folder, format };
}

function inOrder(a: Group, b: Group): number {
  return b.notes - a.notes || a.order - b.order;
}

/** Everything that a path may say of a day. */
function readingsOf(path: string, period: Period): (Omit<Group, "notes"> & { readonly day: DayNumber })[] {
  if (!YEAR.test(path) || !/\.md$/i.test(path)) return [];
  const names = path.slice(0, -".md".length).split("/");
  return readersOf(period).flatMap(({ format, read, depth }, order) => {
    const name = names.slice(-depth).join("/");
    const day = names.length < depth ? undefined : read(name);
    // The reader ignores case, and the next name is written in the format's.
    if (day === undefined || written(day, format) !== name) return [];
    const above = names.slice(0, -depth);
    const folders: string[] = [];
    for (let form = folderForm(above.at(-1), day); form !== undefined; form = folderForm(above.at(-1), day)) {
      folders.unshift(form);
      above.pop();
    }
    return [
      { day, folder: above.length === 0 ? undefined : above.join("/"), format: [...folders, format].join("/"), order },
    ];
  });
}

function folderForm(name: string | undefined, day: DayNumber): string | undefined {
  return name === undefined ? undefined : FOLDERS.find((form) => written(day, form) === name);
}

function written(day: DayNumber, format: string): string {
  return formatted({ day, milliseconds: 0, offset: 0 }, format, ENGLISH_WEEK);
}
