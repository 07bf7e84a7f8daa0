// The front door of sqlite/: what other rooms may use of it.
export { ForeignDatabase } from "./foreign-database.ts";
export { openIdentified, type Identified } from "./identity.ts";
export { IndexDatabase, IndexReplaced, type Layout, type Row } from "./index-database.ts";
export { indexFile } from "./index-file.ts";
export { inspectIndex } from "./index-summary.ts";
export { isBusy, openDatabase, openReadOnly, refusalOf, removeDatabaseFiles, type Database } from "./open.ts";
export { removeOtherReleases } from "./other-releases.ts";
export { mended } from "./repair.ts";
export {
  RELOCATIONS,
  countRelocation,
  countWriting,
  hasLease,
  newHolder,
  readSeen,
  readState,
  releaseLease,
  takeLease,
  writeSeen,
  writeState,
  writingsIn,
  type Seen,
  type SweepState,
} from "./sweep-state.ts";
export { unforeseenProblem } from "./unforeseen.ts";
export { writtenSince } from "./written-since.ts";
