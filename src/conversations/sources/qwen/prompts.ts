// The prompts that Qwen Code remembers for its input box: all that is left of
// sessions from before October 2025. Used by qwen.ts.
import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import { FileTooLarge, readBytes, reasonOf, UnreadableFile } from "../../../files/files.ts";
import { folderOfProject } from "../gemini/gemini.ts";
import { MAX_VALUE_SIZE, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";
import { timeOf, type Batch, type SourceEvent, type TranscriptFile } from "../source.ts";

/** A prompt is remembered before the session is written. */
const YOUNG = 24 * 60 * 60 * 1000;

/** The file is rewritten with each prompt. */
export async function* readPrompts(transcript: TranscriptFile, checkpoint: string | undefined): AsyncGenerator<Batch> {
  let bytes: Buffer;
  try {
    bytes = readBytes(transcript.path, { followsLinks: true }, MAX_VALUE_SIZE);
  } catch (error) {
    throw new UnreadableFile(error instanceof FileTooLarge ? "larger than 64 MB" : reasonOf(error));
  }
  const mark = createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
  if (mark === checkpoint) return;
  const entries = storedJson(bytes);
  if (!Array.isArray(entries)) throw new UnreadableFile("no JSON, or not finished");
  const project = dirname(transcript.path);
  const facts = { workspace: basename(project), folder: folderOfProject(project) };
  const events = recordsOf(entries).flatMap(({ sessionId, messageId, timestamp, type, message }): SourceEvent[] => {
    const [id, text, time] = [textOf(sessionId), textOf(message)?.trim(), timeOf(timestamp)];
    if (id === undefined || text === undefined || time === undefined || type !== "user") return [];
    if (/^[/?!]/.test(text) || time > transcript.changed - YOUNG) return [];
    const key = `prompt:${id}:${String(messageId)}:${time}`;
    const part = { conversation: id, key, message: key, order: time, time, text };
    return [{ kind: "remembered", facts: { id, ...facts }, part: { ...part, role: "user", kind: "prose" } }];
  });
  yield [...events, { kind: "checkpoint", checkpoint: mark }];
}
