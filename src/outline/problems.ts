// Problems that both kinds of documents report. Used throughout this room.
import { Problem } from "../kernel/kernel.ts";
import { beginningOf } from "../search/search.ts";
import type { Outline } from "./model.ts";

const LONGEST_ID = 100;

/** @param outline where a row may have this topic: models send topics for ids */
export function noSuchRow(id: string, outline?: Outline): Problem {
  const named = outline === undefined ? [] : idsOfTopic(outline, id);
  return new Problem(
    "row_not_found",
    `Row not found: ${beginningOf(id, LONGEST_ID)}`,
    named.length > 0
      ? `That is the topic of a row: send its id, ${named.map((one) => JSON.stringify(one)).join(" or ")}.`
      : `It may have been deleted, or belong to another document. To find the id of a row: search_outline ${JSON.stringify({ query: beginningOf(id, LONGEST_ID) })}`,
  );
}

const MOST_NAMED = 3;

function idsOfTopic({ numbered, rowCount }: Outline, topic: string): string[] {
  const wanted = topic.trim().toLowerCase();
  const found: string[] = [];
  for (let number = 0; number < rowCount && found.length < MOST_NAMED; number++)
    if (numbered.topic(number).trim().toLowerCase() === wanted) found.push(numbered.row(number).id);
  return found;
}

export function staleVersion(version: string): Problem {
  return new Problem(
    "conflict",
    `The document has changed since it was read: its version is now ${version}.`,
    "Read it again, then repeat the change on what is there now.",
  );
}
