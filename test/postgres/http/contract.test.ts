// The contracts of the vault and of memory, call by call, unchanged, for a member who
// comes through a server.
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { MEMBER_TOOLS } from "../../../src/app/members/member-parts.ts";
import { MEMORY } from "../../contract/memory.ts";
import { VAULT } from "../../contract/vault.ts";
import { connectHttp } from "../../processes/program.ts";
import { HAS_POSTGRESQL } from "../store-fixture.ts";
import { newTeam } from "./team.ts";

describe.runIf(HAS_POSTGRESQL)("over HTTP, for a member, the tool", () => {
  let client: Client;
  beforeAll(async () => {
    const team = await newTeam();
    client = await connectHttp(
      (await team.serve()).url,
      { supportedProtocolVersions: ["2025-06-18"] },
      await team.token("alice"),
    );
  });

  const rows = [...VAULT.cases, ...MEMORY.cases].filter((row) => MEMBER_TOOLS.has(row.tool));

  it.each(rows.map((row) => [row.tool, row.it, row] as const))("%s %s", async (_tool, _it, row) => {
    const result = await client.callTool({ name: row.tool, arguments: { ...row.arguments } });
    expect(result.isError).toBe(row.isError);
    expect(result.structuredContent).toMatchObject(row.result as object);
  });
});
