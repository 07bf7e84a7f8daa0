// npm run eval: whether a search for tools finds the right one, without a model;
// npm run eval -- --model URL: whether a model calls it;
// npm run eval -- outcomes: what comes of the recorded calls, answers and documents.
import "./program-version.ts";
import { HELP, readOptions } from "./model/options.ts";
import { runWithModel, THIS_WORLD } from "./model/run.ts";
import type { ToolListing } from "../src/tools/definition/define-tool.ts";
import { readRequests, type Request } from "./requests.ts";
import { rankAll, rankRequests } from "./ranking/ranking.ts";
import { reportOf } from "./ranking/report.ts";
import { answerable, toolsOf } from "./tool-list.ts";

const rankWithin = (requests: readonly Request[], listing: readonly ToolListing[]) =>
  rankRequests(answerable(requests, listing), listing);

try {
  const [task, ...rest] = process.argv.slice(2);
  if (task === "outcomes") {
    const { report, code } = await (await import("./outcomes/run.ts")).runOutcomes(rest);
    console.log(report);
    process.exitCode = code;
  } else await runChoices();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

/** Which tool is chosen, by a search or by a model. */
async function runChoices(): Promise<void> {
  const { help, toolsets, withModel } = readOptions(process.argv.slice(2));
  if (help) console.log(HELP);
  else if (withModel === undefined) {
    const requests = readRequests();
    const ranked = toolsets === undefined ? rankAll(requests) : rankWithin(requests, toolsOf(toolsets));
    console.log(reportOf(ranked));
  } else {
    const { table, files, results } = await runWithModel(withModel, readRequests(), THIS_WORLD());
    console.log(`${table}\nWritten to ${files.join(" and ")}.`);
    if (results.unanswered > 0) process.exitCode = 1;
  }
}
