import { describe, expect, it } from "vitest";
import { kindsOf } from "./welcome.ts";
import { HOSTS, type Finding } from "../../setup/setup.ts";

const ok = (part: string, more: Partial<Finding> = {}): Finding => ({ part, state: "ok", note: "found", ...more });
const problem = (part: string): Finding => ({ part, state: "problem", note: "broken", hint: "mend it" });

describe("what npm start found", () => {
  it("is one line for each kind, however much there is, and a line stays one", () => {
    const rows = [
      ...["A", "B", "C\nD"].map((name) => ok(`vault ${name}`, { path: `/notes/${name}`, note: "4 notes" })),
      ...["A", "B"].map((name) => problem(`journal ${name}`)),
      ok("outline", { path: "/o'clock.opml", note: "12 rows" }),
      problem("outline: rows"),
      ...["zed", "codex", "pi"].map((name, i) => ok(`${name} chats`, { counts: { conversations: i * 600 } })),
      ...HOSTS.map(({ name }, i) => ({ ...ok(name), state: i === 0 ? ("ok" as const) : ("missing" as const) })),
      ok("token"),
    ];
    const lines = kindsOf(rows).map(String);
    expect(lines.filter((line) => line.includes("\n"))).toEqual([]);
    expect(lines.slice(0, 3)).toEqual([
      "Notes          /notes/A (4 notes), and 2 more vaults",
      "Outline        /o'clock.opml (12 rows)",
      "Conversations  1,800 of codex, pi",
    ]);
    expect(lines[3]).toMatch(
      new RegExp(`^Assistants     connected: ${HOSTS[0]!.name}; not connected: ${HOSTS[1]!.name}, `),
    );
    expect(lines[4]).toMatch(
      /^Checks         3 problems: journal A, journal B, outline: rows\. All of them: {2}\S.* doctor$/,
    );
    expect(lines).toHaveLength(5);
  });

  it("names the guide, and how to take one's own notes instead", () => {
    const [notes] = kindsOf([ok("vault", { path: "/guide", note: "4 notes" })], true).map(String);
    expect(notes).toBe("Notes          /guide (4 notes): a guide. For your own add --vault DIR");
  });

  it("says that there is nothing", () => {
    expect(kindsOf([]).map(String)).toEqual([
      "Assistants     none found",
      expect.stringMatching(/^Checks         no problems\. All of them: {2}\S.* doctor$/),
    ]);
  });
});
