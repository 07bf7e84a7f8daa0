// Goose: sessions in a database (database.ts), until autumn 2025 in a file each,
// which the first start of a later version imports and leaves.
import { basename, join } from "node:path";
import { foundDatabase, foundFile, lookedInto } from "../kit/transcript-search.ts";
import { parsedLine, readJsonLines } from "../kit/json-lines.ts";
import { recordOf, textOf } from "../kit/stored-json.ts";
import type { Batch, ConversationSource, Finding, Home, SourceEvent, TranscriptFile } from "../source.ts";
import { readDatabase } from "./database.ts";
import { MessageReader } from "./messages.ts";

export const goose: ConversationSource = {
  name: "goose",
  title: "Goose",
  reader: 4,
  resume: { command: ["goose", "session", "--resume", "--session-id", "ID"], idPattern: /^\d{8}_\d+$/ },
  find,
  read: (transcript, checkpoint, signal) =>
    transcript.path.endsWith(".jsonl")
      ? readFile(transcript, checkpoint, signal)
      : readDatabase(transcript, checkpoint, signal),
};

function* find({ folder, systems, environment }: Home): Generator<Finding> {
  const root = environment["GOOSE_PATH_ROOT"];
  const places = systems.map((system) =>
    system === "win32"
      ? join(environment["APPDATA"] || join(folder, "AppData", "Roaming"), "Block", "goose", "data")
      : join(environment["XDG_DATA_HOME"] || join(folder, ".local", "share"), "goose"),
  );
  for (const place of new Set(root ? [join(root, "data")] : places)) {
    const sessions = join(place, "sessions");
    for (const { name } of yield* lookedInto(sessions)) {
      if (name === "sessions.db") yield* foundDatabase(join(sessions, name));
      else if (name.endsWith(".jsonl")) yield* foundFile(join(sessions, name));
    }
  }
}

/** Facts in the first line, then messages. Goose wrote the file again with each message, so it is read as a whole. */
async function* readFile(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const id = basename(transcript.path, ".jsonl");
  const reader = new MessageReader(id, id);
  let skipped = 0;
  for await (const { lines } of readJsonLines(transcript, undefined, signal)) {
    const events: SourceEvent[] = [];
    for (const line of lines) {
      const record = recordOf(parsedLine(line));
      if (record === undefined) skipped++;
      else if (record["role"] === undefined) {
        const folder = textOf(record["working_dir"]);
        events.push({ kind: "conversation", facts: { id, title: textOf(record["description"]), folder } });
      } else {
        const { role, content, metadata, created } = record;
        events.push(...reader.eventsOf({ id: undefined, role, content, metadata, created }, true));
      }
    }
    yield events;
  }
  if (skipped > 0 && checkpoint === undefined)
    yield [{ kind: "skipped", count: skipped, reason: "lines that are no records" }];
  yield [{ kind: "checkpoint", checkpoint: transcript.stamp }];
}
