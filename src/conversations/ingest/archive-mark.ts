// Marks what its program has deleted. Used by refresh.ts and taking-in.ts.
import type { SQLInputValue } from "node:sqlite";
import type { IndexDatabase } from "../../sqlite/sqlite.ts";

/** A conversation is archived where no unit that is still there has it. */
export function markArchived(database: IndexDatabase, condition: string, ...values: SQLInputValue[]): void {
  database.run(
    `UPDATE conversation SET is_archived = NOT EXISTS (
       SELECT 1 FROM holding JOIN unit ON unit.id = holding.unit WHERE holding.conversation = conversation.id AND NOT unit.is_gone
     ) WHERE ${condition}`,
    ...values,
  );
}
