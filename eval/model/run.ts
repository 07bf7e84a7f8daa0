// One run with a model, from its options to the files it leaves.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { VERSION } from "../../src/kernel/kernel.ts";
import type { Request } from "../requests.ts";
import { answerable, instructionsWith, toolsOf } from "../tool-list.ts";
import { askAll, type Asked } from "./asking.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ModelOptions } from "./options.ts";
import { addressOf, PROTOCOLS } from "./protocols.ts";
import { resultsOf, tableOf, type Results } from "./results.ts";

export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly wait: Endpoint["wait"];
  readonly day: string;
  /** A line about how far it is. */
  readonly report: (line: string) => void;
}

export const THIS_WORLD = (): World => ({
  environment: process.env,
  wait: (milliseconds) => wait(milliseconds),
  day: new Date().toISOString().slice(0, 10),
  report: (line) => process.stderr.write(`${line}\n`),
});

/** @returns the results, and the table that was written beside them */
export async function runWithModel(
  options: ModelOptions,
  requests: readonly Request[],
  world: World,
): Promise<{ results: Results; table: string; files: readonly string[] }> {
  const { model, protocol, toolsets, parallel } = options;
  const listing = toolsOf(toolsets);
  const asked = answerable(requests, listing);
  const results = await askAll(asked, {
    endpoint: endpointOf(options, world),
    model,
    instructions: instructionsWith(toolsets),
    listing,
    parallel,
    progress: (done, one) => world.report(`${done}/${asked.length} ${lineOf(one)}`),
  });
  const run = { model, protocol, toolsets, tools: listing.length, version: VERSION, day: world.day };
  const summary = resultsOf(run, results);
  const table = tableOf(summary);
  const file = options.out ?? fileFor(model, toolsets);
  const files = [file, file.replace(/\.json$/, ".md")];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(files[0]!, `${JSON.stringify(summary, null, 2)}\n`);
  writeFileSync(files[1]!, table);
  return { results: summary, table, files };
}

export function endpointOf(options: ModelOptions, world: Pick<World, "environment" | "wait"> = THIS_WORLD()): Endpoint {
  const protocol = PROTOCOLS[options.protocol];
  const address = addressOf(options.address, protocol);
  return { address, protocol, key: keyIn(options, world), wait: world.wait };
}

function keyIn({ keyVariable }: ModelOptions, { environment }: Pick<World, "environment">): string | undefined {
  if (keyVariable === undefined) return undefined;
  const key = environment[keyVariable];
  if (key === undefined || key === "") throw new Error(`--key-env: the variable ${keyVariable} is not set.`);
  return key;
}

function lineOf({ request, problem }: Asked): string {
  return problem === undefined ? `ok     ${request.id}` : `WRONG  ${request.id}: ${problem}`;
}

function fileFor(model: string, toolsets: string): string {
  const name = `${model}-${toolsets}`.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-");
  return join(import.meta.dirname, "..", "results", `${name}.json`);
}
