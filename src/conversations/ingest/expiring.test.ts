// Transcripts that their program is about to delete, and that are not stored yet.
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../test/conversation-store.ts";
import { madeConversations } from "../../../test/program-stores/made-conversation.ts";
import { PROGRAM_STORES } from "../../../test/program-stores/program-stores.ts";
import { homeIn } from "../../../test/source-reader.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { claudeCode } from "../sources/claude-code/claude-code.ts";
import { codex } from "../sources/codex/codex.ts";
import { gemini } from "../sources/gemini/gemini.ts";
import type { ConversationSource } from "../sources/source.ts";
import { expiringTranscripts } from "./expiring.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 16);

/** A home in which each of three conversations was last changed so many days ago. */
function homeWith(source: ConversationSource, days: readonly number[]): string {
  const home = temporaryFolder();
  PROGRAM_STORES[source.name]!.write(home, madeConversations(days.length, 1));
  const files = readdirSync(home, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".jsonl") && statSync(join(home, name)).isFile(),
  );
  for (const [i, name] of files.toSorted().entries())
    utimesSync(join(home, name), NOW / 1000, (NOW - (days[i] ?? 0) * DAY) / 1000);
  return home;
}

function configure(home: string, file: string, settings: object): void {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), JSON.stringify(settings));
}

const expiringIn = (home: string, source: ConversationSource) =>
  expiringTranscripts(undefined, [source], [homeIn(home)], NOW).get(source.name);

describe("a transcript is about to be deleted", () => {
  it("by Claude Code in the last seven of thirty days", () => {
    const home = homeWith(claudeCode, [1, 22, 24, 29]);
    expect(expiringIn(home, claudeCode)).toEqual({
      count: 2,
      days: 30,
      setting: "cleanupPeriodDays",
      file: join(home, ".claude", "settings.json"),
    });
  });

  it("by Claude Code as its settings say", () => {
    const home = homeWith(claudeCode, [1, 50, 100]);
    configure(home, ".claude/settings.json", { cleanupPeriodDays: 60 });
    expect(expiringIn(home, claudeCode)).toMatchObject({ count: 1, days: 60 });
    configure(home, ".claude/settings.json", { cleanupPeriodDays: 99_999 });
    expect(expiringIn(home, claudeCode)).toBeUndefined();
    configure(home, ".claude/settings.json", { cleanupPeriodDays: "soon" });
    expect(expiringIn(home, claudeCode)).toMatchObject({ days: 30 });
  });

  it("by Gemini CLI as its settings say, unless they say never", () => {
    const home = homeWith(gemini, [1, 28]);
    expect(expiringIn(home, gemini)).toMatchObject({ count: 1, days: 30 });
    configure(home, ".gemini/settings.json", { general: { sessionRetention: { maxAge: "8w" } } });
    expect(expiringIn(home, gemini)).toBeUndefined();
    configure(home, ".gemini/settings.json", { general: { sessionRetention: { enabled: false } } });
    expect(expiringIn(home, gemini)).toBeUndefined();
  });

  it("by no program that deletes nothing", () => {
    expect(expiringIn(homeWith(codex, [400]), codex)).toBeUndefined();
  });
});

it("what is stored is no longer lost", async () => {
  const home = homeWith(claudeCode, [1, 28]);
  const conversations = openStore(home, [claudeCode]);
  await conversations.refresh();
  const { answer } = await conversations.sources({ asItIs: true });
  expect(answer[0]).toMatchObject({ conversations: 2, expiring: undefined });
});
