// Brings the store up to date with what programs keep: finds their transcripts,
// reads what changed from where the last refresh stopped, and marks what was
// deleted as archived. Works in short transactions, so that the process keeps
// answering, other processes can write, and a kill leaves a consistent store.
// Used by conversation-library.ts.
import { existsSync } from "node:fs";
import {
  hasLease,
  type IndexDatabase,
  IndexReplaced,
  newHolder,
  releaseLease,
  takeLease,
  writeState,
} from "../../sqlite/sqlite.ts";
import type { ConversationSource, Home, TranscriptFile } from "../sources/source.ts";
import { readInBackground } from "./reading/background-reader.ts";
import { findTranscripts, isOutOfSight, type FoundTranscript } from "./found-transcripts.ts";
import { knownProjects, withProjects } from "./projects/known-projects.ts";
import { completePlaces, foldersToPlace, placeOf, writePlaces } from "./projects/project-folders.ts";
import { forgetPendingTitles } from "../store/removal.ts";
import { StoreWriter } from "./writing/store-writer.ts";
import { readTranscripts, type Read, type Reading } from "./reading/transcript-reader.ts";
import {
  addTranscripts,
  changedTranscripts,
  checkpointsOf,
  markGone,
  transcriptRows,
  type StoredTranscript,
  type TranscriptRow,
} from "./transcript-rows.ts";

export interface Refreshed {
  /** Transcripts that exist. */
  readonly total: number;
  readonly changed: number;
  /** Transcripts that were deleted; their conversations are archived. */
  readonly gone: number;
}

export interface RefreshOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** The built reader-thread.ts; without it, everything is read in this thread. */
  readonly thread?: string | undefined;
}

const MAX_ROUNDS = 5;
/** How long the process may be busy without a pause, in milliseconds. */
const SLICE = 10;
/**
 * How much is read before it is written: so much text, or for so many
 * milliseconds. Little at first, so that first results come early; then more,
 * since every transaction writes most pages of `known` again: a busy machine
 * would otherwise write them most often.
 */
const MIN_TEXT = 400_000;
const MAX_TEXT = 1_000_000;
const MIN_READING = 150;
const MAX_READING = 1_000;
/** From so many bytes on, a thread repays its start and the warm-up of its own V8: at 50 MB it takes a quarter more CPU time. */
const MUCH = 120_000_000;
/** Folders per transaction. */
const FOLDERS_AT_ONCE = 100;

/** @returns undefined if another process is refreshing, or if the store was replaced during the refresh */
export async function refresh(
  database: IndexDatabase,
  sources: readonly ConversationSource[],
  homes: readonly Home[],
  options: RefreshOptions = {},
): Promise<Refreshed | undefined> {
  const holder = newHolder();
  if (!(await database.write(() => takeLease(database, holder), options.signal))) return undefined;
  try {
    return await new Refresh(database, holder, options).run(sources, homes);
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof IndexReplaced) return undefined;
    throw error;
  } finally {
    try {
      await database.write(() => releaseLease(database, holder));
    } catch {
      // It expires by itself.
    }
  }
}

class LeaseLost extends Error {}

/** Events to be written, or the end of a transcript. */
type Item = Read & { readonly stored: StoredTranscript };

class Refresh {
  readonly #database: IndexDatabase;
  readonly #holder: string;
  readonly #options: RefreshOptions;
  readonly #signal: AbortSignal;
  readonly #rewritten = new Set<number>();
  readonly #toReadAgain = new Set<number>();
  /** Transcripts that an older reader has read. */
  readonly #outdated = new Set<number>();
  #done = 0;
  #total = 0;

  constructor(database: IndexDatabase, holder: string, options: RefreshOptions) {
    this.#database = database;
    this.#holder = holder;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
  }

  /** Two passes if the first one learnt of projects: some programs keep their conversations there. */
  async run(sources: readonly ConversationSource[], homes: readonly Home[]): Promise<Refreshed> {
    const before = this.#homes(homes);
    const first = await this.#pass(sources, before);
    const after = first.changed === 0 ? before : this.#homes(homes);
    if (after.every(({ projects }, i) => projects.length === before[i]!.projects.length)) return first;
    const second = await this.#pass(sources, after);
    return { total: second.total, changed: first.changed + second.changed, gone: first.gone + second.gone };
  }

  /** With the projects that the store knows of. */
  #homes(homes: readonly Home[]): Home[] {
    return withProjects(homes, knownProjects(this.#database));
  }

  async #pass(sources: readonly ConversationSource[], known: readonly Home[]): Promise<Refreshed> {
    const began = Date.now();
    // Imported conversations are in no file: nothing of such a source can be found, or be gone.
    const inFiles = sources.filter(({ fromArchive }) => fromArchive === undefined);
    const { transcripts: found, reports } = await findTranscripts(inFiles, known, this.#signal);
    const rows = transcriptRows(this.#database);
    const changed = changedTranscripts(found, rows);
    // A file that was not looked for, because a variable that names its folder is not set here, is not gone.
    const gone = [...rows].filter(
      ([path, { isGone, isRestored, source }]) =>
        !isGone && !isRestored && !found.has(path) && !isOutOfSight(path, reports.get(source)) && !existsSync(path),
    );
    this.#total = found.size;
    this.#done = found.size - changed.length;
    this.#report();
    if (changed.length > 0) {
      await this.#readAll(sources, changed, rows);
      await this.#readAgain(sources, found);
      await this.#findProjects();
    }
    await this.#write(() => {
      for (const [, { id }] of gone) markGone(this.#database, id);
      for (const [source, report] of reports)
        this.#database.run(
          `INSERT INTO report VALUES (?, ?) ON CONFLICT DO UPDATE SET report = excluded.report
           WHERE report IS NOT excluded.report`,
          source,
          JSON.stringify(report),
        );
      forgetPendingTitles(this.#database);
      // From here on questions are answered; finish-indexing.ts makes that faster.
      writeState(this.#database, { swept: began, done: this.#total, total: this.#total });
    });
    return { total: found.size, changed: changed.length, gone: gone.length };
  }

  async #readAll(
    sources: readonly ConversationSource[],
    changed: readonly FoundTranscript[],
    rows: ReadonlyMap<string, TranscriptRow>,
  ): Promise<void> {
    let items: Item[] = [];
    let text = 0;
    let written = 0;
    let transactions = 1;
    let since = performance.now();
    const write = async () => {
      await this.#writeItems(items);
      items = [];
      written += text;
      transactions++;
      text = 0;
      since = performance.now();
    };
    // In one transaction: there may be thousands.
    const added = await this.#write(() =>
      addTranscripts(
        this.#database,
        changed.filter(({ transcript }) => !rows.has(transcript.path)),
      ),
    );
    const stored = changed.map(
      ({ source: { name, reader, emitsNonProseOnce = false }, transcript }): StoredTranscript => {
        const id = rows.get(transcript.path)?.id ?? added.get(transcript.path)!;
        return { id, source: name, reader, emitsNonProseOnce, isNonProse: false, transcript };
      },
    );
    const readBefore = changed.flatMap(({ transcript }) => rows.get(transcript.path)?.id ?? []);
    const checkpoints = checkpointsOf(this.#database, readBefore);
    const readings = changed.map(({ source, transcript }): Reading => {
      const row = rows.get(transcript.path);
      const isOutdated = row !== undefined && row.reader !== source.reader;
      if (isOutdated) this.#outdated.add(row.id);
      const isContinued = row !== undefined && !isOutdated;
      return { source: source.name, transcript, checkpoint: isContinued ? checkpoints.get(row.id) : undefined };
    });
    for await (const read of this.#read(sources, readings)) {
      items.push({ ...read, stored: stored[read.reading]! });
      if (read.kind === "events") text += read.size;
      const isMuch = text >= Math.min(MAX_TEXT, MIN_TEXT + written / 16);
      const isLong = performance.now() - since >= Math.min(MAX_READING, MIN_READING * transactions);
      if (isMuch || isLong) await write();
    }
    await write();
  }

  #read(sources: readonly ConversationSource[], readings: readonly Reading[]): AsyncIterable<Read> {
    const { thread } = this.#options;
    return thread !== undefined && sizeOf(readings) >= MUCH && existsSync(thread)
      ? readInBackground(thread, sources, readings, this.#signal)
      : readTranscripts(sources, readings, this.#signal);
  }

  /** Copies of conversations whose originals were read after them: see `StoreWriter`. */
  async #readAgain(sources: readonly ConversationSource[], found: ReadonlyMap<string, FoundTranscript>): Promise<void> {
    // A copy of a copy may need another round; the next refresh reads what is left after the last.
    for (let round = 0; round < MAX_ROUNDS && this.#toReadAgain.size > 0; round++) {
      const rows = transcriptRows(this.#database);
      const again = changedTranscripts(found, rows).filter(({ transcript }) =>
        this.#toReadAgain.has(rows.get(transcript.path)!.id),
      );
      this.#toReadAgain.clear();
      this.#done -= again.length;
      await this.#readAll(sources, again, rows);
    }
  }

  async #writeItems(items: readonly Item[]): Promise<void> {
    let at = 0;
    while (at < items.length) {
      let writer: StoreWriter | undefined;
      const step = (): boolean => {
        if (writer === undefined) {
          this.#keepLease();
          writer = new StoreWriter(this.#database, this.#rewritten, this.#toReadAgain);
        }
        const end = performance.now() + SLICE;
        while (at < items.length && performance.now() < end) this.#addItem(writer, items[at++]!);
        return at < items.length;
      };
      await this.#database.writeInTurns(step, this.#signal, () => {
        writer?.flush();
        writeState(this.#database, { done: this.#done, total: this.#total });
      });
      this.#report();
    }
  }

  #addItem(writer: StoreWriter, item: Item): void {
    if (item.kind === "events") {
      if (this.#outdated.delete(item.stored.id)) writer.readAgain(item.stored);
      writer.add(item.stored, item.events());
      return;
    }
    writer.end(item.stored, item.unreadable);
    this.#done++;
  }

  async #findProjects(): Promise<void> {
    const { folders, isPlaced } = foldersToPlace(this.#database);
    for (let at = 0; at < folders.length; at += FOLDERS_AT_ONCE) {
      const places = folders.slice(at, at + FOLDERS_AT_ONCE).map(placeOf);
      // A folder that is gone keeps what was known of it.
      const current = places.filter(({ folder, inode }) => inode !== undefined || !isPlaced(folder));
      await this.#write(() => writePlaces(this.#database, current));
    }
    await this.#write(() => completePlaces(this.#database));
  }

  #write<T>(work: () => T): Promise<T> {
    return this.#database.write(() => {
      this.#keepLease();
      return work();
    }, this.#signal);
  }

  #keepLease(): void {
    if (!hasLease(this.#database, this.#holder)) throw new LeaseLost();
    takeLease(this.#database, this.#holder);
  }

  #report(): void {
    this.#options.onProgress?.(this.#done, this.#total);
  }
}

function sizeOf(read: readonly { readonly transcript: TranscriptFile }[]): number {
  return read.reduce((sum, { transcript }) => sum + transcript.size, 0);
}
