// What a budget in tokens is, and the built program that it is measured on. Used
// by the tables of budgets beside it.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LineClient } from "../../bench/measurement/line-client.ts";
import { callContext } from "../../test/fixtures/call-context.ts";

export interface Budget {
  /** What is measured, in words. */
  readonly name: string;
  /** What is measured must be below. */
  readonly below: number;
  /** In tokens; undefined if its data is not here, such as real data beside the checkout. */
  readonly measure: (servers: Servers) => Promise<number | undefined>;
}

export interface MeasuredCall {
  readonly name: string;
  readonly tool: string;
  readonly sent?: object;
  /** Whether its second page is measured, not the first. */
  readonly isSecondPage?: boolean;
  readonly below: number;
}

/**
 * The budget of the result of a call.
 * @param argsOf the flags of its server, with every toolset; undefined if its data is not here
 */
export function budgetOf(
  { name, tool, sent, isSecondPage, below }: MeasuredCall,
  argsOf: (servers: Servers) => readonly string[] | undefined,
): Budget {
  return {
    name,
    below,
    measure: async (servers) => {
      const args = argsOf(servers);
      if (args === undefined) return undefined;
      const server = await servers.start(["--toolsets", "all", ...args]);
      const first = { ...sent, context: callContext() };
      return tokensOfResult(server, tool, isSecondPage === true ? await nextPage(server, tool, first) : first);
    },
  };
}

/** The length of what is sent as JSON, divided by four: what issues and budgets count in. */
export function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}

/** Running servers, each in an empty home folder of its own: rows that start the same one share it. */
export class Servers {
  readonly #program: string;
  readonly #started = new Map<string, Promise<LineClient>>();
  readonly #folder = mkdtempSync(join(tmpdir(), "commonplace-tokens-"));

  /** @param program the path of bin/commonplace.js */
  constructor(program: string) {
    this.#program = program;
  }

  /** @param args flags, such as --vault and --conversations with their folders */
  start(args: readonly string[] = []): Promise<LineClient> {
    const key = JSON.stringify(args);
    const server = this.#started.get(key) ?? this.#connect(args);
    this.#started.set(key, server);
    return server;
  }

  /** A folder of sample data, filled on first use and removed with the servers. */
  sample(name: string, fill: (folder: string) => void): string {
    const folder = join(this.#folder, name);
    if (!existsSync(folder)) {
      mkdirSync(folder);
      fill(folder);
    }
    return folder;
  }

  async #connect(args: readonly string[]): Promise<LineClient> {
    const home = mkdtempSync(join(this.#folder, "home-"));
    const env = { PATH: process.env["PATH"], HOME: home, USERPROFILE: home };
    const client = new LineClient([this.#program, ...args], env, home);
    await client.initialize();
    return client;
  }

  async close(): Promise<void> {
    for (const server of this.#started.values()) await (await server).close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The result of a call as it was sent: its structure, its text, or both, whichever the host shows. */
export interface CallAnswer {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: unknown;
  readonly isError?: boolean;
}

export async function callTool(server: LineClient, name: string, sent: object = {}): Promise<CallAnswer> {
  const { result, error } = await server.request("tools/call", { name, arguments: sent });
  if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`);
  return result as CallAnswer;
}

/** The arguments for the page after this one. */
async function nextPage(server: LineClient, tool: string, sent: object): Promise<object> {
  const { structuredContent } = await callTool(server, tool, sent);
  return { ...sent, cursor: (structuredContent as { readonly nextCursor?: string }).nextCursor };
}

/** The larger of text and structure: a host gives the model one of them. */
export async function tokensOfResult(server: LineClient, tool: string, sent?: object): Promise<number> {
  const { content, structuredContent, isError } = await callTool(server, tool, sent);
  if (isError === true) throw new Error(`${tool}: ${content[0]!.text}`);
  return Math.ceil(Math.max(content[0]!.text.length, JSON.stringify(structuredContent).length) / 4);
}
