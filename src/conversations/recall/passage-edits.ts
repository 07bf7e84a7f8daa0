// The edits of files that a passage of a conversation made: those of the calls between the
// prompt that it belongs to and the next one. Used by passage-files.ts, to say
// whether what was found still holds.
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import { abandonedIn } from "../store/abandoned.ts";
import { messagesOf, partsOfPage, type StoredMessage } from "../store/conversation-reader.ts";
import type { StoredPart } from "../store/pages.ts";
import { CallOutcomes, isCall } from "./call-outcomes.ts";
import { editsIn, type FileEdit } from "./file-edits.ts";

/** A message that was found, on its page; the whole conversation if it was found by its title. */
export interface Passage {
  /** The conversation's row in the store. */
  readonly row: number;
  readonly page: number | undefined;
  readonly message: string | undefined;
}

export interface PassageEdit extends FileEdit {
  readonly tool: string;
  readonly time: number | undefined;
}

/** Pages of prose on either side, and of calls, that are read: longer exchanges get no verdict. */
const MAX_PROSE_PAGES = 4;
const MAX_CALL_PAGES = 24;

const WHOLE = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, prose: [] };

/** @param shown the message with its whole text; undefined if the exchange is too long to be read */
export function editsOfPassage(
  database: IndexDatabase,
  passage: Passage,
  shown: (message: StoredMessage) => { readonly text: string },
): readonly PassageEdit[] | undefined {
  const { row, page, message } = passage;
  const span = page === undefined || message === undefined ? WHOLE : exchangeOf(database, { row, page, message });
  if (span === undefined) return undefined;
  const { from, until, prose } = span;
  const isWithin = ({ order }: StoredPart) => order >= from && order < until;
  const pages = database.all(
    "SELECT id FROM page WHERE conversation = ? AND is_rest AND last >= ? AND first < ? ORDER BY first, id LIMIT ?",
    passage.row,
    from,
    until,
    MAX_CALL_PAGES + 1,
  );
  if (pages.length > MAX_CALL_PAGES) return undefined;
  const calls = pages.flatMap(({ id }) => partsOfPage(database, Number(id)));
  const messages = messagesOf(prose.filter(isWithin), calls.filter(isWithin), abandonedIn(database, passage.row));
  return editsOfMessages(messages, shown);
}

/** The edits that did not fail, in their order. */
function editsOfMessages(
  messages: readonly StoredMessage[],
  shown: (message: StoredMessage) => { readonly text: string },
): PassageEdit[] {
  const made = new Set<PassageEdit>();
  const outcomes = new CallOutcomes();
  for (const message of messages) {
    const { kind, role, tool, time, isAbandoned } = message;
    if (kind === "prose" && role === "user") outcomes.end();
    if (kind === "prose" || isAbandoned) continue;
    const { text } = shown(message);
    const edits = tool === undefined ? [] : editsIn(tool, text).map((edit) => ({ ...edit, tool, time }));
    if (edits.length === 0 && !isCall({ ...message, text })) {
      outcomes.output({ ...message, text });
      continue;
    }
    for (const edit of edits) made.add(edit);
    outcomes.add({ kind, tool, text }, ({ hasFailed }) => hasFailed && edits.forEach((edit) => made.delete(edit)));
  }
  return [...made];
}

/** From the prompt that a message belongs to, up to the next one. */
function exchangeOf(
  database: IndexDatabase,
  { row, page, message }: { readonly row: number; readonly page: number; readonly message: string },
) {
  const own = database.get("SELECT first, last FROM page WHERE id = ? AND NOT is_rest", page);
  if (own === undefined) return undefined;
  const near = (condition: string, order: string, at: unknown) =>
    database
      .all(
        `SELECT id FROM page WHERE conversation = ? AND NOT is_rest AND id <> ? AND ${condition} ORDER BY ${order} LIMIT ?`,
        row,
        page,
        Number(at),
        MAX_PROSE_PAGES,
      )
      .map(({ id }) => Number(id));
  const after = near("first > ?", "first", own["first"]);
  const prose = [...near("first <= ?", "first DESC", own["first"]), page, ...after]
    .flatMap((one) => partsOfPage(database, one))
    .toSorted((a, b) => a.order - b.order);
  const at = prose.findIndex((part) => (part.message || part.hash) === message);
  if (at === -1) return undefined;
  const from = prose.findLast((part, i) => i <= at && isPrompt(part));
  const next = prose.find((part, i) => i > at && isPrompt(part) && part.message !== prose[at]!.message);
  const isCut = next === undefined && after.length === MAX_PROSE_PAGES;
  if (isCut) return undefined;
  return { prose, from: from?.order ?? prose[at]!.order, until: next?.order ?? Number.POSITIVE_INFINITY };
}

function isPrompt({ role, kind }: StoredPart): boolean {
  return role === "user" && kind === "prose";
}
