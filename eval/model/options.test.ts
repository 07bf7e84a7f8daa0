import { describe, expect, it } from "vitest";
import { readOptions } from "./options.ts";

describe("the options of npm run eval", () => {
  it("ask no model unless one is named", () => {
    expect(readOptions([])).toEqual({ help: false, toolsets: undefined, words: [], close: false });
    expect(readOptions(["--toolsets", "all"]).toolsets).toBe("all");
    expect(() => readOptions(["lena"])).toThrow();
    expect(readOptions(["lena", "--close"], true)).toMatchObject({ words: ["lena"], close: true });
  });

  it.each([
    ["https://api.anthropic.com", "anthropic"],
    ["http://localhost:9/v1/messages", "anthropic"],
    ["https://api.openai.com/v1", "openai"],
    ["http://localhost:11434/v1", "openai"],
  ])("take the protocol from %s", (address, protocol) => {
    expect(readOptions(["--model", address]).withModel?.protocol).toBe(protocol);
  });

  it.each([
    [["--model", "gpt"], "--model: the address of an endpoint"],
    [["--model", "file:///etc"], "--model: the address of an endpoint"],
    [["--model", "http://me:secret@host"], "--key-env"],
    [["--model", "http://host", "--protocol", "soap"], "--protocol: openai or anthropic."],
    [["--model", "http://host", "--parallel", "0"], "--parallel"],
    [["--model", "http://host", "--out", "results.txt"], "--out"],
    [["--key", "secret"], "--key"],
  ])("refuse %j", (argv, sentence) => {
    expect(() => readOptions(argv)).toThrow(sentence);
  });
});
