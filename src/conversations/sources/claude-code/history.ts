// `history.jsonl` of Claude Code: the prompts of all sessions, kept when their
// transcripts are deleted. Used by claude-code.ts.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsedLine, readJsonLines } from "../kit/json-lines.ts";
import { timeOf, type Batch, type SourceEvent, type TranscriptFile, type Wanted } from "../source.ts";

export const HISTORY = "history.jsonl";

interface HistoryEntry {
  readonly display?: unknown;
  readonly timestamp?: unknown;
  readonly project?: unknown;
  readonly sessionId?: unknown;
}

/** A prompt may be in the history before it is in the transcript. */
const YOUNG = 24 * 60 * 60 * 1000;

/** The prompts of sessions whose transcript was deleted. */
export async function* readHistory(
  transcript: TranscriptFile,
  text: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  if (wanted === "nonProse") return;
  const projects = join(dirname(transcript.path), "projects");
  for await (const { isRewritten, lines, checkpoint } of readJsonLines(transcript, text, signal)) {
    const events: SourceEvent[] = isRewritten ? [{ kind: "rewritten" }] : [];
    for (const line of lines) {
      const { display, timestamp, project, sessionId } = (parsedLine(line) ?? {}) as HistoryEntry;
      const time = timeOf(timestamp);
      if (typeof display !== "string" || typeof sessionId !== "string" || typeof project !== "string") continue;
      if (display.trim() === "" || display.startsWith("/") || time === undefined || time > transcript.changed - YOUNG)
        continue;
      const workspace = slugOf(project);
      if (existsSync(join(projects, workspace, `${sessionId}.jsonl`))) continue;
      const key = `history:${sessionId}:${time}`;
      const part = { conversation: sessionId, key, message: key, order: time, time, text: display.trim() };
      events.push({
        kind: "remembered",
        facts: { id: sessionId, folder: project, workspace },
        part: { ...part, role: "user", kind: "prose" },
      });
    }
    yield [...events, { kind: "checkpoint", checkpoint }];
  }
}

/** How Claude Code names the folder of a project. Not reversible. */
function slugOf(project: string): string {
  return project.replace(/[^a-zA-Z0-9]/g, "-");
}
