// Requests of a person in the page that no host may make: POST /person/NAME with
// JSON, answered with JSON. http.ts has checked the Host, the Origin and the token
// before; here an Origin is required too, which only browsers send. Used by
// http.ts.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonContentType } from "@modelcontextprotocol/server";
import type { PersonCalls } from "../../app/app.ts";
import { isRecord, Problem } from "../../kernel/kernel.ts";
import { refuse, reply } from "./replies.ts";

const PREFIX = "/person/";
/** Arguments are a path and a few words. */
const MAX_BYTES = 64 * 1024;

/** Returns whether a path belongs to these requests, even if there is no such call. */
export function isPersonRequest(path: string): boolean {
  return path.startsWith(PREFIX);
}

type Arguments = Readonly<Record<string, unknown>>;

/** Reads the arguments of each call, and makes it. */
const CALLS: { readonly [N in keyof PersonCalls]: (person: PersonCalls, sent: Arguments) => Promise<unknown> } = {
  status: (person) => person.status(),
  progress: (person) => person.progress(),
  hosts: (person) => person.hosts(),
  planHost: (person, sent) => person.planHost({ host: text(sent, "host"), removes: flag(sent, "removes") }),
  changeHost: (person, sent) =>
    person.changeHost({ host: text(sent, "host"), removes: flag(sent, "removes"), stamp: text(sent, "stamp") }),
  vaults: (person) => person.vaults(),
  planVault: (person, sent) => person.planVault({ vault: text(sent, "vault") }),
  chooseVault: (person, sent) => person.chooseVault({ vault: text(sent, "vault"), stamp: text(sent, "stamp") }),
  acceptMissing: (person, sent) => person.acceptMissing({ part: text(sent, "part") }),
  planSchedule: (person, sent) => person.planSchedule({ removes: flag(sent, "removes") }),
  changeSchedule: (person, sent) =>
    person.changeSchedule({ removes: flag(sent, "removes"), stamp: text(sent, "stamp") }),
};

export async function answerPerson(
  person: PersonCalls,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.headers.origin === undefined) return refuse(response, 403, "Only the page may ask for this.");
  const name = path.slice(PREFIX.length);
  if (!Object.hasOwn(CALLS, name)) return refuse(response, 404, "There is no such call.");
  if (!isJsonContentType(request.headers["content-type"] ?? ""))
    return refuse(response, 415, "Unsupported media type: send application/json.");
  try {
    const sent = await bodyOf(request);
    reply(response, 200, { result: await CALLS[name as keyof PersonCalls](person, sent) });
  } catch (error) {
    const problem =
      error instanceof Problem ? error : (await import("../../sqlite/sqlite.ts")).unforeseenProblem(error);
    if (problem === undefined) throw error;
    reply(response, 400, { error: { message: problem.message, hint: problem.hint } });
    request.resume();
  }
  return undefined;
}

async function bodyOf(request: IncomingMessage): Promise<Arguments> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BYTES) throw new Problem("too_large", `The arguments are longer than ${MAX_BYTES} bytes.`);
    parts.push(part);
  }
  let sent: unknown;
  try {
    sent = JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new Problem("invalid", "The body is not JSON.");
  }
  if (!isRecord(sent)) throw new Problem("invalid", "The body must be an object.");
  return sent;
}

function text(sent: Arguments, name: string): string {
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  if (typeof value === "string" && value !== "" && !value.includes("\0")) return value;
  throw new Problem("invalid", `'${name}' must be a non-empty text.`);
}

function flag(sent: Arguments, name: string): boolean {
  return Object.hasOwn(sent, name) && sent[name] === true;
}
