import { describe, expect, it } from "vitest";
import { idsOf, indexOfId, isTaskId } from "./task-ids.ts";

const task = (text: string, heading?: string, status = " ", nested?: string) => ({
  status,
  text,
  ...(heading !== undefined && { heading }),
  ...(nested !== undefined && { nested }),
});

describe("the id of a task", () => {
  const before = [
    task("a"),
    task("b"),
    task("call", "Monday"),
    task("call", "Tuesday"),
    task("x", "M"),
    task("x", "M"),
  ];
  const ids = idsOf("n.md", before);

  it("is another one for each, and short if no other task is equal", () => {
    expect(new Set(ids).size).toBe(before.length);
    expect(ids.every(isTaskId)).toBe(true);
    expect(ids[0]).toHaveLength(11);
    expect(ids[4]).toMatch(/-1of2$/);
  });

  it("stays the same while other tasks change, come and go", () => {
    const after = [task("new"), task("b", undefined, "x"), task("a"), task("call", "Tuesday"), task("call", "Monday")];
    expect(indexOfId(ids[0]!, "n.md", after)).toBe(2);
    expect(indexOfId(ids[2]!, "n.md", after)).toBe(4);
    expect(indexOfId(ids[3]!, "n.md", after)).toBe(3);
  });

  it("means nothing once its task has changed, in another file, or if it could be one of several", () => {
    expect(indexOfId(ids[0]!, "n.md", [task("a", undefined, "x"), task("a 📅 2026-01-01")])).toBeUndefined();
    expect(indexOfId(ids[0]!, "m.md", before)).toBeUndefined();
    expect(indexOfId(ids[0]!, "n.md", [task("a", "One"), task("a", "Two")])).toBeUndefined();
    expect(indexOfId(ids[5]!, "n.md", [task("x", "M"), task("x", "M"), task("x", "M")])).toBeUndefined();
    expect(indexOfId("nonsense", "n.md", before)).toBeUndefined();
  });

  it("of equal tasks follows what is nested in them, wherever they are put", () => {
    const [first, second] = [task("x", "M", " ", "one"), task("x", "M", " ", "")];
    const [one, other] = idsOf("n.md", [first, second]);
    expect([one, other].every((id) => isTaskId(id!))).toBe(true);
    expect(indexOfId(one!, "n.md", [second, first])).toBe(1);
    expect(indexOfId(other!, "n.md", [second, first])).toBe(0);
    expect(indexOfId(one!, "n.md", [task("x", "M", " ", "two"), second])).toBeUndefined();
    expect(indexOfId(one!, "n.md", [task("x", "M", "x"), task("x", "M")])).toBe(1);
    expect(
      indexOfId(idsOf("n.md", [task("x"), task("x")])[1]!, "n.md", [
        task("x", undefined, " ", ""),
        task("x", undefined, " ", ""),
      ]),
    ).toBe(1);
  });

  it("still means one of several equal tasks when another of them was ticked", () => {
    expect(indexOfId(ids[3]!, "n.md", [task("call", "Monday", "x"), task("call", "Tuesday")])).toBe(1);
  });
});
