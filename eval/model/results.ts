// What a run with a model leaves: a file for programs and a table for people.
// Neither has the key or the address in it.
import { percent, table } from "../table.ts";
import type { Asked } from "./asking.ts";

export interface Run {
  readonly model: string;
  readonly protocol: string;
  readonly toolsets: string;
  readonly tools: number;
  /** The version of the server. */
  readonly version: string;
  readonly day: string;
}

interface Count {
  readonly requests: number;
  readonly rightTool: number;
  readonly right: number;
  readonly harmful: number;
}

export function resultsOf(run: Run, asked: readonly Asked[]) {
  const answered = asked.filter(({ answer }) => answer !== undefined);
  const sum = (tokens: "tokensIn" | "tokensOut") =>
    answered.reduce((total, { answer }) => total + (answer?.[tokens] ?? 0), 0);
  return {
    ...run,
    ...countOf(asked),
    unanswered: asked.length - answered.length,
    tokensIn: sum("tokensIn"),
    tokensOut: sum("tokensOut"),
    tools: run.tools,
    byTool: countBy(asked, ({ request }) => request.tools[0]!),
    byPair: countBy(asked, ({ request }) => request.pair ?? "alone"),
    wrong: asked
      .filter(({ right }) => !right)
      .map(({ request, problem, answer, harmful }) => ({
        id: request.id,
        ask: request.ask,
        expected: request.tools,
        calls: answer?.calls.map(({ tool, args }) => ({ tool, args: args ?? null })) ?? null,
        harmful,
        problem,
      })),
  };
}

export type Results = ReturnType<typeof resultsOf>;

export function tableOf(results: Results): string {
  const { model, protocol, toolsets, tools, version, day, unanswered, tokensIn, tokensOut } = results;
  return [
    `# ${model}`,
    `${day}, Commonplace ${version}, ${tools} tools (${toolsets}), protocol ${protocol}. Tokens: ${tokensIn} in, ${tokensOut} out.${unanswered > 0 ? ` ${unanswered} requests were not answered, and count as wrong.` : ""}`,
    countsOf("first call", { all: results }),
    countsOf("can be mistaken", results.byPair),
    countsOf("right tool", results.byTool),
    "Wrong:",
    results.wrong.map(({ id, ask, problem }) => `- ${id}, “${ask.replaceAll("\n", " ")}”: ${problem}`).join("\n") ||
      "none",
    "",
  ].join("\n\n");
}

function countsOf(title: string, by: Readonly<Record<string, Count>>): string {
  return table(
    [title, "requests", "right tool", "and arguments", "must not"],
    Object.entries(by).map(([name, count]) => rowOf(name, count)),
  );
}

function rowOf(name: string, { requests, rightTool, right, harmful }: Count): (string | number)[] {
  return [name, requests, percent(rightTool / requests), percent(right / requests), harmful];
}

function countOf(asked: readonly Asked[]): Count {
  const count = (is: (one: Asked) => boolean) => asked.filter(is).length;
  return {
    requests: asked.length,
    rightTool: count(({ rightTool }) => rightTool),
    right: count(({ right }) => right),
    harmful: count(({ harmful }) => harmful),
  };
}

function countBy(asked: readonly Asked[], keyOf: (one: Asked) => string): Record<string, Count> {
  return Object.fromEntries([...Map.groupBy(asked, keyOf)].map(([key, some]) => [key, countOf(some)]));
}
