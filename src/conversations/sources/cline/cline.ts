// Cline: tasks of its extension in any editor (task-reader.ts), and since 2026
// sessions in a folder of its own, which extension and CLI share (sessions.ts).
import { basename, join } from "node:path";
import type { ConversationSource, Finding, Home } from "../source.ts";
import { findSessions, MESSAGES, readSession } from "./sessions.ts";
import { findTasks } from "./task-folders.ts";
import { readTask } from "./task-reader.ts";

export const cline: ConversationSource = {
  name: "cline",
  reader: 4,
  title: "Cline",
  find,
  read: (transcript, checkpoint, signal, wanted) =>
    basename(transcript.path).endsWith(MESSAGES)
      ? readSession(transcript, checkpoint, signal, wanted)
      : readTask(transcript, checkpoint, signal),
};

function* find(home: Home): Generator<Finding> {
  const { environment } = home;
  const data = environment["CLINE_DATA_DIR"] || join(environment["CLINE_DIR"] || join(home.folder, ".cline"), "data");
  // JetBrains, and the CLI before version 3, keep tasks here.
  yield* findTasks(home, { extension: "saoudrizwan.claude-dev" }, [data]);
  yield* findSessions(environment["CLINE_SESSION_DATA_DIR"] || join(data, "sessions"));
}
