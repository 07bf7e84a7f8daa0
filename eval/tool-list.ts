// The list of tools that a host gets from this server.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instructionsFor } from "../src/mcp/instructions.ts";
import { readSettings } from "../src/settings.ts";
import { selectTools, TOOLS } from "../src/tools/toolbox.ts";
import type { ToolListing } from "../src/tools/definition/define-tool.ts";
import type { Request } from "./requests.ts";

/** @param toolsets as `--toolsets` takes them */
export function toolsOf(toolsets: string): readonly ToolListing[] {
  return selectTools(settingsFor(toolsets)).listing;
}

/** The instructions that come with it. */
export function instructionsWith(toolsets: string): string {
  return instructionsFor(settingsFor(toolsets));
}

function settingsFor(toolsets: string) {
  // Nobody's configuration counts: that folder does not exist.
  const home = join(tmpdir(), "commonplace-eval-without-a-home");
  return readSettings({ toolsets, home }, {}, process.cwd());
}

/** Each request with the list that a person who asks for it has: the default one, or with it the toolset that they added. */
export function listsFor(requests: readonly Request[]): Map<string, Request[]> {
  const byDefault = toolsOf("default");
  return Map.groupBy(requests, (request) => {
    if (answerable([request], byDefault).length > 0) return "default";
    const tool = TOOLS.find(({ name }) => request.tools.includes(name));
    return `default,${tool?.toolset ?? "all"}`;
  });
}

/** The requests for which this list has a right tool. */
export function answerable(requests: readonly Request[], listing: readonly ToolListing[]): Request[] {
  return requests.filter(({ tools }) => tools.some((name) => listing.some((tool) => tool.name === name)));
}
