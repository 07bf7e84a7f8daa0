// Events of memory from a shared store, read beside those on the disk: all that
// members of one's spaces have pushed for a vault of this name. Loaded only if a
// store is named; used by memory.ts.
//
// To the index each space looks like a file: its size is the number of the last
// row, and what counts as other content is another epoch, which begins when rows
// are deleted. A space that one is no longer in is a file that is gone. Both make
// the index forget everything and read again. New events are written to the disk
// only; push-events.ts brings them into the store.
import type { Log } from "../../kernel/kernel.ts";
import { StoreUnavailable, type Store } from "../../shared/shared.ts";
import type { EventFile, Piece, Progress } from "../log/event-files.ts";
import type { EventStore } from "../log/event-store.ts";
import { eventOf } from "../log/event.ts";

interface Opening {
  readonly store: Store;
  /** The name of the vault, the same on every machine. */
  readonly vault: string;
  readonly log: Log;
}

/** The events of this vault that were fetched from a space, after one number and up to another. */
export interface Fetched {
  readonly file: EventFile;
  readonly epoch: string;
  readonly after: number;
  readonly events: readonly { readonly number: number; readonly line: string }[];
}

interface SpaceState {
  readonly space: string;
  readonly epoch: string;
  readonly after: number;
  readonly until: number;
}

/** In the names that the index gives to what it has read. */
export const PREFIX = "shared/";
const MAX_AT_ONCE = 2_000;
/** Events that are ingested before other work gets its turn. */
const PIECE = 200;
/** Milliseconds without another attempt if the store could not be reached. */
const REST = 30_000;

export function withSharedEvents(local: EventStore, { store, vault, log }: Opening): EventStore {
  let fetched = new Map<string, Fetched>();
  let restUntil = 0;
  let isReported = false;

  const fetch = async (known: ReadonlyMap<string, Progress>): Promise<boolean> => {
    const shared = [...known].filter(([name]) => name.startsWith(PREFIX));
    // Events that were read before are neither new nor gone.
    const keep = () => (fetched = new Map(shared.map(([name, progress]) => [name, unchanged(name, progress)])));
    if (Date.now() < restUntil) {
      keep();
      return true;
    }
    try {
      const found = await fetchAfter(store, { vault }, new Map(shared));
      isReported = false;
      fetched = found.fetched;
      const isOther = shared.some(([name, { seal }]) => fetched.get(name)?.epoch !== seal);
      return !found.hasMore && !isOther;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (!isReported) log(`${error.message} Memory answers from what was read before.`);
      isReported = true;
      restUntil = Date.now() + REST;
      keep();
      return true;
    }
  };

  return {
    ...local,
    fetch,
    files: () => [...local.files(), ...[...fetched.values()].map(({ file }) => file)],
    changeOf: (file, before) =>
      isShared(file) ? changeOf(fetched.get(file.name), before) : local.changeOf(file, before),
    read: (file, before) => (isShared(file) ? pieceOf(fetched.get(file.name), before) : local.read(file, before)),
  };
}

function isShared({ name }: EventFile): boolean {
  return name.startsWith(PREFIX);
}

function fileOf(name: string, size: number): EventFile {
  return { name, path: "", form: "log", size, mtime: 0 };
}

function unchanged(name: string, { read, seal }: Progress): Fetched {
  return { file: fileOf(name, read), epoch: seal, after: read, events: [] };
}

export function changeOf(fetched: Fetched | undefined, before: Progress | undefined): "none" | "grown" | "replaced" {
  if (fetched === undefined) return "none";
  if (before === undefined) return "grown";
  if (before.seal !== fetched.epoch) return "replaced";
  return fetched.file.size > before.read ? "grown" : "none";
}

export function pieceOf(fetched: Fetched | undefined, before: Progress | undefined): Piece | undefined {
  const from = before?.read ?? 0;
  // Another process has emptied the index: what is missing is fetched the next time.
  if (fetched === undefined || fetched.after > from) return undefined;
  const rows = fetched.events.filter(({ number }) => number > from);
  const piece = rows.slice(0, PIECE);
  const hasMore = piece.length < rows.length;
  const read = hasMore ? piece.at(-1)!.number : fetched.file.size;
  return {
    events: piece.flatMap(({ line }) => eventOf(line) ?? []),
    progress: { size: read, mtime: 0, read, seal: fetched.epoch },
    hasMore,
  };
}

/** Selects the rows of a vault in all spaces, or all rows of one space. */
type Wanted = { readonly vault: string } | { readonly space: number };

export async function fetchAfter(store: Store, wanted: Wanted, known: ReadonlyMap<string, Progress>) {
  const vault = "vault" in wanted ? wanted.vault : null;
  const only = "space" in wanted ? wanted.space : null;
  return store.reading(async (sql) => {
    const states = (
      await sql`
        SELECT state.space, number, epoch, extract(epoch FROM created)::text AS born
        FROM commonplace.space_state AS state JOIN commonplace.space ON space.id = state.space
        WHERE ${only}::bigint IS NULL OR state.space = ${only}::bigint ORDER BY state.space`
    ).map((row): SpaceState => {
      const [space, until] = [String(row["space"]), Number(row["number"])];
      const before = known.get(PREFIX + space);
      // A space of another store can have the same number and epoch, but is not as old.
      const now = `${String(row["epoch"])} of ${String(row["born"])}`;
      // Numbers go back only if the store was restored from a backup: what was read since then is forgotten.
      const epoch = before !== undefined && before.seal === now && before.read > until ? `${now}, restored` : now;
      // In another epoch everything is read again.
      return { space, epoch, after: before?.seal === epoch ? before.read : 0, until };
    });
    const asked = JSON.stringify(states.filter(({ after, until }) => until > after));
    const rows =
      asked === "[]"
        ? []
        : await sql`
            SELECT event.space, event.number, event.line
            FROM json_to_recordset(${asked}::text::json) AS asked (space bigint, after bigint, until bigint)
            JOIN commonplace.memory_event AS event ON event.space = asked.space
              AND (${vault}::text IS NULL OR event.vault = ${vault}) AND event.number > asked.after AND event.number <= asked.until
            ORDER BY event.space, event.number LIMIT ${MAX_AT_ONCE}`;
    const hasMore = rows.length === MAX_AT_ONCE;
    const last = rows.at(-1);
    const ofSpace = Map.groupBy(rows, (row) => String(row["space"]));
    const fetched = new Map(
      states.map(({ space, epoch, after, until }): [string, Fetched] => {
        const events = (ofSpace.get(space) ?? []).map((row) => ({
          number: Number(row["number"]),
          line: String(row["line"]),
        }));
        const isLast = String(last?.["space"]) === space;
        // Spaces after the last row were not reached.
        const reached =
          !hasMore || BigInt(space) < BigInt(String(last!["space"])) ? until : isLast ? events.at(-1)!.number : after;
        return [PREFIX + space, { file: fileOf(PREFIX + space, reached), epoch, after, events }];
      }),
    );
    return { fetched, hasMore };
  });
}
