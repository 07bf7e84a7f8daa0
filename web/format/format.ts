// The front door of format/: pure functions that turn data into text for people.
export { countPerDay, dayAfter, lastDays, sumOf, withOthersAsOne, type Series } from "./days.ts";
export { fileKind, type FileKind } from "./file-kind.ts";
export { whoName } from "./host-name.ts";
export { nameOf } from "./note-name.ts";
export { periodsWith } from "./periods.ts";
export { conversationTitle, withoutMarkup } from "./plain-text.ts";
export { sharedByText } from "./shared-by.ts";
export { sourceName } from "./source-name.ts";
export {
  ago,
  clockTime,
  dateOf,
  DAY,
  dayName,
  durationText,
  exactDay,
  shortDay,
  exactTime,
  monthName,
  spanText,
  startOfDay,
} from "./time.ts";
export { exactTokens, tokenText } from "./token-text.ts";
