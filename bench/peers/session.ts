// Starts a server on folders of its own, calls its tools, and reads what a model
// would be shown. Used by the tasks of the comparison.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LineClient } from "../measurement/line-client.ts";
import { ownNetwork, type OwnNetwork } from "./own-network.ts";
import type { Call, Place, Server } from "./servers.ts";

export interface Answer {
  readonly isError?: boolean;
  readonly content?: { readonly text?: string }[];
  readonly structuredContent?: object;
}

/** Runs work with a folder for notes and a home of its own, which are removed. */
export async function inPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
  const place = { vault: join(folder, "notes"), home: join(folder, "home") };
  mkdirSync(place.vault);
  mkdirSync(place.home);
  try {
    return await work(place);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let network: OwnNetwork | undefined;

/** Runs work with servers that reach nothing but this machine. */
export async function inOwnNetwork(work: () => Promise<void>): Promise<void> {
  network = await ownNetwork();
  try {
    await work();
  } finally {
    network.close();
  }
}

/** How long a server may take for one task. */
const LIMIT_S = 60;

/** What a task ends with that took too long. */
export class GaveUp extends Error {
  readonly seconds = LIMIT_S;
}

const running = new Set<LineClient>();
let hasGivenUp = false;

/** Does one task with one server. After the limit its processes are killed, and this fails with `GaveUp`. */
export async function withinLimit<T>(task: () => Promise<T>): Promise<T> {
  hasGivenUp = false;
  const timer = setTimeout(() => {
    hasGivenUp = true;
    // What they were asked is answered with an error at once, so that the task ends.
    for (const client of running) void client.kill();
  }, 1000 * LIMIT_S);
  try {
    return await task();
  } catch (error) {
    throw hasGivenUp ? new GaveUp() : error;
  } finally {
    clearTimeout(timer);
    running.clear();
  }
}

/** Words before the command of every server. */
export function entering(): readonly string[] {
  if (network === undefined) throw new Error("A server was started outside of its network.");
  return network.entering;
}

export async function open(server: Server, place: Place, further: readonly string[] = []): Promise<LineClient> {
  if (hasGivenUp) throw new GaveUp();
  const env = { ...process.env, HOME: place.home, ...server.env?.(place) };
  const client = new LineClient([...server.args(place), ...further], env, place.home, entering());
  running.add(client);
  await client.initialize();
  return client;
}

export async function call(client: LineClient, [name, sent]: Call): Promise<Answer> {
  const { result, error } = await client.request("tools/call", { name, arguments: sent });
  if (hasGivenUp) throw new GaveUp();
  return (result ?? { isError: true, content: [{ text: JSON.stringify(error) }] }) as Answer;
}

/** What a host gives the model: the structure where there is one. */
export function shown({ structuredContent, content }: Answer): string {
  return structuredContent === undefined
    ? (content ?? []).map(({ text }) => text ?? "").join("\n")
    : JSON.stringify(structuredContent);
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
