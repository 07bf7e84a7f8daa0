// The front door of setup/: how this program is set up on this machine. Which
// hosts start it, which vaults there are, what is wrong, what is scheduled, and
// how much room it takes. Used by the commands and, for the page, by app/.
export { findings } from "./checks/checks.ts";
export type { Finding } from "./checks/finding.ts";
export { planSetting } from "./config-change.ts";
export { diskUse, type DiskUse } from "./disk-use.ts";
export { connections, otherVaults, thisMachine, type Connection } from "./hosts/connection.ts";
export { planHostChange } from "./hosts/host-change.ts";
export { HOSTS, notesAfter, type Host } from "./hosts/known-hosts.ts";
export { type Launch } from "./hosts/launch.ts";
export { flagsOf, isLocal } from "./hosts/setting-flags.ts";
export { shellWords } from "./hosts/shell-words.ts";
export { knownVaults, suggestedVaults, type KnownVault } from "./hosts/vault-suggestions.ts";
export { isNotes, ownEntries, removeEntries } from "./own-entries.ts";
export { commandLine, usageLine } from "./program-name.ts";
export { checkFree, installSchedule, ownSchedule, removeSchedule, writtenFiles } from "./schedule/installation.ts";
export type { Schedule } from "./schedule/schedule.ts";
export { INDEXING, pushingTo, type ScheduledTask } from "./schedule/task.ts";
export { holderOf, keepServingRecord, portsBefore, servingRecords } from "./serving-records.ts";
