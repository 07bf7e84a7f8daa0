// Says of the passages of conversations that were found whether what they changed still
// stands: `yes`, `in part`, or `no` and why. Nothing where it is not certain. Used by
// conversation-search.ts and by searchers.ts.
import type { Conversations, PassageFile, RecalledConversation, Standing } from "../../conversations/conversations.ts";
import { pathWithin } from "../../kernel/kernel.ts";
import type { Services } from "../definition/define-tool.ts";
import { noteNamed } from "./file-question.ts";
import { holdsInWords } from "./holds-in-words.ts";

/** The best ones are those that are read: so many rows are looked at, and so many files of each. */
const MAX_ROWS = 3;
const MAX_FILES = 10;
/** Beyond this a file is data. */
const MAX_BYTES = 1 << 20;

type Asking = Pick<Services, "conversations" | "hasDisk" | "isHiddenFile" | "vaults">;

/** By the conversation's row in the store: 12 tokens at most. */
export async function standingOfRows(
  found: readonly RecalledConversation[],
  services: Asking,
): Promise<ReadonlyMap<number, string>> {
  const said = new Map<number, string>();
  if (!services.hasDisk) return said;
  for (const one of found.slice(0, MAX_ROWS)) {
    const verdict = (one.kind ?? "prose") === "prose" ? await standingOfPassage(one, services) : undefined;
    if (verdict !== undefined) said.set(one.row, verdict);
  }
  return said;
}

interface Judged {
  readonly file: PassageFile;
  readonly standing: Standing;
}

async function standingOfPassage(found: RecalledConversation, services: Asking): Promise<string | undefined> {
  const conversations = await services.conversations();
  const files = await conversations.filesOf(found);
  if (files === undefined || files.length === 0 || files.length > MAX_FILES) return undefined;
  const judged: Judged[] = [];
  for (const file of files) {
    const text = await presentText(file, services);
    const standing = text === undefined ? undefined : conversations.standingOf(text, file);
    // Of several files, one that nothing is known of leaves it open.
    if (standing === undefined) return undefined;
    judged.push({ file, standing });
  }
  return holdsInWords(
    judged.map(({ standing }) => standing),
    await changerOf(judged, conversations),
  );
}

/** The id of the first conversation that changed one of the files after it. */
async function changerOf(judged: readonly Judged[], conversations: Conversations): Promise<string | undefined> {
  for (const { file, standing } of judged) {
    if (standing.verdict !== "changed" && standing.verdict !== "part") continue;
    const later = await conversations.changerOf({ ...file, text: undefined }, standing.gone, file.time);
    if (later !== undefined) return later.id;
  }
  return undefined;
}

/** A regular file below the recorded root of its project, by no link; or a note of a vault. Undefined if it is neither. */
async function presentText({ path, inProject, note }: PassageFile, services: Asking): Promise<string | undefined> {
  if (note !== undefined) return (await noteNamed(note, services))?.text;
  if (inProject === undefined || services.isHiddenFile?.(path)) return undefined;
  const { codeOf, FileTooLarge, isNoFile, readBytes, realPath } = await import("../../files/files.ts");
  try {
    // No link on the way, either.
    if (pathWithin(realPath(inProject.root), realPath(path)) !== inProject.path) return undefined;
    return readBytes(path, undefined, MAX_BYTES).toString("utf8");
  } catch (error) {
    if (error instanceof FileTooLarge || isNoFile(error) || /^(?:ENOENT|EACCES|EPERM)$/.test(codeOf(error)))
      return undefined;
    throw error;
  }
}
