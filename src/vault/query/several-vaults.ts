// One table of the answers of several vaults: in one order, with the vault of each
// row in a column. Used by the tool vaultLibrarian_query.
import type { Plain } from "../bases/bases.ts";
import type { QueryAnswer } from "./query.ts";
import { groupsOf } from "./run.ts";

interface AnswerOf {
  readonly vault: string;
  readonly answer: QueryAnswer;
}

/** @param answers to the same question; their rows keep their order, and equal ones that of the vaults */
export function inOneTable(answers: readonly AnswerOf[]): QueryAnswer {
  const first = answers[0]!.answer;
  const rows = answers
    .flatMap(({ vault, answer }) => answer.entries.map((entry, at) => ({ vault, answer, entry, at })))
    .toSorted((a, b) => first.compare(a.entry, b.entry));
  const entries = rows.map(({ entry }) => entry);
  // A property that one vault has is known.
  const unknown = first.unknown.filter((each) => answers.every(({ answer }) => answer.unknown.includes(each)));
  const [path = "path", ...columns] = first.columns;
  return {
    ...first,
    columns: [path, "vault", ...columns],
    total: rows.length,
    rows: function* (start) {
      for (const { vault, answer, at } of rows.slice(start)) {
        const [place = null, ...cells] = firstOf(answer.rows(at));
        yield [place, vault, ...cells];
      }
    },
    groups: first.groups && groupsOf(entries),
    unknown,
    warnings: () => {
      const all = answers.flatMap(({ answer }) => answer.warnings().filter((each) => !answer.unknown.includes(each)));
      return [...new Set([...unknown, ...all])];
    },
    entries,
    freshness: answers.find(({ answer }) => answer.freshness.stale)?.answer.freshness ?? first.freshness,
  };
}

function firstOf(rows: Iterable<readonly Plain[]>): readonly Plain[] {
  for (const row of rows) return row;
  return [];
}
