import { describe, expect, it } from "vitest";
import { links } from "./links.ts";

describe("the text of links", () => {
  it.each([
    ["outgoing", "A.md", "No outgoing links of A.md"],
    ["around", "A.md", "No links around A.md"],
    ["similar", "A.md", "No notes similar to A.md"],
    ["unresolved", "", "No unresolved links of the vault"],
    ["unusedAttachments", "", "No unused attachments of the vault"],
  ] as const)("says what %s are", (type, path, head) => {
    expect(links.text!({ success: true, data: { path, type, links: [] } })).toEqual({ head, words: "" });
  });

  it("is only the hint, which is added below, if none can be found", () => {
    const hint = "Notes are not compared: the setting related is off.";
    const result = { success: true, data: { path: "A.md", type: "similar" as const, links: [] }, hint };
    expect(links.text!(result)).toEqual({ head: "", words: "" });
  });
});
