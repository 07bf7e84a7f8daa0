// The tools for ChatGPT, over HTTP with a token: search and fetch in the shapes that
// developers.openai.com/api/docs/mcp documents.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { SAMPLE_CONVERSATIONS, writeConversations } from "../page/sample-conversations.ts";
import { connectHttp, ERAS, serveHttp, temporaryFolder } from "../processes/program.ts";

const home = temporaryFolder();
const vault = join(home, "notes");
mkdirSync(join(vault, "Garden"), { recursive: true });
writeFileSync(
  join(vault, "Garden", "Runner beans #1.md"),
  `# Runner beans\n\nPlant beans in May.\n${"Water them.\n".repeat(20)}`,
);
writeFileSync(
  join(home, "plan.opml"),
  '<opml version="2.0"><head/><body><outline text="Beans to buy"><outline text="Ten seeds"/></outline></body></opml>',
);
writeConversations(home);

let client: Client;
beforeAll(async () => {
  const env = { COMMONPLACE_TOKEN: "a-token-for-the-tests-only" };
  const settings = ["--toolsets", "chatgpt", "--vault", vault, "--outline", join(home, "plan.opml")];
  client = await connectHttp((await serveHttp(home, env, settings)).url, ERAS["2025-11-25 and before"]);
});

interface Row {
  readonly id: string;
  readonly title: string;
  readonly url: string;
}

/** A result is one text with the JSON of its structure. */
async function call(name: string, sent: object) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...sent } });
  const [first, ...others] = content as { readonly type: string; readonly text: string }[];
  expect([first!.type, others]).toEqual(["text", []]);
  if (isError !== true) expect(JSON.parse(first!.text)).toEqual(structuredContent);
  return { ...(structuredContent as Record<string, unknown>), isError: isError === true };
}

describe("the tools for ChatGPT", () => {
  it("are search and fetch, which write nothing", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search", "fetch"]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.map(({ inputSchema }) => inputSchema.required)).toEqual([["query"], ["id"]]);
  });

  it("show whole what search finds: a note, a row and a conversation from the message that matches", async () => {
    // Until the first index is complete, some of them are missing.
    await expect
      .poll(async () =>
        ((await call("search", { query: "beans" })) as unknown as { results: Row[] }).results.map(kindOf),
      )
      .toEqual(expect.arrayContaining(["note", "outline", "conversation"]));
    const { results } = (await call("search", { query: "beans" })) as unknown as { results: Row[] };
    for (const { id, title, url } of results) {
      expect([title, URL.canParse(url)]).toEqual([expect.stringMatching(/./), true]);
      for (const address of [id, url])
        expect(await call("fetch", { id: address })).toMatchObject({ id: address, url: address, isError: false });
    }
    const fetched = async (kind: string) => call("fetch", { id: results.find((row) => kindOf(row) === kind)!.id });
    expect(await fetched("note")).toMatchObject({
      title: "Runner beans #1",
      text: expect.stringContaining("Plant beans in May."),
      metadata: { path: "Garden/Runner beans #1.md" },
    });
    expect(await fetched("outline")).toMatchObject({
      title: "Beans to buy",
      text: expect.stringContaining("Ten seeds"),
    });
    expect(await fetched("conversation")).toMatchObject({
      title: expect.stringMatching(/./),
      text: expect.stringMatching(/^\[(?:user|assistant) .*\]\n[^]*bean/i),
      metadata: { program: "claude-code" },
    });
    expect(SAMPLE_CONVERSATIONS.length).toBeGreaterThan(0);
  });

  it.each(["x", "note:///Nobody.md", "outline:///none", "conversation:///none", "https://example.com/"])(
    "say what is wrong with %j",
    async (id) => {
      expect(await call("fetch", { id })).toMatchObject({ isError: true, success: false, error: expect.any(String) });
    },
  );

  it("have no other beside them", async () => {
    await expect(client.callTool({ name: "contentManager_createContent", arguments: {} })).rejects.toThrow();
  });
});

const kindOf = ({ url }: Row) => url.split(":")[0]!;
