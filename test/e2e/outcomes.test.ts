// The requests of eval/outcomes, carried out by the packed program with the calls
// that were recorded for them.
import { beforeAll, describe, expect, it } from "vitest";
import { readOpenFaults } from "../../eval/outcomes/open-faults.ts";
import { judgeAll, recorded, type Verdict } from "../../eval/outcomes/outcomes.ts";
import { GOALS, sharesOf } from "../../eval/outcomes/report.ts";
import { callsOf, REQUESTS } from "../../eval/outcomes/requests.ts";
import { PROGRAM } from "../processes/program.ts";

const open = readOpenFaults();
const verdicts = new Map<string, Verdict>();

beforeAll(async () => {
  await judgeAll(PROGRAM, REQUESTS, recorded(callsOf(REQUESTS)), (verdict) =>
    verdicts.set(verdict.request.id, verdict),
  );
}, 900_000);

const isWrong = (id: string) => open[id]?.startsWith("at first: ") === false;

describe("what people ask for", () => {
  it.each(REQUESTS.filter(({ id }) => !isWrong(id)))("has the right outcome: $id", ({ id }) => {
    expect(verdicts.get(id)!.fault).toBeUndefined();
  });

  it.each(Object.keys(open))("is still listed in open.json because it fails: %s", (id) => {
    const { right, firstRight } = verdicts.get(id)!;
    expect(right && firstRight, "it is right now: remove its line from eval/outcomes/open.json").toBe(false);
  });

  it("meets the goals, apart from what open.json lists", () => {
    const { right, firstRight, silentlyWrong } = sharesOf(
      [...verdicts.values()].filter(({ request }) => open[request.id] === undefined),
    );
    expect(silentlyWrong).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(GOALS.right);
    expect(firstRight).toBeGreaterThanOrEqual(GOALS.firstRight);
  });
});
