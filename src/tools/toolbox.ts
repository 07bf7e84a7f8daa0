// The table of all tools, in the order in which hosts see them, and which of
// them a server offers.
import type { Settings } from "../settings.ts";
import { getServerVersion } from "./project/get-server-version.ts";
import { listingOf, type Tool, type ToolListing } from "./tool.ts";

export const TOOLS: readonly Tool[] = [getServerVersion];

export interface Toolbox {
  readonly tools: readonly Tool[];
  /** What `tools/list` answers: made once, not for each request. */
  readonly listing: readonly ToolListing[];
  readonly find: (name: string) => Tool | undefined;
}

/** The tools that these settings ask for. */
export function selectTools({ toolsets, readOnly }: Pick<Settings, "toolsets" | "readOnly">): Toolbox {
  return toolboxOf(TOOLS.filter((tool) => isOffered(tool, toolsets) && (tool.effects.readOnly || !readOnly)));
}

export function toolboxOf(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return { tools, listing: tools.map(listingOf), find: (name) => byName.get(name) };
}

function isOffered(tool: Tool, toolsets: Settings["toolsets"]): boolean {
  return toolsets.some((toolset) => {
    if (toolset === "default") return tool.byDefault;
    return toolset === "all" || tool.toolset === toolset || tool.toolset === "every";
  });
}
