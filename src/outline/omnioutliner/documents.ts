// The application's documents, one process to ask for all of them, and the
// choice between a document there and the same document as a file. Opened by
// app.ts on macOS; used by the entrance to outlines.
import type { Undoing } from "../../journal/journal.ts";
import type { Log } from "../../kernel/kernel.ts";
import type { OutlineDocument } from "../model.ts";
import { openAppDocument } from "./document.ts";
import { openAppJournal } from "./journal.ts";
import { AppProblem, NotOpenInApp, NotInstalled } from "./problem.ts";
import type { Way } from "./protocol.ts";
import { openOmniOutliner, type OmniOutliner } from "./process.ts";

export interface AppDocuments {
  /** The document in front, whichever that is at each call. */
  readonly frontmost: OutlineDocument;
  /** The document in front where there is one; else the file. For whoever has chosen neither. */
  readonly frontmostOr: (file: () => Promise<OutlineDocument>) => OutlineDocument;
  /**
   * The file, through the application while that has it open: nothing is ever
   * written under an open document.
   */
  readonly openOr: (paths: readonly string[], file: OutlineDocument) => OutlineDocument;
  readonly journal: Undoing;
  readonly close: () => Promise<void>;
}

/** Formats that the application opens: of others it is never asked. */
const OPENED_BY_APP = /\.(?:ooutline|oo3|opml)$/i;

export function openAppDocuments(log: Log, application: OmniOutliner = openOmniOutliner()): AppDocuments {
  const journal = openAppJournal();
  const known: { way?: Way } = {};
  const open = (paths: readonly string[] | null) => openAppDocument({ application, journal, paths, known });
  const frontmost = open(null);
  const byPath = new Map<string, OutlineDocument>();
  let isInstalled = true;
  const logged = new Set<string>();
  const hear = (problem: AppProblem) => {
    if (problem instanceof NotInstalled) isInstalled = false;
    if (problem instanceof NotOpenInApp || logged.has(problem.code)) return;
    log(`${problem.message} ${problem.hint}`);
    logged.add(problem.code);
  };

  /** What the application has open is there, everything else in the file. Asked anew at each call: documents are opened and closed. */
  const either = (
    inApp: OutlineDocument,
    file: () => Promise<OutlineDocument>,
    mayBeWritten: (problem: AppProblem) => boolean,
  ): OutlineDocument => {
    let last: OutlineDocument | undefined;
    const served = async <T>(
      by: (document: OutlineDocument) => Promise<T>,
      mayBeFile: (problem: AppProblem) => boolean,
    ): Promise<T> => {
      if (isInstalled) {
        try {
          const result = await by(inApp);
          last = inApp;
          return result;
        } catch (error) {
          if (!(error instanceof AppProblem) || !(error instanceof NotOpenInApp || mayBeFile(error))) throw error;
          hear(error);
        }
      }
      last = await file();
      return by(last);
    };
    return {
      read: (signal) => served((document) => document.read(signal), isUnaskable),
      change: (about, plan) => served((document) => document.change(about, plan), mayBeWritten),
      canUndo: async () => (last ?? (await file())).canUndo(),
      canRedo: async () => (last ?? (await file())).canRedo(),
      close: async () => {
        await inApp.close();
        await last?.close();
      },
    };
  };

  return {
    frontmost,
    frontmostOr: (file) => either(frontmost, file, isUnaskable),
    openOr: (paths, file) => {
      if (!paths.some((path) => OPENED_BY_APP.test(path))) return file;
      const key = paths.join("\0");
      const inApp = byPath.get(key) ?? open(paths);
      byPath.set(key, inApp);
      return either(
        inApp,
        async () => file,
        () => false,
      );
    },
    journal,
    close: application.close,
  };
}

/** It may not be asked at all, neither for this document nor for any other. */
function isUnaskable({ code }: AppProblem): boolean {
  return code === "denied" || code === "pro_required";
}
