import { describe, expect, it } from "vitest";
import { addressIn, addressOf } from "./address.ts";

describe("the address of a result", () => {
  it.each([
    [
      { kind: "note" as const, id: "A/b c#1?.md" },
      { kind: "note", path: "A/b c#1?.md" },
    ],
    [
      { kind: "pdf" as const, id: "ü%20.pdf", vault: "My Work" },
      { kind: "note", path: "ü%20.pdf", vault: "My Work" },
    ],
    [
      { kind: "outline" as const, id: "-a_b" },
      { kind: "outline", id: "-a_b" },
    ],
    [
      { kind: "conversation" as const, id: "x/y" },
      { kind: "conversation", id: "x/y" },
    ],
    [
      { kind: "conversation" as const, id: "x", message: "m#1" },
      { kind: "conversation", id: "x", message: "m#1" },
    ],
  ])("names it again: %j", (hit, address) => {
    expect(addressIn(addressOf(hit))).toEqual(address);
    expect(URL.canParse(addressOf(hit))).toBe(true);
  });

  it.each(["", "x", "note:///", "https://a.b/c", "note:///%ff", "memory:///x"])("is not %j", (sent) => {
    expect(addressIn(sent)).toBeUndefined();
  });
});
