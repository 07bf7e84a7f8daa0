import { describe, expect, it } from "vitest";
import { cuesIn, keywordsOf, significantWords, typeOf } from "./conversation-type.ts";
import { CONVERSATION_TYPES } from "./conversation-types.ts";

const typed = (...texts: readonly string[]) => typeOf(cuesIn(texts), false);

describe("the type of a conversation", () => {
  it("is one of the contract's six", () => {
    expect(CONVERSATION_TYPES.toSorted()).toEqual([
      "architecture",
      "code_discussion",
      "debugging",
      "general",
      "problem_solving",
      "technical",
    ]);
  });

  // Real prompts, from entireio/cli and slevin48/cursor-history, both MIT.
  it.each([
    [
      "debugging",
      "I just tried to make a release with the .github/workflows/release.yml and did run into this issue: sign & notarize failed",
    ],
    ["debugging", "can you fix the local branch? i merged in main and maybe I resolved the conflict wrong"],
    ["debugging", "I am having problems if I start a claude session inside a folder while entire is enabled"],
    ["debugging", "TypeError: Cannot read properties of undefined (reading 'map')"],
    ["debugging", "the login page doesn’t work anymore after the update"],
    ["architecture", "How should we structure the modules of the new billing service? What are the trade-offs?"],
    ["architecture", "Propose an architecture for syncing notes between devices"],
    ["problem_solving", "brainstorm: how do we add tooling in this codebase to detect code duplication?"],
    ["problem_solving", "what would be the best way to speed up our imports?"],
    ["technical", "set up docker compose with postgres and redis"],
    ["technical", "upgrade the database and deploy it"],
    [
      "code_discussion",
      "can you look at the changes in this branch, I got this feedback: rename the function in redact.go",
    ],
    ["code_discussion", "can we double check again that we don't use CheckpointID as a string in parseTrailer?"],
    ["general", "can you add a standard MIT license?"],
    ["general", "hello"],
    ["general", "write a file about geese"],
    ["general", ""],
  ])("is %s for: %s", (type, prompt) => {
    expect(typed(prompt)).toBe(type);
  });

  it("is decided by the title too, and by all prompts together", () => {
    expect(typed("Stack trace in the parser", "see above")).toBe("debugging");
    expect(typed("hello", "the tests fail with an exception")).toBe("debugging");
  });

  it("is not decided by words of which one ends a prompt and the other begins the next", () => {
    expect(typed("where is my pull", "request another one")).toBe("general");
    expect(typed("is this my pull request")).toBe("code_discussion");
  });
});

describe("the keywords of a conversation", () => {
  it("are the most frequent words; the title counts more than prompts, and prompts more than answers", () => {
    const keywords = keywordsOf({
      title: significantWords("Invoice export"),
      prompts: ["the invoice has no total", "and the export is empty"].map((prompt) => significantWords(prompt)),
      answer: significantWords("total total", "assistant"),
    });
    expect(keywords.slice(0, 3)).toEqual(["export", "invoice", "total"]);
  });

  it("exclude common words, numbers, hashes and keys", () => {
    expect(significantWords("please can you look at 12345 deadbeefcafe AKIAIOSFODNN7EXAMPLE oauth2")).toEqual([
      "oauth2",
    ]);
  });
});
