// The front door of sqlite/: what other rooms may use of it.
export { copyDatabase, isIntact } from "./copy.ts";
export { databaseProblem, failureOf, isFull, type Sentences } from "./errors.ts";
export { ForeignDatabase } from "./foreign-database.ts";
export { openIdentified, type Identified } from "./identity.ts";
export { IndexDatabase, IndexReplaced, type Layout, type Row } from "./index/index-database.ts";
export { indexFile } from "./index/index-file.ts";
export { inspectIndex } from "./index/index-summary.ts";
export { alone, keepLease, readFed, writeFed, type Fed } from "./index/feed.ts";
export { hasLease, newHolder, releaseLease, takeLease } from "./index/lease.ts";
export { isMigrated, migrate, type Schema } from "./migrations.ts";
export { emptyLog, lookInto, openDatabase, removeDatabaseFiles, syncLog, type Database } from "./open.ts";
export { removeOtherReleases } from "./index/other-releases.ts";
export { ReadCache } from "./index/read-cache.ts";
export { mended } from "./index/repair.ts";
export { rewriteFile } from "./rewritten-file.ts";
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
} from "./index/sweep-state.ts";
export { inTransaction } from "./transaction.ts";
export { unforeseenProblem } from "./unforeseen.ts";
