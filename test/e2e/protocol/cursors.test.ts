// Cursors over the packed program: they lead beyond limit to every item once,
// and belong to the call that returned them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT as context } from "../../contract/vault.ts";
import { connectStdio, temporaryFolder } from "../../processes/program.ts";

const NOTES = 47;

let client: Client;
beforeAll(async () => {
  const folder = temporaryFolder();
  const vault = join(folder, "vault");
  mkdirSync(vault);
  for (let i = 0; i < NOTES; i++)
    writeFileSync(join(vault, `Note ${i}.md`), `A heron stood in ${"the reeds ".repeat(i)}\n`);
  const rows = Array.from({ length: NOTES }, (_, i) => `<outline text="Heron ${i}"/>`).join("");
  const outline = join(folder, "rows.opml");
  writeFileSync(outline, `<opml version="2.0"><body>${rows}</body></opml>`);
  client = await connectStdio(folder, {}, ["--toolsets", "all", "--vault", vault, "--outline", outline]);
  for (let i = 0; i < 12; i++)
    await call("contentManager_appendContent", { filePath: `Note ${i}`, content: "More herons.", context });
});

const call = async (name: string, sent: object) => client.callTool({ name, arguments: { ...sent } });

interface Page {
  readonly nextCursor?: string;
  readonly truncated?: boolean;
  readonly total?: number;
}

/** Tools with the field that holds their items, what names one, and how many there are. */
const LISTS = [
  ["search", { query: "heron", limit: 10 }, "results", ({ kind, id }: Record<string, string>) => `${kind} ${id}`, 94],
  ["search", { query: "heron", kinds: ["note"], limit: 9 }, "results", ({ id }: Record<string, string>) => id, 47],
  [
    "vaultLibrarian_searchContent",
    { query: "heron", limit: 7, context },
    "results",
    ({ filePath }: Record<string, string>) => filePath,
    47,
  ],
  [
    "search_outline",
    { query: "heron", maxResults: 10 },
    "results",
    ({ row }: Record<string, unknown>) => (row as { id: string }).id,
    47,
  ],
  ["history", { limit: 5 }, "entries", ({ id }: Record<string, string>) => id, 12],
] as const;

describe("a cursor", () => {
  it.each(LISTS)("of %s %j leads to every item once", async (tool, sent, field, nameOf, count) => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent, isError } = await call(tool, { ...sent, ...(cursor !== undefined && { cursor }) });
      expect(isError, JSON.stringify(structuredContent)).toBeFalsy();
      const page = structuredContent as Page & Record<string, readonly Record<string, never>[]>;
      names.push(...page[field]!.map((item) => nameOf(item) as string));
      expect(page.total).toBe(count);
      expect(page.truncated).toBe(page.nextCursor !== undefined);
      cursor = page.nextCursor;
    } while (cursor !== undefined && names.length <= count);
    expect(names).toHaveLength(count);
    expect(new Set(names).size).toBe(count);
  });

  it.each(LISTS)("of %s %j is refused with other arguments, and by another tool", async (tool, sent) => {
    const { structuredContent } = await call(tool, sent);
    const cursor = (structuredContent as Page).nextCursor!;
    const refusal = { isError: true, content: [{ text: expect.stringMatching(/^Invalid cursor\. A cursor belongs/) }] };
    const other = "query" in sent ? { ...sent, query: "herons", cursor } : { limit: 6, cursor };
    expect(await call(tool, other)).toMatchObject(refusal);
    expect(await call("vaultManager_listDirectory", { cursor })).toMatchObject(refusal);
  });
});
