// npm run tokens: what each tool of the list costs, and every budget of
// scripts/tokens/ with what was measured. Fails above a budget.
import { join } from "node:path";
import { Servers, tokensOf } from "./tokens/budget.ts";
import { BUDGETS } from "./tokens/budgets.ts";
import { listedTools, withoutOutput } from "./tokens/list-budgets.ts";

const servers = new Servers(join(import.meta.dirname, "..", "bin", "commonplace.js"));
const number = (value: number | string) => String(value).padStart(8);

try {
  const tools = await listedTools(servers);
  const bare = withoutOutput(tools);
  console.log(`${"tool".padEnd(34)}${number("tokens")}${number("output")}`);
  for (const [i, tool] of tools.entries()) {
    const without = tokensOf(bare[i]);
    console.log(`${tool.name.padEnd(34)}${number(without)}${number(tokensOf(tool) - without)}`);
  }
  console.log(`\n${"budget".padEnd(60)}${number("below")}${number("is")}`);
  for (const { name, below, measure } of BUDGETS) {
    const measured = await measure(servers);
    const isOver = measured !== undefined && measured >= below;
    console.log(`${name.padEnd(60)}${number(below)}${number(measured ?? "no data")}${isOver ? "  ABOVE" : ""}`);
    if (isOver) process.exitCode = 1;
  }
} finally {
  await servers.close();
}
