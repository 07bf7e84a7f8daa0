// npm run eval: whether a search for tools finds the right one, without a model;
// npm run eval -- --model URL: whether a model calls it.
import "./program-version.ts";
import { readRequests } from "./requests.ts";
import { rankRequests } from "./ranking/ranking.ts";
import { reportOf } from "./ranking/report.ts";
import { answerable, toolsOf } from "./tool-list.ts";

const listing = toolsOf("default");
console.log(reportOf(rankRequests(answerable(readRequests(), listing), listing)));
