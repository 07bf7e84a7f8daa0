// The open outlines: which document is current, which ones can be opened or created,
// and their journals. app/parts.ts opens this once; every call gets the view of its client.
import { existsSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { checkNewNames, readText } from "../files/files.ts";
import {
  type About,
  accept,
  type FileStore,
  hasJournal,
  type JournalOptions,
  openFolderStore,
  type Reach,
  type Undoing,
} from "../journal/journal.ts";
import { type Log, Problem } from "../kernel/kernel.ts";
import type { AppDocuments } from "./omnioutliner/documents.ts";
import { notRunning } from "./omnioutliner/problem.ts";
import { isGuideOutline, makeEmbeddedOutline } from "./embedded-outline.ts";
import { documentName } from "./file/document-name.ts";
import { openFileDocument } from "./file/file-document.ts";
import { emptyDocument, type NewFormat } from "./formats/new-document.ts";
import { gone, isMissing, realPathOf } from "./missing-outline.ts";
import { documentsIn, isOutline, openableIn, type Openable } from "./openable-documents.ts";
import type { OutlineDocument } from "./model.ts";
import { isCalled, locateByName } from "./document-by-name.ts";
import {
  locateConfigured,
  locateDocument,
  locateNew,
  locationOf,
  existingFolders,
  type Location,
  type OutlineSettings,
} from "./document-locations.ts";

export interface Outlines {
  /**
   * The outlines as one client sees them, who may name the document of this call. What one client opens changes nothing
   * for another.
   * @param opened undefined: the client keeps nothing between calls, and its current document is the configured one
   */
  readonly forClient: (opened: OpenedOutline | undefined, named?: string) => Outlines;
  /** The document the tools work on: the one that the call names, the last one that this client opened, or the configured one. */
  readonly current: () => Promise<OutlineDocument>;
  /** The same without creating the embedded outline; undefined if there is no document. */
  readonly currentIfThere: () => Promise<OutlineDocument | undefined>;
  /** The same, except for a guide that nobody has changed, beside a vault of the person's own: its rows are not theirs. */
  readonly currentOfPerson: () => Promise<OutlineDocument | undefined>;
  /** True if `open` makes a document the current one of later calls. */
  readonly keepsOpened: boolean;
  /** Opens a document and makes it the current one, for a client that keeps one. */
  readonly open: (sent: string) => Promise<OutlineDocument>;
  /** The name of the document that this call worked on, unless it is simply the configured one. */
  readonly meant: () => string | undefined;
  /** The files that were worked on last, by any client. */
  readonly inUse: () => readonly OutlineDocument[];
  /** A document by the path that `open` takes, in that vault if one is given, without making it the current one. */
  readonly at: (sent: string, within?: FileStore) => Promise<OutlineDocument>;
  /** The outlines in the configured folders outside the vault: of files in Markdown those that have a list. */
  readonly inFolders: (signal?: AbortSignal) => Promise<readonly Openable[]>;
  /** Lists the documents that `open` accepts. */
  readonly openable: (
    signal?: AbortSignal,
  ) => Promise<readonly (Openable & { readonly isCurrent: boolean; readonly isVaultNote: boolean })[]>;
  /** Creates an empty document, in the format that its extension names, and opens it. */
  readonly create: (
    about: Pick<About, "tool" | "signal" | "onWritten" | "isPreview">,
    sent: string,
  ) => Promise<OutlineDocument>;
  /** The journals of documents outside the vault (those inside use the vault's), and the application's last. */
  readonly journals: (reach: Reach) => Promise<readonly Undoing[]>;
  /** If the configured document was there and is not: remembers that a person said that it is gone on purpose. */
  readonly missing: () => Promise<(() => Promise<void>) | undefined>;
  readonly close: () => Promise<void>;
}

interface Opening extends OutlineSettings {
  /** True if `file` is the embedded outline, which is created on first use. A file that the user named never is. */
  readonly isEmbedded: boolean;
  /** True if the vault is the embedded one too, so that the person tries out the guide. */
  readonly isVaultEmbedded?: boolean;
  readonly journalFolder: string;
  /** For the ids of rows in files that have none. */
  readonly idFolder: string;
  /** True if no outline is ever configured here: each client opens one or names it. */
  readonly hasNone?: boolean;
  /** How many documents stay in memory: one of 100,000 rows takes more than 100 MB. 3 if it is left out. */
  readonly mostOpen?: number;
  /** The OmniOutliner application; undefined unless this is macOS. */
  readonly application?: (() => Promise<AppDocuments>) | undefined;
  readonly log: Log;
  /** Frees some of the disk that a folder is on. */
  readonly makeRoom?: JournalOptions["makeRoom"];
}

/** The document that one stdio process or HTTP session has opened. */
export interface OpenedOutline {
  /** Its path, as results name it; undefined if none was opened. */
  readonly read: () => Promise<string | undefined>;
  readonly keep: (path: string) => Promise<void>;
}

const MAX_OPEN = 3;
/** Enough for all that open pages show. */
const MAX_REMEMBERED = 32;

const FORMATS: Readonly<Record<string, NewFormat>> = {
  ".opml": "opml",
  ".ooutline": "ooutline",
  ".md": "markdown",
  ".markdown": "markdown",
};

/** Lazy: nothing is opened or created before it is needed. */
export function openOutlines(opening: Opening): Outlines {
  const { journalFolder, idFolder, log, mostOpen = MAX_OPEN } = opening;
  let application: Promise<AppDocuments> | undefined;
  const theApplication = () => (application ??= opening.application?.());
  /** By real path, least recently used first. */
  const open = new Map<string, OutlineDocument>();
  /** The same, with those that were closed to make room. */
  const used = new Map<string, OutlineDocument>();
  /** Of documents outside the vault, by real path. */
  const stores = new Map<string, FileStore>();
  const closing = new Set<Promise<void>>();

  const configured = () => (opening.isEmbedded ? undefined : realPathOf(opening.file));
  const storeOf = ({ real, vault }: Location): FileStore => {
    if (vault !== undefined) return vault;
    const check = () => {
      if (real === configured() && isMissing(real, opening)) throw gone(real);
    };
    const store =
      stores.get(real) ??
      openFolderStore(dirname(real), journalFolder, { log, subject: real, makeRoom: opening.makeRoom }, check);
    stores.set(real, store);
    return store;
  };

  const documentAt = (location: Location): OutlineDocument => {
    const { real, path } = location;
    const document = open.get(real) ?? openFileDocument({ ...storeOf(location), path, idFolder, log });
    putLast(used, real, document);
    for (const other of used.keys()) if (used.size > MAX_REMEMBERED) used.delete(other);
    putLast(open, real, document);
    for (const [other, idle] of open) {
      if (open.size <= mostOpen) break;
      open.delete(other);
      const closed = idle.close().finally(() => closing.delete(closed));
      closing.add(closed);
    }
    return document;
  };

  /** The document, accessed through the application while it is open there. */
  const throughApp = async (location: Location): Promise<OutlineDocument> => {
    const file = documentAt(location);
    const { real, named = real } = location;
    return (await theApplication())?.openOr([real, named], file) ?? file;
  };

  const pathOf = (location: Location) => documentName(storeOf(location), location.path);

  const configuredOrEmbedded = async (): Promise<OutlineDocument> => {
    if (opening.isEmbedded && opening.file !== undefined) makeEmbeddedOutline(opening.file);
    const configured = await locateConfigured(opening);
    if (configured !== undefined) return throughApp(configured);
    if (opening.hasNone === true) throw nothingOpen();
    throw opening.file === undefined ? noApplication() : noDocument(opening.file);
  };

  /** The application's frontmost document, if it is configured or nothing else is; undefined if a file is. */
  const frontmost = async (file: () => Promise<OutlineDocument>): Promise<OutlineDocument | undefined> => {
    if (opening.file === undefined) return (await theApplication())?.frontmost;
    return opening.isEmbedded ? (await theApplication())?.frontmostOr(file) : undefined;
  };

  const isGuideAlone = (): boolean => {
    const { file, isEmbedded, isVaultEmbedded = false } = opening;
    if (file === undefined || !isEmbedded || isVaultEmbedded || !existsSync(file)) return false;
    return isGuideOutline(readText(file, { followsLinks: true }));
  };

  /** The same for every client. */
  const shared: Pick<Outlines, "inUse" | "at" | "inFolders" | "missing" | "close"> = {
    inUse: () => [...used.values()],
    at: async (sent, within) => throughApp(await locateDocument(opening, sent, within)),
    inFolders: async (signal) => {
      if (opening.folders.length === 0) return [];
      const folders = (await existingFolders(opening)).filter(({ kind }) => kind === "folder");
      const found: Openable[] = [];
      for (const folder of folders)
        for (const document of await documentsIn(folder, signal))
          if (await isOutline(folder, document)) found.push(document);
      const located = await Promise.all(
        found.map(async (each) => ({ each, at: await locationOf(opening, each.real) })),
      );
      return located.flatMap(({ each, at }) => (at.vault === undefined ? [each] : []));
    },
    missing: async () => {
      const real = configured();
      if (real === undefined || !isMissing(real, opening)) return undefined;
      return async () => accept(journalFolder, real);
    },
    close: async () => {
      await Promise.all([...closing, ...[...open.values()].map((document) => document.close())]);
      for (const { journal } of stores.values()) await journal.close();
      await (await application)?.close();
    },
  };

  const forClient = (opened: OpenedOutline | undefined, named = ""): Outlines => {
    let meant: string | undefined;

    /** The document that the client opened last; without a location if it is no longer there. */
    const lastOpened = async (): Promise<{ readonly path: string; readonly location?: Location } | undefined> => {
      const path = await opened?.read();
      if (path === undefined) return undefined;
      // The configured file may be a link to a place that is not open otherwise.
      const configured = await locateConfigured(opening);
      const isConfigured = configured !== undefined && pathOf(configured) === path;
      const location = isConfigured ? configured : await locateDocument(opening, path).catch(unlessProblem);
      return { path, ...(location !== undefined && { location }) };
    };

    const locateCurrent = async (): Promise<Location | undefined> => {
      const last = await lastOpened();
      return last === undefined ? locateConfigured(opening) : last.location;
    };

    const unnamed = async (): Promise<OutlineDocument> => {
      const last = await lastOpened();
      if (last === undefined) return (await frontmost(configuredOrEmbedded)) ?? configuredOrEmbedded();
      if (last.location === undefined) throw noDocument(last.path);
      return noting(await throughApp(last.location));
    };

    const currentFile = async () => {
      const location = await locateCurrent();
      return location && throughApp(location);
    };

    const currentIfThere = async (): Promise<OutlineDocument | undefined> => {
      if ((await opened?.read()) !== undefined) return currentFile();
      const orThrow = async () => (await currentFile()) ?? Promise.reject(notRunning());
      return (await frontmost(orThrow)) ?? currentFile();
    };

    const locateCalled = async (sent: string): Promise<Location> => {
      const near = [await locateCurrent(), await locateConfigured(opening)];
      const found = near.find((location) => location !== undefined && isCalled(location, pathOf(location), sent));
      return found ?? locateByName(opening, sent);
    };

    const calledFile = async () => throughApp(await locateCalled(named));

    const called = async (): Promise<OutlineDocument> =>
      (await theApplication())?.called(named, calledFile) ?? calledFile();

    /** Remembers which document a call worked on. */
    const noting = (document: OutlineDocument): OutlineDocument => ({
      ...document,
      read: async (signal) => {
        const outline = await document.read(signal);
        meant = outline.name;
        return outline;
      },
      change: async (about, plan) => {
        const changed = await document.change(about, plan);
        meant = changed.outline.name;
        return changed;
      },
    });

    const choose = async (location: Location): Promise<OutlineDocument> => {
      await opened?.keep(pathOf(location));
      return throughApp(location);
    };

    return {
      forClient,
      meant: () => meant,
      keepsOpened: opened !== undefined,
      ...shared,
      currentIfThere,
      currentOfPerson: async () => {
        if ((await opened?.read()) !== undefined || !isGuideAlone()) return currentIfThere();
        const inApp = await frontmost(() => Promise.reject(notRunning()));
        const isOpen = inApp?.read().then(
          () => true,
          () => false,
        );
        return (await isOpen) === true ? inApp : undefined;
      },
      current: async () => (named === "" ? unnamed() : noting(await called())),
      open: async (sent) => {
        const location = await locateDocument(opening, sent).catch(async (error: unknown) => {
          const isUnknown = error instanceof Problem && error.code === "no_document";
          const byName = isUnknown ? await locateCalled(sent).catch(unlessUnknown) : undefined;
          if (byName === undefined) throw error;
          return byName;
        });
        // A document that cannot be read must not become the current one.
        await (await throughApp(location)).read();
        return choose(location);
      },
      openable: async (signal) => {
        const current = (await locateCurrent())?.real;
        const configured = await locateConfigured(opening);
        const found: Openable[] = configured === undefined ? [] : [openableOf(opening.file!, configured)];
        found.push(...(await openableIn(await existingFolders(opening), signal)));
        // The configured file may be in the vault, and the vault in a configured folder.
        const seen = new Set<string>();
        const once = found.filter(({ real }) => !seen.has(real) && seen.add(real));
        const listed: (Openable & { readonly isCurrent: boolean; readonly isVaultNote: boolean })[] = [];
        for (const { isNote = false, ...each } of once) {
          const isVaultNote = isNote && (await locationOf(opening, each.real)).vault !== undefined;
          listed.push({ ...each, isCurrent: each.real === current, isVaultNote });
        }
        return listed.toSorted((a, b) => Number(a.isVaultNote) - Number(b.isVaultNote));
      },
      create: async (about, sent) => {
        const format = FORMATS[extname(sent).toLowerCase()];
        if (format === undefined)
          throw new Problem(
            "invalid",
            `The name of an outline ends in ${Object.keys(FORMATS).join(", ")}: ${sent}`,
            `For example: create_document ${JSON.stringify({ path: `${sent.slice(0, sent.length - extname(sent).length) || "Outline"}.opml` })}`,
          );
        const location = await locateNew(opening, sent);
        if (location.vault !== undefined) await checkNewNames(location.vault.root, location.path, sent);
        const bytes = emptyDocument(format, basename(location.path, extname(location.path)));
        await storeOf(location).journal.change(about, () => ({
          message: `Created ${location.path}`,
          steps: [{ kind: "create", path: location.path, bytes }],
        }));
        return choose(location);
      },
      journals: async (reach) => {
        const here = await locateCurrent();
        if (here !== undefined && here.vault === undefined) storeOf(here);
        if (reach === "all") {
          const folders = (await existingFolders(opening)).filter(({ kind }) => kind === "folder");
          const listed = await Promise.all(folders.map((folder) => documentsIn(folder)));
          const changed = listed.flat().filter(({ real }) => hasJournal(journalFolder, real));
          for (const { real } of changed) storeOf(await locationOf(opening, real));
        }
        const inApp = application === undefined ? [] : [(await application).journal];
        return [...[...stores.values()].map(({ journal }) => journal), ...inApp];
      },
    };
  };
  return forClient(undefined);
}

/** As the last one, which is dropped last. */
function putLast<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

function openableOf(path: string, { real }: Location): Openable {
  return { path, real, name: basename(path) };
}

function noDocument(path: string): Problem {
  return new Problem(
    "no_document",
    `The outline ${basename(path)} is missing.`,
    "It may have been renamed, or its drive may not be mounted. Check the setting outline, or open another with open_document.",
  );
}

function nothingOpen(): Problem {
  return new Problem(
    "no_document",
    "No outline is open, or the one that was is no longer there.",
    "open_document without a path lists those that there are, documentName names one in a call, and create_document makes a new one.",
  );
}

function unlessProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== "no_document") throw error;
}

function noApplication(): Problem {
  return new Problem(
    "app_not_running",
    "OmniOutliner cannot be used from here.",
    "Name a file with --outline FILE, or open one with open_document.",
  );
}
