import { describe, expect, it } from "vitest";
import { estimateTokens } from "./tokens.ts";

describe("the estimate of tokens", () => {
  it("grows with the text, and never shrinks when text is added", () => {
    const text = "Notes, outlines and conversations: 会話 und Übung. {}[]";
    for (let i = 1; i <= text.length; i++)
      expect(estimateTokens(text.slice(0, i))).toBeGreaterThanOrEqual(estimateTokens(text.slice(0, i - 1)));
  });

  it("counts an ideograph as a token, and a word of Latin letters as about one", () => {
    expect(estimateTokens("会話会話")).toBe(4);
    expect(estimateTokens("conversation ")).toBe(4);
    expect(estimateTokens("")).toBe(0);
  });
});
