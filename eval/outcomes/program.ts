// The program on a fresh home, spoken to over its standard streams as by a host.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LineClient } from "../../bench/measurement/line-client.ts";
import type { Chats } from "./home/conversations.ts";
import { FLAGS, writeHome } from "./home/home.ts";

/** A call as it is recorded. An argument `{"$from": [0, {"topic": "Kit"}, "id"]}` is the id of the row "Kit" in the first answer's structure. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly isError: boolean;
  readonly structure: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The home as calls and answers name it: the real folder is another one each time. */
export const NAMED_HOME = "/home/sam";

const CLOCK = pathToFileURL(join(import.meta.dirname, "clock.mjs")).href;

export class ProgramAtHome {
  readonly home = mkdtempSync(join(tmpdir(), "commonplace-outcome-"));
  readonly environment: NodeJS.ProcessEnv;
  readonly #client: LineClient;

  /** @param program the path of its bin/commonplace.js */
  constructor(program: string, chats: Chats) {
    writeHome(this.home, chats);
    this.environment = {
      PATH: process.env["PATH"],
      HOME: this.home,
      USERPROFILE: this.home,
      TZ: "UTC",
      NODE_OPTIONS: `--import=${CLOCK}`,
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "commonplace-outcomes-compiled"),
    };
    this.#client = new LineClient([program, ...FLAGS], this.environment, this.home);
  }

  start(): Promise<unknown> {
    return this.#client.initialize();
  }

  async call({ tool, args }: Call): Promise<Answer> {
    const sent = JSON.stringify({ name: tool, arguments: args }).replaceAll(NAMED_HOME, this.home);
    const answer = await this.#client.requestWith("tools/call", sent);
    const { result, error } = JSON.parse(JSON.stringify(answer).replaceAll(this.home, NAMED_HOME)) as typeof answer;
    if (error !== undefined) {
      const { message } = error as { message: string };
      return { isError: true, structure: { error: message }, text: message };
    }
    const {
      isError = false,
      structuredContent = {},
      content,
    } = result as {
      isError?: boolean;
      structuredContent?: Answer["structure"];
      content: { text?: string }[];
    };
    return { isError, structure: structuredContent, text: content.map(({ text = "" }) => text).join("\n") };
  }

  /** The result of another method, such as tools/list. */
  async ask(method: string, params: object = {}): Promise<unknown> {
    return (await this.#client.request(method, params)).result;
  }

  async end(): Promise<void> {
    await this.#client.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** The arguments with the parts of earlier answers in their places. */
export function filledIn(args: Call["args"], answers: readonly Answer[]): Call["args"] {
  return fill(args, answers) as Call["args"];
}

type Step = string | number | Readonly<Record<string, unknown>>;

function fill(value: unknown, answers: readonly Answer[]): unknown {
  if (Array.isArray(value)) return value.map((each) => fill(each, answers));
  if (typeof value !== "object" || value === null) return value;
  const from = (value as { $from?: readonly Step[] }).$from;
  if (from === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, answers)]));
  let part: unknown = answers[Number(from[0])]?.structure;
  for (const step of from.slice(1))
    part =
      typeof step === "object"
        ? findObject(part, step)
        : (part as Record<string | number, unknown> | undefined)?.[step];
  return part;
}

/** The first object in there, at any depth, that has these values. */
function findObject(value: unknown, wanted: Readonly<Record<string, unknown>>): object | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.entries(wanted).every(([key, expected]) => (value as Record<string, unknown>)[key] === expected))
    return value;
  for (const part of Object.values(value)) {
    const found = findObject(part, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
