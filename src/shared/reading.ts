// Work that changes nothing. Questions that are asked at once are sent as one batch of
// the extended protocol, with one Sync at its end, which PostgreSQL takes for one
// transaction: it begins with the settings of role and member, which end with it, and
// if they fail, no question of the batch is answered. Nothing has to be said or waited
// for to begin and to end it, and poolers that lend a connection for a transaction know
// it as one. Used by store.ts.
import type { Connection, PoolClient, Query, QueryResult } from "pg";
import { withCode } from "./errors.ts";
import { NEWEST } from "./schema/versions.ts";
import { type Row, type Send, taggedQuery, type Work } from "./tagged-query.ts";

/** Of the client, which is loaded on first use. */
export type QueryClass = typeof Query;

interface Reading {
  readonly client: PoolClient;
  readonly Query: QueryClass;
  /** For whom; empty for the login itself. */
  readonly member: string;
  /** To be said when the store has answered. */
  readonly isAnswered: () => void;
}

interface Question {
  readonly statement: string;
  readonly values: readonly unknown[];
}

interface Asked extends Question {
  readonly answer: (result: { readonly rows: readonly Row[] }) => void;
  readonly fail: (error: unknown) => void;
}

/** @returns the result, and what ends when everything that was asked for in advance is answered, too */
export async function whileReading<T>(
  reading: Reading,
  work: Work<T>,
): Promise<{ readonly result: T; readonly rest: Promise<unknown> }> {
  const batches: Promise<void>[] = [];
  let next: Asked[] = [];
  let isOver = false;
  const sendNext = () => {
    if (next.length > 0) batches.push(answered(reading, next));
    next = [];
  };
  const send: Send = (statement, values = []) =>
    new Promise((answer, fail) => {
      if (isOver) return fail(new Error("This work is over."));
      // Together with what else is asked before anything is waited for.
      if (next.push({ statement, values, answer, fail }) === 1) process.nextTick(sendNext);
    });
  let result: T;
  try {
    result = await work(taggedQuery(send));
  } finally {
    isOver = true;
    sendNext();
  }
  return { result, rest: Promise.all(batches) };
}

/** Sends questions, and gives each its answer. If one fails, all do. */
async function answered({ client, Query, member, isAnswered }: Reading, asked: readonly Asked[]): Promise<void> {
  const settings = { statement: "SELECT commonplace.begin_reading($1, $2)", values: [member, NEWEST] };
  try {
    const [, ...results] = await askedAtOnce(client, Query, [settings, ...asked]).catch(withCode);
    isAnswered();
    for (const [i, { answer }] of asked.entries()) answer(results[i]!);
  } catch (error) {
    for (const { fail } of asked) fail(error);
  }
}

/** Sends two or more questions as one batch. @returns the result of each */
function askedAtOnce(
  client: PoolClient,
  Query: QueryClass,
  questions: readonly Question[],
): Promise<readonly QueryResult<Row>[]> {
  return new Promise((resolve, reject) => {
    // The client collects the results of one query with several statements, as these are to it.
    const batch = new Query("", (error, results) =>
      error ? reject(error) : resolve(results as unknown as readonly QueryResult<Row>[]),
    );
    batch.submit = (connection) => {
      const unended = Object.create(connection, { sync: { value: () => {} } }) as Connection;
      for (const { statement: text, values } of questions) {
        const one = { text, values: [...values], queryMode: "extended" };
        new Query(one).submit(unended);
      }
      connection.sync();
    };
    client.query(batch);
  });
}
