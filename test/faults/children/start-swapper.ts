// Starts the program that swaps files and folders (swapper.ts) during other work.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";
import { bundled, NODE } from "../../processes/child.ts";
import type { Swaps } from "./swapper.ts";

const SWAPPER = bundled(join(import.meta.dirname, "swapper.ts"));

/** Runs the work while things are swapped. @returns what the work returns, when everything is in its place again */
export async function whileSwapping<T>(swaps: Swaps, work: () => Promise<T>): Promise<T> {
  const child = spawn(NODE, [...SWAPPER, JSON.stringify(swaps)]);
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close");
  await once(child.stdout, "data");
  try {
    return await work();
  } finally {
    child.stdin.end();
    await ended;
    expect(errors).toBe("");
    expect(Number(/^\d+$/m.exec(output)?.[0]), "swaps").toBeGreaterThan(20);
  }
}
