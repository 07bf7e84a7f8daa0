// Budgets of what a host pays for in every conversation: the list of tools and
// the instructions. Used by budgets.ts.
import { instructionsFor } from "../../src/mcp/instructions.ts";
import { tokensOf, type Budget, type Servers } from "./budget.ts";

interface Listed {
  readonly name: string;
  readonly outputSchema?: unknown;
}

/** The tools that a server with these flags lists. */
export async function listedTools(servers: Servers, args: readonly string[] = []): Promise<readonly Listed[]> {
  const { result } = await (await servers.start(args)).request("tools/list");
  return (result as { readonly tools: readonly Listed[] }).tools;
}

/** Some hosts give the model the tools without their output schemas. */
export function withoutOutput(tools: readonly Listed[]): readonly Listed[] {
  return tools.map(({ outputSchema: _, ...tool }) => tool);
}

const LEAN = ["--toolsets", "lean"];

export const LIST_BUDGETS: readonly Budget[] = [
  {
    name: "the instructions",
    below: 170,
    measure: () => Promise.resolve(tokensOf(instructionsFor({ toolsets: ["default"] }))),
  },
  {
    name: "the default list without output schemas",
    below: 6_000,
    measure: async (servers) => tokensOf({ tools: withoutOutput(await listedTools(servers)) }),
  },
  {
    name: "the default list",
    below: 8_000,
    measure: async (servers) => tokensOf({ tools: await listedTools(servers) }),
  },
  {
    name: "the lean list without output schemas",
    below: 3_200,
    measure: async (servers) => tokensOf({ tools: withoutOutput(await listedTools(servers, LEAN)) }),
  },
  {
    name: "the lean list",
    below: 4_000,
    measure: async (servers) => tokensOf({ tools: await listedTools(servers, LEAN) }),
  },
];
