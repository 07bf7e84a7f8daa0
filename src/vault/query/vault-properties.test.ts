// The table of a vault's properties, for the form of properties in the page.
import { expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { vaultProperties } from "./vault-properties.ts";

it("lists names with the types that Obsidian keeps, the most frequent first, unused ones last", async () => {
  const { vault } = await vaultWith({
    ".obsidian/types.json": '{"types":{"rating":"number","finished":"checkbox","status":7}}',
    "A.md": "---\nstatus: read\nrating: 9\n---\n",
    "B.md": "---\nstatus: open\n---\n",
    "C.md": "Without any.\n",
  });
  expect(await vaultProperties(vault)).toEqual([
    ["status", "text", 2],
    ["rating", "number", 1],
    ["finished", "checkbox", 0],
  ]);
});

it("takes types that are no JSON for none", async () => {
  const { vault } = await vaultWith({ ".obsidian/types.json": "{", "A.md": "---\nstatus: read\n---\n" });
  expect(await vaultProperties(vault)).toEqual([["status", "text", 1]]);
});
