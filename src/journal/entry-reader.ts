// How the history of a journal is read, wherever its entries are: in a file
// (entries.ts) or in a shared store (shared/shared-entries.ts). Used by undo.ts,
// changes.ts and visible-entries.ts.
import type { ChangedBy, Entry } from "./entries.ts";

type Now<T> = T | Promise<T>;

export interface EntryReader {
  readonly find: (number: number) => Now<Entry | undefined>;
  /** The newest operation that is accepted, of those that are undone or of those that are not. */
  readonly last: (wanted: { isUndone: boolean; accepts: (entry: Entry) => boolean }) => Now<Entry | undefined>;
  /** Newest first, without their removed bytes. */
  readonly list: (before: number, limit: number) => Now<Entry[]>;
  /** Oldest first, without their removed bytes. */
  readonly after: (number: number) => Now<Entry[]>;
  readonly count: () => Now<number>;
  readonly askerOf: (number: number) => Now<ChangedBy | undefined>;
  /** In a shared store: what to call the member who made it, if that is another than the one who asks. */
  readonly otherMemberOf?: (number: number) => Now<string | undefined>;
}
