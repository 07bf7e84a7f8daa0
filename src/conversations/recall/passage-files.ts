// The files that a passage of a conversation has changed, and who changed them after it.
// Used by conversation-library.ts, to say whether what was found still holds.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { ConversationSummary, Message, StoredMessage } from "../store/conversation-reader.ts";
import type { ProjectFolder } from "../store/projects.ts";
import { type AskedFile, conversationsNaming, editsBy, namesOf } from "./file-authors.ts";
import { editsOfPassage, type Passage, type PassageEdit } from "./passage-edits.ts";
import { recordedFile, type RecordedFile } from "./recorded-files.ts";
import { takesAway } from "./standing.ts";

/** A file and the edits of one passage, in their order. */
export interface PassageFile extends RecordedFile {
  /** Its path in a vault, if a tool of ours changed it. */
  readonly note: string | undefined;
  readonly edits: readonly PassageEdit[];
  /** Of the last edit, in milliseconds. */
  readonly time: number;
}

/** @param shown the message with its whole text; undefined if the passage is too long to be read */
export function filesOfPassage(
  database: IndexDatabase,
  conversation: ConversationSummary,
  passage: Passage,
  shown: (message: StoredMessage) => { readonly text: string },
): PassageFile[] | undefined {
  const edits = editsOfPassage(database, passage, shown);
  if (edits === undefined) return undefined;
  const files = new Map<string, PassageFile>();
  for (const edit of edits) {
    const isOurs = /(?:contentManager|vaultManager)_/.test(edit.tool);
    const file: RecordedFile = isOurs
      ? { path: edit.file, inProject: undefined }
      : recordedFile(database, edit.file, conversation.folder);
    const key = `${isOurs} ${file.path}`;
    const before = files.get(key);
    files.set(key, {
      ...file,
      note: isOurs ? edit.file : undefined,
      edits: [...(before?.edits ?? []), edit],
      time: edit.time ?? before?.time ?? conversation.updated,
    });
  }
  return [...files.values()];
}

/** Conversations whose edits are read to find out which one has changed a file. */
const MAX_READ = 6;

/** The first conversation whose edit took away one of these lines after a time. */
export function changerOf(
  database: IndexDatabase,
  { file, gone, after }: { readonly file: AskedFile; readonly gone: readonly string[]; readonly after: number },
  folders: readonly ProjectFolder[],
  messages: (conversation: ConversationSummary) => Iterable<readonly Message[]>,
): ConversationSummary | undefined {
  const later = conversationsNaming(database, namesOf(file))
    .filter(({ updated }) => updated > after)
    .toReversed()
    .slice(0, MAX_READ);
  const found = later.flatMap((conversation) =>
    editsBy(conversation, file, folders, messages)
      .filter((edit) => edit.time > after && takesAway(edit, gone))
      .map(({ time }) => ({ conversation, time })),
  );
  return found.toSorted((a, b) => a.time - b.time)[0]?.conversation;
}
