// Brings the events of this machine into a shared store: idempotent, in batches,
// by their ids. An event never changes, so what the store has is never sent again.
// Loaded only by the command `push`, through memory.ts, and by space-events.ts.
import type { Space, Store } from "../../shared/shared.ts";
import type { EventReader } from "../log/event-store.ts";
import type { Progress } from "../log/event-files.ts";
import { lineOf, type MemoryEvent } from "../log/event.ts";
import { mentionsHidden } from "../index/visible-index.ts";
import { withoutSecrets, type Redact } from "../stored-text.ts";

interface Pushing {
  readonly store: Store;
  readonly space: Space;
  /** The name of the vault, the same on every machine. */
  readonly vault: string;
  readonly events: EventReader;
  readonly redact: Redact;
  /** Returns whether the settings hide a path: events that mention it stay on this machine. */
  readonly isHidden: ((path: string) => boolean) | undefined;
  /** Compares, counts, and sends nothing. */
  readonly isPreview?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Pushed {
  /** All events that may be shared. */
  readonly total: number;
  /** Those that the store did not have. */
  readonly added: number;
  /** Those that stay here because they mention hidden files. */
  readonly hidden: number;
  /** Of those that the store did not have. */
  readonly bytes: number;
}

const BATCH = 500;

/** Each batch is a transaction: after an interruption, the next push goes on with what is missing. */
export async function pushEvents({
  store,
  space,
  vault,
  events,
  redact,
  isHidden,
  isPreview = false,
  onProgress,
}: Pushing): Promise<Pushed> {
  const all = [...new Map([...localEvents(events)].map((event) => [event.id, event])).values()];
  const shown = isHidden === undefined ? all : all.filter((event) => !mentionsHidden(event, isHidden));
  let [added, bytes] = [0, 0];
  for (let from = 0; from < shown.length; from += BATCH) {
    const batch = shown.slice(from, from + BATCH);
    const sent = await pushBatch({ store, space, vault, redact, isPreview }, batch);
    added += sent.added;
    bytes += sent.bytes;
    onProgress?.(from + batch.length, shown.length);
  }
  return { total: shown.length, added, hidden: all.length - shown.length, bytes };
}

/** Of our own log: what other programs left is not ours to share. */
function* localEvents(events: EventReader): Generator<MemoryEvent> {
  for (const file of events.files()) {
    if (file.form !== "log") continue;
    let progress: Progress | undefined;
    for (;;) {
      const piece = events.read(file, progress);
      if (piece === undefined) break;
      yield* piece.events;
      if (!piece.hasMore) break;
      ({ progress } = piece);
    }
  }
}

async function pushBatch(
  { store, space, vault, redact, isPreview }: Pick<Pushing, "store" | "space" | "vault" | "redact" | "isPreview">,
  batch: readonly MemoryEvent[],
): Promise<Pick<Pushed, "added" | "bytes">> {
  return store.transaction(async (sql) => {
    // A list of values is looked up in the index; for rows made of JSON, PostgreSQL compared each with every event.
    const ids = batch.map(({ id }) => id);
    const known = await sql`
      SELECT id FROM commonplace.memory_event WHERE space = ${space.id} AND vault = ${vault}
        AND id = ANY(${ids})`;
    const had = new Set(known.map((row) => String(row["id"])));
    const missing = batch.filter(({ id }) => !had.has(id));
    const lines = missing.map((event) => lineOf(redacted(event, redact)));
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    if (missing.length === 0 || isPreview === true) return { added: missing.length, bytes };
    // From here on nobody else adds to this space until the end of the transaction.
    const [numbers] = await sql`SELECT commonplace.take_numbers(${space.id}, ${missing.length}) AS before`;
    const before = Number(numbers!["before"]);
    const rows = missing.map((event, i) => ({
      id: event.id,
      number: before + i + 1,
      line: lines[i]!,
    }));
    const added = await sql`
      INSERT INTO commonplace.memory_event (space, vault, id, number, line, member)
      SELECT ${space.id}::bigint, ${vault}, id, number, line, commonplace.current_member()
      FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS row (id text, number bigint, line text)
      ON CONFLICT (space, vault, id) DO NOTHING RETURNING 1`;
    return { added: added.length, bytes };
  });
}

/** Texts are redacted before they are stored, but by the rules of the release that stored them. */
export function redacted(event: MemoryEvent, redact: Redact): MemoryEvent {
  if (event.type !== "trace") return { ...event, set: withoutSecrets(event.set, redact) };
  const cleaned = (text: string | undefined) => text && redact(text);
  const { paths, about, why, subgoal, error } = event;
  return {
    ...event,
    paths: paths?.map(redact),
    about: cleaned(about),
    why: cleaned(why),
    subgoal: cleaned(subgoal),
    error: cleaned(error),
  };
}
