// A home folder with transcripts of Claude Code, record by record as the
// program writes them. Used by tests of the source and of the store.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Home } from "../src/conversations/sources/source.ts";

export class ClaudeHome implements Home {
  readonly folder = mkdtempSync(join(tmpdir(), "claude-home-"));
  readonly systems = ["linux" as const];
  readonly environment: Record<string, string> = {};
  readonly projects = [];

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  path(session: string, slug = "-code-shop"): string {
    return join(this.folder, ".claude", "projects", slug, `${session}.jsonl`);
  }

  write(session: string, records: readonly object[], slug?: string): string {
    const path = this.path(session, slug);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, linesOf(records));
    return path;
  }

  append(session: string, ...records: readonly object[]): void {
    appendFileSync(this.path(session), linesOf(records));
  }
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

let clock = 0;

/** What every record has. Each is a second younger than the one before, an hour ago. */
function envelope(type: string, uuid: string, rest: object) {
  clock += 1000;
  return {
    parentUuid: null,
    isSidechain: false,
    userType: "external",
    cwd: "/code/shop",
    sessionId: "session",
    version: "2.1.17",
    gitBranch: "main",
    type,
    timestamp: new Date(Date.now() - 3_600_000 + clock).toISOString(),
    ...rest,
    uuid,
  };
}

export const prompt = (uuid: string, content: unknown, rest: object = {}) =>
  envelope("user", uuid, { message: { role: "user", content }, ...rest });

export const answer = (uuid: string, id: string, block: object, rest: object = {}) =>
  envelope("assistant", uuid, {
    message: { model: "claude-opus", id, type: "message", role: "assistant", content: [block], usage: {} },
    ...rest,
  });

export const said = (uuid: string, id: string, text: string, rest: object = {}) =>
  answer(uuid, id, { type: "text", text }, rest);

export const toolResult = (uuid: string, content: unknown, toolUseResult: unknown = {}) => ({
  ...prompt(uuid, [{ tool_use_id: "toolu_1", type: "tool_result", content, is_error: false }]),
  toolUseResult,
});

export const record = (type: string, uuid: string, rest: object = {}) => envelope(type, uuid, rest);
