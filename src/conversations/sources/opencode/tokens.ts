// The tokens of an opencode session, which each answer has counted. Used by
// database.ts and json-storage.ts.
import type { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { tokensIn } from "../kit/token-counts.ts";
import { MAX_VALUE_SIZE, recordOf } from "../kit/stored-json.ts";
import type { Tokens } from "../source.ts";

/** What a message says of its tokens: the program adds up all five. */
export function tokensOf(message: Readonly<Record<string, unknown>> | undefined): Tokens | undefined {
  const tokens = recordOf(message?.["tokens"]);
  const cache = recordOf(tokens?.["cache"]);
  return sumOf({ ...tokens, cacheRead: cache?.["read"], cacheWrite: cache?.["write"] });
}

function sumOf(counted: Readonly<Record<string, unknown>>): Tokens | undefined {
  const count = (name: string) => Math.max(Number(counted[name] ?? 0), 0) || 0;
  const [cached, written] = [count("cacheRead"), count("cacheWrite")];
  return tokensIn({ input: count("input"), output: count("output") + count("reasoning"), cached, written }, true);
}

const COUNTS = {
  input: "input",
  output: "output",
  reasoning: "reasoning",
  cacheRead: "cache.read",
  cacheWrite: "cache.write",
};

/** @param since what a copy of another session has from before is counted there */
export async function countedTokens(
  database: ForeignDatabase,
  table: "message" | "session_message",
  session: string,
  since: number | undefined,
): Promise<Tokens | undefined> {
  if (!(await database.hasTable(table))) return undefined;
  const sums = Object.entries(COUNTS).map(
    ([name, path]) => `CAST(sum(message ->> '$.tokens.${path}') AS INTEGER) AS ${name}`,
  );
  const [row] = await database.rows(
    `SELECT ${sums.join(", ")} FROM (SELECT CAST(data AS TEXT) AS message FROM ${table}
       WHERE session_id = ? AND time_created >= ? AND octet_length(data) <= ${MAX_VALUE_SIZE})
     WHERE json_valid(message)`,
    session,
    since ?? 0,
  );
  return row === undefined ? undefined : sumOf(row);
}
