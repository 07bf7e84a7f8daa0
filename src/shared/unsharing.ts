// Taking back what one has added to a space. The store keeps in mind which
// conversations and projects that were, by hashes of their names, so that no other
// machine of the member pushes them again before they are shared again on purpose.
// Used by the commands `store` and `push`.
import { Problem } from "../kernel/kernel.ts";
import { ownName, type Space } from "./spaces.ts";
import type { Store } from "./store.ts";
import type { TaggedQuery } from "./tagged-query.ts";

/** Counts of what one has added to a space. */
export interface OwnRows {
  readonly events: number;
  readonly conversations: number;
}

/** Conversations of the project with this name, or this one, by its number. All and memory too, without either. */
export interface Unshared {
  readonly project?: string | undefined;
  readonly conversation?: number | undefined;
}

/** How much one has added to a space. */
export async function countOwnRows(store: Store, space: Space, { project }: Unshared = {}): Promise<OwnRows> {
  return store.reading(async (sql) => {
    const [row] = await sql`
      SELECT (SELECT count(*)::int FROM commonplace.memory_event
               WHERE space = ${space.id} AND member = commonplace.current_member() AND ${project ?? null}::text IS NULL) AS events,
             (SELECT count(*)::int FROM commonplace.conversation
               WHERE space = ${space.id} AND member = commonplace.current_member()
                 AND (${project ?? null}::text IS NULL OR project_name = ${project ?? null})) AS conversations`;
    return { events: Number(row!["events"]), conversations: Number(row!["conversations"]) };
  });
}

/** A conversation that one has pushed. */
interface OwnConversation {
  readonly number: number;
  readonly source: string;
  readonly key: string;
  readonly title: string;
}

/** Finds what one has pushed with this id, `source/id`, or beginning of an id. Throws a problem unless there is exactly one. */
export async function ownConversation(store: Store, space: Space, id: string): Promise<OwnConversation> {
  const [source, key] = id.includes("/") ? id.split("/", 2) : [null, id];
  const rows = await store.reading(
    (sql) => sql`
      SELECT id, source, key, title FROM commonplace.conversation
      WHERE space = ${space.id} AND member = commonplace.current_member() AND key ^@ ${key!}
        AND (${source!}::text IS NULL OR source = ${source!}) ORDER BY key <> ${key!}, key LIMIT 20`,
  );
  const exact = rows.filter((row) => row["key"] === key);
  const found = exact.length > 0 || key!.length < MIN_BEGINNING_LENGTH ? exact : rows;
  const [first] = found;
  if (first === undefined) throw new Problem("not_found", `You have pushed no conversation ${id} to ${space.name}.`);
  if (found.length > 1)
    throw new Problem(
      "invalid",
      `Several conversations begin with ${id}.`,
      `Name one of ${found.map((row) => `${String(row["source"])}/${String(row["key"])}`).join(", ")}.`,
    );
  const [number, name] = [Number(first["id"]), String(first["title"])];
  return { number, source: String(first["source"]), key: String(first["key"]), title: name };
}

/** The numbers of those of these conversations (`source/id`) that one has pushed to a space. */
export async function ownConversationsNamed(store: Store, space: Space, names: readonly string[]): Promise<number[]> {
  const rows = await store.reading(
    (sql) => sql`
      SELECT id FROM commonplace.conversation WHERE space = ${space.id} AND member = commonplace.current_member()
        AND source || '/' || key = ANY(${names}::text[]) ORDER BY id`,
  );
  return rows.map(({ id }) => Number(id));
}

/** Ids are long: people quote their beginning. */
const MIN_BEGINNING_LENGTH = 6;

/** Conversations that are deleted by one statement: a few seconds of work. */
const DELETED_AT_ONCE = 200;

/**
 * Deletes what one has added to a space, in steps, since there may be much; and keeps in mind that it was unshared.
 * @param projects the identities of further projects that are not shared any more
 * @returns how much was deleted
 */
export async function unshare(
  store: Store,
  space: Space,
  what: Unshared = {},
  projects: readonly string[] = [],
): Promise<OwnRows> {
  // First: what another machine pushes from here on is left out by it, and what it has pushed before is deleted below.
  await store.transaction((sql) => rememberUnshared(sql, space, what, projects));
  let conversations = 0;
  for (;;) {
    const deleted = await store.transaction((sql) => deleteOwnConversations(sql, space, what));
    conversations += deleted;
    if (deleted < DELETED_AT_ONCE) break;
  }
  const isAll = what.project === undefined && what.conversation === undefined;
  const events = isAll ? await store.transaction((sql) => deleteOwnEvents(sql, space)) : 0;
  return { events, conversations };
}

/**
 * Names a conversation among what was unshared.
 * @param conversation as `source/id`
 */
export function unsharedConversation(conversation: string): string {
  return `conversation ${conversation}`;
}

/** @param project its identity, `git:host/owner/name` or `path:/folder` */
export function unsharedProject(project: string): string {
  return `project ${project}`;
}

async function rememberUnshared(
  sql: TaggedQuery,
  space: Space,
  { project, conversation }: Unshared,
  projects: readonly string[],
): Promise<void> {
  // The texts are those of the two functions above.
  await sql`
    INSERT INTO commonplace.unshared (space, member, name)
    SELECT ${space.id}::bigint, commonplace.current_member(), sha256(convert_to(name, 'UTF8')) FROM (
      SELECT unnest(${projects.map(unsharedProject)}::text[]) AS name
      UNION SELECT unnest(CASE WHEN ${conversation === undefined} AND project IS NOT NULL
        THEN ARRAY['conversation ' || source || '/' || key, 'project ' || project]
        ELSE ARRAY['conversation ' || source || '/' || key] END)
      FROM commonplace.conversation WHERE space = ${space.id} AND member = commonplace.current_member()
        AND (${project ?? null}::text IS NULL OR project_name = ${project ?? null})
        AND (${conversation ?? null}::bigint IS NULL OR id = ${conversation ?? null})
    ) AS named ON CONFLICT DO NOTHING`;
}

/** @returns those of the names that one has unshared */
export async function unsharedAmong(
  sql: TaggedQuery,
  space: Space,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql`
    SELECT asked.name FROM unnest(${names}::text[]) AS asked (name) JOIN commonplace.unshared
      ON unshared.space = ${space.id} AND unshared.member = commonplace.current_member()
        AND unshared.name = sha256(convert_to(asked.name, 'UTF8'))`;
  return new Set(rows.map(({ name }) => String(name)));
}

/** Forgets that these were unshared. */
export async function shareAgain(store: Store, space: Space, names: readonly string[]): Promise<void> {
  await store.transaction(
    (sql) => sql`
      DELETE FROM commonplace.unshared USING unnest(${names}::text[]) AS again (name)
      WHERE space = ${space.id} AND member = commonplace.current_member()
        AND unshared.name = sha256(convert_to(again.name, 'UTF8'))`,
  );
}

/** @returns how many; there may be more, if it is DELETED_AT_ONCE */
async function deleteOwnConversations(
  sql: TaggedQuery,
  space: Space,
  { project, conversation }: Unshared = {},
): Promise<number> {
  const [row] = await sql`
    SELECT commonplace.unshare_conversations(${space.id}::bigint, ${DELETED_AT_ONCE}::int, ${project ?? null}::text,
      ${conversation ?? null}::bigint) AS deleted`;
  return Number(row!["deleted"]);
}

async function deleteOwnEvents(sql: TaggedQuery, space: Space): Promise<number> {
  const deleted = await sql`
    DELETE FROM commonplace.memory_event
    WHERE space = ${space.id} AND member = commonplace.current_member() RETURNING 1`;
  return deleted.length;
}

/** Deletes everything that one has added to a space, and leaves it. A space without members is deleted. */
export async function leaveSpace(store: Store, space: Space): Promise<void> {
  const name = await ownName(store);
  // In one transaction, so that nothing is deleted if the member may not leave.
  await store.transaction(async (sql) => {
    while ((await deleteOwnConversations(sql, space)) === DELETED_AT_ONCE);
    await deleteOwnEvents(sql, space);
    await sql`DELETE FROM commonplace.unshared WHERE space = ${space.id} AND member = commonplace.current_member()`;
    await sql`SELECT commonplace.end_membership(${space.id}, ${name})`;
  });
}
