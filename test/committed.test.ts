// What is committed about the tools is what the table says: one snapshot per
// tool of its entry in tools/list, and docs/tools.md. `npm run renew` writes
// both.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeTool } from "../src/mcp/resources/guide.ts";
import { schemaOf, type JsonSchema } from "../src/tools/definition/field.ts";
import { listingOf, type Tool } from "../src/tools/definition/define-tool.ts";
import { tokensOf } from "../scripts/tokens/budget.ts";
import { LEAN, TOOLS } from "../src/tools/toolbox.ts";

const ROOT = join(import.meta.dirname, "..");
const SNAPSHOTS = join(ROOT, "test", "snapshots");
const RENEW = process.env["RENEW"] === "1";

function expectCommitted(path: string, content: string): void {
  if (RENEW) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  expect(existsSync(path), `${path} is missing: look at it, then 'npm run renew'`).toBe(true);
  expect(readFileSync(path, "utf8"), "if this is what you want: 'npm run renew'").toBe(content);
}

/** Tokens of a tool's entry in tools/list, counted as scripts/tokens/ does. */
function costOf(tool: Tool): { without: number; with: number } {
  const { outputSchema: _, ...listing } = listingOf(tool);
  return { without: tokensOf(listing), with: tokensOf(listingOf(tool)) };
}

function sumOf(tools: readonly Tool[]) {
  return tools
    .map(costOf)
    .reduce((sum, cost) => ({ without: sum.without + cost.without, with: sum.with + cost.with }), {
      without: 0,
      with: 0,
    });
}

const byDefault = TOOLS.filter((tool) => tool.byDefault);
const lean = TOOLS.filter((tool) => LEAN.has(tool.name));

describe("each tool's entry in tools/list", () => {
  it.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s is the committed one", (name, tool) => {
    expectCommitted(join(SNAPSHOTS, `${name}.json`), `${JSON.stringify(listingOf(tool), null, 2)}\n`);
  });

  it("has no snapshot of a tool that is gone", () => {
    const gone = readdirSync(SNAPSHOTS).filter((file) => !TOOLS.some((tool) => `${tool.name}.json` === file));
    if (RENEW) for (const file of gone) rmSync(join(SNAPSHOTS, file));
    else expect(gone).toEqual([]);
  });

  it.each(TOOLS.map((tool) => [tool.name, listingOf(tool)] as const))(
    "%s has schemas that every host takes",
    (_, listing) => {
      for (const schema of [listing.inputSchema, listing.outputSchema]) {
        expect(schema.type).toBe("object");
        expect(Object.keys(schema)).not.toContainEqual(expect.stringMatching(/^(anyOf|oneOf|allOf|not|\$)/));
        expect(JSON.stringify(schema)).not.toMatch(/"\$(ref|schema|defs)"|"additionalProperties":false/);
      }
      expect(listing.outputSchema, "a failed result has none of a success's fields").not.toHaveProperty("required");
      expect(listing.title).not.toBe("");
      // Hosts assume the worst of a hint that is left out.
      expect(Object.values(listing.annotations)).toEqual(Array(4).fill(expect.any(Boolean)));
      expect(listing.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    },
  );
});

describe("a result that comes in pages", () => {
  it.each(TOOLS.filter(({ pages }) => pages !== undefined).map((tool) => [tool.name, tool] as const))(
    "%s names fields of its output",
    (_, tool) => {
      for (const name of [tool.pages!].flat()) {
        const field = name
          .split(".")
          .reduce<JsonSchema | undefined>((schema, key) => schema?.properties?.[key], schemaOf(tool.output));
        expect(["array", "string"]).toContain(field?.type);
      }
    },
  );
});

describe("the whole list", () => {
  it("fits into a host by default", () => {
    // What it costs is measured on the program: scripts/tokens/list-budgets.ts.
    expect(byDefault.length).toBeLessThanOrEqual(36);
  });

  it("is described in docs/tools.md, with what it costs", () => {
    const rows = TOOLS.map((tool) => {
      const cost = costOf(tool);
      return `| \`${tool.name}\` | ${tool.toolset} | ${LEAN.has(tool.name) ? "lean" : tool.byDefault ? "yes" : ""} | ${cost.without} | ${cost.with} |`;
    });
    const sum = (label: string, tools: readonly Tool[]) =>
      `| **${label}: ${tools.length}** | | | ${sumOf(tools).without} | ${sumOf(tools).with} |`;
    const document = [
      "# Tools",
      "",
      'Made from the table of tools by `npm run renew`. The last two columns are tokens in every conversation, without and with the output schema (length of the JSON / 4). `npm run tokens` compares them with their budgets. "lean": also in the list of `--toolsets lean`.',
      "",
      "| Tool | Toolset | By default | Tokens | With output |",
      "| --- | --- | --- | ---: | ---: |",
      ...rows,
      sum("lean", lean),
      sum("by default", byDefault),
      sum("all", TOOLS),
      "",
      ...TOOLS.map((tool) => describeTool(tool)),
    ];
    expectCommitted(join(ROOT, "docs", "tools.md"), `${document.join("\n").trimEnd()}\n`);
  });
});
