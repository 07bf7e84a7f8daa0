// How the index of a space's conversations is called in the cache folder. Used by
// space-index.ts, and by what removes the indexes of other releases.

/** With the number of versions of the tables (store/tables.ts): an index is made again, not migrated. */
export const SPACE_KIND = "conversations-v13";
