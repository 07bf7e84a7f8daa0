import { describe, expect, it } from "vitest";
import type { Finding } from "../../setup/setup.ts";
import { shortTableOf, tableOf } from "./table.ts";

const vault: Finding = { part: "vault", state: "ok", path: "/notes", note: "4 notes" };
const absent = (name: string): Finding => ({ part: `${name} chats`, state: "missing", note: "not found" });
const cursor: Finding = { part: "cursor chats", state: "ok", note: "3 conversations" };

describe("the table for a first look", () => {
  it("has one line for all programs of which no conversation was found", () => {
    const shown = String(shortTableOf([vault, absent("zed"), cursor, absent("codex")])).split("\n");
    expect(shown).toHaveLength(3);
    expect(shown[1]).toMatch(/^- +other chats +none found of zed, codex; '.* doctor' shows where/);
    expect(shown[2]).toMatch(/^ok +cursor chats +3 conversations$/);
    expect(String(shortTableOf([absent("zed"), absent("codex"), vault]))).toMatch(
      /^- +chats +none found of zed, codex/,
    );
  });

  it("keeps the line of a single one, and every problem", () => {
    const broken: Finding = { part: "pi chats", state: "problem", note: "cannot be read", hint: "close pi" };
    for (const rows of [
      [vault, absent("zed")],
      [broken, cursor],
    ])
      expect(String(shortTableOf(rows))).toBe(String(tableOf(rows)));
    expect(String(shortTableOf([absent("zed"), broken, absent("codex")]))).toContain("→ close pi");
  });
});
