// One question to a model: sent again if the endpoint is busy or fails for a
// while. The key is in the header alone; it is taken out of every message.
import type { Answer, Protocol, Question } from "./protocol.ts";

const MAX_TRIES = 6;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const TIME_LIMIT_MS = 180_000;

export interface Endpoint {
  readonly address: URL;
  readonly protocol: Protocol;
  readonly key: string | undefined;
  /** Replaced by tests, which do not wait. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** What the endpoint said instead of an answer. */
export class NoAnswer extends Error {
  /** Whether it will say the same to every question: a wrong key, name or address. */
  readonly isForAll: boolean;
  constructor(message: string, isForAll: boolean) {
    super(message);
    this.isForAll = isForAll;
  }
}

export async function askModel(endpoint: Endpoint, question: Question): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const { answer, problem, again } = await tryOnce(endpoint, question);
    if (answer !== undefined) return answer;
    if (again === undefined || tries === MAX_TRIES) throw problem;
    await endpoint.wait(Math.min(MAX_WAIT_MS, Math.max(again, FIRST_WAIT_MS * 2 ** (tries - 1))));
  }
}

interface Attempt {
  readonly answer?: Answer;
  readonly problem?: NoAnswer;
  /** Milliseconds that the endpoint wants to be left alone; undefined: trying again is no use. */
  readonly again?: number;
}

async function tryOnce({ address, protocol, key }: Endpoint, question: Question): Promise<Attempt> {
  const fault = (message: string, isForAll = false) =>
    new NoAnswer(key === undefined ? message : message.replaceAll(key, "(key)"), isForAll);
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...protocol.headers(key) },
      body: JSON.stringify(protocol.body(question)),
      // Followed to another host, a redirect would take the key along.
      redirect: "error",
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    text = await response.text();
  } catch (error) {
    return { problem: fault(reasonOf(error)), again: 0 };
  }
  if (!response.ok) {
    const { status } = response;
    const problem = fault(`HTTP ${status}: ${text.slice(0, 300)}`, [401, 403, 404].includes(status));
    const isPassing = status === 408 || status === 409 || status === 429 || status >= 500;
    return isPassing ? { problem, again: 1_000 * Number(response.headers.get("retry-after") ?? 0) || 0 } : { problem };
  }
  try {
    return { answer: protocol.read(JSON.parse(text)) };
  } catch (error) {
    return { problem: fault(`no answer: ${reasonOf(error)}`), again: 0 };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
