// Every budget of scripts/tokens/, measured on the packed program. `npm run
// tokens` prints the same figures.
import { describe, expect, it } from "vitest";
import { Servers } from "../../scripts/tokens/budget.ts";
import { BUDGETS } from "../../scripts/tokens/budgets.ts";
import { atTheEnd, PROGRAM } from "../processes/program.ts";

const servers = new Servers(PROGRAM);
atTheEnd(() => servers.close());

describe("what a host pays for", () => {
  it.each(BUDGETS.map((budget) => [budget.name, budget.below, budget] as const))(
    "%s is below %i tokens",
    async (_name, below, { measure }) => {
      // Without its data a row has nothing to measure.
      expect((await measure(servers)) ?? 0).toBeLessThan(below);
    },
  );
});
