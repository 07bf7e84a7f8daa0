// Cursor's `state.vscdb`, of a workspace or the global one: whole conversations
// of 2024 in two values of `ItemTable`, and those of later versions
// (cursor-composers.ts). Read by exact keys and key ranges only: tokens lie in
// the same tables.
import { workspaceOfState, type EditorWorkspace } from "../editor-folders.ts";
import { ForeignDatabase } from "../foreign-database.ts";
import { timeOf, type Batch, type Told, type Unit } from "../source.ts";
import { LARGEST_VALUE, recordOf, recordsOf, storedJson, textOf } from "../stored-json.ts";
import { factsOf, headOf, toldByAll, type Head } from "./cursor-bubbles.ts";
import { CursorComposers } from "./cursor-composers.ts";

const COMPOSERS = "composer.composerData";
const TABS = "workbench.panel.aichat.view.aichat.chatdata";
const PROMPTS = "aiService.prompts";

interface Checkpoint {
  /** Of values in `ItemTable`: a mark, and the conversations that are in it. */
  readonly items: Readonly<Record<string, readonly string[]>>;
  readonly composers: Readonly<Record<string, string>>;
}

/** Batches after which a later reading may go on from there. */
const CHECKPOINT_AFTER = 200;

export async function* readCursorState(
  unit: Unit,
  checkpoint: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  using database = new ForeignDatabase(unit.path);
  const before: Checkpoint =
    checkpoint === undefined ? { items: {}, composers: {} } : (JSON.parse(checkpoint) as Checkpoint);
  const place = workspaceOfState(unit.path);
  const items = new CursorItems(database, before.items, place);
  if (await database.hasTable("ItemTable")) yield* items.read();
  const composers = new CursorComposers(database, before.composers, (head) => inWorkspace(head, place), signal);
  let batches = 0;
  if (await database.hasTable("cursorDiskKV"))
    for await (const told of composers.read()) {
      yield told;
      // Of what is not looked at yet, what was known before.
      if (++batches % CHECKPOINT_AFTER === 0)
        yield [checkpointOf({ items: items.marks, composers: { ...before.composers, ...composers.marks } })];
    }
  if (signal.aborted) return;
  const present = [...Object.values(items.marks).flatMap(([, ...ids]) => ids), ...Object.keys(composers.marks)];
  yield [{ kind: "present", conversations: present }, checkpointOf({ items: items.marks, composers: composers.marks })];
}

function checkpointOf(checkpoint: Checkpoint): Told {
  return { kind: "checkpoint", checkpoint: JSON.stringify(checkpoint) };
}

function inWorkspace(head: Head, place: EditorWorkspace | undefined): Head {
  return { ...head, folder: head.folder ?? place?.folder, workspace: head.workspace ?? place?.workspace };
}

/** What a value told, and which conversations are in it. */
interface ReadItem {
  readonly told: Told[];
  readonly ids: readonly string[];
}

class CursorItems {
  readonly #database: ForeignDatabase;
  readonly #before: Checkpoint["items"];
  readonly #place: EditorWorkspace | undefined;
  readonly marks: Record<string, readonly string[]> = {};

  constructor(database: ForeignDatabase, before: Checkpoint["items"], place: EditorWorkspace | undefined) {
    this.#database = database;
    this.#before = before;
    this.#place = place;
  }

  async *read(): AsyncGenerator<Batch> {
    yield await this.#readItem(COMPOSERS, (value) => this.#composersIn(value));
    yield await this.#readItem(TABS, (value) => this.#tabsIn(value));
    yield await this.#readItem(PROMPTS, promptsIn);
  }

  async #readItem(key: string, read: (value: unknown) => ReadItem): Promise<Batch> {
    const [row] = await this.#database.rows(
      "SELECT rowid AS row, octet_length(value) AS size FROM ItemTable WHERE key = ?",
      key,
    );
    if (row === undefined || row["size"] === null) return [];
    const mark = `${row["row"]}.${row["size"]}`;
    const [known, ...ids] = this.#before[key] ?? [];
    if (known === mark) {
      this.marks[key] = [mark, ...ids];
      return [];
    }
    const value = Number(row["size"]) > LARGEST_VALUE ? undefined : await this.#valueOf(key);
    const item = value === undefined ? notRead(key, ids) : read(value);
    this.marks[key] = [mark, ...item.ids];
    return item.told;
  }

  async #valueOf(key: string): Promise<unknown> {
    const [row] = await this.#database.rows("SELECT value FROM ItemTable WHERE key = ?", key);
    return storedJson(row?.["value"]);
  }

  /** `allComposers`: whole conversations in 2024, and pointers to the global database since. */
  #composersIn(value: unknown): ReadItem {
    const told: Told[] = [];
    const ids: string[] = [];
    for (const composer of recordsOf(recordOf(value)?.["allComposers"])) {
      const id = textOf(composer["composerId"]);
      if (id === undefined) continue;
      ids.push(id);
      const bubbles = recordsOf(composer["conversation"]);
      const head = inWorkspace(headOf(composer), this.#place);
      // A pointer's times may be older than those of the conversation itself.
      told.push(factsOf(id, bubbles.length > 0 ? head : { ...head, created: undefined, updated: undefined }));
      told.push(...toldByAll(bubbles, id, false));
    }
    return { told, ids };
  }

  #tabsIn(value: unknown): ReadItem {
    const told: Told[] = [];
    const ids: string[] = [];
    for (const tab of recordsOf(recordOf(value)?.["tabs"])) {
      const id = textOf(tab["tabId"]);
      if (id === undefined) continue;
      ids.push(id);
      const sent = timeOf(tab["lastSendTime"]);
      told.push(
        factsOf(id, inWorkspace({ ...headOf(tab), title: textOf(tab["chatTitle"]), updated: sent }, this.#place)),
      );
      if (sent !== undefined)
        told.push({ kind: "conversation", facts: { id, created: { at: sent, known: "inferred" } } });
      told.push(...toldByAll(recordsOf(tab["bubbles"]), id, false));
    }
    return { told, ids };
  }
}

/** They are in the conversations too, with their answers. */
function promptsIn(value: unknown): ReadItem {
  const reason = "prompts in a list of their own, which conversations hold with their answers";
  const count = Array.isArray(value) ? value.length : 0;
  return { told: count === 0 ? [] : [{ kind: "skipped", count, reason }], ids: [] };
}

function notRead(key: string, ids: readonly string[]): ReadItem {
  return { told: [{ kind: "unreadable", count: 1, reason: `no JSON under ${key}, or more than 64 MB` }], ids };
}
