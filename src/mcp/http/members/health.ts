// Answers if the server is alive, and if it is ready for requests, for proxies
// and orchestrators: without a token, and without saying where anything is. Used by
// members-http.ts.
import type { ServerResponse } from "node:http";
import type { Members } from "../../../app/app.ts";
import { VERSION } from "../../../kernel/kernel.ts";
import { reply } from "../replies.ts";

const HEALTH = "/health";
export const HEALTH_METHODS = ["GET", "HEAD"];

/** Milliseconds for which an answer of the database counts: probes must not be a load. */
const FRESH = 1_000;

export function isHealthAddress(path: string): boolean {
  return path === HEALTH || path.startsWith(`${HEALTH}/`);
}

interface Health {
  readonly status: "ready" | "not ready";
  readonly version: string;
  readonly database: "ok" | "unreachable";
  readonly schema?: { readonly found: number; readonly known: number };
}

export class HealthChecks {
  readonly #members: Members;
  #known: { readonly at: number; readonly health: Promise<Health> } | undefined;
  #isStopping = false;

  constructor(members: Members) {
    this.#members = members;
  }

  /** From now on the server is alive, but no longer ready. */
  stop(): void {
    this.#isStopping = true;
  }

  async answer(response: ServerResponse, path: string): Promise<void> {
    if (path === `${HEALTH}/live`) return reply(response, 200, { status: "alive", version: VERSION });
    if (path !== HEALTH && path !== `${HEALTH}/ready`)
      return reply(response, 404, { error: "There is /health/live and /health/ready." });
    if (this.#isStopping) return reply(response, 503, { status: "stopping", version: VERSION });
    const health = await this.#current();
    return reply(response, health.status === "ready" ? 200 : 503, health);
  }

  #current(): Promise<Health> {
    const now = performance.now();
    if (this.#known === undefined || now - this.#known.at > FRESH) this.#known = { at: now, health: this.#ask() };
    return this.#known.health;
  }

  async #ask(): Promise<Health> {
    try {
      const schema = await this.#members.schema();
      const isRight = schema.found === schema.known;
      return { status: isRight ? "ready" : "not ready", version: VERSION, database: "ok", schema };
    } catch {
      return { status: "not ready", version: VERSION, database: "unreachable" };
    }
  }
}
