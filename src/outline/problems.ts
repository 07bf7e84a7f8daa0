// Problems that both kinds of documents report. Used throughout this room.
import { Problem } from "../kernel/kernel.ts";
import { beginningOf } from "../search/search.ts";

const LONGEST_ID = 100;

export function noSuchRow(id: string): Problem {
  return new Problem(
    "row_not_found",
    `Row not found: ${beginningOf(id, LONGEST_ID)}`,
    "It may have been deleted, or belong to another document: search_outline and get_outline_structure return ids.",
  );
}

export function staleVersion(version: string): Problem {
  return new Problem(
    "conflict",
    `The document has changed since it was read: its version is now ${version}.`,
    "Read it again, then repeat the change on what is there now.",
  );
}
