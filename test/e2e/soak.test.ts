// Every tool in turn, again and again: memory and open files level off.
import { describe, expect, it } from "vitest";
import { LineClient } from "../../bench/measurement/line-client.ts";
import { MixedCalls, prepareHome } from "../../bench/measurement/mixed-calls.ts";
import { openFilesOf } from "../../bench/measurement/process-memory.ts";
import { CAMPAIGN, repeats } from "../campaign.ts";
import { atTheEnd, PROGRAM, temporaryFolder } from "../processes/program.ts";

const CALLS = repeats({ short: 3_000, long: 50_000 });

interface Answer {
  readonly result?: { readonly isError?: true; readonly structuredContent: Record<string, unknown> };
}

describe("a server in use for long", CAMPAIGN, () => {
  it("uses no more memory and no more open files at the end than half-way", async () => {
    const home = temporaryFolder();
    const { args, env } = prepareHome(home);
    const client = new LineClient([PROGRAM, ...args], env, home);
    atTheEnd(() => client.close());
    await client.initialize();
    const calls = new MixedCalls(home);
    const succeeded = new Set<string>();
    const callUpTo = async (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        const { name, arguments: sent } = calls.at(i);
        const { result } = (await client.request("tools/call", { name, arguments: sent })) as Answer;
        if (result === undefined || result.isError) continue;
        succeeded.add(name);
        calls.take(name, result.structuredContent);
      }
      return { memory: client.memory(), files: openFilesOf(client.pid) ?? 0 };
    };
    const half = await callUpTo(0, CALLS / 2);
    const end = await callUpTo(CALLS / 2, CALLS);
    expect([...new Set(calls.tools)].filter((name) => !succeeded.has(name))).toEqual([]);
    expect(end.memory / half.memory).toBeLessThan(1.25);
    expect(end.files).toBeLessThanOrEqual(half.files + 2);
  });
});
