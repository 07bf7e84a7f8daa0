// Whether a search for tools, as hosts with many tools have it, finds the right
// one. Claude's searches names, descriptions, and the names and descriptions of
// arguments with BM25; Codex does the same without the descriptions of arguments.
import type { JsonSchema } from "../../src/tools/definition/field.ts";
import type { ToolListing } from "../../src/tools/definition/define-tool.ts";
import { wordsOf, type Request } from "../requests.ts";
import { listsFor, toolsOf } from "../tool-list.ts";
import { indexOf } from "./bm25.ts";

export interface Ranked {
  readonly request: Request;
  /** 1 is the best; Infinity if it was not found. */
  readonly rank: number;
  /** What was found, the best first. */
  readonly found: readonly string[];
}

/** The rank of the right tool for each request; of several that are equally right, the best one's. */
export function rankRequests(requests: readonly Request[], listing: readonly ToolListing[]): Ranked[] {
  const index = indexOf(new Map(listing.map((tool) => [tool.name, textOf(tool)])));
  return requests.map((request) => {
    const found = index.search(wordsOf(request)).map(({ name }) => name);
    const place = found.findIndex((name) => request.tools.includes(name));
    return { request, rank: place === -1 ? Infinity : place + 1, found };
  });
}

/** Every request, in the list that a person who asks for it has. */
export function rankAll(requests: readonly Request[]): Ranked[] {
  return [...listsFor(requests)].flatMap(([toolsets, some]) => rankRequests(some, toolsOf(toolsets)));
}

/** Everything of a tool that is searched. */
function textOf({ name, description, inputSchema }: ToolListing): string {
  return [name, description, ...argumentTexts(inputSchema)].join("\n");
}

function argumentTexts({ properties = {}, items }: JsonSchema): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    name,
    schema.description ?? "",
    ...argumentTexts(schema),
  ]);
  return items === undefined ? own : [...own, ...argumentTexts(items)];
}

/** The share of requests whose right tool is among the first so many, from 0 to 1. */
export function shareWithin(ranked: readonly Ranked[], places: number): number {
  return ranked.filter(({ rank }) => rank <= places).length / ranked.length;
}
