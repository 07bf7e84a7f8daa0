// The entrance to this room: which document is the current one, which others
// may be opened or made, and the journals of all of them. app.ts opens
// it once; the tools ask it for everything.
import { existsSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { checkNewNames, openVaultRoot } from "../files/files.ts";
import { hasJournal, type Journal, openJournal, type Reach, type Undoing } from "../journal/journal.ts";
import { type Log, Problem } from "../kernel/kernel.ts";
import type { AppDocuments } from "./omnioutliner/documents.ts";
import { notRunning } from "./omnioutliner/problem.ts";
import { makeEmbeddedOutline } from "./embedded-outline.ts";
import { openFileDocument } from "./file/file-document.ts";
import { emptyDocument, type NewFormat } from "./formats/new-document.ts";
import { documentsIn, openableIn, type Openable } from "./openable-documents.ts";
import type { OutlineDocument } from "./model.ts";
import {
  locateConfigured,
  locateDocument,
  locateNew,
  locationOf,
  placesThere,
  type Location,
  type Places,
} from "./document-locations.ts";

export interface Outlines {
  /** The document that the tools work on: the last one opened, else the configured one. */
  readonly current: () => Promise<OutlineDocument>;
  /** The same, but nothing is made for it; undefined where there is none. */
  readonly currentIfThere: () => Promise<OutlineDocument | undefined>;
  /** Makes a document the current one. */
  readonly open: (sent: string) => Promise<OutlineDocument>;
  /** What `open` takes. */
  readonly openable: (signal?: AbortSignal) => Promise<readonly (Openable & { readonly isCurrent: boolean })[]>;
  /** Makes an empty document of the format that its name tells, and opens it. */
  readonly create: (
    about: { readonly tool: string; readonly signal?: AbortSignal },
    sent: string,
  ) => Promise<OutlineDocument>;
  /** Of the documents outside of the vault: inside, changes are in the vault's journal. The application's come last. */
  readonly journals: (reach: Reach) => Promise<readonly Undoing[]>;
  readonly close: () => Promise<void>;
}

interface Opening extends Places {
  /** The one that is made where it never was. A file that the user named never is. */
  readonly isEmbedded: boolean;
  /** Where journals are kept. */
  readonly journalFolder: string;
  /** Where the ids of rows are kept that their file has none of. */
  readonly idFolder: string;
  /** OmniOutliner itself; undefined where it cannot be, which is everywhere but on macOS. */
  readonly application?: (() => Promise<AppDocuments>) | undefined;
  readonly log: Log;
}

/** Documents that stay in memory: one of 100,000 rows takes more than 100 MB. */
const MOST_OPEN = 3;

const FORMATS: Readonly<Record<string, NewFormat>> = {
  ".opml": "opml",
  ".ooutline": "ooutline",
  ".md": "markdown",
  ".markdown": "markdown",
};

/** Nothing is opened or made before it is asked for. */
export function openOutlines(opening: Opening): Outlines {
  const { journalFolder, idFolder, log } = opening;
  let application: Promise<AppDocuments> | undefined;
  const theApplication = () => (application ??= opening.application?.());
  /** By real path; the one used last is at the end. */
  const open = new Map<string, OutlineDocument>();
  const journals = new Map<string, Journal>();
  const closing = new Set<Promise<void>>();
  let chosen: Location | undefined;

  const journalOf = ({ real, door }: Location): Journal => {
    if (door !== undefined) return door.journal;
    const journal =
      journals.get(real) ?? openJournal(journalFolder, openVaultRoot(dirname(real)), { log, subject: real });
    journals.set(real, journal);
    return journal;
  };

  const documentAt = (location: Location): OutlineDocument => {
    const { real, door, path } = location;
    const root = () => door?.root ?? openVaultRoot(dirname(real));
    const document =
      open.get(real) ?? openFileDocument({ root: root(), path, journal: journalOf(location), sidecars: idFolder, log });
    open.delete(real);
    open.set(real, document);
    for (const [other, idle] of open) {
      if (open.size <= MOST_OPEN) break;
      open.delete(other);
      const closed = idle.close().finally(() => closing.delete(closed));
      closing.add(closed);
    }
    return document;
  };

  const locateCurrent = async (): Promise<Location | undefined> => {
    if (chosen === undefined) return locateConfigured(opening);
    return existsSync(chosen.real) ? chosen : undefined;
  };

  /** A document, through the application while that has it open. */
  const throughApp = async (location: Location): Promise<OutlineDocument> => {
    const file = documentAt(location);
    const { real, named = real } = location;
    return (await theApplication())?.openOr([real, named], file) ?? file;
  };

  /** The file that is meant; undefined where it is missing. */
  const currentFile = async (): Promise<OutlineDocument | undefined> => {
    const location = await locateCurrent();
    return location && throughApp(location);
  };

  const made = async (): Promise<OutlineDocument> => {
    if (chosen === undefined && opening.isEmbedded && opening.file !== undefined) makeEmbeddedOutline(opening.file);
    const missing = chosen?.real ?? opening.file;
    const document = await currentFile();
    if (document !== undefined) return document;
    throw missing === undefined ? noApplication() : noDocument(missing);
  };

  /** The application's document in front, where that is meant or nothing else is; undefined where a file is. */
  const frontmost = async (file: () => Promise<OutlineDocument>): Promise<OutlineDocument | undefined> => {
    if (chosen !== undefined) return undefined;
    if (opening.file === undefined) return (await theApplication())?.frontmost;
    return opening.isEmbedded ? (await theApplication())?.frontmostOr(file) : undefined;
  };

  const choose = (location: Location): Promise<OutlineDocument> => {
    chosen = location;
    return throughApp(location);
  };

  return {
    currentIfThere: async () => {
      const embedded = async () => (await currentFile()) ?? Promise.reject(notRunning());
      return (await frontmost(embedded)) ?? currentFile();
    },
    current: async () => (await frontmost(made)) ?? made(),
    open: async (sent) => {
      const location = await locateDocument(opening, sent);
      // What cannot be read does not become the current document.
      await (await throughApp(location)).read();
      return choose(location);
    },
    openable: async (signal) => {
      const current = (await locateCurrent())?.real;
      const configured = await locateConfigured(opening);
      const found: Openable[] = configured === undefined ? [] : [openableOf(opening.file!, configured)];
      found.push(...(await openableIn(await placesThere(opening), signal)));
      // The configured file may lie in the vault, and the vault in a folder.
      const seen = new Set<string>();
      return found
        .filter(({ real }) => !seen.has(real) && seen.add(real))
        .map((each) => ({ ...each, isCurrent: each.real === current }));
    },
    create: async (about, sent) => {
      const format = FORMATS[extname(sent).toLowerCase()];
      if (format === undefined)
        throw new Problem("invalid", `The name of an outline ends in ${Object.keys(FORMATS).join(", ")}: ${sent}`);
      const location = await locateNew(opening, sent);
      if (location.door !== undefined) checkNewNames(location.door.root, location.path, sent);
      const bytes = emptyDocument(format, basename(location.path, extname(location.path)));
      await journalOf(location).change(about, () => ({
        message: `Created ${location.path}`,
        steps: [{ kind: "create", path: location.path, bytes }],
      }));
      return choose(location);
    },
    journals: async (reach) => {
      const here = await locateCurrent();
      if (here !== undefined && here.door === undefined) journalOf(here);
      if (reach === "all") {
        const folders = (await placesThere(opening)).filter(({ kind }) => kind === "folder");
        const changed = folders
          .flatMap((folder) => [...documentsIn(folder)])
          .filter(({ real }) => hasJournal(journalFolder, real));
        for (const { real } of changed) journalOf(await locationOf(opening, real));
      }
      const inApp = application === undefined ? [] : [(await application).journal];
      return [...journals.values(), ...inApp];
    },
    close: async () => {
      await Promise.all([...closing, ...[...open.values()].map((document) => document.close())]);
      for (const journal of journals.values()) await journal.close();
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
    "It may be renamed, or its disk not be mounted. Check the setting outline, or open another with open_document.",
  );
}

function noApplication(): Problem {
  return new Problem(
    "app_not_running",
    "OmniOutliner cannot be used from here.",
    "Name a file with --outline FILE, or open one with open_document.",
  );
}
