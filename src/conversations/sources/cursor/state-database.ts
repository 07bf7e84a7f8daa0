// Cursor's `state.vscdb`, of a workspace or the global one: whole conversations
// of 2024 in two values of `ItemTable`, and those of later versions
// (composers.ts). Read by exact keys and key ranges only: the same tables have
// tokens. Used by cursor.ts.
import { workspaceOfState, type EditorWorkspace } from "../kit/editor-folders.ts";
import { EditorItems, type ItemMarks, type ReadItem } from "../kit/editor-items.ts";
import { ForeignDatabase } from "../../../sqlite/sqlite.ts";
import { timeOf, type Batch, type SourceEvent, type TranscriptFile, type Wanted } from "../source.ts";
import { recordOf, recordsOf, textOf } from "../kit/stored-json.ts";
import { factsOf, headOf, eventsOfAll, type Head } from "./bubbles.ts";
import { CursorComposers } from "./composers.ts";

const COMPOSERS = "composer.composerData";
const TABS = "workbench.panel.aichat.view.aichat.chatdata";
const PROMPTS = "aiService.prompts";

interface Checkpoint {
  readonly items: ItemMarks;
  readonly composers: Readonly<Record<string, string>>;
}

/** Batches between checkpoints. */
const CHECKPOINT_AFTER = 200;

export async function* readCursorState(
  transcript: TranscriptFile,
  checkpoint: string | undefined,
  signal: AbortSignal,
  wanted: Wanted,
): AsyncGenerator<Batch> {
  using database = new ForeignDatabase(transcript.path);
  const before: Checkpoint =
    checkpoint === undefined ? { items: {}, composers: {} } : (JSON.parse(checkpoint) as Checkpoint);
  const place = workspaceOfState(transcript.path);
  const items = new EditorItems(database, before.items);
  if (await database.hasTable("ItemTable")) {
    yield await items.read(COMPOSERS, (value) => composersIn(value, place));
    yield await items.read(TABS, (value) => tabsIn(value, place));
    yield await items.read(PROMPTS, promptsIn);
  }
  const complete = (head: Head) => inWorkspace(head, place);
  const composers = new CursorComposers(database, before.composers, complete, wanted, signal);
  let batches = 0;
  if (await database.hasTable("cursorDiskKV"))
    for await (const events of composers.read()) {
      yield events;
      // For composers that were not reached yet, the marks of the earlier reading.
      if (++batches % CHECKPOINT_AFTER === 0)
        yield [checkpointOf({ items: items.marks, composers: { ...before.composers, ...composers.marks } })];
    }
  if (signal.aborted) return;
  yield [
    { kind: "present", conversations: [...items.present, ...Object.keys(composers.marks)] },
    checkpointOf({ items: items.marks, composers: composers.marks }),
  ];
}

function checkpointOf(checkpoint: Checkpoint): SourceEvent {
  return { kind: "checkpoint", checkpoint: JSON.stringify(checkpoint) };
}

function inWorkspace(head: Head, place: EditorWorkspace | undefined): Head {
  return { ...head, folder: head.folder ?? place?.folder, workspace: head.workspace ?? place?.workspace };
}

/** `allComposers`: whole conversations in 2024, and pointers to the global database since. */
function composersIn(value: unknown, place: EditorWorkspace | undefined): ReadItem {
  const events: SourceEvent[] = [];
  const ids: string[] = [];
  for (const composer of recordsOf(recordOf(value)?.["allComposers"])) {
    const id = textOf(composer["composerId"]);
    if (id === undefined) continue;
    ids.push(id);
    const bubbles = recordsOf(composer["conversation"]);
    const head = inWorkspace(headOf(composer), place);
    // A pointer's times may be older than those of the conversation itself.
    events.push(factsOf(id, bubbles.length > 0 ? head : { ...head, created: undefined, updated: undefined }));
    events.push(...eventsOfAll(bubbles, id, false));
  }
  return { events, ids };
}

function tabsIn(value: unknown, place: EditorWorkspace | undefined): ReadItem {
  const events: SourceEvent[] = [];
  const ids: string[] = [];
  for (const tab of recordsOf(recordOf(value)?.["tabs"])) {
    const id = textOf(tab["tabId"]);
    if (id === undefined) continue;
    ids.push(id);
    const sent = timeOf(tab["lastSendTime"]);
    const head = { ...headOf(tab), title: textOf(tab["chatTitle"]), updated: sent };
    events.push(factsOf(id, inWorkspace(head, place)));
    if (sent !== undefined)
      events.push({ kind: "conversation", facts: { id, created: { at: sent, known: "inferred" } } });
    events.push(...eventsOfAll(recordsOf(tab["bubbles"]), id, false));
  }
  return { events, ids };
}

/** Prompts are in the conversations too, with their answers. */
function promptsIn(value: unknown): ReadItem {
  const reason = "prompts that Cursor keeps in a second list; they are found in their conversations";
  const count = Array.isArray(value) ? value.length : 0;
  return { events: count === 0 ? [] : [{ kind: "skipped", count, reason }], ids: [] };
}
