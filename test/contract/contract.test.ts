// Every row of the three contracts' tables, against the packed program.
import type { Client, Tool } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStdio, temporaryFolder } from "../processes/program.ts";
import { MEMORY } from "./memory.ts";
import { OUTLINE } from "./outline.ts";
import { RECALL } from "./recall.ts";
import { VAULT } from "./vault.ts";

const TABLES = { vault: VAULT, memory: MEMORY, outline: OUTLINE, recall: RECALL };
const tools = Object.values(TABLES).flatMap((table) => Object.entries(table.tools));
const cases = Object.values(TABLES).flatMap((table) => table.cases);

let client: Client;
let offered: Map<string, Tool>;
beforeAll(async () => {
  client = await connectStdio(temporaryFolder(), { supportedProtocolVersions: ["2025-06-18"] }, ["--toolsets", "all"]);
  offered = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
});

describe("the tool", () => {
  it.each(tools)(
    "%s has the contract's parameters, and none beyond them that is required",
    (name, { required, parameters }) => {
      const { inputSchema } = offered.get(name)!;
      expect(inputSchema.required ?? []).toEqual(required);
      expect(inputSchema.properties).toMatchObject(parameters);
    },
  );

  it.each(cases.map((row) => [row.tool, row.it, row] as const))("%s %s", async (_tool, _it, row) => {
    const result = await client.callTool({ name: row.tool, arguments: { ...row.arguments } });
    expect(result.isError).toBe(row.isError);
    expect(result.structuredContent).toMatchObject(row.result as object);
  });
});
