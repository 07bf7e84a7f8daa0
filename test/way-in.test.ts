// What hosts and the page ask for goes through tools/call.ts, where arguments
// are read and time and size are limited. What does not is listed here, and in
// docs/architecture.md.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const ROOM = join(ROOT, "src", "mcp");

/** These run a tool, or hold nothing of the person's. */
const TOOLS_AND_SELF = new Set(["call", "toolbox", "asksForRoots", "settings", "log", "close"]);

const files = readdirSync(ROOM, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);
const used = files.flatMap((name) => {
  const text = readFileSync(join(ROOM, name), "utf8").replaceAll(/^import .*$/gm, "");
  return [...text.matchAll(/\bcommonplace\.(\w+)/g)].map((match) => match[1]!);
});
const past = [...new Set(used)].filter((name) => !TOOLS_AND_SELF.has(name)).toSorted();

describe("the way of a call", () => {
  it("is the way of everything but images, ids to complete, and whether something has changed", () => {
    expect(used).toContain("call");
    expect(past).toEqual(["conversations", "readImage", "stamp"]);
  });

  it("is described with its exceptions", () => {
    const text = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8");
    const section = /\*\*A call\.\*\*([^]*?)\n\n/.exec(text)![1]!;
    for (const name of past) expect(section).toContain(`\`${name}\``);
    expect(text).not.toContain("no second way in");
  });
});
