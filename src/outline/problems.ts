// Problems that both kinds of documents report. Used throughout this room.
import { Problem } from "../kernel/kernel.ts";
import { beginningOf } from "../search/search.ts";
import type { Outline } from "./model.ts";

const MAX_ID_LENGTH = 100;

/** @param outline where a row may have this topic: models send topics for ids */
export function noSuchRow(id: string, outline?: Outline): Problem {
  const named = outline === undefined ? [] : idsOfTopic(outline, id);
  return new Problem(
    "row_not_found",
    `Row not found: ${beginningOf(id, MAX_ID_LENGTH)}`,
    named.length > 0
      ? `That is the topic of a row: send its id, ${named.map((one) => JSON.stringify(one)).join(" or ")}.`
      : `It may have been deleted, or belong to another document. To find a row in any outline: search ${JSON.stringify({ query: beginningOf(id, MAX_ID_LENGTH), kinds: ["outline"] })}`,
  );
}

const MAX_NAMED = 3;

export function idsOfTopic({ numbered, rowCount }: Outline, topic: string, most = MAX_NAMED): string[] {
  const wanted = topic.trim().toLowerCase();
  const found: string[] = [];
  if (wanted === "") return found;
  for (let number = 0; number < rowCount && found.length < most; number++)
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
