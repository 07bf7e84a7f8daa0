// Every example that tools/list gives a model works: those in descriptions of
// tools, and the values in descriptions of arguments.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/tools/toolbox.ts";
import { listingOf, type ToolListing } from "../../src/tools/definition/define-tool.ts";
import { CONTEXT } from "../contract/vault.ts";
import { connectStdio, temporaryFolder } from "../processes/program.ts";

const NOTE = `---
status: open
tags: [x]
---
# Plan

## Tasks

- [ ] Write a phrase ^summary

## Projects

### Alpha

Words without end.
`;

/** Arguments besides the one whose description has an example. */
const OTHERS: Readonly<Record<string, object>> = {
  contentManager_readContent: { filePath: "Plan.md" },
  search: { query: "words" },
  vaultLibrarian_searchContent: { query: "words" },
  vaultLibrarian_searchDirectory: { query: "plan", paths: ["/"] },
  vaultLibrarian_searchMemory: { query: "words" },
};

/** `e.g. a, b or c` at the end of a description. */
const VALUES = /e\.g\. (.+)$/;
/** What a query may be made of. */
const QUERY_FORMS = /^Words; also (.+)$/;

interface Example {
  readonly tool: string;
  readonly sent: object;
}

function examplesOf({ name, description, inputSchema }: ToolListing): Example[] {
  const whole = /Example: (\{.*\})/.exec(description)?.[1];
  const examples: Example[] = whole === undefined ? [] : [{ tool: name, sent: JSON.parse(whole) as object }];
  for (const [argument, { description: about = "", type }] of Object.entries(inputSchema.properties ?? {})) {
    const values = VALUES.exec(about)?.[1]?.split(/, or | or |, /) ?? QUERY_FORMS.exec(about)?.[1]?.split(", ") ?? [];
    for (const value of values)
      examples.push({ tool: name, sent: { ...OTHERS[name], [argument]: type === "array" ? [value] : value } });
  }
  return examples;
}

const examples = TOOLS.flatMap((tool) => examplesOf(listingOf(tool)));

let client: Client;
beforeAll(async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, "vault", "folder"), { recursive: true });
  for (const note of ["Plan.md", "Note.md", "folder/Words.md", "folder/Board.canvas"])
    writeFileSync(join(home, "vault", note), note.endsWith(".md") ? NOTE : "{}");
  client = await connectStdio(home, {}, ["--toolsets", "all", "--vault", join(home, "vault")]);
});

describe("an example in the list of tools", () => {
  it("is found in descriptions of tools and of arguments", () => {
    expect(examples.length).toBeGreaterThan(10);
  });

  it.each(examples.map((example) => [`${example.tool} ${JSON.stringify(example.sent)}`, example] as const))(
    "works: %s",
    async (_, { tool, sent }) => {
      const { isError, structuredContent } = await client.callTool({
        name: tool,
        arguments: { ...sent, context: CONTEXT },
      });
      expect(isError, JSON.stringify(structuredContent)).toBeFalsy();
      expect(structuredContent).not.toHaveProperty("ignored");
    },
  );
});
