// The open outlines: which document is current, which ones can be opened or created,
// and their journals. app/parts.ts opens this once; the outline tools use it.
import { existsSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { checkNewNames, readText } from "../files/files.ts";
import {
  type About,
  type FileStore,
  hasJournal,
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
import { documentsIn, openableIn, type Openable } from "./openable-documents.ts";
import type { OutlineDocument } from "./model.ts";
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
  /** The document the tools work on: the last one opened, otherwise the configured one. */
  readonly current: () => Promise<OutlineDocument>;
  /** The same without creating the embedded outline; undefined if there is no document. */
  readonly currentIfThere: () => Promise<OutlineDocument | undefined>;
  /** The same, except for a guide that nobody has changed, beside a vault of the person's own: its rows are not theirs. */
  readonly currentOfPerson: () => Promise<OutlineDocument | undefined>;
  /** Opens a document and makes it the current one. */
  readonly open: (sent: string) => Promise<OutlineDocument>;
  /** A document by the path that `open` takes, in that vault if one is given, without making it the current one. */
  readonly at: (sent: string, within?: FileStore) => Promise<OutlineDocument>;
  /** The outlines in the configured folders outside the vault, without notes. */
  readonly inFolders: (signal?: AbortSignal) => Promise<readonly Openable[]>;
  /** What `open` accepts. */
  readonly openable: (signal?: AbortSignal) => Promise<readonly (Openable & { readonly isCurrent: boolean })[]>;
  /** Creates an empty document, in the format that its extension names, and opens it. */
  readonly create: (
    about: Pick<About, "tool" | "signal" | "onWritten" | "isPreview">,
    sent: string,
  ) => Promise<OutlineDocument>;
  /** The journals of documents outside the vault (those inside use the vault's), and the application's last. */
  readonly journals: (reach: Reach) => Promise<readonly Undoing[]>;
  readonly close: () => Promise<void>;
}

interface Opening extends OutlineSettings {
  /** Whether `file` is the embedded outline, which is created on first use. A file that the user named never is. */
  readonly isEmbedded: boolean;
  /** Whether the vault is the embedded one too, so that the person tries out the guide. */
  readonly isVaultEmbedded?: boolean;
  readonly journalFolder: string;
  /** For the ids of rows in files that have none. */
  readonly idFolder: string;
  /** Where the choice of the current document is kept, if not by this object. */
  readonly choice?: KeptChoice;
  /** How many documents stay in memory: one of 100,000 rows takes more than 100 MB. 3 if it is left out. */
  readonly mostOpen?: number;
  /** The OmniOutliner application; undefined unless this is macOS. */
  readonly application?: (() => Promise<AppDocuments>) | undefined;
  readonly log: Log;
}

/** The choice of somebody who may be served by another process the next time. */
export interface KeptChoice {
  /** As `open` takes it; undefined if nothing was chosen. */
  readonly read: () => Promise<string | undefined>;
  readonly keep: (document: string) => Promise<void>;
}

const MOST_OPEN = 3;

const FORMATS: Readonly<Record<string, NewFormat>> = {
  ".opml": "opml",
  ".ooutline": "ooutline",
  ".md": "markdown",
  ".markdown": "markdown",
};

/** Whether it is a file of a vault that is not on the disk. */
async function isStored({ vault, path }: Location): Promise<boolean> {
  try {
    return vault !== undefined && (await vault.root.locate(path)).kind !== "absent";
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** Lazy: nothing is opened or created before it is needed. */
export function openOutlines(opening: Opening): Outlines {
  const { journalFolder, idFolder, log, choice, mostOpen = MOST_OPEN } = opening;
  let application: Promise<AppDocuments> | undefined;
  const theApplication = () => (application ??= opening.application?.());
  /** By real path, least recently used first. */
  const open = new Map<string, OutlineDocument>();
  /** Of documents outside the vault, by real path. */
  const stores = new Map<string, FileStore>();
  const closing = new Set<Promise<void>>();
  let chosen: Location | undefined;

  const storeOf = ({ real, vault }: Location): FileStore => {
    if (vault !== undefined) return vault;
    const store = stores.get(real) ?? openFolderStore(dirname(real), journalFolder, { log, subject: real });
    stores.set(real, store);
    return store;
  };

  const documentAt = (location: Location): OutlineDocument => {
    const { real, path } = location;
    const document = open.get(real) ?? openFileDocument({ ...storeOf(location), path, idFolder, log });
    open.delete(real);
    open.set(real, document);
    for (const [other, idle] of open) {
      if (open.size <= mostOpen) break;
      open.delete(other);
      const closed = idle.close().finally(() => closing.delete(closed));
      closing.add(closed);
    }
    return document;
  };

  const locateKept = async ({ read }: KeptChoice): Promise<Location | undefined> => {
    const kept = await read();
    return kept === undefined ? undefined : locateDocument(opening, kept).catch(unlessProblem);
  };

  const locateCurrent = async (): Promise<Location | undefined> => {
    if (choice !== undefined) return locateKept(choice);
    if (chosen === undefined) return locateConfigured(opening);
    const isThere = chosen.vault?.sidecars === undefined ? existsSync(chosen.real) : await isStored(chosen);
    return isThere ? chosen : undefined;
  };

  /** The document, accessed through the application while it is open there. */
  const throughApp = async (location: Location): Promise<OutlineDocument> => {
    const file = documentAt(location);
    const { real, named = real } = location;
    return (await theApplication())?.openOr([real, named], file) ?? file;
  };

  /** Undefined if the file is missing. */
  const currentFile = async (): Promise<OutlineDocument | undefined> => {
    const location = await locateCurrent();
    return location && throughApp(location);
  };

  const currentOrEmbedded = async (): Promise<OutlineDocument> => {
    if (chosen === undefined && opening.isEmbedded && opening.file !== undefined) makeEmbeddedOutline(opening.file);
    const missing = chosen?.real ?? opening.file;
    const document = await currentFile();
    if (document !== undefined) return document;
    if (choice !== undefined) throw nothingChosen();
    throw missing === undefined ? noApplication() : noDocument(missing);
  };

  /** The application's frontmost document, if it is configured or nothing else is; undefined if a file is. */
  const frontmost = async (file: () => Promise<OutlineDocument>): Promise<OutlineDocument | undefined> => {
    if (chosen !== undefined) return undefined;
    if (opening.file === undefined) return (await theApplication())?.frontmost;
    return opening.isEmbedded ? (await theApplication())?.frontmostOr(file) : undefined;
  };

  const choose = async (location: Location): Promise<OutlineDocument> => {
    if (choice === undefined) chosen = location;
    else await choice.keep(documentName(storeOf(location), location.path));
    return throughApp(location);
  };

  const currentIfThere = async (): Promise<OutlineDocument | undefined> => {
    const embedded = async () => (await currentFile()) ?? Promise.reject(notRunning());
    return (await frontmost(embedded)) ?? currentFile();
  };

  const isGuideAlone = (): boolean => {
    const { file, isEmbedded, isVaultEmbedded = false } = opening;
    if (chosen !== undefined || file === undefined || !isEmbedded || isVaultEmbedded || !existsSync(file)) return false;
    return isGuideOutline(readText(file, { followsLinks: true }));
  };

  return {
    currentIfThere,
    currentOfPerson: async () => {
      if (!isGuideAlone()) return currentIfThere();
      const inApp = await frontmost(() => Promise.reject(notRunning()));
      const isOpen = inApp?.read().then(
        () => true,
        () => false,
      );
      return (await isOpen) === true ? inApp : undefined;
    },
    current: async () => (await frontmost(currentOrEmbedded)) ?? currentOrEmbedded(),
    open: async (sent) => {
      const location = await locateDocument(opening, sent);
      // A document that cannot be read must not become the current one.
      await (await throughApp(location)).read();
      return choose(location);
    },
    at: async (sent, within) => throughApp(await locateDocument(opening, sent, within)),
    inFolders: async (signal) => {
      if (opening.folders.length === 0) return [];
      const folders = (await existingFolders(opening)).filter(({ kind }) => kind === "folder");
      const listed = await Promise.all(folders.map((folder) => documentsIn(folder, signal)));
      const found = listed.flat().filter(({ isNote }) => !isNote);
      const located = await Promise.all(
        found.map(async (each) => ({ each, at: await locationOf(opening, each.real) })),
      );
      return located.flatMap(({ each, at }) => (at.vault === undefined ? [each] : []));
    },
    openable: async (signal) => {
      const current = (await locateCurrent())?.real;
      const configured = await locateConfigured(opening);
      const found: Openable[] = configured === undefined ? [] : [openableOf(opening.file!, configured)];
      found.push(...(await openableIn(await existingFolders(opening), signal)));
      // The configured file may be in the vault, and the vault in a configured folder.
      const seen = new Set<string>();
      return found
        .filter(({ real }) => !seen.has(real) && seen.add(real))
        .map((each) => ({ ...each, isCurrent: each.real === current }));
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
    close: async () => {
      await Promise.all([...closing, ...[...open.values()].map((document) => document.close())]);
      for (const { journal } of stores.values()) await journal.close();
      await (await application)?.close();
    },
  };
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

function nothingChosen(): Problem {
  return new Problem(
    "no_document",
    "No outline is open, or the one that was is no longer there.",
    "open_document without a path lists those that can be opened; create_document makes a new one.",
  );
}

function unlessProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

function noApplication(): Problem {
  return new Problem(
    "app_not_running",
    "OmniOutliner cannot be used from here.",
    "Name a file with --outline FILE, or open one with open_document.",
  );
}
