// Brings the store up to date with what programs keep: has every source say
// what is there, reads what changed from where it stopped, and marks what is
// gone as archived. Works in slices, each one transaction, so that the process
// goes on answering, other processes get to write, and whoever is killed leaves
// a whole store. Used by conversations.ts.
import { reasonOf } from "../../files/files.ts";
import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { whileReadingMuch } from "../../heap.ts";
import {
  hasLease,
  type IndexDatabase,
  IndexReplaced,
  newHolder,
  releaseLease,
  takeLease,
  writeState,
} from "../../sqlite/sqlite.ts";
import { placeOf } from "./project-folders.ts";
import { readInBackground } from "./background-reader.ts";
import { readTranscripts, type Read, type Reading } from "./transcript-reader.ts";
import type { ConversationSource, Finding, Home, SourceName, TranscriptFile } from "../sources/source.ts";
import { markArchived } from "./archive-mark.ts";
import { StoreWriter, type StoredTranscript } from "./store-writer.ts";

export interface Refreshed {
  /** Units that are there. */
  readonly total: number;
  readonly changed: number;
  /** Units that are gone: what was in them is archived. */
  readonly gone: number;
}

export interface RefreshOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** The program of reading-thread.ts; without it, everything is read in this thread. */
  readonly thread?: string | undefined;
}

/** What a source said about where it looked; kept in the store for whoever asks. */
export interface SourceReport {
  readonly looked: readonly { readonly place: string; readonly isThere: boolean }[];
  readonly skipped: readonly Notice[];
  readonly unreadable: readonly Notice[];
}

export interface Notice {
  readonly place: string;
  readonly count: number;
  readonly reason: string;
}

const MOST_ROUNDS = 5;
/** How long the process may be busy at a time, in milliseconds. */
const SLICE = 10;
/**
 * What is read before it is written: so much text, or for so many milliseconds.
 * Little at first, so that nobody waits; then more, since each time most of
 * what is known is written anew.
 */
const LEAST_TEXT = 400_000;
const MOST_TEXT = 1_000_000;
const LONGEST_READING = 150;
/** Bytes for which memory is worth some care. */
const MUCH = 20_000_000;
/** Bytes for which a thread of their own is worth its start, and that V8 has to learn in it anew what to optimise. */
const VERY_MUCH = 120_000_000;
/** Bytes that are read until the thread is ready. */
const MEANWHILE = 20_000_000;

/** @returns undefined while another process refreshes, or where the store was replaced meanwhile */
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

interface Found {
  readonly source: ConversationSource;
  readonly transcript: TranscriptFile;
}

interface StoredState {
  readonly id: number;
  readonly source: SourceName;
  readonly stamp: string | undefined;
  readonly checkpoint: string | undefined;
  readonly isGone: boolean;
  readonly reader: number;
}

/** What is to be written: what a unit told, or that it is read to its end. */
type Item = Read & { readonly stored: StoredTranscript };

class Refresh {
  readonly #database: IndexDatabase;
  readonly #holder: string;
  readonly #options: RefreshOptions;
  readonly #signal: AbortSignal;
  readonly #rewritten = new Set<number>();
  readonly #toReadAgain = new Set<number>();
  /** Units that an older reader has read. */
  readonly #outdated = new Set<number>();
  #done = 0;
  #total = 0;

  constructor(database: IndexDatabase, holder: string, options: RefreshOptions) {
    this.#database = database;
    this.#holder = holder;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
  }

  async run(sources: readonly ConversationSource[], homes: readonly Home[]): Promise<Refreshed> {
    const began = Date.now();
    const { found, reports } = await this.#find(sources, homes);
    const known = this.#known();
    const changed = changedIn(found, known);
    const isClosed = (path: string, source: SourceName) =>
      isWithin(path, reports.get(source)?.unreadable.map(({ place }) => place) ?? [EVERYWHERE]);
    const gone = [...known].filter(
      ([path, { isGone, source }]) => !isGone && !found.has(path) && !isClosed(path, source),
    );
    this.#total = found.size;
    this.#done = found.size - changed.length;
    this.#report();
    if (changed.length > 0) {
      const read = async (stepDone?: () => void) => {
        await this.#readAll(sources, changed, known, stepDone);
        await this.#readAgain(sources, found, stepDone);
      };
      await (sizeOf(changed) >= MUCH ? whileReadingMuch(read) : read());
      await this.#findProjects();
    }
    await this.#database.write(() => {
      this.#keepLease();
      for (const [, { id }] of gone) {
        this.#database.run("UPDATE unit SET is_gone = 1, stamp = NULL WHERE id = ?", id);
        markArchived(this.#database, "id IN (SELECT conversation FROM holding WHERE unit = ?)", id);
      }
      for (const [source, report] of reports)
        this.#database.run(
          `INSERT INTO report VALUES (?, ?) ON CONFLICT DO UPDATE SET report = excluded.report
           WHERE report IS NOT excluded.report`,
          source,
          JSON.stringify(report),
        );
      // From here on questions are answered; settling.ts makes that faster.
      writeState(this.#database, { swept: began, done: this.#total, total: this.#total });
    }, this.#signal);
    return { total: found.size, changed: changed.length, gone: gone.length };
  }

  async #find(sources: readonly ConversationSource[], homes: readonly Home[]) {
    const found = new Map<string, Found>();
    const reports = new Map<
      SourceName,
      { looked: { place: string; isThere: boolean }[]; skipped: Notice[]; unreadable: Notice[] }
    >();
    let turn = performance.now();
    for (const source of sources) {
      const report = { looked: [], skipped: [], unreadable: [] };
      reports.set(source.name, report);
      for (const home of homes) {
        const findings = source.find(home)[Symbol.iterator]();
        for (;;) {
          const next = nextOf(findings);
          if (next === undefined) break;
          takeFinding(next, source, found, report);
          if (performance.now() - turn < SLICE) continue;
          await nextTurn();
          this.#signal.throwIfAborted();
          turn = performance.now();
        }
      }
    }
    return { found, reports };
  }

  #known(): Map<string, StoredState> {
    const rows = this.#database.all("SELECT id, source, path, stamp, checkpoint, is_gone, reader FROM unit");
    return new Map(
      rows.map(({ id, source, path, stamp, checkpoint, is_gone, reader }) => [
        String(path),
        {
          source: source as SourceName,
          id: Number(id),
          stamp: stamp === null ? undefined : String(stamp),
          checkpoint: checkpoint === null ? undefined : String(checkpoint),
          isGone: is_gone === 1,
          reader: Number(reader),
        },
      ]),
    );
  }

  async #readAll(
    sources: readonly ConversationSource[],
    changed: readonly Found[],
    known: ReadonlyMap<string, StoredState>,
    stepDone?: () => void,
  ): Promise<void> {
    let items: Item[] = [];
    let text = 0;
    let written = 0;
    let since = performance.now();
    const write = async () => {
      await this.#write(items);
      stepDone?.();
      items = [];
      written += text;
      text = 0;
      since = performance.now();
    };
    const added = await this.#addTranscripts(changed.filter(({ transcript }) => !known.has(transcript.path)));
    const stored = changed.map(
      ({ source: { name, reader, emitsNonProseOnce = false }, transcript }): StoredTranscript => {
        const id = known.get(transcript.path)?.id ?? added.get(transcript.path)!;
        return { id, source: name, reader, emitsNonProseOnce, isNonProse: false, transcript };
      },
    );
    const readings = changed.map(({ source, transcript }): Reading => {
      const before = known.get(transcript.path);
      const isOutdated = before !== undefined && before.reader !== source.reader;
      if (isOutdated) this.#outdated.add(before.id);
      return { source: source.name, transcript, checkpoint: isOutdated ? undefined : before?.checkpoint };
    });
    for await (const read of this.#read(sources, readings)) {
      items.push({ ...read, stored: stored[read.reading]! });
      if (read.kind === "events") text += read.size;
      if (text >= Math.min(MOST_TEXT, LEAST_TEXT + written / 16) || performance.now() - since >= LONGEST_READING)
        await write();
    }
    await write();
  }

  #read(sources: readonly ConversationSource[], readings: readonly Reading[]): AsyncIterable<Read> {
    const { thread } = this.#options;
    return thread !== undefined && sizeOf(readings) >= VERY_MUCH && existsSync(thread)
      ? readInBackground(thread, sources, readings, this.#signal, MEANWHILE)
      : readTranscripts(sources, readings, this.#signal);
  }

  /** What a copy told before the conversation that it was copied from was read. */
  async #readAgain(
    sources: readonly ConversationSource[],
    found: ReadonlyMap<string, Found>,
    stepDone?: () => void,
  ): Promise<void> {
    // A copy of a copy may have to be read once more; what is left after that is read by the next refresh.
    for (let round = 0; round < MOST_ROUNDS && this.#toReadAgain.size > 0; round++) {
      const known = this.#known();
      const again = changedIn(found, known).filter(({ transcript }) =>
        this.#toReadAgain.has(known.get(transcript.path)!.id),
      );
      this.#toReadAgain.clear();
      this.#done -= again.length;
      await this.#readAll(sources, again, known, stepDone);
    }
  }

  /** In one transaction: there may be thousands. */
  async #addTranscripts(found: readonly Found[]): Promise<Map<string, number>> {
    return this.#database.write(() => {
      this.#keepLease();
      return new Map(
        found.map(({ source: { name, reader, readsProseFirst }, transcript: { path } }) => {
          const sql = "INSERT INTO unit (source, path, is_apart, reader) VALUES (?, ?, ?, ?)";
          return [path, this.#database.run(sql, name, path, Number(readsProseFirst === true), reader).id];
        }),
      );
    }, this.#signal);
  }

  async #write(items: readonly Item[]): Promise<void> {
    let at = 0;
    while (at < items.length) {
      let writer: StoreWriter | undefined;
      const step = (): boolean => {
        if (writer === undefined) {
          this.#keepLease();
          writer = new StoreWriter(this.#database, this.#rewritten, this.#toReadAgain);
        }
        const end = performance.now() + SLICE;
        while (at < items.length && performance.now() < end) this.#add(writer, items[at++]!);
        return at < items.length;
      };
      await this.#database.writeInTurns(step, this.#signal, () => {
        writer?.flush();
        writeState(this.#database, { done: this.#done, total: this.#total });
      });
      this.#report();
    }
  }

  #add(writer: StoreWriter, item: Item): void {
    if (item.kind === "events") {
      if (this.#outdated.delete(item.stored.id)) writer.readAgain(item.stored);
      writer.add(item.stored, item.events());
      return;
    }
    writer.end(item.stored, item.unreadable);
    this.#done++;
  }

  /** Which projects the folders belong to that conversations were in. One that is gone keeps what was known of it. */
  async #findProjects(): Promise<void> {
    const rows = this.#database.all("SELECT DISTINCT folder FROM conversation WHERE folder IS NOT NULL");
    const known = new Set(this.#database.all("SELECT folder FROM place").map(({ folder }) => String(folder)));
    for (const slice of slicesOf(
      rows.map(({ folder }) => String(folder)),
      100,
    )) {
      const places = slice.map(placeOf).filter(({ folder, inode }) => inode !== undefined || !known.has(folder));
      await this.#database.write(() => {
        this.#keepLease();
        for (const { folder, project, root, inode } of places)
          this.#database.run("INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?)", folder, project, root, inode ?? null);
      }, this.#signal);
    }
  }

  #keepLease(): void {
    if (!hasLease(this.#database, this.#holder)) throw new LeaseLost();
    takeLease(this.#database, this.#holder);
  }

  #report(): void {
    this.#options.onProgress?.(this.#done, this.#total);
  }
}

function takeFinding(
  finding: Finding,
  source: ConversationSource,
  found: Map<string, Found>,
  report: {
    readonly looked: { place: string; isThere: boolean }[];
    readonly skipped: Notice[];
    readonly unreadable: Notice[];
  },
): void {
  switch (finding.kind) {
    case "transcript":
      if (!found.has(finding.transcript.path))
        found.set(finding.transcript.path, { source, transcript: finding.transcript });
      return;
    case "looked":
      report.looked.push({ place: finding.place, isThere: finding.isThere });
      return;
    case "skipped":
    case "unreadable":
      report[finding.kind].push({ place: finding.place, count: finding.count, reason: finding.reason });
  }
}

/** A source that stumbles where it looks has not found that anything is gone. */
function nextOf(findings: Iterator<Finding>): Finding | undefined {
  try {
    const { done, value } = findings.next();
    return done ? undefined : value;
  } catch (error) {
    return { kind: "unreadable", place: EVERYWHERE, count: 1, reason: reasonOf(error) };
  }
}

const EVERYWHERE = "";

function sizeOf(read: readonly { readonly transcript: TranscriptFile }[]): number {
  return read.reduce((sum, { transcript }) => sum + transcript.size, 0);
}

function changedIn(found: ReadonlyMap<string, Found>, known: ReadonlyMap<string, StoredState>): Found[] {
  return inOrder([...found.values()].filter((one) => mayDiffer(one, known.get(one.transcript.path))));
}

function mayDiffer({ source, transcript }: Found, known: StoredState | undefined): boolean {
  return known === undefined || known.isGone || known.stamp !== transcript.stamp || known.reader !== source.reader;
}

/**
 * Folders with the newest files first: these are what a person is most likely
 * to ask for while the rest is still to come. Within a folder the oldest first:
 * what a resumed session repeats belongs to the one that had it first.
 */
function inOrder(changed: readonly Found[]): Found[] {
  const folderOf = ({ transcript }: Found) => transcript.path.replace(/[/\\][^/\\]*$/, "");
  const newest = new Map<string, number>();
  for (const found of changed) {
    const folder = folderOf(found);
    newest.set(folder, Math.max(newest.get(folder) ?? 0, found.transcript.changed));
  }
  return changed.toSorted((a, b) => {
    const folders = [folderOf(a), folderOf(b)] as const;
    if (folders[0] === folders[1]) return a.transcript.changed - b.transcript.changed;
    return newest.get(folders[1])! - newest.get(folders[0])! || (folders[0] < folders[1] ? -1 : 1);
  });
}

function isWithin(path: string, places: readonly string[]): boolean {
  return places.some(
    (place) => place === EVERYWHERE || path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}\\`),
  );
}

function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
