// Messages of a conversation, grouped for reading.
import { describe, expect, it } from "vitest";
import { appendMessages, hasFailed, stepLines, stepName, stepSubject, turnsOf, type Message } from "./turns.ts";

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

  it("have a line for each call with its result, and none for a result that could belong to another call", () => {
    const said = (text: string, kind: "tool" | "thinking", tool?: string): Message => ({
      ...step("", kind, tool),
      text,
    });
    const lines = stepLines([
      said("First I look.\nThen I act.", "thinking"),
      said("Read: /home/person/layers/a.ts", "tool", "Read"),
      said('mcp__notes__search: {"query":"beans","limit":3}', "tool", "mcp__notes__search"),
      said("1→let a", "tool"),
      said("Error: no index", "tool"),
      said("Bash: git status", "tool", "Bash"),
      said("Bash: make", "tool", "Bash"),
      said("Exit code 2", "tool"),
    ]);
    const shown = lines.map((line) => [stepName(line), stepSubject(line), line.result?.text, hasFailed(line)]);
    expect(shown).toEqual([
      ["Thought", "First I look.", undefined, false],
      ["Read", "a.ts", "1→let a", false],
      ["search", "beans", "Error: no index", true],
      ["Bash", "git status", undefined, false],
      ["Bash", "make", undefined, false],
      ["Result", "Exit code 2", undefined, true],
    ]);
  });

  it("are continued by a later page: known messages are replaced, new ones follow, none is repeated", () => {
    const before = [prose("1"), step("", "tool", "Read"), step("", "tool"), prose("2", "assistant", "half")];
    const page = [step("", "tool"), prose("2", "assistant", "whole"), step("", "thinking"), prose("3")];
    const shown = appendMessages(before, page).map(({ kind, text }) => kind ?? text);
    expect(shown).toEqual(["1", "tool", "tool", "whole", "thinking", "3"]);
    expect(appendMessages(before, [step("", "tool"), prose("9")])).toHaveLength(6);
  });
});
