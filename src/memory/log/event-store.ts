// The store of memory's events: appends them, and reads them. The
// folder of event files (in the data folder or in the vault) is the one
// implementation that is written to; shared/shared-events.ts adds the rows of a
// shared store to what is read. memory.ts and the index depend on the interface.
import {
  changeOf,
  listEventFiles,
  placesOf,
  readPiece,
  type EventFile,
  type Piece,
  type Progress,
} from "./event-files.ts";
import { openLog, type EventWriter } from "./event-log.ts";
import type { MemoryPlaces } from "./log-places.ts";

export interface EventReader {
  /**
   * Fetches what is new in places that cannot be read at once, for the methods below; undefined if there are none.
   * @param known how much was read before
   * @returns false if there is more to fetch after this was read
   */
  readonly fetch?: (known: ReadonlyMap<string, Progress>) => Promise<boolean>;
  /** Everything that holds events now. */
  readonly files: () => readonly EventFile[];
  /** Returns the change of a file since it was read: nothing, new lines, or other content. */
  readonly changeOf: (file: EventFile, before: Progress | undefined) => "none" | "grown" | "replaced";
  /** The next events of a file; undefined if it is gone or may not be read. */
  readonly read: (file: EventFile, before: Progress | undefined) => Piece | undefined;
}

export interface EventStore extends EventReader, EventWriter {}

interface Opening {
  readonly places: MemoryPlaces;
  readonly vaultFolder: string;
  /** The name of this device, created on first use. */
  readonly device: () => string;
  /** Throws if the vault is gone. */
  readonly check: () => void;
}

/** Opens and creates nothing before it is used. */
export function openEventFolder({ places, vaultFolder, device, check }: Opening): EventStore {
  let opened: EventWriter | undefined;
  const log = () => (opened ??= openLog({ folder: places.log, device: device(), check }));
  return {
    ...eventReader(places, vaultFolder),
    moment: (after) => log().moment(after),
    append: (events) => log().append(events),
    appendDurably: (events) => log().appendDurably(events),
  };
}

export function eventReader({ log, other }: MemoryPlaces, vaultFolder: string): EventReader {
  const places = placesOf([log, other], vaultFolder);
  return { files: () => listEventFiles(places), changeOf, read: readPiece };
}
