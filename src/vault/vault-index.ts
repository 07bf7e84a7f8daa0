// Search over the notes of a vault: keeps the index fresh, asks it, and cuts
// the passages that match out of the files. Used by the search tools and the
// commands `search` and `index`.
import { type Log, Problem, type Turns } from "../kernel/kernel.ts";
import { parseFolderPath, type VaultPath } from "../files/files.ts";
import {
  type Freshness,
  type Hit,
  keepFresh,
  nameOfDocument,
  parseQuery,
  type SearchOptions,
  type Snippet,
  snippetOf,
  type SweepOptions,
  termsOf,
} from "../search/search.ts";
import { noteIndexFile, openNoteIndex, type NoteIndex } from "./note-index/note-index.ts";
import type { Swept, Unread } from "./note-index/sweep.ts";
import { type Changed, outermost } from "../journal/journal.ts";
import { canvasText, frontmatterRange, readNoteText } from "../markdown/markdown.ts";
import type { Vault } from "./vault.ts";

/** Where the words were found: keyword in the text, fuzzy in the name, combined in both. */
export type SearchMethod = "keyword" | "fuzzy" | "combined";

export interface VaultHit extends Pick<Hit, "kind" | "score"> {
  readonly path: string;
  readonly method: SearchMethod;
  /** The first heading of level 1, or the name of the file. */
  readonly title: string;
  readonly snippet: Pick<Snippet, "text" | "highlights">;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  readonly mtime: number;
}

export interface VaultAnswer extends Freshness {
  readonly hits: readonly VaultHit[];
  /** All hits, not only those within the limit. */
  readonly total: number;
  /** Files that are there and could not be read: they are found as they were before, or by name. */
  readonly unread: readonly Unread[];
}

type OnProgress = NonNullable<SweepOptions["onProgress"]>;

export interface VaultSearch extends SearchOptions {
  /** In characters. */
  readonly snippetLength?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how far the first indexing of the vault is, where the search has to wait for it. */
  readonly onProgress?: OnProgress | undefined;
}

export interface Refreshing extends SweepOptions {
  readonly rebuild?: boolean | undefined;
}

export interface VaultIndex {
  readonly search: (text: string, options: VaultSearch) => Promise<VaultAnswer>;
  /** Waits until everything that was in the vault when it was asked is in the index. Undefined: another process saw to it. */
  readonly refresh: (options?: Refreshing) => Promise<Swept | undefined>;
  /** Asks the index itself (links, tags …), fresh as for a search. */
  readonly ask: <T>(question: (index: NoteIndex) => T) => Promise<Freshness & { readonly answer: T }>;
  /** The files whose names are most like this one, as the index last saw them; none where there is no index. */
  readonly namedLike: (name: string) => readonly string[];
  /** Another text after every change that the index has taken in, whichever process did. */
  readonly stamp: () => string;
  /**
   * The files that hold a link of one of these names (see `affectedNames`), and those at or below a path that
   * hold any link, after a look at every file. Undefined where there is no index that knows them all: then they
   * have to be read.
   */
  readonly filesLinking: (
    names: Iterable<string>,
    path: string,
    turns: Turns,
  ) => Promise<ReadonlySet<string> | undefined>;
  /** Takes in what this process wrote, moved or deleted. Never fails: the next search looks again. */
  readonly noteWritten: (changed: Changed) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Opening {
  /** The folder for what can be thrown away. */
  readonly cache: string;
  readonly log: Log;
}

const SNIPPET_LENGTH = 200;
/** Names that are asked for in one statement. */
const NAMES_AT_ONCE = 2000;

/** Nothing is opened or made before the first use. */
export function openVaultIndex({ root }: Pick<Vault, "root">, { cache, log }: Opening): VaultIndex {
  const index = openNoteIndex({ file: noteIndexFile(cache, root.folder), log });
  const { freshen, sweepSince, mending, tracked, outdated, close } = keepFresh({
    state: index.state,
    sweep: (options) => index.sweep(root, options),
    recover: index.recover,
  });

  /** Changes that the index has not taken in, oldest first. */
  const written: Changed[] = [];
  let takingIn: Promise<void> | undefined;
  /** All changes that have come together in one sweep; folders are moved before it, in their order. */
  const takeIn = async () => {
    while (written.length > 0) {
      const paths: string[] = [];
      try {
        for (let next = written.shift(); next !== undefined; next = written.shift()) {
          paths.push(...next.paths);
          for (const folder of next.folders) await index.relocate(folder);
        }
        await index.refresh(root, outermost(paths));
      } catch {
        outdated();
      }
    }
  };

  const ask: VaultIndex["ask"] = (question) =>
    mending(async () => {
      const freshness = await freshen();
      return { ...freshness, answer: question(index) };
    });

  return {
    ask,
    search: async (text, { snippetLength = SNIPPET_LENGTH, signal, onProgress, ...options }) => {
      const query = parseQuery(text);
      const scope = { ...options, paths: options.paths?.flatMap(namesOf) };
      return mending(async () => {
        const freshness = await freshen({ signal, onProgress });
        const found = index.search(query, scope);
        const shown = { phrases: query.phrases, words: [...query.words, ...found.words], hasForms: true };
        const hits = found.hits.flatMap((hit) => present(root, hit, shown, snippetLength) ?? []);
        const gone = found.hits.length - hits.length;
        return { ...freshness, hits, total: found.total - gone, unread: index.unread() };
      });
    },
    refresh: async ({ rebuild = false, ...options } = {}) => {
      const time = Date.now();
      const work = async () => {
        if (rebuild) await index.clear();
        return sweepSince(time, options);
      };
      return tracked(mending(work));
    },
    namedLike: (name) => {
      try {
        return index.exists() ? index.namedLike(name) : [];
      } catch {
        // The index is a help, and never in the way.
        return [];
      }
    },
    stamp: () => index.stamp(),
    filesLinking: async (names, path, turns) => {
      try {
        if (!index.exists() || index.state().swept === 0) return undefined;
        await sweepSince(Date.now(), {});
        const found = new Set(index.notesWithLinks(path));
        const asked = new Set<string>();
        const ask = () => {
          for (const linking of index.notesWithLinkNames(asked)) found.add(linking);
          asked.clear();
        };
        for (const name of names) {
          if (asked.add(name).size >= NAMES_AT_ONCE) ask();
          if (turns.isOver()) await turns.next();
        }
        ask();
        return found;
      } catch {
        // The index is a help, and never in the way.
        return undefined;
      }
    },
    noteWritten: async (changed) => {
      // Without an index there is nothing to keep up to date: the first search takes everything in.
      if (changed.paths.length === 0 || !index.exists()) return;
      written.push(changed);
      takingIn ??= tracked(takeIn()).finally(() => (takingIn = undefined));
      await takingIn;
    },
    close: async () => {
      await close();
      index.close();
    },
  };
}

/** A path as it was sent, as the index may have it: a folder, or a note with or without its extension. */
function namesOf(sent: string): string[] {
  const path = parseFolderPath(sent);
  return path === "" ? [path] : [path, `${path}.md`];
}

/** A hit with what is shown of it; undefined where its file is gone. */
function present(
  root: Vault["root"],
  { path, kind, score, mtime, title, properties }: Hit,
  query: Parameters<typeof snippetOf>[1],
  length: number,
): VaultHit | undefined {
  const shown = { path, kind, title: title ?? nameOfDocument(path), properties, score, mtime: Math.round(mtime) };
  try {
    const content = root.read(path as VaultPath);
    if (content === undefined) return undefined;
    const source = readNoteText(content.bytes).text;
    const { text, highlights } = passageOf(kind === "canvas" ? canvasText(source) : source, query, length);
    return { ...shown, method: methodOf(path, query.words, highlights.length > 0), snippet: { text, highlights } };
  } catch (error) {
    // It is there, and cannot be read: found by what was known of it.
    if (error instanceof Problem) return { ...shown, method: "keyword", snippet: { text: "", highlights: [] } };
    throw error;
  }
}

function methodOf(path: string, words: readonly string[], isInText: boolean): SearchMethod {
  const isAsked = (part: string) => words.some((word) => part.startsWith(word));
  if (words.length > 0 && !isInText) return "fuzzy";
  return termsOf(nameOfDocument(path)).some(isAsked) ? "combined" : "keyword";
}

/** Of the text below the frontmatter, unless only a property matches. */
function passageOf(text: string, query: Parameters<typeof snippetOf>[1], length: number): Snippet {
  const body = snippetOf(text.slice(frontmatterRange(text)?.end ?? 0), query, length);
  if (body.highlights.length > 0) return body;
  const whole = snippetOf(text, query, length);
  return whole.highlights.length > 0 ? whole : body;
}
