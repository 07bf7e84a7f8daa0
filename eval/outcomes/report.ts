// The figures of a run, against the goals.
import { percent, table } from "../table.ts";
import type { Verdict } from "./outcomes.ts";

export interface Shares {
  /** Of all requests. */
  readonly right: number;
  /** Of those that a person makes. */
  readonly firstRight: number;
  readonly silentlyWrong: readonly string[];
}

export const GOALS = { right: 0.95, firstRight: 0.9 };

function share(some: readonly Verdict[], is: (verdict: Verdict) => boolean): number {
  return some.length === 0 ? 1 : some.filter(is).length / some.length;
}

export function sharesOf(verdicts: readonly Verdict[]): Shares {
  const asked = verdicts.filter(({ request }) => request.calls === undefined);
  return {
    right: share(verdicts, ({ right }) => right),
    firstRight: share(asked, ({ firstRight }) => firstRight),
    silentlyWrong: verdicts.filter(({ right, admitted }) => !right && !admitted).map(({ request }) => request.id),
  };
}

export function reportOf(verdicts: readonly Verdict[]): string {
  const { right, firstRight, silentlyWrong } = sharesOf(verdicts);
  const wrong = verdicts.filter((verdict) => !verdict.right);
  const late = verdicts.filter(
    (verdict) => verdict.right && !verdict.firstRight && verdict.request.calls === undefined,
  );
  return [
    table(
      [`${verdicts.length} requests`, "now", "goal"],
      [
        ["outcome right", percent(right), percent(GOALS.right)],
        ["first call right", percent(firstRight), percent(GOALS.firstRight)],
        ["silently wrong", silentlyWrong.length, 0],
      ],
    ),
    `Wrong:\n${wrong.map(({ request, fault, admitted }) => `- ${request.id}${admitted ? "" : " (silently)"}: ${fault}`).join("\n") || "none"}`,
    `Right, but not at first: ${late.map(({ request }) => request.id).join(", ") || "none"}`,
  ].join("\n\n");
}
