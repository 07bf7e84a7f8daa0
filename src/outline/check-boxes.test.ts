import { expect, test } from "vitest";
import { type GivenRow, outlineOf } from "../../test/fixtures/outlines.ts";
import { checkedRows } from "./check-boxes.ts";
import type { OutlineFormat } from "./model.ts";

const [open, done] = [{ state: "unchecked" }, { state: "checked" }] as const;
const row = (topic: string, more: Partial<GivenRow> = {}): GivenRow => ({ topic, ...more });

test.each<[what: string, rows: GivenRow[], plain: string[], omniOutliner?: string[]]>([
  ["with boxes on one level", [row("a", open), row("b", done), row("c")], ["- a", "x b"]],
  ["with a box below one without", [row("a", { children: [row("b", open)] })], ["- b of a"]],
  [
    "whose parent has the state of its child",
    [row("a", { ...open, children: [row("b", open)] })],
    ["- a", "- b of a"],
    ["- b of a"],
  ],
  [
    "whose parent is mixed",
    [row("a", { state: "mixed", children: [row("b", open), row("c", done)] })],
    ["- b of a", "x c of a"],
  ],
  [
    "with a box above rows without any",
    [row("a", { ...done, children: [row("b", { children: [row("c")] })] })],
    ["x a"],
  ],
  [
    "with boxes on three levels",
    [
      row("a", {
        ...open,
        children: [row("b", { ...done, children: [row("c", done), row("d", open)] }), row("e", done)],
      }),
    ],
    ["- a", "x b of a", "x c of b", "- d of b", "x e of a"],
    ["x c of b", "- d of b", "x e of a"],
  ],
  [
    "with a box two levels below another, and one after them",
    [row("a", { ...open, children: [row("b", { children: [row("c", open)] })] }), row("d", open)],
    ["- a", "- c of b", "- d"],
    ["- c of b", "- d"],
  ],
  ["with a mixed row without boxes below it", [row("a", { state: "mixed" }), row("b", open)], ["- b"]],
])("the tasks of an outline %s: each box, and in OmniOutliner those of the lowest rows", (_, rows, plain, lowest) => {
  const tasksIn = (format: OutlineFormat) =>
    checkedRows(outlineOf(rows, "Test", format)).map(
      ({ topic, isChecked, parent }) => `${isChecked ? "x" : "-"} ${topic}${parent ? ` of ${parent}` : ""}`,
    );
  expect([tasksIn("opml"), tasksIn("markdown")]).toEqual([plain, plain]);
  expect(["ooutline" as const, "oo3" as const, "app" as const].map(tasksIn)).toEqual(Array(3).fill(lowest ?? plain));
});
