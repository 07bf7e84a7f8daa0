// The conversations of a space as its index reads them: what changed comes from the feed of
// the space, and messages in portions, as the member who asks. Used by what keeps an index
// of it (conversations/shared/space-index.ts).
import { Problem } from "../kernel/kernel.ts";
import type { Standing } from "./standing.ts";
import type { Store } from "./store.ts";
import type { Row } from "./tagged-query.ts";

/** A conversation that was added or has changed, by its number in the store. */
export interface ChangedConversation {
  readonly id: number;
  /** The number of its last change. */
  readonly number: number;
  readonly updated: number;
  readonly messages: number;
}

/** A conversation as it is now. */
export interface FedConversation {
  readonly facts: Row;
  readonly pages: readonly Row[];
}

export interface ConversationFeed {
  readonly to: Standing;
  /** Its numbers went back: nothing that was indexed before is known to be there. */
  readonly isRestored: boolean;
  /** Lists the changes after a number, the newest conversations first, and those that are gone. */
  readonly changesAfter: (
    number: number,
  ) => Promise<{ readonly changed: readonly ChangedConversation[]; readonly gone: readonly number[] }>;
  /** These conversations, by their numbers, without those that are gone. */
  readonly contents: (ids: readonly number[]) => Promise<ReadonlyMap<number, FedConversation>>;
}

const FACTS = `conversation.id, source, key, title, folder, project, root, project_name, workspace, branch, model,
  conversation.created, updated, time_known, messages, type, touched, redaction`;

export function conversationFeed(store: Store, to: Standing, isRestored: boolean): ConversationFeed {
  const { space } = to;
  return {
    to,
    isRestored,
    changesAfter: async (number) => {
      // As one value, and with the space in the same statement: who is not in it must not take it for an empty one.
      const [row] = await store.reading(
        (sql) => sql`
          SELECT (
            SELECT coalesce(json_agg(json_build_array(feed.conversation, feed.number, updated, messages) ORDER BY updated DESC), '[]')
            FROM commonplace.conversation_feed AS feed
              LEFT JOIN commonplace.conversation ON conversation.id = feed.conversation AND conversation.space = feed.space
            WHERE feed.space = space.id AND feed.number > ${number}
          ) AS changes FROM commonplace.space WHERE id = ${space}`,
      );
      if (row === undefined) throw removed();
      const changes = row["changes"] as readonly (readonly [number, number, number | null, number])[];
      return {
        changed: changes.flatMap(([id, of, updated, messages]) =>
          updated === null ? [] : [{ id, number: of, updated, messages }],
        ),
        gone: changes.flatMap(([id, , updated]) => (updated === null ? [id] : [])),
      };
    },
    contents: async (ids) => {
      const [facts, pages, [isThere]] = await store.reading((sql) =>
        Promise.all([
          sql.run(
            `SELECT ${FACTS} FROM commonplace.conversation WHERE conversation.space = $1 AND conversation.id = ANY($2)`,
            [space, ids],
          ),
          sql`
            SELECT conversation, page, kind, first, last, parts FROM commonplace.conversation_page
            WHERE space = ${space} AND conversation = ANY(${ids}) ORDER BY conversation, page`,
          // Last: if the member is still in the space, those before were answered.
          sql`SELECT 1 FROM commonplace.space WHERE id = ${space}`,
        ]),
      );
      if (isThere === undefined) throw removed();
      const own = Map.groupBy(pages, ({ conversation }) => Number(conversation));
      return new Map(
        facts.map((row): [number, FedConversation] => {
          const id = Number(row["id"]);
          return [id, { facts: row, pages: own.get(id) ?? [] }];
        }),
      );
    },
  };
}

function removed(): Problem {
  return new Problem("denied", "You are no longer in this space of the shared store.");
}
