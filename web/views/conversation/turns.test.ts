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
      { is: "done", messages: [done("2", "thinking"), done("3", "tool", "Read")] },
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

  it("goes on: what is known is taken as it is now, what is new follows, and nothing is there twice", () => {
    const before = [said("1"), done("", "tool", "Read"), done("", "tool"), said("2", "assistant", "half")];
    const after = [done("", "tool"), said("2", "assistant", "whole"), done("", "thinking"), said("3")];
    const shown = joined(before, after).map(({ kind, text }) => kind ?? text);
    expect(shown).toEqual(["1", "tool", "tool", "whole", "thinking", "3"]);
    expect(joined(before, [done("", "tool"), said("9")])).toHaveLength(6);
  });
});
