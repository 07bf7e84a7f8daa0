// The note index of a space in a shared store, for one member: before every answer
// the store is asked which space has the name now, and whether the member is in it.
// Each space has an index of its own: another space of the same name, made after
// the first was deleted, must never be shown what that one had; and the members of a
// server share the index of a space. Loaded only for a vault in a shared store; used
// by vault.ts.
import type { NoteIndex } from "./note-index.ts";

/**
 * @param identityOf of the space that has the name now; throws if the member is not in it
 * @param open the index of the space with this identity
 */
export function sharedNoteIndex(identityOf: () => Promise<string>, open: (identity: string) => NoteIndex): NoteIndex {
  /** Those that were used; more than one only if the space was made again. */
  const opened = new Map<string, NoteIndex>();
  let last: NoteIndex | undefined;

  const current = async (): Promise<NoteIndex> => {
    let identity: string;
    try {
      identity = await identityOf();
    } catch (error) {
      last = undefined;
      throw error;
    }
    last = opened.get(identity) ?? open(identity);
    opened.set(identity, last);
    return last;
  };
  /** Without access the caller learns it from the files themselves, so it works without the index. */
  const currentIfAny = () => current().catch(() => undefined);

  return {
    search: async (...sent) => (await current()).search(...sent),
    similar: async (...sent) => (await current()).similar(...sent),
    files: async (...sent) => (await current()).files(...sent),
    tags: async () => (await current()).tags(),
    headings: async (...sent) => (await current()).headings(...sent),
    filesNamed: async (...sent) => (await current()).filesNamed(...sent),
    paths: async () => (await current()).paths(),
    links: async (...sent) => (await current()).links(...sent),
    backlinks: async (...sent) => (await current()).backlinks(...sent),
    noteTimes: async (...sent) => (await current()).noteTimes(...sent),
    named: async (...sent) => (await current()).named(...sent),
    stamp: async () => (await current()).stamp(),
    refresh: async (...sent) => (await current()).refresh(...sent),
    filesLinking: async (...sent) => (await currentIfAny())?.filesLinking(...sent),
    filesTagged: async (...sent) => (await currentIfAny())?.filesTagged(...sent),
    namedLike: (name) => last?.namedLike(name) ?? [],
    // One that was not used yet is swept by its first question.
    noteWritten: async (changed) => last?.noteWritten(changed),
    close: async () => {
      for (const index of opened.values()) await index.close();
    },
  };
}
