// A shared store on PostgreSQL: connects on first use, and runs work in
// transactions. Used by what keeps data in the store (through shared.ts).
//
// Work runs as the role `commonplace_access`, which row-level security applies to,
// whatever the login may do besides. Whose rows it sees depends on the login; a
// server that works for several people names the member of each transaction.
import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { ClientConfig, Pool, PoolClient } from "pg";
import { codeOf } from "../files/files.ts";
import { VERSION } from "../kernel/kernel.ts";
import { parseStoreAddress, type StoreAddress } from "./address.ts";
import { mayPassSoon, OTHER_VERSION, storeProblem, StoreProblem, withCode } from "./errors.ts";
import { passwordFor } from "./password.ts";
import { type QueryClass, whileReading } from "./reading.ts";
import { ACCESS_ROLE } from "./schema/roles.ts";
import { checkVersion } from "./schema/versions.ts";
import { answeredCall, type Preparation } from "./single-call.ts";
import { type Row, type Send, taggedQuery, type Value, type Work } from "./tagged-query.ts";

export interface Store {
  readonly address: StoreAddress;
  /** Runs work on the rows that this member may see. It may run more than once: the first time may fail. */
  readonly transaction: <T>(work: Work<T>) => Promise<T>;
  /**
   * The same for work that changes nothing, and that is quicker: nothing is waited for but answers. What is asked at once
   * is one transaction, and is best for questions that do not depend on each other; settings end with it.
   */
  readonly reading: <T>(work: Work<T>) => Promise<T>;
  /** Asks a function of our schema that changes nothing, and that is not immutable, for its one value: the quickest way. */
  readonly call: (name: string, values: readonly Value[]) => Promise<unknown>;
  /** The same store for another member, over the same connections: for a server. Only the first one closes them. */
  readonly forMember: (name: string) => Store;
  /**
   * Runs work once those before it in the same queue have ended, whichever member of this process they are for. What
   * the database has one do after the other waits here: waiting there, each takes a connection.
   */
  readonly inTurn: <T>(queue: string, work: () => Promise<T>) => Promise<T>;
  /** Runs work with all rights of the login, and without row-level security if it may bypass that. */
  readonly asLogin: <T>(work: Work<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface StoreOptions {
  readonly address: string;
  /** Whom this server works for; undefined if the login itself is a member. */
  readonly member?: string | undefined;
  /** Milliseconds for which work is tried again; 5,000 if it is left out: a database restarts in a second or two. */
  readonly retryFor?: number;
  /** The largest number of connections; 4 if it is left out. */
  readonly connections?: number;
}

/** Connections of one process: several things may be asked at once, and a database has about a hundred. */
const MAX_CONNECTIONS = 4;
/** Milliseconds to connect, without use, and that a statement may take, or waits for a connection that others use. */
const CONNECT_TIMEOUT = 5_000;
const IDLE_TIMEOUT = 30_000;
const STATEMENT_TIMEOUT = 60_000;
const RETRY_FOR = 5_000;
const RETRY_EVERY = 150;

/** Connects on first use. */
export function openStore({
  address: given,
  member: own,
  retryFor = RETRY_FOR,
  connections = MAX_CONNECTIONS,
}: StoreOptions): Store {
  const address = parseStoreAddress(given);
  /** Those that are open. The client leaves one behind if it cannot log in. */
  const sockets = new Set<Socket>();
  let opened: Promise<Connections> | undefined;
  let wasConnected = false;
  const preparation: Preparation = { isPossible: true };

  const run = async <T>(use: (connection: Lent) => Promise<T>): Promise<T> => {
    const deadline = Date.now() + retryFor;
    for (;;) {
      try {
        const { pool, Query } = await (opened ??= makePool(address, sockets, connections));
        const client = await pool.connect().catch(withCode);
        return await use({ client, Query, isAnswered: () => (wasConnected = true) });
      } catch (error) {
        if (!mayPassSoon(error, wasConnected) || Date.now() > deadline) throw storeProblem(error, address);
      }
      await pause(RETRY_EVERY * (0.5 + Math.random()));
    }
  };

  const asMember =
    (member: string): Begin =>
    async (send, { escapeLiteral }) => {
      try {
        // One way to the database and back instead of two: every call begins several transactions.
        const [, state] = await send(`BEGIN; SELECT set_config('role', '${ACCESS_ROLE}', true),
          set_config('commonplace.member', ${escapeLiteral(member)}, true), commonplace.version()`);
        checkVersion(Number(state!.rows[0]!["version"]));
      } catch (error) {
        throw openingProblem(error, address);
      }
    };

  const queues = new Map<string, Promise<unknown>>();
  const inTurn: Store["inTurn"] = (queue, work) => {
    const turn = (queues.get(queue) ?? Promise.resolve()).then(work);
    const ended = turn
      .catch(() => {})
      .then(() => {
        if (queues.get(queue) === ended) queues.delete(queue);
      });
    queues.set(queue, ended);
    return turn;
  };

  const storeOf = (member: string, close: Store["close"]): Store => ({
    address,
    transaction: (work) => run((lent) => inTransaction(lent, asMember(member), work)),
    reading: (work) =>
      run((lent) =>
        reading(lent, asMember(member), async (end) => {
          const { result, rest } = await whileReading({ ...lent, member }, work);
          // The answers are the result, also if the connection is lost now.
          void rest.then(end);
          return result;
        }),
      ),
    call: (name, values) =>
      run((lent) =>
        reading(lent, asMember(member), async (end) => {
          const value = await answeredCall(lent, member, { name, values }, preparation);
          lent.isAnswered();
          end();
          return value;
        }),
      ),
    forMember: (name) => {
      // Without a name it would work for the login itself.
      if (name === "") throw new Error("A member has a name.");
      return storeOf(name, async () => {});
    },
    inTurn,
    asLogin: (work) => run((lent) => inTransaction(lent, asLogin, work)),
    close,
  });
  return storeOf(own ?? "", async () => {
    const known = await opened?.catch(() => undefined);
    opened = undefined;
    await known?.pool.end();
    for (const socket of sockets) socket.destroy();
  });
}

interface Connections {
  readonly pool: Pool;
  readonly Query: QueryClass;
}

async function makePool(address: StoreAddress, sockets: Set<Socket>, max: number): Promise<Connections> {
  const { Client, Pool, Query } = (await import("pg")).default;
  const { host, port, database, login: user, encryption } = address;
  const pool = new Pool({
    host,
    port,
    database,
    user,
    password: () => passwordFor(address),
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.on("close", () => sockets.delete(socket));
    },
    // The host is what the certificate is compared with.
    ssl: encryption === "none" ? false : { host, rejectUnauthorized: encryption === "verified" },
    max,
    // The pool takes one limit for connecting and for the wait until others gave a connection back.
    connectionTimeoutMillis: STATEMENT_TIMEOUT,
    Client: class extends Client {
      constructor(config?: ClientConfig) {
        // The pool hides the password from what copies its settings.
        super(Object.create(config ?? null, { connectionTimeoutMillis: { value: CONNECT_TIMEOUT } }) as ClientConfig);
      }
    },
    idleTimeoutMillis: IDLE_TIMEOUT,
    allowExitOnIdle: true,
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT,
    // The database answers first, unless it is gone without a word.
    query_timeout: STATEMENT_TIMEOUT + CONNECT_TIMEOUT,
    application_name: `commonplace ${VERSION}`,
    // Sends what is asked at once without waiting for an answer to each.
    pipeline: true,
  });
  // A connection that ends while nobody uses it: the next use makes another.
  pool.on("error", ignore);
  // From the first moment on: a database may end a connection in the same packet in which it accepts it, and an error
  // that nobody listens to ends the program.
  pool.on("connect", (client) => void client.on("error", ignore));
  return { pool, Query };
}

/** The error that the running statement gets says the same. */
function ignore(): void {}

const asLogin: Begin = async (send) => void (await send("BEGIN"));

/** Begins a transaction, and says who works in it. */
type Begin = (send: SendAll, client: Pick<PoolClient, "escapeLiteral">) => Promise<void>;
/** Sends statements without values. @returns what each of several answered */
type SendAll = (statements: string) => Promise<readonly { readonly rows: readonly Row[] }[]>;

/** A connection of the pool, for one piece of work. */
interface Lent {
  readonly client: PoolClient;
  readonly Query: QueryClass;
  /** To be said when the store has answered. */
  readonly isAnswered: () => void;
}

async function inTransaction<T>({ client, isAnswered }: Lent, begin: Begin, work: Work<T>): Promise<T> {
  const { send, started, end } = using(client);
  try {
    await started(begin);
    isAnswered();
    const result = await work(taggedQuery(send));
    await send("COMMIT");
    end(true);
    return result;
  } catch (error) {
    await rollBack(send, end);
    throw error;
  }
}

/** @param ask calls `end` when nothing more will be asked over the connection */
async function reading<T>({ client }: Lent, begin: Begin, ask: (end: () => void) => Promise<T>): Promise<T> {
  try {
    return await ask(() => client.release());
  } catch (error) {
    const { send, started, end } = using(client);
    try {
      // Perhaps there is no store, or one of another version: a transaction that begins as others do says so.
      if (NOT_THERE.has(codeOf(error))) await started(begin);
    } finally {
      await rollBack(send, end);
    }
    throw error;
  }
}

/** A connection for one transaction. `end` gives it back, or closes it if it may not be used any more. */
function using(client: PoolClient) {
  const sendAll: SendAll = async (statements) => [await client.query(statements).catch(withCode)].flat();
  const send: Send = (statement, values) => client.query(statement, values as unknown[]).catch(withCode);
  const started = (begin: Begin) => begin(sendAll, { escapeLiteral: (text) => client.escapeLiteral(text) });
  const end = (isUsable: boolean) => client.release(!isUsable);
  return { send, started, end };
}

async function rollBack(send: Send, end: (isUsable: boolean) => void): Promise<void> {
  // Without a connection the database rolls back by itself.
  await send("ROLLBACK").then(
    () => end(true),
    () => end(false),
  );
}

/** No schema, no function, or no role of ours; it may not be used; or it has another version. */
const NOT_THERE: ReadonlySet<string> = new Set(["3F000", "42883", "22023", "42501", OTHER_VERSION]);

/** Why a login cannot begin to work in the store. */
function openingProblem(error: unknown, { login, shown }: StoreAddress): unknown {
  const code = codeOf(error);
  if (!NOT_THERE.has(code)) return error;
  if (code !== "42501")
    return new StoreProblem("not_found", `There is no store in ${shown}.`, "'commonplace store init' creates it.");
  return new StoreProblem(
    "denied",
    `The login ${login} has no access to this store.`,
    "Who runs the store gives it with 'commonplace store add'.",
  );
}
