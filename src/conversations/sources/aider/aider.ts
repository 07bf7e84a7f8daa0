// Aider: one log in Markdown per project (`.aider.chat.history.md`), to which
// every chat in it is appended. It has no place of its own in a home: it is
// looked for in all known projects, under the name that the configuration has.
// Chats have the time of their start, in local time; messages have none.
import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { textAt } from "../kit/json-document.ts";
import { readJsonLines } from "../kit/json-lines.ts";
import { foundFile } from "../kit/transcript-search.ts";
import type { Batch, ConversationSource, Finding, Home, SourceEvent, TranscriptFile } from "../source.ts";
import { ChatLog, type LogState } from "./chat-log.ts";

export const aider: ConversationSource = {
  name: "aider",
  reader: 1,
  title: "Aider",
  find,
  read,
};

const HISTORY = ".aider.chat.history.md";
const CONFIGURATION = ".aider.conf.yml";

function* find({ folder, environment, projects }: Home): Generator<Finding> {
  const everywhere = [
    HISTORY,
    environment["AIDER_CHAT_HISTORY_FILE"] || undefined,
    historyNamedIn(join(folder, CONFIGURATION)),
  ];
  const places = new Set<string>();
  for (const project of [folder, ...projects])
    for (const name of [...everywhere, historyNamedIn(join(project, CONFIGURATION))])
      if (name !== undefined) places.add(isAbsolute(name) ? name : join(project, name));
  let isThere = false;
  for (const place of places) {
    const isFound = yield* foundFile(place);
    if (isFound) yield { kind: "looked", place, isThere: true };
    isThere ||= isFound;
  }
  if (!isThere) yield { kind: "looked", place: join(folder, HISTORY), isThere: false };
}

/** `chat-history-file: …` in a configuration. Undefined if there is none. */
function historyNamedIn(configuration: string): string | undefined {
  const line = /^[ \t]*chat[-_]history[-_]file[ \t]*:[ \t]*([^\n]+)$/m.exec(textAt(configuration) ?? "")?.[1];
  const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([^#\r]*))/.exec(line?.trim() ?? "") ?? [];
  return (double ?? single ?? plain)?.trim() || undefined;
}

interface Checkpoint {
  readonly at: string;
  readonly log: LogState;
}

async function* read(transcript: TranscriptFile, text: string | undefined, signal: AbortSignal): AsyncGenerator<Batch> {
  const before = text === undefined ? undefined : (JSON.parse(text) as Checkpoint);
  const folder = projectOf(transcript.path);
  let log = new ChatLog(folder, before?.log);
  for await (const { isRewritten, lines, checkpoint } of readJsonLines(transcript, before?.at, signal, "keep")) {
    if (isRewritten) log = new ChatLog(folder);
    const events: SourceEvent[] = isRewritten ? [{ kind: "rewritten" }] : [];
    for (const { bytes } of lines) events.push(...log.eventsOfLine(bytes.toString("utf8")));
    events.push(...log.eventsOfOpenBlock());
    const next: Checkpoint = { at: checkpoint, log: log.state };
    yield [...events, { kind: "checkpoint", checkpoint: JSON.stringify(next) }];
  }
  const last = log.state.id;
  // Only the last chat changed when the file did.
  if (last !== undefined && !signal.aborted)
    yield [{ kind: "conversation", facts: { id: last, updated: { at: transcript.changed, known: "file" } } }];
}

/** How far above a log that was given another name its project may be. */
const MAX_LEVELS = 4;

/** The folder of a log; of one with another name, the nearest one above it that is a repository or has a configuration. */
function projectOf(path: string): string | undefined {
  if (basename(path) === HISTORY) return dirname(path);
  let folder = dirname(path);
  for (let level = 0; level < MAX_LEVELS; level++, folder = dirname(folder))
    if ([".git", CONFIGURATION].some((name) => exists(join(folder, name)))) return folder;
  return undefined;
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
