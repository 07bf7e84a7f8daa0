// The meaning of names in a question: a property that a note has, or an
// expression.
import { describe, expect, it } from "vitest";
import { vaultWith } from "../../../test/fixtures/vaults.ts";
import { queryVault, type Question } from "./query.ts";

const { vault } = vaultWith({
  "a.md": "---\nprice: 12\nmy-prop: one\ndue date: 2026-12-24\nprice-2: named\nUnits - sold: 3\nSize (cm): 4\n---\n",
  "b.md": "---\nprice: 7\n---\n",
});
const rows = async (question: Question) => [...(await queryVault(vault, question)).rows(0)];

describe("a column", () => {
  it.each<[string, unknown, unknown]>([
    ["price - 2", 10, 5],
    ["price -2", 10, 5],
    ["-price", -12, -7],
    ["-5 % 3", -2, -2],
    ["price % 5", 2, 2],
    ["price-3", 9, 4],
    ["(price - 2)", 10, 5],
    ["price-2", "named", null],
    ["my-prop", "one", null],
    ["due date", "2026-12-24", null],
    ["Units - sold", 3, null],
    ["Size (cm)", 4, null],
    ["no-such", null, null],
  ])("%s is what a note has by that name, else an expression", async (column, ofA, ofB) => {
    expect(await rows({ select: [column] })).toEqual([
      ["a.md", ofA],
      ["b.md", ofB],
    ]);
  });

  it.each(["1;2", "`price`", "price ? 1 : 2", "price -"])("%s is refused", async (column) => {
    await expect(rows({ select: [column] })).rejects.toThrow(`select "${column}": `);
    await expect(rows({ sort: [column] })).rejects.toThrow(`sort "${column}": `);
    await expect(rows({ group: column })).rejects.toThrow("sort ");
    await expect(rows({ where: { [column]: 1 } })).rejects.toThrow(`where "${column}": `);
  });

  it("that no note has is warned of by its whole name", async () => {
    const { warnings } = await queryVault(vault, { select: ["my-proq"] });
    expect(warnings()).toEqual(['No note has the property "my-proq". Did you mean my-prop?']);
  });
});

it("the order, the groups and the conditions of a question take the same expressions", async () => {
  const paths = async (question: Question) => (await rows(question)).map(([path]) => path);
  expect(await paths({ sort: ["price - 2"] })).toEqual(["b.md", "a.md"]);
  expect(await paths({ sort: ["price - 2 desc"] })).toEqual(["a.md", "b.md"]);
  expect(await paths({ group: "10 - price" })).toEqual(["a.md", "b.md"]);
  expect(await paths({ where: { "price - 2": { gt: 5 } } })).toEqual(["a.md"]);
});

it.each([
  [{ num: 5 }, ["text.md"]],
  [{ num: "5" }, ["text.md"]],
  [{ num: { gt: 4 } }, ["text.md"]],
  [{ num: { ne: 5 } }, ["words.md"]],
  ["num == 5", ["text.md"]],
])("a text of digits is the number that it says, in every comparison: %j", async (where, paths) => {
  const { vault: other } = vaultWith({ "text.md": '---\nnum: "5"\n---\n', "words.md": "---\nnum: five\n---\n" });
  expect([...(await queryVault(other, { where })).rows(0)]).toEqual(paths.map((path) => [path]));
});

it("a refused expression is repeated by its beginning only", async () => {
  const long = `price + (${"1".repeat(2000)}`;
  const refusals = [{ select: [long] }, { sort: [long] }, { where: { [long]: 1 } }];
  for (const question of refusals) {
    const error = await rows(question).catch((reason: Error) => reason);
    expect((error as Error).message.length).toBeLessThan(300);
    expect((error as Error).message).toMatch(/"price \+ \(1+…": The expression ends too early/);
  }
});

it("the order goes by the next key where one is equal, each in its direction", async () => {
  const numbers = vaultWith({
    "1.md": "---\nx: 1\ny: 2\n---\n",
    "2.md": "---\nx: 1\ny: 1\n---\n",
    "3.md": "---\nx: 0\ny: 3\n---\n",
    "4.md": "---\nx: 2\ny: 0\n---\n",
  });
  const order = async (...sort: string[]) =>
    [...(await queryVault(numbers.vault, { sort })).rows(0)].map(([path]) => String(path)[0]).join("");
  expect(await order("x", "y")).toBe("3214");
  expect(await order("x", "y desc")).toBe("3124");
  expect(await order("x desc", "y")).toBe("4213");
});
