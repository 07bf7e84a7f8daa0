// What calls take once a server is warm, over stdio and in this process: the first
// one, the median, the slow ones, and the processor time. Used by the benchmarks of
// tasks, of queries and of several vaults.
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openVault, type Vault } from "../../src/vault/vault.ts";
import { LineClient } from "./line-client.ts";
import { exactProcessorTimeOf } from "./process-memory.ts";
import { median, ms, quantile, repeated, table, timed } from "./measure.ts";

const ROUNDS = 50;

/** In milliseconds. */
export interface Taken {
  readonly first: number;
  readonly p50: number;
  readonly p95: number;
  /** Of the processor, for one call: what other programs of the machine do is not in it. */
  readonly processor: number;
  readonly processorP95: number;
}

/** @param processorTime of the process that does the work, so far, in milliseconds */
export async function takenBy(
  processorTime: () => number,
  call: (round: number) => Promise<unknown>,
  rounds = ROUNDS,
): Promise<Taken> {
  const first = await timed(() => call(0));
  const computed: number[] = [];
  const warm = await repeated(rounds, async (round) => {
    const before = processorTime();
    const taken = await timed(() => call(round));
    computed.push(processorTime() - before);
    return taken;
  });
  return {
    first,
    p50: median(warm),
    p95: quantile(warm, 0.95),
    processor: median(computed),
    processorP95: quantile(computed, 0.95),
  };
}

export function ownProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Answer {
  readonly success?: boolean;
  readonly indexing?: object;
  readonly stale?: boolean;
}

/** The built server with these flags; each call is repeated until its answer is complete. */
export async function startServer(flags: readonly string[]) {
  const client = new LineClient(["bin/commonplace.js", "--toolsets", "vault", ...flags]);
  await client.initialize();
  const call = async <R extends object>(name: string, sent: object): Promise<R> => {
    for (;;) {
      const { result } = (await client.request("tools/call", { name, arguments: sent })) as {
        result: { structuredContent: R & Answer };
      };
      const answer = result.structuredContent;
      if (answer.success === false) throw new Error(JSON.stringify(result));
      if (answer.stale !== true && answer.indexing === undefined) return answer;
    }
  };
  return { client, call, processorTime: () => exactProcessorTimeOf(client.pid) ?? Number.NaN };
}

/** Milliseconds. */
const QUIET = 500;
const LONGEST_WORK = 3 * 60_000;

/** Waits until the server has nothing left to do: after the first search it reads notes for their meaning. */
export async function untilQuiet(processorTime: () => number): Promise<void> {
  const end = performance.now() + LONGEST_WORK;
  for (let before = processorTime(); performance.now() < end; before = processorTime()) {
    await pause(QUIET);
    if (processorTime() - before < QUIET / 20) return;
  }
}

/** A page of a result that is made while it is read. */
export function firstOf<T>(most: number, items: Iterable<T>): T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === most) break;
    first.push(item);
  }
  return first;
}

/** The vault of a server that was closed, with its index, opened in this process. */
export async function withOpenVault<T>(home: string, folder: string, work: (vault: Vault) => Promise<T>): Promise<T> {
  const vault = openVault({
    folder,
    isEmbedded: false,
    journals: join(home, "data", "journal"),
    cache: join(home, "cache"),
    log: console.error,
  });
  try {
    await vault.index.refresh();
    return await work(vault);
  } finally {
    await vault.close();
  }
}

export function showTaken(
  title: string,
  names: readonly string[],
  { overStdio, inProcess }: { readonly overStdio: readonly Taken[]; readonly inProcess: readonly Taken[] },
): void {
  table(
    title,
    ["", "first", "p50", "p95", "processor: p50", "p95", "in process: p50", "p95", "processor: p50", "p95"],
    names.map((name, i) => [
      name,
      ms(overStdio[i]!.first),
      ...[overStdio[i]!, inProcess[i]!].flatMap(({ p50, p95, processor, processorP95 }) =>
        [p50, p95, processor, processorP95].map(ms),
      ),
    ]),
  );
}
