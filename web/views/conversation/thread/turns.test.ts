// Messages of a conversation, grouped for reading.
import { describe, expect, it } from "vitest";
import { appendMessages, summaryOf, turnsOf, type Message } from "./turns.ts";

const prose = (id: string, role: Message["role"] = "assistant", text = id): Message => ({ id, role, text });
const step = (id: string, kind: NonNullable<Message["kind"]>, tool?: string): Message => ({
  ...prose(id),
  kind,
  ...(tool !== undefined && { tool }),
});

describe("the messages of a conversation", () => {
  it("are grouped between two messages of prose, which say when the speaker changes", () => {
    const turns = turnsOf([
      prose("1", "user"),
      step("2", "thinking"),
      step("3", "tool", "Read"),
      prose("4"),
      prose("5"),
    ]);
    expect(turns).toEqual([
      { is: "prose", message: prose("1", "user"), isNewSpeaker: true },
      { is: "steps", messages: [step("2", "thinking"), step("3", "tool", "Read")] },
      { is: "prose", message: prose("4"), isNewSpeaker: true },
      { is: "prose", message: prose("5"), isNewSpeaker: false },
    ]);
  });

  it("have a summary of each group in one line", () => {
    expect(
      summaryOf([step("1", "tool", "Bash"), step("2", "tool"), step("3", "tool", "Bash"), step("4", "thinking")]),
    ).toBe("Bash ×2, thinking");
    expect(summaryOf([step("1", "tool")])).toBe("tool");
  });

  it("are continued by a later page: known messages are replaced, new ones follow, none is repeated", () => {
    const before = [prose("1"), step("", "tool", "Read"), step("", "tool"), prose("2", "assistant", "half")];
    const page = [step("", "tool"), prose("2", "assistant", "whole"), step("", "thinking"), prose("3")];
    const shown = appendMessages(before, page).map(({ kind, text }) => kind ?? text);
    expect(shown).toEqual(["1", "tool", "tool", "whole", "thinking", "3"]);
    expect(appendMessages(before, [step("", "tool"), prose("9")])).toHaveLength(6);
  });
});
