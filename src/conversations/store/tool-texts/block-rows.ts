// The rows of blocks of whole texts: whose they are, how large, and which were
// dropped. Used within transactions, by tool-texts.ts and removal.ts.
import type { SQLInputValue } from "node:sqlite";
import type { IndexDatabase } from "../../../sqlite/sqlite.ts";

function stateOf(database: IndexDatabase, key: string): number {
  return Number(database.get("SELECT value FROM state WHERE key = ?", key)?.["value"] ?? 0);
}

/** The number of the last block. Numbers are never used again, except those of a transaction that failed. */
export function lastBlock(database: IndexDatabase): number {
  return stateOf(database, "last block");
}

export function setLastBlock(database: IndexDatabase, id: number): void {
  database.run("INSERT OR REPLACE INTO state VALUES ('last block', ?)", id);
}

/** Bytes of all blocks. */
export function keptBytes(database: IndexDatabase): number {
  return stateOf(database, "bytes of blocks");
}

export function addBytes(database: IndexDatabase, bytes: number): void {
  database.run("INSERT OR REPLACE INTO state VALUES ('bytes of blocks', ?)", keptBytes(database) + bytes);
}

export function oldestConversations(database: IndexDatabase): { conversation: number; bytes: number }[] {
  const rows = database.all(
    `SELECT tool_block.conversation AS conversation, sum(size) AS bytes FROM tool_block
     JOIN conversation ON conversation.id = tool_block.conversation WHERE NOT is_dropped
     GROUP BY tool_block.conversation ORDER BY coalesce(updated, created, 0), tool_block.conversation`,
  );
  return rows.map(({ conversation, bytes }) => ({ conversation: Number(conversation), bytes: Number(bytes) }));
}

type Which = { readonly conversation: number; readonly transcript?: number } | { readonly block: number };

/** Removes blocks whose parts are gone. */
export function removeBlocks(database: IndexDatabase, which: Which): void {
  const { condition, values } = removeTexts(database, which);
  database.run(`DELETE FROM tool_block WHERE ${condition}`, ...values);
}

/** Removes the texts of blocks whose parts stay, with their beginnings, and results say so. */
export function dropBlocks(database: IndexDatabase, which: Which): void {
  const { condition, values } = removeTexts(database, which);
  database.run(`UPDATE tool_block SET is_dropped = 1, size = 0 WHERE ${condition}`, ...values);
}

function removeTexts(database: IndexDatabase, which: Which): { condition: string; values: SQLInputValue[] } {
  const [condition, values] = conditionOf(which);
  const { bytes } = database.get(
    `SELECT coalesce(sum(size), 0) AS bytes FROM tool_block WHERE ${condition}`,
    ...values,
  )!;
  database.run(`DELETE FROM block WHERE id IN (SELECT id FROM tool_block WHERE ${condition})`, ...values);
  if (Number(bytes) > 0) addBytes(database, -Number(bytes));
  return { condition, values };
}

function conditionOf(which: Which): [condition: string, values: SQLInputValue[]] {
  if ("block" in which) return ["id = ?", [which.block]];
  const { conversation, transcript } = which;
  if (transcript === undefined) return ["conversation = ?", [conversation]];
  return ["unit = ? AND conversation = ?", [transcript, conversation]];
}
