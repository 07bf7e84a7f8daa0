// What is done to the pages of the store after everything that people and
// assistants said can be found: they are packed, and what tools were asked and
// gave, thinking and sub-agents go into a full text of their own. That is twice
// as much text, and seldom asked for. Used by conversations.ts.
import type { IndexDatabase, Row } from "../../index/database.ts";
import { indexedText, packed, partsIn } from "./pages.ts";

const SLICE = 10;
const AT_ONCE = 50;
const MERGED_PAGES = 300;

/** Until no page waits, or the signal says stop. Several processes may do that at once. */
export async function settle(database: IndexDatabase, signal: AbortSignal): Promise<void> {
  const step = (): boolean => {
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const waiting = database.all("SELECT page, prose, other FROM waiting LIMIT ?", AT_ONCE);
      if (waiting.length === 0) return false;
      for (const row of waiting) {
        settlePage(database, row);
        if (performance.now() >= end) break;
      }
    }
    return true;
  };
  if (isSettled(database)) return;
  while (await database.writeInTurns(step, signal)) signal.throwIfAborted();
  while (await database.write(() => database.merge(MERGED_PAGES, "tool_text"), signal));
  // Gives the pages that are free now back to the disk.
  database.all("PRAGMA incremental_vacuum");
}

function settlePage(database: IndexDatabase, { page: id, prose, other }: Row): void {
  const page = Number(id);
  if (typeof prose === "string") database.run("INSERT OR REPLACE INTO prose VALUES (?, ?)", page, packed(prose));
  if (typeof other === "string") {
    database.run("INSERT INTO tool_text (rowid, body) VALUES (?, ?)", page, indexedText(partsIn(other)));
    database.run("INSERT OR REPLACE INTO other VALUES (?, ?)", page, packed(other));
  }
  database.run("DELETE FROM waiting WHERE page = ?", page);
}

/** Whether no page waits. */
export function isSettled(database: IndexDatabase): boolean {
  return database.get("SELECT 1 FROM waiting LIMIT 1") === undefined;
}
