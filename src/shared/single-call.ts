// One question that is a call of one function: the settings of the transaction and the
// call are one statement, which a connection prepares once. It is what a read of a note
// is made of. A pooler that lends a connection for a transaction may not know what was
// prepared on it: then nothing is prepared any more. Used by store.ts.
import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { withCode } from "./errors.ts";
import type { QueryClass } from "./reading.ts";
import { NEWEST } from "./schema/versions.ts";
import { calling, checkTexts } from "./tagged-query.ts";

/** A function of our schema that changes nothing, and that is not immutable: see statementFor. */
export interface Call {
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Says whether statements are prepared; the calls of one store share it. */
export interface Preparation {
  isPossible: boolean;
}

/** There is no statement of that name; or there is one already. */
const NOT_PREPARED: ReadonlySet<unknown> = new Set(["26000", "42P05"]);

/** @param member for whom; empty for the login itself */
export async function answeredCall(
  { client, Query }: { readonly client: PoolClient; readonly Query: QueryClass },
  member: string,
  { name, values }: Call,
  preparation: Preparation,
): Promise<unknown> {
  checkTexts(values);
  const statement = statementFor(name, values);
  const ask = (isPrepared: boolean) =>
    new Promise<unknown>((resolve, reject) => {
      const query = new Query(statement.text, [member, NEWEST, ...values], (error, result) =>
        error ? reject(error) : resolve(result.rows[0]!["value"]),
      );
      client.query(isPrepared ? Object.assign(query, { name: statement.name }) : query);
    }).catch(withCode);
  if (!preparation.isPossible) return ask(false);
  return ask(true).catch((error: { readonly code?: unknown }) => {
    if (!NOT_PREPARED.has(error.code)) throw error;
    preparation.isPossible = false;
    return ask(false);
  });
}

const statements = new Map<string, { readonly text: string; readonly name: string }>();

/**
 * CASE has the function asked after the settings, if the database does not know its value beforehand. The name depends
 * on the whole text: other releases may use the same connection of a pooler.
 */
function statementFor(name: string, values: readonly unknown[]): { readonly text: string; readonly name: string } {
  const known = statements.get(name);
  if (known !== undefined) return known;
  const text = `SELECT CASE WHEN commonplace.begin_reading($1, $2) THEN ${calling(name, values, 2)} END AS value`;
  const statement = { text, name: `commonplace_${createHash("sha256").update(text).digest("hex").slice(0, 32)}` };
  statements.set(name, statement);
  return statement;
}
