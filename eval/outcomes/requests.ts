// All requests of the outcomes, and the calls that were recorded for them by a
// reader who knew `initialize` and `tools/list` alone. Both are only added to.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "./program.ts";
import type { OutcomeRequest } from "./request.ts";
import { CHANGES } from "./requests/changes.ts";
import { CONTRACTS } from "./requests/contracts.ts";
import { FRESH } from "./requests/fresh.ts";
import { SCOPE } from "./requests/scope.ts";
import { USUAL } from "./requests/usual.ts";

export const REQUESTS: readonly OutcomeRequest[] = [...SCOPE, ...CHANGES, ...CONTRACTS, ...USUAL, ...FRESH];

/** One line for each request: `{"id", "calls"}`. */
const RECORDED = join(import.meta.dirname, "calls.jsonl");

/** The calls of each request by its id. A request that was taken back, or was not recorded, has none. */
export function callsOf(requests: readonly OutcomeRequest[]): Map<string, readonly Call[]> {
  const lines = existsSync(RECORDED) ? readFileSync(RECORDED, "utf8").split("\n") : [];
  const recorded = new Map(
    lines
      .filter((line) => line !== "")
      .map((line) => {
        const { id, calls } = JSON.parse(line) as { id: string; calls: Call[] };
        return [id, calls] as const;
      }),
  );
  return new Map(requests.map(({ id, calls }) => [id, calls ?? recorded.get(id) ?? []]));
}
