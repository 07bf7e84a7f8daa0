// Adds the parts of messages to the buffered pages of their conversations, each
// once, whichever transcripts repeat it. Used by store-writer.ts.
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";
import { filesNamedIn } from "../../recall/file-references.ts";
import type { SourceName } from "../../sources/source.ts";
import { hashOf, messageHash, type PartHash } from "../../store/part-hash.ts";
import { IS_IN_A_FILE } from "../../store/transcript-paths.ts";
import {
  addFile,
  beginRepetition,
  change,
  endRepetition,
  extendTimes,
  isCopied,
  isRepeated,
  isRepeating,
  retitle,
  type BufferedConversation,
  type BufferedPage,
} from "./buffered-conversation.ts";
import type { StoredPart } from "../../store/pages.ts";
import { namingBy, type PreparedEvent, type PreparedPart, type Turns } from "../reading/part-preparation.ts";
import type { ToolTextWriter } from "../../store/tool-texts/tool-texts.ts";
import type { SeenMessages } from "./seen-messages.ts";
import type { StoredTranscript } from "../transcript-rows.ts";
import type { WriteBuffer } from "./write-buffer.ts";

/** Approximate size of a part in a page beside its text. */
const PART_OVERHEAD = 40;

export class MessageWriter {
  readonly #database: IndexDatabase;
  readonly #buffer: WriteBuffer;
  readonly #seen: SeenMessages;
  readonly #texts: ToolTextWriter | undefined;
  readonly #readAgain: (transcript: { readonly id: number; readonly source: SourceName }) => void;

  /**
   * @param texts takes whole texts of non-prose
   * @param readAgain removes what a transcript brought, writing the buffer first, and has it read again
   */
  constructor(
    database: IndexDatabase,
    buffer: WriteBuffer,
    seen: SeenMessages,
    texts: ToolTextWriter | undefined,
    readAgain: (transcript: { readonly id: number; readonly source: SourceName }) => void,
  ) {
    this.#database = database;
    this.#buffer = buffer;
    this.#seen = seen;
    this.#texts = texts;
    this.#readAgain = readAgain;
  }

  /** @param hash empty for what the source emits only once */
  addPart(stored: StoredTranscript, sent: PreparedPart, hash: PartHash): void {
    const { conversation: key, key: partKey, follows, files = [], whole, mayRepeat: _, ...part } = sent;
    const conversation = this.#buffer.conversation(stored.id, stored.source, key);
    const own: StoredPart = {
      ...part,
      hash,
      // Output of tools belongs to the message that called them.
      message: part.kind === "prose" || part.role === "assistant" ? part.message : "",
      ...(follows !== undefined && { follows: followsHash(stored.source, key, follows) }),
    };
    const seenOn = hash === "" ? undefined : this.#seen.pageOf(hash);
    if (seenOn !== undefined) {
      const owner = this.#buffer.page(seenOn, stored.source)?.conversation;
      // Non-prose is read when all prose is stored: what shares only that is no copy of this conversation.
      if (part.kind === "prose" && owner !== undefined && isCopyOf(owner, conversation) && this.#removeCopy(owner))
        return this.addPart(stored, sent, hash);
      return this.#addSeenPart(conversation, seenOn, own, whole);
    }
    if (part.kind === "prose") endRepetition(conversation, part.order);
    else if (hash === "" ? isRepeated(conversation, part.order) : isCopied(conversation, part.time)) return;
    const page = this.#buffer.openPage(conversation, stored.id, part.kind === "prose" ? part.message : undefined);
    page.parts.push({ ...own, ...this.#keptText(page, whole) });
    page.size += part.text.length + PART_OVERHEAD;
    page.isChanged = true;
    if (hash !== "") this.#seen.add(hash, page.id);
    if (part.time !== undefined) extendTimes(conversation, part.time);
    for (const file of files) addFile(conversation, file);
    if (part.kind !== "prose") return;
    if (part.message === partKey || this.#isFirstOf(messageHash(stored.source, key, part.message), page.id))
      change(conversation, "messages", conversation.row.messages + 1);
    change(conversation, "is_listed", 1);
    change(conversation, "unavailable", null);
    for (const file of filesNamedIn(part.text)) addFile(conversation, file);
    if (part.role === "user") this.#addPrompt(conversation, own, page.id);
  }

  addTurns(stored: StoredTranscript, turns: Turns): void {
    const { conversation: key, times, files, filesCountedLater } = turns;
    const conversation = this.#buffer.conversation(stored.id, stored.source, key);
    if (isRepeating(conversation)) return;
    for (const time of times) extendTimes(conversation, time);
    for (const file of files) addFile(conversation, file);
    for (const file of filesCountedLater) addFile(conversation, file, 0);
  }

  #isFirstOf(message: PartHash, page: number): boolean {
    if (this.#seen.pageOf(message) !== undefined) return false;
    this.#seen.add(message, page);
    return true;
  }

  #addPrompt(conversation: BufferedConversation, { text, follows, hash }: StoredPart, page: number): void {
    const { row } = conversation;
    if (row.opening === null || row.title === null || row.title_by === "opening") {
      const { title, isPoor, opening } = namingBy(text);
      if (row.opening === null) change(conversation, "opening", opening);
      if (row.title === null || (row.title_by === "opening" && !isPoor))
        retitle(conversation, title, isPoor ? "opening" : "prompt");
    }
    if (follows === undefined) return;
    const before = this.#seen.pageOf(follows);
    this.#seen.add(follows, page);
    const edited = before === undefined ? undefined : this.#buffer.page(before, conversation.source);
    if (edited === undefined) return;
    for (const [i, part] of edited.parts.entries())
      if (part.follows === follows && part.hash !== hash) edited.parts[i] = { ...part, isEdited: true };
    edited.isChanged = true;
  }

  /** A part that is stored already: newer text if it is in the same conversation, a repetition if it is in another one. */
  #addSeenPart(conversation: BufferedConversation, pageId: number, part: StoredPart, whole: string | undefined): void {
    const page = this.#buffer.page(pageId, conversation.source);
    if (page === undefined) return;
    if (page.conversation.id !== conversation.id) {
      // Of non-prose the end of the repetition would not be seen: prose is read apart from it.
      if (part.kind === "prose") beginRepetition(conversation, page.conversation.id, part.order);
      return;
    }
    const at = page.parts.findIndex(({ hash }) => hash === part.hash);
    const before = page.parts[at];
    if (before === undefined) return;
    const isSameText = before.text === part.text && before.digest === part.digest;
    if (isSameText && before.order === part.order) return;
    const kept = isSameText ? { whole: before.whole } : this.#keptText(page, whole);
    page.parts[at] = { ...part, isEdited: before.isEdited, ...kept };
    page.size += part.text.length - before.text.length;
    page.isChanged = true;
    if (part.time !== undefined) extendTimes(conversation, part.time);
    if (part.kind === "prose") for (const file of filesNamedIn(part.text)) addFile(conversation, file);
  }

  #keptText({ conversation, transcript }: BufferedPage, whole: string | undefined): Pick<StoredPart, "whole"> {
    if (whole === undefined || this.#texts === undefined) return {};
    return { whole: this.#texts.add(conversation.id, transcript, whole) };
  }

  /**
   * Removes a copy that was read before the conversation it was copied from, so that the original gets the shared
   * messages; the copy is read again afterwards.
   * @returns false if none of its transcripts can be read again
   */
  #removeCopy(copy: BufferedConversation): boolean {
    const transcripts = this.#database.all(
      `SELECT unit.id AS id FROM holding JOIN unit ON unit.id = holding.unit
       WHERE conversation = ? AND NOT is_gone AND ${IS_IN_A_FILE}`,
      copy.id,
    );
    for (const { id } of transcripts) this.#readAgain({ id: Number(id), source: copy.source });
    return transcripts.length > 0;
  }
}

/** The hashes that adding an event looks up, beside that of the part itself. */
export function hashesLookedUp(source: SourceName, event: PreparedEvent): PartHash[] {
  if (event.kind !== "part") return [];
  const { part } = event;
  const hashes = part.follows === undefined ? [] : [followsHash(source, part.conversation, part.follows)];
  if (part.kind === "prose" && part.message !== part.key)
    hashes.push(messageHash(source, part.conversation, part.message));
  return hashes;
}

/** With the conversation: prompts of two conversations may follow the same message without being edits of each other. */
function followsHash(source: SourceName, conversation: string, follows: string): PartHash {
  return hashOf(source, "follows", `${conversation} ${follows}`);
}

/** Returns whether `one` is a copy, and `other` is not or was copied earlier. */
function isCopyOf(one: BufferedConversation, other: BufferedConversation): boolean {
  return one.id !== other.id && (one.row.copied_at ?? 0) > (other.row.copied_at ?? 0);
}
