import { describe, expect, it } from "vitest";
import { CONVERSATION_TYPES } from "./conversation-types.ts";
import { MAX_PARTS, scoreOf, scorePartsOf, type Signals } from "./scoring.ts";

/** Nothing speaks for it: old, elsewhere, a chat. */
const NOTHING: Signals = {
  match: undefined,
  keywords: 0,
  age: 365,
  isThisProject: false,
  filesInCommon: 0,
  type: "general",
};
const partsOf = (signals: Partial<Signals>) => scorePartsOf({ ...NOTHING, ...signals });
const scored = (signals: Partial<Signals>) => scoreOf(partsOf(signals));

describe("the score of a conversation", () => {
  it("is the sum of five parts, and never exceeds 5", () => {
    const best = partsOf({
      match: 1,
      keywords: 1,
      age: 0,
      isThisProject: true,
      filesInCommon: 9,
      type: "architecture",
    });
    expect(best).toEqual(MAX_PARTS);
    expect(scoreOf(best)).toBe(5);
    expect(scored({})).toBe(0);
  });

  it.each([
    ["text: a match is 1, and up to 1 more for how good it is", { match: 0 }, { text: 1 }],
    ["text: the best match", { match: 1 }, { text: 2 }],
    ["text: half of a prompt's keywords", { keywords: 0.5 }, { text: 0.25 }],
    ["recency: today", { age: 0 }, { recency: 0.6 }],
    ["recency: half after two weeks", { age: 14 }, { recency: 0.3 }],
    [
      "recency: two and a half times as much where no project is known",
      { age: 0, isThisProject: undefined },
      { recency: 1.5 },
    ],
    ["recency: a clock that is ahead gives no more", { age: -3 }, { recency: 0.6 }],
    ["project: this one", { isThisProject: true }, { project: 1.1 }],
    ["files: one in common", { filesInCommon: 1 }, { files: 0.17 }],
    ["files: three are enough", { filesInCommon: 3 }, { files: 0.5 }],
    ["type: debugging", { type: "debugging" as const }, { type: 0.24 }],
    ["type: a chat", { type: "general" as const }, { type: 0 }],
  ])("counts %s", (_, signals, parts) => {
    expect(partsOf(signals)).toMatchObject(parts);
  });

  it("of a text match alone is enough to be listed by default", () => {
    expect(scored({ match: 0 })).toBeGreaterThanOrEqual(1);
  });

  it("of any conversation of this project is enough to be listed; recency alone is not enough elsewhere", () => {
    expect(scored({ isThisProject: true, age: 60 })).toBeGreaterThanOrEqual(1);
    for (const type of CONVERSATION_TYPES) expect(scored({ age: 0, type })).toBeLessThan(1);
  });

  it("of a recent conversation is enough to be listed without a project", () => {
    expect(scored({ age: 7, isThisProject: undefined })).toBeGreaterThanOrEqual(1);
    expect(scored({ age: 30, isThisProject: undefined })).toBeLessThan(1);
  });
});
