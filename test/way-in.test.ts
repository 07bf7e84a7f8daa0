// Requests of hosts and of the page go through tools/call/call.ts, which reads
// arguments and limits time and size. The exceptions are listed here and in
// docs/internals/architecture.md.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const ROOM = join(ROOT, "src", "mcp");

/** These run a tool, or return no data of the person. */
const TOOLS_AND_SELF = new Set(["call", "toolbox", "asksForRoots", "settings", "isForMember", "log", "close"]);

const files = readdirSync(ROOM, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);
const namesAfter = (object: string, file: string): string[] => {
  const text = readFileSync(join(ROOM, file), "utf8").replaceAll(/^import .*$/gm, "");
  return [...text.matchAll(new RegExp(`\\b${object}\\.(\\w+)`, "g"))].map((match) => match[1]!);
};
const used = files.flatMap((name) => namesAfter("commonplace", name));
/** What only a person in the page may ask for. */
const ofPerson = [...new Set(files.flatMap((name) => namesAfter("person", name)))].toSorted();
const past = [...new Set(used)].filter((name) => !TOOLS_AND_SELF.has(name)).toSorted();

describe("requests to the MCP server", () => {
  it("are tool calls, except for media files, ids to complete, the token for changes, and imports of the page", () => {
    expect(used).toContain("call");
    expect(past).toEqual(["addImage", "conversations", "importArchive", "mediaFacts", "openMedia", "stamp"]);
  });

  it("of a person alone are these, and none of them is a tool", async () => {
    expect(ofPerson).toEqual([
      "acceptMissing",
      "changeHost",
      "changeSchedule",
      "chooseVault",
      "hosts",
      "planHost",
      "planSchedule",
      "planVault",
      "progress",
      "status",
      "vaults",
    ]);
    const { selectTools } = await import("../src/tools/tools.ts");
    const { readSettings } = await import("../src/settings.ts");
    const toolbox = selectTools({ ...readSettings({}, {}, ROOT), toolsets: ["all"] });
    for (const name of ofPerson) expect(toolbox.find(name)).toBeUndefined();
  });

  it("that are no tool calls are listed in the architecture document", () => {
    const text = readFileSync(join(ROOT, "docs", "internals", "architecture.md"), "utf8");
    const section = /\*\*A call\.\*\*([^]*?)\n\n/.exec(text)![1]!;
    for (const name of [...past, ...ofPerson]) expect(section).toContain(`\`${name}\``);
    expect(text).not.toContain("no second way in");
  });
});
