// The front door of sqlite/: what other rooms may use of it.
export { databaseProblem, failureOf, isBusy, type Sentences } from "./errors.ts";
export { ForeignDatabase } from "./foreign-database.ts";
export { openIdentified, type Identified } from "./identity.ts";
export { IndexDatabase, IndexReplaced, type Layout, type Row } from "./index-database.ts";
export { indexFile } from "./index-file.ts";
export { inspectIndex } from "./index-summary.ts";
export { hasLease, newHolder, releaseLease, takeLease } from "./lease.ts";
export { isMigrated, migrate, type Schema } from "./migrations.ts";
export { openDatabase, openReadOnly, removeDatabaseFiles, type Database } from "./open.ts";
export { removeOtherReleases } from "./other-releases.ts";
export { ReadCache } from "./read-cache.ts";
export { mended } from "./repair.ts";
export { retryWhileBusy, type Retry } from "./retry.ts";
export {
  RELOCATIONS,
  countRelocation,
  countWriting,
  readSeen,
  readState,
  writeSeen,
  writeState,
  writingsIn,
  type Seen,
  type SweepState,
} from "./sweep-state.ts";
export { inTransaction } from "./transaction.ts";
export { unforeseenProblem } from "./unforeseen.ts";
