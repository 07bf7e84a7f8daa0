// Messages as a person reads them.
import { describe, expect, it } from "vitest";
import { joined, summaryOf, turnsOf, type Message } from "./turns.ts";

const said = (id: string, role: Message["role"] = "assistant", text = id): Message => ({ id, role, text });
const done = (id: string, kind: string, tool?: string): Message => ({
  ...said(id),
  kind,
  ...(tool !== undefined && { tool }),
});

describe("a conversation", () => {
  it("has what was done between two messages in one fold, and says who begins to speak", () => {
    const turns = turnsOf([said("1", "user"), done("2", "thinking"), done("3", "tool", "Read"), said("4"), said("5")]);
    expect(turns).toEqual([
      { is: "said", message: said("1", "user"), isNew: true },
      { is: "done", id: "2", messages: [done("2", "thinking"), done("3", "tool", "Read")] },
      { is: "said", message: said("4"), isNew: true },
      { is: "said", message: said("5"), isNew: false },
    ]);
  });

  it("says in a line what a fold holds", () => {
    expect(
      summaryOf([done("1", "tool", "Bash"), done("2", "tool"), done("3", "tool", "Bash"), done("4", "thinking")]),
    ).toBe("Bash ×2, thinking");
    expect(summaryOf([done("1", "tool")])).toBe("tool");
  });

  it("goes on: what is known is taken as it is now, what is new follows", () => {
    const before = [said("1"), said("2", "assistant", "half")];
    expect(joined(before, [said("2", "assistant", "whole"), said("3")]).map(({ text }) => text)).toEqual([
      "1",
      "whole",
      "3",
    ]);
  });
});
