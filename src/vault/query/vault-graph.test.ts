// The notes of a vault and the links between them.
import { expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { vaultGraph } from "./vault-graph.ts";

it("has every note, each pair of linked notes once, and neither links to itself nor to what is no note", async () => {
  const { vault } = await vaultWith({
    "A.md": "[[B]] and [[A]], [[B]] again, ![[p.png]], [[Nowhere]]",
    "B.md": "[[A]]",
    "C/D.md": "[[B]]",
    "E.md": "Alone.",
    "p.png": "x",
  });
  const { paths, links } = await vaultGraph(vault);
  expect(paths).toEqual(["A.md", "B.md", "C/D.md", "E.md"]);
  const pairs = Array.from({ length: links.length / 2 }, (_, i) => [paths[links[2 * i]!], paths[links[2 * i + 1]!]]);
  expect(pairs).toEqual([
    ["A.md", "B.md"],
    ["C/D.md", "B.md"],
  ]);
});
