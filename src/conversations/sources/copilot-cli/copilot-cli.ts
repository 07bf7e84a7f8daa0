// GitHub Copilot CLI. Finds the files; session.ts reads the events. A folder for each session with `events.jsonl`, to which
// every event is appended, and `workspace.yaml` with its name. The events of
// sub-agents are among them. Versions before 2026 had `<session>.jsonl` without
// the folder, those before November 2025 one JSON document (legacy-session.ts).
//
// A resumed session is appended to. A rewind removes the last events from the
// file. A fork copies the events, ids included, into a file of its own.
import { basename, dirname, join } from "node:path";
import { UnreadableFile } from "../../../files/files.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { INCOMPLETE, jsonDocument } from "../kit/json-document.ts";
import { readSessionLog } from "../kit/session-log.ts";
import { recordOf } from "../kit/stored-json.ts";
import {
  type Batch,
  type ConversationSource,
  type Finding,
  type Home,
  type TranscriptFile,
  type Wanted,
  UUID,
} from "../source.ts";
import { legacySession } from "./legacy-session.ts";
import { sessionOf } from "./session.ts";
import { workspaceAt } from "./workspace.ts";

export const copilotCli: ConversationSource = {
  name: "copilot-cli",
  reader: 4,
  resume: { command: ["copilot", "--resume=ID"], idPattern: UUID },
  title: "GitHub Copilot CLI",
  emitsNonProseOnce: true,
  find,
  read: (transcript, checkpoint, signal, wanted) =>
    transcript.path.endsWith(".json")
      ? readLegacy(transcript, checkpoint)
      : readEvents(transcript, checkpoint, signal, wanted),
};

const EVENTS = "events.jsonl";
const WORKSPACE = "workspace.yaml";

function* find({ folder, environment }: Home): Generator<Finding> {
  const homes = [environment["COPILOT_HOME"] || join(folder, ".copilot")];
  // Until 2026 its state was there.
  if (environment["XDG_STATE_HOME"]) homes.push(join(environment["XDG_STATE_HOME"], ".copilot"));
  for (const home of homes) {
    const sessions = join(home, "session-state");
    for (const entry of yield* lookedInto(sessions)) {
      const path = join(sessions, entry.name);
      if (entry.isDirectory()) yield* foundFile(join(path, EVENTS), [join(path, WORKSPACE)]);
      else if (entry.name.endsWith(".jsonl")) yield* foundFile(path);
    }
    const older = join(home, "history-session-state");
    for (const { name } of (yield* listed(older)) ?? [])
      if (name.endsWith(".json")) yield* foundFile(join(older, name));
  }
}

async function* readEvents(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  const folder = dirname(transcript.path);
  const isInFolder = basename(transcript.path) === EVENTS;
  const id = isInFolder ? basename(folder) : basename(transcript.path, ".jsonl");
  const workspace = isInFolder ? workspaceAt(join(folder, WORKSPACE)) : undefined;
  yield* readSessionLog(sessionOf(id, workspace?.created), transcript, checkpoint, signal, wanted);
  // It may have been renamed although no event is new.
  if (workspace !== undefined && !signal.aborted) {
    const { created: _, ...facts } = workspace;
    yield [{ kind: "conversation", facts: { id, ...facts } }];
  }
}

/** The file is written again with every change. Its entries keep their ids. */
async function* readLegacy(transcript: TranscriptFile, checkpoint: string | undefined): AsyncGenerator<Batch> {
  const { value, mark } = jsonDocument(transcript);
  if (mark === checkpoint) return;
  const document = recordOf(value);
  if (document === undefined) throw new UnreadableFile(INCOMPLETE);
  const name = /^session_(.+)_\d+\.json$/.exec(basename(transcript.path))?.[1] ?? basename(transcript.path, ".json");
  yield [{ kind: "rewritten" }, ...legacySession(document, name), { kind: "checkpoint", checkpoint: mark }];
}
