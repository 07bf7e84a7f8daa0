// Recall in the spaces of a shared store: their indexes on this machine find, and the texts
// of what is shown come from the store in one question, as the member who asks. Used by
// shared-conversations.ts.
import { type Log, Problem } from "../../kernel/kernel.ts";
import { type Row, Standing, type Store, conversationFeed } from "../../shared/shared.ts";
import {
  endUse,
  fedIndex,
  type FedIndex,
  type Feeding,
  keepFed,
  parseQuery,
  type SweepOptions,
} from "../../search/search.ts";
import { REDACTION } from "../../redaction/redaction.ts";
import { mended, ReadCache } from "../../sqlite/sqlite.ts";
import { groupsOf } from "../recall/groups.ts";
import { find } from "../recall/local-store.ts";
import { openingSnippet, snippetIn } from "../recall/page-snippet.ts";
import { filterOf, foldersAskedFor, type Question } from "../recall/question.ts";
import type { HourCount } from "../recall/recall.ts";
import type {
  AskedQuestion,
  Found,
  FoundConversation,
  RecallStore,
  ShownConversation,
  Wanted,
} from "../recall/recall-store.ts";
import { redactedSummary, type Redaction } from "../recall/summaries.ts";
import type { SourceName } from "../sources/source.ts";
import { type PageText, pageTextOf } from "../store/page-texts.ts";
import { foldersOfProjectNamed, type PlaceAt, similarNames } from "../store/projects.ts";
import { openSpaceIndex, removeOtherSpaces, type SpaceIndex, spaceIndexPath } from "./space-index.ts";
import { sharedSummaryIn } from "./shared-summaries.ts";

/** The machine that asks, as far as recall needs it. */
export interface ThisMachine {
  /** The conversations (`source/id`) that it has itself: each is shown once. */
  readonly names: () => ReadonlySet<string>;
  readonly placeAt: PlaceAt;
  /** True for a server, whose other members use the indexes, too. */
  readonly isServed: boolean;
}

/** How far the conversations of others were read, the newest first. */
export interface Reading {
  readonly done: number;
  readonly total: number;
  /** Those that were last updated then, or before, may be missing. In milliseconds. */
  readonly missingUntil: number;
}

/** The indexes of the spaces that the member is in now. Only an answer of the store gives them. */
export interface OpenSpaces {
  readonly indexes: readonly SpaceIndex[];
  /** Undefined if everything is read. */
  readonly reading: Reading | undefined;
}

export interface Spaces {
  /** Asks the store where the member is, and reads what has changed, for a short time. */
  readonly fresh: (options: SweepOptions) => Promise<OpenSpaces>;
  /** Answers again if an index is damaged. */
  readonly mending: <T>(work: () => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

interface Opening {
  readonly store: Store;
  readonly cache: string;
  readonly machine: ThisMachine;
  readonly log: Log;
}

interface Kept extends Feeding<Standing, true> {
  readonly own: FedIndex<SpaceIndex>;
}

export function openSpaces({ store, cache, machine, log }: Opening): Spaces {
  const { shown: address } = store.address;
  const opened = new Map<string, Kept>();
  const standings = () => Standing.ofConversations(store.call);
  let known = "";
  const keptFor = (standing: Standing): Kept => {
    const path = spaceIndexPath(cache, address, standing);
    const before = opened.get(path);
    if (before !== undefined) return before;
    const own = fedIndex(path, () => openSpaceIndex(path, log));
    const follow: Parameters<typeof keepFed<Standing, true>>[1]["follow"] = (to, isRestored, options) =>
      own.index.follow(conversationFeed(store, to, isRestored), options);
    const kept = { own, ...keepFed(own, { ...own.index, follow }) };
    opened.set(path, kept);
    return kept;
  };
  /** A member who is not in a space any more keeps nothing of it. */
  const leave = async (now: readonly Standing[]) => {
    const present = now.map(({ space }) => space).join(" ");
    if (present === known) return;
    known = present;
    const paths = new Set(now.map((standing) => spaceIndexPath(cache, address, standing)));
    for (const [path, { own, close }] of opened) {
      if (paths.has(path)) continue;
      opened.delete(path);
      await close();
      endUse(own);
    }
    if (!machine.isServed) removeOtherSpaces(cache, address, now);
  };
  return {
    fresh: async (options) => {
      const now = await standings();
      await leave(now);
      const spaces = await Promise.all(
        now.map(async (standing) => {
          const kept = keptFor(standing);
          const again = async () => (await standings()).find(({ space }) => space === standing.space) ?? gone();
          const { index } = kept.own;
          const { to, isReached } = await kept.freshen(standing, again, options);
          if (isReached) return { index, reading: undefined };
          // An index of another feed has nothing of this space.
          const isOurs = index.fed()?.identity === to.identity;
          const { done, total } = index.state();
          const reading = isOurs
            ? { done, total, missingUntil: index.missingUntil() }
            : { done: 0, total: 0, missingUntil: Date.now() };
          return { index: isOurs ? index : undefined, reading };
        }),
      );
      return {
        indexes: spaces.flatMap(({ index }) => index ?? []),
        reading: together(spaces.flatMap(({ reading }) => reading ?? [])),
      };
    },
    mending: (work) =>
      [...opened.values()].reduce<typeof work>(
        (inner, { own }) =>
          () =>
            mended(own.index, inner),
        work,
      )(),
    close: async () => {
      for (const { own, close } of opened.values()) {
        await close();
        endUse(own);
      }
      opened.clear();
    },
  };
}

function gone(): never {
  throw new Problem("denied", "You are no longer in this space of the shared store.");
}

function together(readings: readonly Reading[]): Reading | undefined {
  if (readings.length === 0) return undefined;
  const sum = (count: (reading: Reading) => number) => readings.reduce((before, one) => before + count(one), 0);
  return {
    done: sum(({ done }) => done),
    total: sum(({ total }) => total),
    missingUntil: Math.max(...readings.map(({ missingUntil }) => missingUntil)),
  };
}

/** The texts of pages, by the hash of their content: unpacking and folding one takes longer than cutting a snippet from it. */
type PageTexts = ReturnType<typeof pageTexts>;

export function pageTexts() {
  let given: ReadonlyMap<string, Row> = new Map();
  const cache = new ReadCache<string, Row, PageText>(
    { version: () => "" },
    {
      read: (hashes: readonly string[]) => hashes.map((hash) => [hash, given.get(hash)!]),
      make: ({ parts, redaction }) => pageTextOf(parts, Number(redaction) === REDACTION),
      sizeOf: ({ text }) => text.length,
      most: MAX_TEXT,
    },
  );
  return (pages: readonly Row[]) => {
    given = new Map(pages.map((page) => [`${String(page["content"])} ${String(page["redaction"])}`, page]));
    const texts = cache.of([...given.keys()]);
    return new Map([...given].map(([hash, { conversation }]) => [Number(conversation), texts.get(hash)!]));
  };
}

/** Characters, of all texts that are kept. */
const MAX_TEXT = 3_000_000;

interface Shown {
  readonly store: Store;
  readonly redact: Redaction;
  readonly texts: PageTexts;
}

/** One for each index. A conversation that is in several spaces, or on this machine as well, is found once. */
export function recallStores({ indexes }: OpenSpaces, machine: ThisMachine, shown: Shown): RecallStore[] {
  const isNew = newConversations(machine);
  return indexes.map((index) => ({
    find: (asked) => findIn(index, asked, machine, isNew),
    show: (found, wanted) => show(index, found, wanted, shown),
    groups: (rows, by) => groupsOf({ database: index.database, redact: shown.redact }, rows, by),
  }));
}

/** Of conversations, in turn, those that were not seen before and are not on this machine. */
function newConversations({ names }: ThisMachine): (name: string) => boolean {
  const own = names();
  const seen = new Set<string>();
  return (name) => !own.has(name) && !seen.has(name) && seen.add(name) !== undefined;
}

const NOTHING: Found = { conversations: [], total: 0, words: [] };

function findIn(
  index: SpaceIndex,
  asked: AskedQuestion,
  { placeAt }: ThisMachine,
  isNew: ReturnType<typeof newConversations>,
): Found {
  // Rows are those of this machine's store.
  if (asked.question.rows !== undefined) return NOTHING;
  const { conversations, total, ...found } = find(index, asked, placeAt);
  const others = conversations.filter(({ name }) => isNew(name));
  return { ...found, conversations: others, total: total - (conversations.length - others.length) };
}

async function show(
  { database }: SpaceIndex,
  found: readonly FoundConversation[],
  wanted: Wanted,
  { store, redact, texts }: Shown,
): Promise<(ShownConversation | undefined)[]> {
  const withPage = found.filter(({ page }) => page !== undefined);
  const numbers = new Map(
    database
      .all(
        "SELECT conversation, unit FROM page WHERE id IN (SELECT value FROM json_each(?))",
        JSON.stringify(withPage.map(({ page }) => page)),
      )
      .map(({ conversation, unit }) => [Number(conversation), Number(unit)]),
  );
  const [[row], pages] = await store.reading((sql) =>
    Promise.all([
      sql`SELECT commonplace.found_summaries(${found.map((one) => one.row)}) AS summaries`,
      numbers.size === 0
        ? []
        : sql.run("SELECT conversation, content, redaction, parts FROM commonplace.found_pages($1, $2)", [
            [...numbers.keys()],
            [...numbers.values()],
          ]),
    ]),
  );
  const summaries = new Map((row!["summaries"] as readonly Row[]).map((one) => [Number(one["id"]), one]));
  const contents = texts(pages);
  return found.map((one) => {
    const stored = summaries.get(one.row);
    // It was unshared just now.
    if (stored === undefined) return undefined;
    // Texts that this release has redacted before they were pushed need no second look.
    const isClean = Number(stored["redaction"]) === REDACTION;
    const summary = isClean ? sharedSummaryIn(stored) : redactedSummary(sharedSummaryIn(stored), redact);
    const content = contents.get(one.row);
    const snippet = content === undefined ? undefined : snippetIn(content, wanted, redact);
    return { summary, ...(snippet ?? { snippet: openingSnippet(summary), message: undefined, kind: undefined }) };
  });
}

const HOUR = 60 * 60 * 1000;

function hourOf(row: Row): number {
  return Math.floor(Number(row["updated"]) / HOUR) * HOUR;
}

/** How many conversations of each source were last updated in each hour, without those of this machine. */
export function countSharedPerHour({ indexes }: OpenSpaces, question: Question, machine: ThisMachine): HourCount[] {
  const isNew = newConversations(machine);
  const counted = indexes.flatMap(({ database }) => {
    const folders = foldersAskedFor(database, question, machine.placeAt);
    const { condition, values } = filterOf(database, question, parseQuery(question.query ?? ""), folders);
    const rows = database.all(`SELECT source, key, updated FROM conversation WHERE ${condition}`, ...values);
    return rows.filter(({ source, key }) => isNew(`${String(source)}/${String(key)}`));
  });
  return [...Map.groupBy(counted, (row) => `${hourOf(row)} ${String(row["source"])}`).values()].map((same) => ({
    hour: hourOf(same[0]!),
    source: same[0]!["source"] as SourceName,
    count: same.length,
  }));
}

/** Returns whether there is a project of this name, and similar names if there is none. */
export function sharedProject({ indexes }: OpenSpaces, name: string, { placeAt }: ThisMachine) {
  const isThere = indexes.some(({ database }) => foldersOfProjectNamed(database, name, placeAt).length > 0);
  return {
    isThere,
    similar: isThere ? [] : [...new Set(indexes.flatMap(({ database }) => similarNames(database, name)))],
  };
}
