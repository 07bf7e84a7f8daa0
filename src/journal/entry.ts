// An entry of the journal, and how the history is read wherever its entries are: in a
// file (entries.ts) or in a shared store (shared/shared-entries.ts). Used by all of
// this room.
import type { Action } from "./plan/action.ts";

export interface Entry {
  readonly number: number;
  readonly isDone: boolean;
  readonly tool: string;
  readonly message: string;
  readonly time: number;
  /** The operation that this entry undoes or redoes; undefined for an operation itself. */
  readonly origin: number | undefined;
  /** The newest entry that undid or redid this operation; undefined if there is none. */
  readonly latest: number | undefined;
  readonly isUndone: boolean;
  /** Empty if they cannot be read. */
  readonly actions: readonly Action[];
  readonly isReadable: boolean;
}

export type NewEntry = Pick<Entry, "tool" | "message" | "origin" | "actions"> & {
  readonly by?: ChangedBy | undefined;
};

/** The person or program that asked for a change, as far as is known. */
export interface ChangedBy {
  /** A host, a person in the page or a terminal, or a program. */
  readonly asker: string;
  /** The name by which a host introduced itself. */
  readonly client?: string;
  /** The session of memory that the call belongs to. */
  readonly session?: string;
  /** In a shared store: for whom. */
  readonly member?: string;
}

type Now<T> = T | Promise<T>;

export interface EntryReader {
  readonly find: (number: number) => Now<Entry | undefined>;
  /** The newest operation that is accepted, of those that are undone or of those that are not. */
  readonly last: (wanted: { isUndone: boolean; accepts: (entry: Entry) => boolean }) => Now<Entry | undefined>;
  /** Newest first, without their removed bytes. @param path only those that name it, the note of that name, or anything below it */
  readonly list: (before: number, limit: number, path?: string) => Now<Entry[]>;
  /** Oldest first, without their removed bytes. */
  readonly after: (number: number) => Now<Entry[]>;
  readonly count: () => Now<number>;
  readonly askerOf: (number: number) => Now<ChangedBy | undefined>;
  /** In a shared store: what to call the member who made it, if that is another than the one who asks. */
  readonly otherMemberOf?: (number: number) => Now<string | undefined>;
}
