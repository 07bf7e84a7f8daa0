// The contracts of the vault, of memory and of recall, call by call, unchanged, with
// a shared store: the vault is a space of it.
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { MEMORY } from "../contract/memory.ts";
import { RECALL } from "../contract/recall.ts";
import { VAULT } from "../contract/vault.ts";
import { connectStdio, runProgram, temporaryFolder } from "../processes/program.ts";
import { SUPERUSER } from "./cluster.ts";
import { HAS_POSTGRESQL, newDatabase } from "./store-fixture.ts";

const cases = [...VAULT.cases, ...MEMORY.cases, ...RECALL.cases];

describe.runIf(HAS_POSTGRESQL)("with a shared store, the tool", () => {
  let client: Client;
  beforeAll(async () => {
    const env = { COMMONPLACE_STORE: (await newDatabase()).address(SUPERUSER) };
    await runProgram(["store", "init", "--space", "notes"], { home: temporaryFolder(), env });
    client = await connectStdio(
      temporaryFolder(),
      { supportedProtocolVersions: ["2025-06-18"] },
      ["--toolsets", "all", "--vault", "store:notes"],
      { env },
    );
  });

  it.each(cases.map((row) => [row.tool, row.it, row] as const))("%s %s", async (_tool, _it, row) => {
    const result = await client.callTool({ name: row.tool, arguments: { ...row.arguments } });
    expect(result.isError).toBe(row.isError);
    expect(result.structuredContent).toMatchObject(row.result as object);
  });
});
