// The day of a time, as a calendar on this machine's wall shows it. Used by filters by
// time.

/** 2026-03-05, in local time. */
export function localDay(milliseconds: number): string {
  const date = new Date(milliseconds);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}
