// The date in the name of a note, which the setting "Use filename as scheduled date"
// of the Tasks plugin takes for that of its tasks without dates. Pure; used by
// task-settings.ts.
import { once } from "../../kernel/kernel.ts";
import { dayReader } from "../../vault/vault.ts";
import { dayOf, writtenDay } from "../recurrence/dates.ts";

export interface NameDate {
  /** Of the whole name, in the tokens of Moment. Any name may have 2026-11-17 or 20261117 in it. */
  readonly format: string;
  /** Only notes in these; none: all notes. */
  readonly folders: readonly string[];
  /** Such as 2026-11-17; undefined if the name has none. */
  readonly of: (path: string) => string | undefined;
}

export function nameDate(folders: readonly string[], format: string): NameDate {
  const read = once(() => dayReader(format));
  const places = folders.map((folder) => `${folder.normalize("NFC")}/`);
  const of = (stored: string) => {
    // Obsidian writes composed names into its settings, whatever the disk has.
    const path = stored.normalize("NFC");
    if (places.length > 0 && !places.some((place) => path.startsWith(place))) return undefined;
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
    const day = format === "" ? undefined : read()(name);
    if (day !== undefined) return writtenDay(day);
    const [, year, month, ofMonth] = /(\d{4})-(\d{2})-(\d{2})/.exec(name) ?? /(\d{4})(\d{2})(\d{2})/.exec(name) ?? [];
    const date = `${year}-${month}-${ofMonth}`;
    return dayOf(date) === undefined ? undefined : date;
  };
  return { format, folders, of };
}
