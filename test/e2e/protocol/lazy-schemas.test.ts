// The build wraps the schemas of the MCP SDK so that each is made when it is
// first used (scripts/lazy-schemas.ts). The SDK's own client must not notice:
// it gets the same answers from the packed program as from a server in this
// process, on an unchanged SDK.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { WRAPPED } from "../../../scripts/lazy-schemas.ts";
import { openCommonplace } from "../../../src/app/app.ts";
import { createServer } from "../../../src/mcp/server.ts";
import { readSettings } from "../../../src/settings.ts";
import {
  atTheEnd,
  connectHttp,
  connectStdio,
  ERAS,
  PROGRAM,
  serveHttp,
  temporaryFolder,
} from "../../processes/program.ts";

const PROGRAM_TEXT = readFileSync(join(dirname(dirname(PROGRAM)), "dist", "main.cjs"), "utf8");

async function connectUnwrapped(home: string): Promise<Client> {
  const commonplace = openCommonplace(readSettings({ home }, {}, home), { log: () => {} });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([createServer(commonplace).connect(serverSide), client.connect(clientSide)]);
  atTheEnd(async () => {
    await client.close();
    await commonplace.close();
  });
  return client;
}

/** One of everything that a client may ask. */
async function everythingSaid(client: Client) {
  const { tools } = await client.listTools();
  const failure = (error: unknown) => ({ failed: String(error) });
  return {
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    server: client.getServerVersion(),
    tools: tools.map(({ name, inputSchema, outputSchema, annotations }) => ({
      name,
      inputSchema,
      outputSchema,
      annotations,
    })),
    call: (await client.callTool({ name: "check_connection" })).structuredContent,
    failedCall: (await client.callTool({ name: "get_row", arguments: { rowId: "none" } })).structuredContent,
    unknownTool: await client.callTool({ name: "unknown" }).catch(failure),
    resources: (await client.listResources()).resources,
    templates: (await client.listResourceTemplates()).resourceTemplates,
    guide: (await client.readResource({ uri: "commonplace://guide" })).contents,
    unknownResource: await client.readResource({ uri: "note:///none.md" }).catch(failure),
    prompts: (await client.listPrompts()).prompts,
    prompt: (await client.getPrompt({ name: "decided", arguments: { subject: "x" } })).messages,
    unknownPrompt: await client.getPrompt({ name: "unknown" }).catch(failure),
    completion: (
      await client.complete({ ref: { type: "ref/prompt", name: "orient" }, argument: { name: "part", value: "o" } })
    ).completion,
  };
}

describe("the lazy schemas of the SDK", () => {
  it("are as many in the packed program as were counted for this release of the SDK", () => {
    expect(PROGRAM_TEXT.match(/\b(?:lazily|lazySet)\(\(\)=>/g)).toHaveLength(WRAPPED);
  });

  it.each(Object.entries(ERAS))("answer the SDK's client over stdio as unwrapped ones do (%s)", async (_era, era) => {
    const home = temporaryFolder();
    const expected = await everythingSaid(await connectUnwrapped(home));
    expect(expected.tools.length).toBeGreaterThan(30);
    expect(await everythingSaid(await connectStdio(home, era))).toEqual(expected);
  });

  it.each(Object.entries(ERAS))("answer the SDK's client over HTTP as unwrapped ones do (%s)", async (_era, era) => {
    const home = temporaryFolder();
    const expected = await everythingSaid(await connectUnwrapped(home));
    expect(await everythingSaid(await connectHttp((await serveHttp(home)).url, era))).toEqual(expected);
  });
});
