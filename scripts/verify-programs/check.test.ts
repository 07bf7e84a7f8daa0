import { describe, expect, it } from "vitest";
import { checkHome, type Check, type Expected } from "./check.ts";
import { marker, printCommand, promptText } from "./markers.ts";
import { STEPS } from "./program.ts";
import type { ReadConversation, ReadHome, ReadMessage } from "./reading.ts";

const NOW = Date.UTC(2026, 10, 16, 12);
const EXPECTED: Expected = {
  source: "codex",
  project: "/home/shop",
  model: "model",
  steps: STEPS,
  hasThinking: true,
  keepsNo: [],
  from: NOW,
  until: NOW + 60_000,
};

const part = (role: "user" | "assistant", kind: ReadMessage["kind"], text: string): ReadMessage => ({
  role,
  kind,
  text,
  isAbandoned: false,
  tool: undefined,
});
const turn = (n: number, text = promptText(n)) => [
  part("user", "prose", text),
  part("assistant", "prose", marker.answer(n)),
];
const abandoned = (one: ReadMessage) => ({ ...one, isAbandoned: true });
const conversation = (id: string, parts: readonly ReadMessage[]): ReadConversation => ({
  id,
  source: "codex",
  title: marker.prompt(1),
  folder: "/home/shop",
  model: "stub/model",
  messages: 2,
  continues: undefined,
  created: NOW + 1000,
  updated: NOW + 2000,
  timeKnown: "stored",
  parts,
});

/** A home in which everything was read right. */
function rightHome(): ReadHome & { conversations: ReadConversation[] } {
  const [prompt, answer] = turn(1, promptText(1, ["thinking", "tool"]));
  const first = [
    prompt!,
    part("assistant", "thinking", marker.thought(1)),
    part("assistant", "tool", printCommand(1)),
    part("user", "tool", marker.output(1)),
    answer!,
    ...turn(2),
    part("assistant", "subagent", marker.helperPrompt(3)),
    part("assistant", "subagent", marker.helperAnswer(3)),
    ...turn(3),
    part("user", "summary", marker.summary),
    ...turn(5),
  ];
  return {
    conversations: [
      conversation("a", first),
      { ...conversation("b", turn(4)), continues: "a" },
      conversation("c", [...turn(6), ...turn(7).map(abandoned), ...turn(8)]),
    ],
    notices: [],
  };
}

/** The checks that fail, for a home in which something was read wrong. */
function failing(spoil: (home: ReturnType<typeof rightHome>) => void, grown = rightHome()): Check[] {
  const home = rightHome();
  spoil(home);
  const outcome = checkHome(home, grown, EXPECTED);
  return (Object.keys(outcome) as Check[]).filter((check) => outcome[check]!.length > 0 && check !== "as it grew");
}

/** Replaces the parts of one conversation. */
function changing(id: string, change: (parts: readonly ReadMessage[]) => readonly ReadMessage[]) {
  return (home: ReturnType<typeof rightHome>) => {
    home.conversations = home.conversations.map((one) => (one.id === id ? { ...one, parts: change(one.parts) } : one));
  };
}
const withFacts = (id: string, facts: Partial<ReadConversation>) => (home: ReturnType<typeof rightHome>) => {
  home.conversations = home.conversations.map((one) => (one.id === id ? { ...one, ...facts } : one));
};
const asKind = (word: string, kind: ReadMessage["kind"]) =>
  changing("a", (parts) => parts.map((one) => (one.text.includes(word) ? { ...one, kind } : one)));
const without = (word: string) => changing("a", (parts) => parts.filter((one) => !one.text.includes(word)));

describe("the check of a reading", () => {
  it("passes one that is right", () => {
    expect(failing(() => {})).toEqual([]);
    expect(checkHome(rightHome(), rightHome(), EXPECTED)["as it grew"]).toEqual([]);
  });

  it.each<[string, (home: ReturnType<typeof rightHome>) => void, Check[]]>([
    ["a missing answer", without(marker.answer(1)), ["answer", "resume", "sub-agent", "compaction"]],
    [
      "a prompt with a wrapper",
      changing("a", (all) => all.map((one) => ({ ...one, text: `<b>${one.text}` }))),
      ["prompt"],
    ],
    ["a reminder as a prompt", changing("c", (all) => [part("user", "prose", "Today is Monday."), ...all]), ["prompt"]],
    ["tool output as prose", asKind(marker.output(1), "prose"), ["prompt", "tool call"]],
    ["a call without its output", without(marker.output(1)), ["tool call"]],
    ["an output without its call", without("printf"), ["tool call"]],
    ["thinking as prose", asKind(marker.thought(1), "prose"), ["prompt", "thinking"]],
    ["a lost thought", without(marker.thought(1)), ["thinking"]],
    ["a sub-agent's answer as prose", asKind(marker.helperAnswer(3), "prose"), ["prompt", "sub-agent"]],
    ["a sub-agent's answer twice", changing("a", (all) => [...all, ...all.slice(8, 9)]), ["sub-agent"]],
    ["a summary as an answer", asKind(marker.summary, "prose"), ["prompt", "compaction"]],
    [
      "turns in another order",
      changing("a", (all) => [...all.slice(7), ...all.slice(0, 7)]),
      ["sub-agent", "compaction"],
    ],
    ["a wrong title", withFacts("a", { title: "<system-reminder>" }), ["facts"]],
    ["a wrong folder", withFacts("a", { folder: "/home" }), ["facts"]],
    ["no model", withFacts("a", { model: undefined }), ["facts"]],
    ["a time of the file", withFacts("a", { timeKnown: "file" }), ["facts"]],
    ["a time of another day", withFacts("a", { created: NOW - 86_400_000 }), ["facts"]],
    ["a fork on its own", withFacts("b", { continues: undefined }), ["fork"]],
    ["an original that continues its fork", withFacts("a", { continues: "b" }), ["fork"]],
    [
      "an edit that left both prompts",
      changing("c", (all) => all.map((one) => ({ ...one, isAbandoned: false }))),
      ["edited prompt"],
    ],
    ["an edit that left the new prompt", changing("c", (all) => all.map(abandoned)), ["edited prompt"]],
    ["a conversation of another program", withFacts("c", { source: "gemini" }), ["prompt"]],
  ])("catches %s", (_, spoil, checks) => {
    expect(failing(spoil)).toEqual(checks);
  });

  it("expects no edited prompt of a program that deletes it", () => {
    const home = rightHome();
    changing("c", (parts) => parts.filter(({ isAbandoned }) => !isAbandoned))(home);
    const problemsOf = (expected: Expected) => checkHome(home, home, expected)["edited prompt"];
    expect(problemsOf(EXPECTED)).toHaveLength(1);
    expect(problemsOf({ ...EXPECTED, keepsNo: ["edited prompts"] })).toEqual([]);
  });

  it("catches notices, and a reading that depends on when it took place", () => {
    const home = { ...rightHome(), notices: ["codex: 2 × records of an unknown type"] };
    const grown = rightHome();
    changing("a", (parts) => parts.slice(1))(grown);
    const outcome = checkHome(home, grown, EXPECTED);
    expect(outcome["prompt"]).toEqual(["reported codex: 2 × records of an unknown type"]);
    expect(outcome["as it grew"]).toHaveLength(1);
  });
});
