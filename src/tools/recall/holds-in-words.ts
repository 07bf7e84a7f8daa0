// Words the field `holds` in 12 tokens at most: whether the edits of a conversation still stand, and
// which one changed it. Used by standing.ts and file-question.ts.
import type { Standing } from "../../conversations/conversations.ts";

/** Characters of an id by which it can be read. */
const ID_LENGTH = 8;

/** @param standings of one file each @param changedIn the id of the conversation that changed one of them */
export function holdsInWords(standings: readonly Standing[], changedIn: string | undefined): string {
  const are = (...verdicts: readonly Standing["verdict"][]) =>
    standings.every(({ verdict }) => verdicts.includes(verdict));
  if (are("holds")) return "yes";
  if (are("taken back")) return "no, taken back";
  const changed = `changed ${changedIn === undefined ? "since" : `in ${changedIn.slice(0, ID_LENGTH)}`}`;
  if (are("changed", "taken back")) return `no, ${changed}`;
  const sum = (of: (standing: Standing) => number) => standings.reduce((total, standing) => total + of(standing), 0);
  return `${sum(({ left }) => left)} of ${sum(({ written }) => written)} lines, rest ${changed}`;
}
