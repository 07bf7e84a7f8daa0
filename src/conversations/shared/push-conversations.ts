// Brings conversations of this machine into a shared store: those of the projects
// that the person named, in batches of one transaction each. What the store has is
// not sent again, so that an interrupted push is continued by the next one. Loaded
// only by the command `push`, through conversation-library.ts.
//
// A conversation belongs to the member that pushed it first: nobody else changes it.
// The store knows the last stamps of each (pushed-conversation.ts). One that it knows
// needs no look at the conversation; of another, the content decides, and an older
// copy, from a machine that is not in sync, does not replace a newer one. One that the
// member has unshared, on whichever machine, is left out.
import { type Space, type Store, type TaggedQuery, unsharedAmong, unsharedConversation } from "../../shared/shared.ts";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";
import type { WholeText } from "../store/pages.ts";
import { pushedConversation, stampOf, type PushedConversation, type PushedPage } from "./pushed-conversation.ts";

export interface Pushing {
  readonly store: Store;
  readonly space: Space;
  readonly database: IndexDatabase;
  /** The rows of the conversations, of this machine's store. */
  readonly rows: readonly number[];
  /** Whole texts of tools, if they are kept. */
  readonly wholeText: (whole: WholeText) => string | undefined;
  /** Those that a preview counts as shared again (`source/id`); a push has told the store before. */
  readonly again?: ReadonlySet<string> | undefined;
  /** Compares, counts, and sends nothing. */
  readonly isPreview?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

interface Counts {
  readonly added: number;
  /** Those that have changed since they were pushed. */
  readonly changed: number;
  readonly unchanged: number;
  /** Those that another member has pushed before. */
  readonly ofOthers: number;
  /** Those that the member has unshared. */
  readonly unshared: number;
}

/** Of what is added and has changed: how much there is, and how many secrets are left out. */
interface Amounts {
  readonly messages: number;
  readonly bytes: number;
  readonly redactions: number;
}

export type PushedConversations = Counts & { readonly sent: Amounts };

/** Conversations that are compared with the store at once. */
const COMPARED = 500;
/** A batch is sent when it has this many bytes, or conversations. */
const BATCH_BYTES = 2_000_000;
const BATCH = 50;
/** Stamps that the store keeps of a conversation: a few machines, each with a few earlier states. */
const MAX_STAMPS = 20;

interface Stamped {
  readonly row: number;
  readonly source: string;
  readonly key: string;
  readonly stamp: string;
}

type Ready = PushedConversation & Pick<Stamped, "stamp">;

/** Of what the store knows of a conversation: "unshared", or its row there. */
type Known = "unshared" | KnownRow;

interface KnownRow {
  readonly id: string;
  readonly isOwn: boolean;
  readonly content: string;
  readonly stamps: readonly string[];
  readonly updated: number;
  readonly messages: number;
}

export async function pushConversations(pushing: Pushing): Promise<PushedConversations> {
  const { store, space, database, rows, wholeText, again, isPreview = false, signal, onProgress } = pushing;
  const counts = { added: 0, changed: 0, unchanged: 0, ofOthers: 0, unshared: 0 };
  const amounts = { messages: 0, bytes: 0, redactions: 0 };
  let done = 0;
  const report = (conversations: number) => onProgress?.((done += conversations), rows.length);
  for (let from = 0; from < rows.length; from += COMPARED) {
    const stamped = rows.slice(from, from + COMPARED).map((row) => stampedRow(database, row));
    const known = await store.reading((sql) => knownOf(sql, space, stamped, again));
    const waiting: Stamped[] = [];
    for (const one of stamped) {
      const found = known.get(nameOf(one.source, one.key));
      if (found === "unshared") counts.unshared++;
      else if (found?.isOwn === false) counts.ofOthers++;
      else if (found?.stamps.includes(one.stamp) === true) counts.unchanged++;
      else waiting.push(one);
    }
    report(stamped.length - waiting.length);
    for (const batch of batchesOf(database, waiting, wholeText)) {
      signal?.throwIfAborted();
      const states = isPreview
        ? batch.map((one) => stateOf(one, known.get(nameOf(one.facts.source, one.facts.key))))
        : await pushBatch(store, space, batch);
      for (const [i, state] of states.entries()) {
        counts[state]++;
        if (state === "added" || state === "changed") addTo(amounts, batch[i]!);
      }
      report(batch.length);
    }
  }
  return { ...counts, sent: amounts };
}

function addTo(amounts: { -readonly [Name in keyof Amounts]: number }, { facts, pages, redactions }: Ready): void {
  amounts.messages += facts.messages;
  amounts.bytes += bytesOf(pages);
  amounts.redactions += redactions;
}

function bytesOf(pages: readonly PushedPage[]): number {
  return pages.reduce((sum, { parts, whole }) => sum + parts.length + (whole?.length ?? 0), 0);
}

/** Decides what is done with a conversation, by what the store has of it. */
function stateOf({ facts }: Ready, known: Known | undefined): keyof Counts {
  if (known === undefined) return "added";
  if (known === "unshared") return known;
  if (!known.isOwn) return "ofOthers";
  return known.content === facts.content || isOlder(facts, known) ? "unchanged" : "changed";
}

function stampedRow(database: IndexDatabase, row: number): Stamped {
  const { source, key } = database.get("SELECT source, key FROM conversation WHERE id = ?", row)!;
  return { row, source: String(source), key: String(key), stamp: stampOf(database, row) };
}

function nameOf(source: string, key: string): string {
  return `${source}/${key}`;
}

function* batchesOf(
  database: IndexDatabase,
  stamped: readonly Stamped[],
  wholeText: Pushing["wholeText"],
): Generator<readonly Ready[]> {
  let batch: Ready[] = [];
  let bytes = 0;
  for (const { row, stamp } of stamped) {
    const conversation = { ...pushedConversation(database, row, wholeText), stamp };
    batch.push(conversation);
    bytes += bytesOf(conversation.pages);
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function knownOf(
  sql: TaggedQuery,
  space: Space,
  asked: readonly { readonly source: string; readonly key: string }[],
  again?: ReadonlySet<string>,
): Promise<Map<string, Known>> {
  const rows = await sql`
    SELECT id, source, key, coalesce(member = commonplace.current_member(), false) AS "isOwn", content, stamps, updated, messages
    FROM commonplace.conversation WHERE space = ${space.id} AND key = ANY(${asked.map(({ key }) => key)})`;
  const known = new Map<string, Known>(
    rows.map((row): [string, KnownRow] => [
      nameOf(String(row["source"]), String(row["key"])),
      {
        id: String(row["id"]),
        isOwn: row["isOwn"] === true,
        content: String(row["content"]),
        stamps: row["stamps"] as string[],
        updated: Number(row["updated"]),
        messages: Number(row["messages"]),
      },
    ]),
  );
  const unshared = await unsharedAmong(
    sql,
    space,
    asked.map(({ source, key }) => unsharedConversation(nameOf(source, key))),
  );
  for (const { source, key } of asked) {
    const name = nameOf(source, key);
    if (unshared.has(unsharedConversation(name)) && again?.has(name) !== true) known.set(name, "unshared");
  }
  return known;
}

/** @returns what was done with each */
async function pushBatch(store: Store, space: Space, batch: readonly Ready[]): Promise<readonly (keyof Counts)[]> {
  return store.transaction(async (sql) => {
    // From here on nobody else adds to this space until the end of the transaction.
    await sql`SELECT commonplace.take_numbers(${space.id}, 1)`;
    const known = await knownOf(
      sql,
      space,
      batch.map(({ facts }) => facts),
    );
    const states: (keyof Counts)[] = [];
    const written: Written[] = [];
    const same: { readonly id: string; readonly stamp: string }[] = [];
    for (const conversation of batch) {
      const { facts, stamp } = conversation;
      const found = known.get(nameOf(facts.source, facts.key));
      const state = stateOf(conversation, found);
      states.push(state);
      if (found === "unshared") continue;
      if (state === "unchanged" && !found!.stamps.includes(stamp)) same.push({ id: found!.id, stamp });
      if (state === "added" || state === "changed") written.push({ conversation, known: found });
    }
    if (same.length > 0)
      await sql`
        UPDATE commonplace.conversation SET stamps = (stamps || asked.stamp)[greatest(1, cardinality(stamps) + 2 - ${MAX_STAMPS}::int):]
        FROM json_to_recordset(${JSON.stringify(same)}::text::json) AS asked (id bigint, stamp text)
        WHERE conversation.id = asked.id`;
    if (written.length > 0) await writePages(sql, space, await writeFacts(sql, space, written));
    return states;
  });
}

function isOlder(facts: PushedConversation["facts"], known: KnownRow): boolean {
  return facts.updated < known.updated || (facts.updated === known.updated && facts.messages < known.messages);
}

/** The columns that a push sets, with their types. */
const COLUMNS = {
  source: "text",
  key: "text",
  content: "text",
  stamps: "text[]",
  redaction: "bigint",
  title: "text",
  folder: "text",
  project: "text",
  root: "text",
  project_name: "text",
  workspace: "text",
  branch: "text",
  model: "text",
  created: "double precision",
  updated: "double precision",
  time_known: "text",
  messages: "integer",
  type: "text",
  keywords: "text",
  opening: "text",
  files: "text",
  touched: "json",
  abandoned: "json",
  continues: "text",
  shared_until: "double precision",
  unavailable: "text",
  has_dropped: "boolean",
  tokens: "json",
} as const;
const NAMES = Object.keys(COLUMNS);

interface Written {
  readonly conversation: Ready;
  readonly known: KnownRow | undefined;
}

/** @returns the conversations with the numbers of their rows */
async function writeFacts(
  sql: TaggedQuery,
  space: Space,
  written: readonly Written[],
): Promise<{ readonly id: string; readonly pages: readonly PushedPage[] }[]> {
  const rows = written.map(({ conversation: { facts, stamp }, known }) => ({
    ...withoutNulls(facts),
    stamps: [...(known?.stamps ?? []), stamp].slice(-MAX_STAMPS),
  }));
  const set = NAMES.filter((name) => name !== "source" && name !== "key");
  const ids = await sql.run(
    `INSERT INTO commonplace.conversation (space, member, ${NAMES.join(", ")})
     SELECT $1::bigint, commonplace.current_member(), ${NAMES.join(", ")}
     FROM json_to_recordset($2::text::json) AS row (${NAMES.map((name) => `${name} ${COLUMNS[name as keyof typeof COLUMNS]}`).join(", ")})
     ON CONFLICT (space, source, key) DO UPDATE SET pushed = now(), ${set.map((name) => `${name} = excluded.${name}`).join(", ")}
     RETURNING id, source, key`,
    [space.id, JSON.stringify(rows)],
  );
  const byName = new Map(ids.map((row) => [nameOf(String(row["source"]), String(row["key"])), String(row["id"])]));
  return written.map(({ conversation: { facts, pages } }) => ({
    id: byName.get(nameOf(facts.source, facts.key))!,
    pages,
  }));
}

/** PostgreSQL stores no NUL in a text. */
function withoutNulls(facts: PushedConversation["facts"]): PushedConversation["facts"] {
  return JSON.parse(JSON.stringify(facts).replaceAll("\\u0000", "")) as PushedConversation["facts"];
}

function pageName(conversation: unknown, page: unknown, content: unknown): string {
  return `${String(conversation)} ${String(page)} ${String(content)}`;
}

/** Those that have changed, and no others. */
async function writePages(
  sql: TaggedQuery,
  space: Space,
  conversations: readonly { readonly id: string; readonly pages: readonly PushedPage[] }[],
): Promise<void> {
  const stored = await sql`
    SELECT conversation, page, content FROM commonplace.conversation_page
    WHERE conversation = ANY(${conversations.map(({ id }) => id)}::bigint[])`;
  const wanted = new Set(
    conversations.flatMap(({ id, pages }) => pages.map((one) => pageName(id, one.page, one.content))),
  );
  const gone = stored.filter(({ conversation, page, content }) => !wanted.has(pageName(conversation, page, content)));
  if (gone.length > 0)
    await sql`
      DELETE FROM commonplace.conversation_page
      USING unnest(${gone.map((row) => String(row["conversation"]))}::bigint[], ${gone.map((row) => Number(row["page"]))}::int[])
        AS gone (conversation, page)
      WHERE conversation_page.conversation = gone.conversation AND conversation_page.page = gone.page`;
  const had = new Set(stored.map(({ conversation, page, content }) => pageName(conversation, page, content)));
  const added = conversations.flatMap(({ id, pages }) =>
    pages.filter((one) => !had.has(pageName(id, one.page, one.content))).map((page) => ({ id, ...page })),
  );
  if (added.length === 0) return;
  await sql`
    INSERT INTO commonplace.conversation_page (conversation, page, space, kind, content, first, last, parts)
    SELECT conversation, page, ${space.id}::bigint, kind, content, first, last, parts
    FROM unnest(${added.map(({ id }) => id)}::bigint[], ${added.map(({ page }) => page)}::int[],
      ${added.map(({ kind }) => kind)}::text[], ${added.map(({ content }) => content)}::text[],
      ${added.map(({ first }) => first)}::float8[], ${added.map(({ last }) => last)}::float8[],
      ${added.map(({ parts }) => parts)}::bytea[]) AS row (conversation, page, kind, content, first, last, parts)`;
  const wholes = added.flatMap(({ whole, ...page }) => (whole === undefined ? [] : [{ ...page, whole }]));
  if (wholes.length > 0)
    await sql`
      INSERT INTO commonplace.conversation_whole (conversation, page, space, texts)
      SELECT conversation, page, ${space.id}::bigint, texts
      FROM unnest(${wholes.map(({ id }) => id)}::bigint[], ${wholes.map(({ page }) => page)}::int[],
        ${wholes.map(({ whole }) => whole)}::bytea[]) AS row (conversation, page, texts)`;
}
