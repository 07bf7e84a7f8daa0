// Entries of the journal, grouped by session.
import { describe, expect, it } from "vitest";
import { groupBySession, type SessionFacts } from "./session-groups.ts";
import type { Entry } from "./entry.ts";

/** In minutes. */
const at = (minute: number) => new Date(minute * 60_000).toISOString();
const entry = (id: string, minute: number, path = "A.md", tool = "append"): Entry => ({
  id,
  tool,
  paths: [path],
  message: id,
  time: at(minute),
  undone: false,
});
const session = (id: string, from: number, to: number): SessionFacts => ({
  id,
  name: id,
  created: at(from),
  lastUsed: at(to),
});
const shown = (groups: ReturnType<typeof groupBySession>) =>
  groups.map(({ session: of, entries }) => [of?.id, entries.map(({ id }) => id).join(" ")]);

describe("entries of the journal", () => {
  it("without a session are grouped by pauses, newest first", () => {
    const entries = [entry("a", 0), entry("b", 10), entry("c", 100)];
    expect(shown(groupBySession(entries, [], []))).toEqual([
      [undefined, "c"],
      [undefined, "b a"],
    ]);
  });

  it("that a session adds leave its group the same one", () => {
    const before = [entry("a", 0), entry("b", 1)];
    const [group] = groupBySession(before, [], []);
    expect(groupBySession([...before, entry("c", 2)], [], [])[0]!.key).toBe(group!.key);
  });

  it("belong to the session and the assistant that the journal names, whatever the time", () => {
    const by = (client: string, id: string) => ({ by: { asker: "host", client, session: id } });
    const entries = [
      { ...entry("a", 0), ...by("claude-code", "s1") },
      { ...entry("b", 1), ...by("cursor-vscode", "s1") },
      { ...entry("c", 2), ...by("claude-code", "s1") },
      { ...entry("d", 3), by: { asker: "person" } },
      { ...entry("e", 200), ...by("claude-code", "unknown") },
    ];
    expect(shown(groupBySession(entries, [session("s1", 500, 600)], []))).toEqual([
      [undefined, "e"],
      [undefined, "d"],
      ["s1", "c a"],
      ["s1", "b"],
    ]);
  });

  it("belong to the session whose trace matches, else to the shortest session at that time", () => {
    const sessions = [session("long", 0, 60), session("short", 10, 20), session("other", 0, 60)];
    const traces = [{ session: "other", tool: "append", when: at(15.005), paths: ["B"] }];
    const entries = [entry("early", 5), entry("middle", 15), entry("traced", 15, "B.md"), entry("later", 200)];
    expect(shown(groupBySession(entries, sessions, traces))).toEqual([
      [undefined, "later"],
      ["short", "middle"],
      ["other", "traced"],
      ["long", "early"],
    ]);
  });
});
