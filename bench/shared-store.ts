// The shared store against the embedded one, in process and with the same content:
// what a search and reading cost on PostgreSQL, whether both rank alike, what a push
// takes, and how that grows. PostgreSQL runs on this machine, so that its network is
// not measured.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConversations, type Conversations } from "../src/conversations/conversation-library.ts";
import { openSharedConversations } from "../src/conversations/shared/shared-conversations.ts";
import { claudeCode } from "../src/conversations/sources/claude-code/claude-code.ts";
import { createStore, ensureSpace, openStore, spaceNamed, type Store } from "../src/shared/shared.ts";
import { redact } from "../src/redaction/redaction.ts";
import { findPostgresql } from "../scripts/postgresql.mjs";
import { startCluster, SUPERUSER } from "../test/postgres/cluster.ts";
import { makeTalks, talkQueryAt } from "./data/talks.ts";
import { goal, ms, quantile, repeated, table, timed, times, worked } from "./measurement/measure.ts";

const SIZES = process.env["BENCH_MB"]
  ? [1_000]
  : process.env["BENCH_LARGE"]
    ? [1_000, 10_000, 50_000]
    : [1_000, 10_000];
const QUERIES = 200;
const READINGS = 200;

export async function run(): Promise<void> {
  const programs = findPostgresql();
  if (programs === undefined) {
    console.log("PostgreSQL is not here: the shared store is not measured.");
    return;
  }
  // With the memory that PostgreSQL has as it is installed; tests do with less.
  const cluster = await startCluster(programs, ["shared_buffers=128MB"]);
  const address = (database: string) =>
    `postgres://${SUPERUSER}:${encodeURIComponent(cluster.password)}@127.0.0.1:${cluster.port}/${database}`;
  try {
    for (const size of SIZES) {
      // In a transaction no database can be created.
      const pg = (await import("pg")).default;
      const client = new pg.Client({ connectionString: address("postgres") });
      await client.connect();
      await client.query(`CREATE DATABASE bench_${size}`);
      await client.end();
      const store = openStore({ address: address(`bench_${size}`) });
      await measureConversations(store, size);
      await store.close();
    }
  } finally {
    await cluster.remove();
  }
  if (SIZES.length < 3) console.log("         (BENCH_LARGE=1 adds 50,000 conversations)");
}

function log(): void {}

function row(name: string, own: number, other: number): string[] {
  return [name, ms(own), ms(other), times(other / own)];
}

async function asking(conversations: Conversations, query: string) {
  let answer = "";
  const taken = await worked(async () => {
    const { answer: found } = await conversations.recall({ query, limit: 10 }, { asItIs: true });
    answer = found.conversations.map(({ id }) => id).join(" ");
  });
  return { answer, taken };
}

async function measureConversations(store: Store, size: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  makeTalks(home, size);
  const homes = [{ folder: home, systems: ["linux" as const], environment: {}, projects: [] }];
  const local = openConversations({ file: join(home, "conversations.db"), sources: [claudeCode], homes, redact, log });
  const cache = join(home, "cache");
  const shared = openSharedConversations({ store, cache, redact, log });
  try {
    await createStore(store);
    await ensureSpace(store, "bench");
    const space = await spaceNamed(store, "bench");
    const ownIndex = await worked(() => local.recall({ limit: 1 }, { complete: true, withTools: true }));
    const projects = await local.projectsToShare("shop");
    const push = () => timed(() => local.push({ store, space, projects, isHidden: undefined }));
    const [pushed, again] = [await push(), await push()];
    await store.asLogin((sql) => sql.script("ANALYZE"));
    let first = "";
    const untilFirst = await timed(async () => {
      const { reading } = await shared.recall({ query: talkQueryAt(1), limit: 10 });
      first = reading === undefined ? "of all" : `with ${reading.done} of ${reading.total} read`;
    });
    // A server that has nothing yet reads all of them.
    const other = openSharedConversations({ store, cache: join(home, "other"), redact, log });
    const fedIndex = await worked(async () => {
      while ((await other.recall({ limit: 1 })).reading !== undefined);
    });
    await other.close();
    while ((await shared.recall({ limit: 1 })).reading !== undefined);
    const [here, there]: [number[], number[]] = [[], []];
    let same = 0;
    // In turns: scores change with the age of a conversation.
    for (let i = -QUERIES; i < QUERIES; i++) {
      const query = talkQueryAt(Math.abs(i));
      const own = await asking(local, query);
      const found = await asking(shared, query);
      if (i < 0) continue;
      here.push(own.taken);
      there.push(found.taken);
      if (own.answer === found.answer) same++;
    }
    const listed = (await local.recall({ limit: READINGS }, { asItIs: true })).answer.conversations;
    const reading = (conversations: Conversations) =>
      repeated(READINGS, (i) =>
        worked(async () => {
          const conversation = await conversations.find(listed[i]!.id, { asItIs: true });
          return [...conversations.messages(conversation)].flat().map(({ text }) => text.length);
        }),
      );
    const [readHere, readThere] = [await reading(local), await reading(shared)];
    const bytes = await store.asLogin((sql) => sql`SELECT pg_database_size(current_database()) AS size`);
    const indexBytes = readdirSync(cache).reduce((sum, name) => sum + statSync(join(cache, name)).size, 0);
    table(
      `${size} conversations of about 5 kB (the processor of this process, unless said otherwise)`,
      ["", "embedded", "shared", "ratio"],
      [
        row("first index, with what tools did", ownIndex, fedIndex),
        row("search, mean of 200 queries", mean(here), mean(there)),
        row("search, p95", quantile(here, 0.95), quantile(there, 0.95)),
        row("read a conversation, mean", mean(readHere), mean(readThere)),
        [`first answer, ${first}: time`, "", ms(untilFirst), ""],
        ["push, all of them: time", "", ms(pushed), ""],
        ["push, nothing new: time", "", ms(again), ""],
        ["database", "", megabytes(Number(bytes[0]!["size"])), ""],
        ["index", "", megabytes(indexBytes), ""],
      ],
    );
    goal(fedIndex <= 1.5 * ownIndex, `first index at most 1.5 times the embedded one: ${times(fedIndex / ownIndex)}`);
    goal(untilFirst <= 5_000, `a first answer within 5 s: ${ms(untilFirst)}, ${first}`);
    goal(
      mean(there) <= 1.3 * mean(here),
      `a search at most 1.3 times the embedded one: ${times(mean(there) / mean(here))}`,
    );
    goal(
      mean(readThere) <= 4 * mean(readHere),
      `reading at most 4 times the embedded one: ${times(mean(readThere) / mean(readHere))}`,
    );
    goal(same === QUERIES, `the same first ten for all queries: ${same} of ${QUERIES}`);
  } finally {
    await shared.close();
    await local.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The clock of the processor is too coarse for a median. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
