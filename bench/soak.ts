// Weeks of use in minutes: every tool in turn, 50,000 calls, and what the
// server's memory and open files come to. Both have to level off.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LineClient } from "./measurement/line-client.ts";
import { goal, table, times, report } from "./measurement/measure.ts";
import { MixedCalls, prepareHome } from "./measurement/mixed-calls.ts";
import { openFilesOf } from "./measurement/process-memory.ts";

const CALLS = Number(process.env["SOAK_CALLS"] ?? 50_000);
const STEP = CALLS / 10;

export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  const { args, env } = prepareHome(home);
  const client = new LineClient([join(import.meta.dirname, "..", "bin", "commonplace.js"), ...args], env, home);
  await client.initialize();
  const calls = new MixedCalls(home);
  const refused = new Map<string, { count: number; first: string }>();
  const rows: { memory: number; files: number }[] = [];
  const began = performance.now();
  let next = 0;
  const step = async () => {
    while (next < (rows.length + 1) * STEP) {
      const { name, arguments: sent } = calls.at(next++);
      const { result, error } = (await client.request("tools/call", { name, arguments: sent })) as Answered;
      if (result === undefined || result.isError) {
        const { count = 0, first } = refused.get(name) ?? {};
        refused.set(name, { count: count + 1, first: first ?? JSON.stringify(error ?? result?.structuredContent) });
      } else calls.take(name, result.structuredContent);
    }
  };
  while (rows.length < 10) {
    await step();
    rows.push({ memory: client.memory(), files: openFilesOf(client.pid) ?? 0 });
    const { memory, files } = rows.at(-1)!;
    report(`${next} calls: ${memory.toFixed(0)} MB, ${files} open files, ${seconds(began)} s`);
  }
  table(
    `${CALLS} calls of ${new Set(calls.tools).size} tools`,
    ["calls", "memory", "open files"],
    rows.map(({ memory, files }, i) => [String((i + 1) * STEP), `${memory.toFixed(0)} MB`, String(files)]),
  );
  const [half, end] = [rows[4]!, rows[9]!];
  goal(end.memory <= half.memory * 1.15, `memory levels off: ${times(end.memory / half.memory)} of that at half`);
  goal(end.files <= half.files + 2, `open files level off: ${end.files}, and ${half.files} at half`);
  for (const [name, { count, first }] of refused) report(`refused: ${count} of ${name}, ${first.slice(0, 200)}`);
  await client.close();
  rmSync(home, { recursive: true, force: true });
}

interface Answered {
  readonly result?: { readonly isError?: true; readonly structuredContent: Record<string, unknown> };
  readonly error?: unknown;
}

const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(0);
