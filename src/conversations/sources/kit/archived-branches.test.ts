import { describe, expect, it } from "vitest";
import { inReadingOrder } from "./archived-branches.ts";

/** Messages as `id<parent@time`. */
function ordered(text: string, leaf?: string): string {
  const nodes = text.split(" ").map((node) => {
    const [, id, parent, time] = /^(\w+)(?:<(\w+))?(?:@(\d+))?$/.exec(node)!;
    return { id: id!, parent, time: time === undefined ? undefined : Number(time) };
  });
  return inReadingOrder(nodes, leaf)
    .map(({ node, isAbandoned }) => (isAbandoned ? `(${node.id})` : node.id))
    .join(" ");
}

describe("a tree of messages", () => {
  it("is read from its root, branch by branch, in whatever order it was sent", () => {
    expect(ordered("d<c@4 b<a@2 a@1 c<b@3")).toBe("a b c d");
    expect(ordered("a@1 b<a@2 x<b@9 y<x@9 c<b@3 d<c@4", "y")).toBe("a b (c) (d) x y");
  });

  it("is on the branch that the person chose last, although another one is newer", () => {
    expect(ordered("a@1 b<a@2 c<a@3 d<c@4", "b")).toBe("a b (c) (d)");
  });

  it("is on the branch of its newest message if no other is named", () => {
    expect(ordered("a@1 b<a@2 c<a@3 d<c@4")).toBe("a (b) c d");
    expect(ordered("a b<a c<a", "gone")).toBe("a (b) c");
  });

  it("keeps the order of times that are missing, and does not trust them along a branch", () => {
    expect(ordered("a@5 b<a@2 c<b@1", "c")).toBe("a b c");
  });

  it("has every message once, whatever follows what", () => {
    expect(ordered("a<b@1 b<a@2 c<lost@3 d<d@4", "c").split(" ").toSorted().join(" ")).toBe("(a) (b) (d) c");
  });
});
