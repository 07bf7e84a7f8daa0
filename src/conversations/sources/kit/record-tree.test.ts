import { describe, expect, it } from "vitest";
import { RecordTree } from "./record-tree.ts";

/** Records as `id<parent`; `a<` follows none, `a` names none. */
function treeOf(text: string, saved?: RecordTree["saved"]): RecordTree {
  const tree = new RecordTree(saved);
  for (const record of text.split(" ")) {
    const [id, parent] = record.split("<");
    tree.add(id!, parent === "" ? null : parent);
  }
  return tree;
}

const sorted = ({ abandoned, revived }: ReturnType<RecordTree["changes"]>) => [
  abandoned.toSorted().join(""),
  revived.toSorted().join(""),
];

describe("a tree of records", () => {
  it("abandons what is not on the branch of the newest record", () => {
    expect(sorted(treeOf("a< b<a c<b d<c e<b").changes())).toEqual(["cd", ""]);
  });

  it("abandons everything if the person went back to the beginning", () => {
    expect(sorted(treeOf("a< b<a c<").changes())).toEqual(["ab", ""]);
  });

  it("revives a branch that the person went back to, also in a later reading", () => {
    const tree = treeOf("a< b<a c<b d<a");
    expect(sorted(tree.changes())).toEqual(["bc", ""]);
    const saved = JSON.parse(JSON.stringify(tree.saved)) as RecordTree["saved"];
    expect(sorted(treeOf("e<c", saved).changes())).toEqual(["d", "bc"]);
  });

  it("reports each change once", () => {
    const tree = treeOf("a< b<a c<a");
    tree.changes();
    tree.add("d", "c");
    expect(sorted(tree.changes())).toEqual(["", ""]);
  });

  it("takes a record for the next one if what it follows is missing, or unknown", () => {
    expect(sorted(treeOf("a< b c<lost d<c").changes())).toEqual(["", ""]);
  });

  it("has no circles, whatever records say", () => {
    expect(sorted(treeOf("a<b b<a a<c c<c").changes())).toEqual(["", ""]);
  });

  it("saves little for records in a row", () => {
    expect(treeOf("a< b<a c<b d<a").saved).toEqual(["a", "b", "c", "d", 0]);
  });
});
