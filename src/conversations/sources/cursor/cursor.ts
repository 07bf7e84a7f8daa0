// Cursor, which has stored conversations in three ways: databases of workspaces
// and a global one (state-database.ts), and the stores and transcripts of its
// agent (agent-store.ts).
import { basename, join } from "node:path";
import { findStates, userFolders } from "../kit/editor-folders.ts";
import { foundDatabase, foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import type { ConversationSource, Finding, Home } from "../source.ts";
import { readCursorAgent, readCursorTranscript } from "./agent-store.ts";
import { readCursorState } from "./state-database.ts";

export const cursor: ConversationSource = {
  name: "cursor",
  reader: 5,
  title: "Cursor",
  find,
  read: (transcript, checkpoint, signal, wanted) => {
    switch (basename(transcript.path)) {
      case "state.vscdb":
        return readCursorState(transcript, checkpoint, signal, wanted);
      case "store.db":
        return readCursorAgent(transcript, checkpoint, signal);
      default:
        return readCursorTranscript(transcript, checkpoint, signal);
    }
  },
};

function* find(home: Home): Generator<Finding> {
  for (const folder of userFolders(home, "Cursor", ".cursor-server")) yield* findStates(folder);
  const { environment } = home;
  const root = environment["CURSOR_DATA_DIR"] || environment["CURSOR_CONFIG_DIR"] || join(home.folder, ".cursor");
  yield* findStores(join(root, "chats"));
  yield* findTranscripts(join(root, "projects"));
}

/** `chats/<md5 of the folder>/<id>/store.db` */
function* findStores(chats: string): Generator<Finding> {
  for (const workspace of yield* lookedInto(chats)) {
    if (!workspace.isDirectory()) continue;
    for (const { name } of (yield* listed(join(chats, workspace.name))) ?? [])
      yield* foundDatabase(join(chats, workspace.name, name, "store.db"));
  }
}

/** `projects/<slug>/agent-transcripts/<id>/<id>.jsonl`, once without the folder; sub-agents below it. */
function* findTranscripts(projects: string): Generator<Finding> {
  for (const project of yield* lookedInto(projects)) {
    if (!project.isDirectory()) continue;
    const folder = join(projects, project.name, "agent-transcripts");
    let older = 0;
    for (const entry of (yield* listed(folder)) ?? []) {
      if (entry.isDirectory()) {
        yield* foundFile(join(folder, entry.name, `${entry.name}.jsonl`));
        for (const { name } of (yield* listed(join(folder, entry.name, "subagents"))) ?? [])
          if (name.endsWith(".jsonl")) yield* foundFile(join(folder, entry.name, "subagents", name));
      } else if (entry.name.endsWith(".jsonl")) yield* foundFile(join(folder, entry.name));
      else if (/\.(?:txt|json)$/.test(entry.name)) older++;
    }
    if (older > 0) yield { kind: "skipped", place: folder, count: older, reason: "transcripts in an older form" };
  }
}
