// The shared store against the embedded one, in process and with the same content:
// what a search and reading cost on PostgreSQL, whether both rank alike, what a push
// takes, and how that grows. PostgreSQL runs on this machine, so that its network is
// not measured.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConversations, type Conversations } from "../src/conversations/conversation-library.ts";
import { openSharedConversations } from "../src/conversations/shared/shared-conversations.ts";
import { claudeCode } from "../src/conversations/sources/claude-code/claude-code.ts";
import { createStore, ensureSpace, openStore, spaceNamed, type Store } from "../src/postgres/postgres.ts";
import { redact } from "../src/redaction/redaction.ts";
import { findPostgresql } from "../scripts/postgresql.mjs";
import { startCluster, SUPERUSER } from "../test/postgres/cluster.ts";
import { makeTalks, talkQueryAt } from "./data/talks.ts";
import { goal, median, ms, quantile, repeated, table, timed, times } from "./measurement/measure.ts";

const SIZES = process.env["BENCH_MB"]
  ? [1_000]
  : process.env["BENCH_LARGE"]
    ? [1_000, 10_000, 50_000]
    : [1_000, 10_000];
const QUERIES = 200;
const READINGS = 50;

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
  const taken = await timed(async () => {
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
  try {
    await createStore(store);
    await ensureSpace(store, "bench");
    const space = await spaceNamed(store, "bench");
    const projects = await local.projectsToShare("shop");
    const push = () => timed(() => local.push({ store, space, projects, isHidden: undefined }));
    const [pushed, again] = [await push(), await push()];
    await store.asLogin((sql) => sql.script("ANALYZE"));
    const shared = openSharedConversations({ store, redact, log });
    const [here, there]: [number[], number[]] = [[], []];
    let same = 0;
    // In turns: scores change with the age of a conversation.
    for (let i = -QUERIES; i < QUERIES; i++) {
      const query = talkQueryAt(Math.abs(i));
      const own = await asking(local, query);
      if (i < 0) continue;
      const other = await asking(shared, query);
      here.push(own.taken);
      there.push(other.taken);
      if (own.answer === other.answer) same++;
    }
    const listed = (await local.recall({ limit: READINGS }, { asItIs: true })).answer.conversations;
    const reading = (conversations: Conversations) =>
      repeated(READINGS, (i) =>
        timed(async () => {
          const conversation = await conversations.find(listed[i]!.id, { asItIs: true });
          return [...conversations.messages(conversation)].flat().map(({ text }) => text.length);
        }),
      );
    const [readHere, readThere] = [await reading(local), await reading(shared)];
    const bytes = await store.asLogin((sql) => sql`SELECT pg_database_size(current_database()) AS size`);
    table(
      `${size} conversations of about 5 kB`,
      ["", "embedded", "PostgreSQL", "ratio"],
      [
        row("search, p50 of 200 queries", median(here), median(there)),
        row("search, p95", quantile(here, 0.95), quantile(there, 0.95)),
        row("read a conversation, p50", median(readHere), median(readThere)),
        ["push, all of them", "", ms(pushed), ""],
        ["push, nothing new", "", ms(again), ""],
        ["database", "", `${Math.round(Number(bytes[0]!["size"]) / 1_000_000)} MB`, ""],
      ],
    );
    goal(
      median(there) <= 4 * median(here),
      `a search within 4 times the embedded one: ${times(median(there) / median(here))}`,
    );
    goal(
      median(readThere) <= 4 * median(readHere),
      `reading within 4 times the embedded one: ${times(median(readThere) / median(readHere))}`,
    );
    goal(same >= 0.98 * QUERIES, `the same first ten for 98 of 100 queries: ${same} of ${QUERIES}`);
  } finally {
    await local.close();
    rmSync(home, { recursive: true, force: true });
  }
}
