// One change of a space in a shared store: alone, in one transaction, planned once
// however often the connection fails, and never reported as made or as not made
// before that is known. Used by shared-journal.ts.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "../../files/files.ts";
import { Problem } from "../../kernel/kernel.ts";
import { StoreUnavailable, type TaggedQuery, type SharedSpace } from "../../shared/shared.ts";
import { readerOnly } from "../plan/access.ts";

/** Milliseconds to wait for another change of the space. */
const WAIT = 20_000;
/** Milliseconds for which the outcome of a change is asked for, after the connection was lost. */
const FIND_OUT = 20_000;
const ASK_EVERY = 250;
/** PostgreSQL's error code for a lock that took too long. */
const LOCK_TIMEOUT = "55P03";

export interface ChangeInProgress {
  readonly sql: TaggedQuery;
  /** The number of the space. */
  readonly space: number;
  /** The number of the change, and by what its entry is recognised. */
  readonly number: number;
  readonly nonce: string;
}

/** Ends the transaction without a change. */
class Ended extends Error {}

export type SharedChanges = <T>(
  signal: AbortSignal | undefined,
  /** Plans, applies and records; undefined if nothing is to be changed. */
  work: (change: ChangeInProgress) => Promise<T | undefined>,
) => Promise<T | undefined>;

/** @returns a function that makes one change of the space at a time: a process needs one connection for all its members */
export function sharedChanges(space: SharedSpace): SharedChanges & { readonly idle: () => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    const turn = space.store.inTurn(`files of ${space.name}`, async () => {
      signal?.throwIfAborted();
      return work();
    });
    last = turn.catch(() => {});
    return turn;
  };

  const change: SharedChanges = (signal, work) =>
    inTurn(signal, async () => {
      const nonce = randomUUID();
      const attempt: Attempt<Awaited<ReturnType<typeof work>>> = { nonce, isBegun: false, made: undefined };
      try {
        return await space.store.transaction(async (sql) => {
          const { id, number } = await lock(space, sql);
          if (attempt.isBegun) throw (await isRecorded(sql, id, nonce)) ? new Ended() : notMade();
          attempt.isBegun = true;
          const result = await space.within(sql, () => work({ sql, space: id, number, nonce }));
          if (result === undefined) throw new Ended();
          attempt.made = { result };
          return result;
        });
      } catch (error) {
        if (error instanceof Ended) return attempt.made?.result;
        if (codeOf(error) === LOCK_TIMEOUT)
          throw new Problem("timeout", "Another member is changing the files of this space.", "Try again in a moment.");
        if (attempt.made !== undefined && error instanceof StoreUnavailable)
          return outcomeOf(space, nonce, attempt.made.result);
        throw error;
      }
    });
  return Object.assign(change, { idle: () => last });
}

interface Attempt<T> {
  readonly nonce: string;
  isBegun: boolean;
  /** The result that was sent to be committed. */
  made: { readonly result: T } | undefined;
}

/** Waits until no other transaction changes the space: also not one of ours whose connection was lost. */
async function lock(space: SharedSpace, sql: TaggedQuery): Promise<{ readonly id: number; readonly number: number }> {
  await sql`
    SELECT set_config('lock_timeout', ${`${WAIT}ms`}, true), set_config('idle_in_transaction_session_timeout', '60s', true)`;
  return space.within(sql, () =>
    space.ask(async (_, id) => {
      const [row] = await sql`
        SELECT commonplace.begin_file_change(${id}::bigint) AS number
        WHERE ${id}::bigint IN (SELECT commonplace.spaces_as('writer'))`;
      if (row === undefined) throw readerOnly(space.name);
      return { id, number: Number(row["number"]) };
    }),
  );
}

async function isRecorded(sql: TaggedQuery, space: number, nonce: string): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM commonplace.file_change WHERE space = ${space} AND nonce = ${nonce}`;
  return rows.length > 0;
}

/** The connection was lost during the commit: asks until it is known what became of it. */
async function outcomeOf<T>(space: SharedSpace, nonce: string, result: T): Promise<T> {
  for (const end = Date.now() + FIND_OUT; Date.now() < end; await pause(ASK_EVERY)) {
    try {
      await space.store.transaction(async (sql) => {
        const { id } = await lock(space, sql);
        throw (await isRecorded(sql, id, nonce)) ? new Ended() : notMade();
      });
    } catch (error) {
      if (error instanceof Ended) return result;
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
  throw new Problem(
    "timeout",
    "The connection to the shared store was lost while the change was committed: it is not known whether it was made.",
    "Once the store can be reached, look at the history before you repeat it.",
  );
}

function notMade(): Problem {
  return new Problem(
    "timeout",
    "The connection to the shared store was lost before the change was made. Nothing was changed.",
    "Try again.",
  );
}
