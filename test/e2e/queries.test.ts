// vaultLibrarian_query of the built program: tables, views of bases, pages.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { connectStdio, temporaryFolder } from "../processes/program.ts";

interface Data {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly totalRows: number;
  readonly view?: { readonly name: string; readonly type: string };
  readonly groups?: readonly unknown[];
  readonly warnings?: readonly string[];
}

let client: Client;
beforeAll(async () => {
  const home = temporaryFolder();
  const vault = join(home, "vault");
  mkdirSync(vault);
  for (let i = 0; i < 120; i++)
    writeFileSync(
      join(vault, `Book ${i}.md`),
      `---\nrating: ${i % 10}\nauthor: "[[Author ${i % 3}]]"\nblurb: ${"a long blurb ".repeat(20)}\ntags: [book]\n---\n`,
    );
  writeFileSync(
    join(vault, "Books.base"),
    "filters: file.hasTag('book')\nformulas: {double: rating * 2}\nviews:\n  - type: table\n    name: Good\n    filters: rating > 8\n    order: [author, formula.double]\n",
  );
  client = await connectStdio(home, {}, ["--toolsets", "vault", "--vault", vault]);
});

const ask = async (sent: object) => {
  const result = await client.callTool({ name: "vaultLibrarian_query", arguments: { ...sent } });
  return result as unknown as {
    structuredContent: {
      success: boolean;
      error?: string;
      data: Data;
      truncated?: boolean;
      total?: number;
      nextCursor?: string;
    };
    content: readonly { readonly text: string }[];
    isError?: boolean;
  };
};

describe("vaultLibrarian_query", () => {
  it("returns a table, and the same as text", async () => {
    const { structuredContent, content } = await ask({
      where: { rating: 9, author: "Author 0" },
      select: ["author", "file.tags"],
      group: "author",
    });
    const { data } = structuredContent;
    expect(data.columns).toEqual(["path", "author", "file.tags"]);
    expect(data.rows.at(-1)).toEqual(["Book 99.md", "[[Author 0]]", ["#book"]]);
    expect(data.totalRows).toBe(4);
    expect(data.groups).toEqual([{ value: "[[Author 0]]", count: 4 }]);
    expect(content[0]!.text).toContain("4 of 4 rows: path | author | file.tags");
    expect(content[0]!.text).toContain("Book 9.md | [[Author 0]] | #book");
  });

  it("shows the view of a base", async () => {
    const { structuredContent } = await ask({ base: "Books", view: "good", limit: 2 });
    expect(structuredContent.data.view).toEqual({ name: "Good", type: "table" });
    expect(structuredContent.data.rows).toEqual([
      ["Book 109.md", "[[Author 1]]", 18],
      ["Book 119.md", "[[Author 2]]", 18],
    ]);
    expect(structuredContent).toMatchObject({ truncated: true, total: 12 });
  });

  it("continues with a cursor until every row was shown once", async () => {
    const seen: unknown[] = [];
    let pages = 0;
    const question = { select: ["blurb", "rating"], sort: ["rating", "file.name"] };
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { structuredContent } = await ask({ ...question, ...(cursor !== undefined && { cursor }) });
      seen.push(...structuredContent.data.rows.map(([path]) => path));
      cursor = structuredContent.nextCursor;
      pages++;
    }
    expect(pages).toBeGreaterThan(2);
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
    expect(seen[0]).toBe("Book 0.md");
  });

  it("says what is wrong, and what there is", async () => {
    const unknown = await ask({ base: "Films" });
    expect(unknown).toMatchObject({ isError: true, structuredContent: { success: false } });
    expect(unknown.structuredContent.error).toContain("Base not found: Films");
    expect(unknown.content[0]!.text).toContain("Books.base");
    const wrong = await ask({ where: "rating >" });
    expect(wrong.structuredContent.error).toContain("where: The expression ends too early.");
    const costly = await ask({ where: `${"[1,2,3,4,5,6,7,8,9].map(".repeat(9)}1${")".repeat(9)}` });
    expect(costly.structuredContent.error).toContain("too many steps");
  });
});
