// The front door of format/: what other rooms may use of it.
export { folderOf, nameOf } from "./paths.ts";
export { sourceName } from "./source-name.ts";
export { ago, dateOf, DAY, dayName, exactTime, startOfDay } from "./time.ts";
