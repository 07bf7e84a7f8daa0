// The documents of the application, and the choice between a document that is open
// there and the same document as a file. Opened by app/parts.ts on macOS; used by
// outlines.ts.
import type { Undoing } from "../../journal/journal.ts";
import type { Log } from "../../kernel/kernel.ts";
import type { OutlineDocument } from "../model.ts";
import { openAppDocument } from "./document.ts";
import { openAppJournal } from "./journal.ts";
import { AppProblem, NotOpenInApp, NotInstalled } from "./problem.ts";
import type { Way } from "./protocol.ts";
import { openOmniOutliner, type OmniOutliner } from "./process.ts";

export interface AppDocuments {
  /** Whichever document is frontmost at each call. */
  readonly frontmost: OutlineDocument;
  /** The frontmost document if there is one, otherwise the file. For callers that have chosen neither. */
  readonly frontmostOr: (file: () => Promise<OutlineDocument>) => OutlineDocument;
  /**
   * The file, accessed through the application while it is open there, so that
   * a file is never written while the application has it open.
   */
  readonly openOr: (paths: readonly string[], file: OutlineDocument) => OutlineDocument;
  /** The document of that name that is open in the application, otherwise the file. */
  readonly called: (name: string, file: () => Promise<OutlineDocument>) => OutlineDocument;
  readonly journal: Undoing;
  readonly close: () => Promise<void>;
}

/** Formats that the application opens: it is not asked about others. */
const OPENED_BY_APP = /\.(?:ooutline|oo3|opml)$/i;

export function openAppDocuments(log: Log, application: OmniOutliner = openOmniOutliner()): AppDocuments {
  const journal = openAppJournal();
  const known: { way?: Way } = {};
  const open = (paths: readonly string[] | null) => openAppDocument({ application, journal, paths, known });
  const frontmost = open(null);
  const byPath = new Map<string, OutlineDocument>();
  let isInstalled = true;
  const logged = new Set<string>();
  const logOnce = (problem: AppProblem) => {
    if (problem instanceof NotInstalled) isInstalled = false;
    if (problem instanceof NotOpenInApp || logged.has(problem.code)) return;
    log(`${problem.message} ${problem.hint}`);
    logged.add(problem.code);
  };

  /** The application's document if it is open there, otherwise the file. Decided at each call, since documents are opened and closed. */
  const either = (
    inApp: OutlineDocument,
    file: () => Promise<OutlineDocument>,
    mayWriteFile: (problem: AppProblem) => boolean,
  ): OutlineDocument => {
    let last: OutlineDocument | undefined;
    const served = async <T>(
      by: (document: OutlineDocument) => Promise<T>,
      mayUseFile: (problem: AppProblem) => boolean,
    ): Promise<T> => {
      if (isInstalled) {
        try {
          const result = await by(inApp);
          last = inApp;
          return result;
        } catch (error) {
          if (!(error instanceof AppProblem) || !(error instanceof NotOpenInApp || mayUseFile(error))) throw error;
          logOnce(error);
        }
      }
      last = await file();
      return by(last);
    };
    return {
      read: (signal) => served((document) => document.read(signal), isUncontrollable),
      change: (about, plan) => served((document) => document.change(about, plan), mayWriteFile),
      modified: async () => (last ?? (await file())).modified(),
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
    frontmostOr: (file) => either(frontmost, file, isUncontrollable),
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
    called: (name, file) => either(open([name]), file, isUncontrollable),
    journal,
    close: application.close,
  };
}

/** The application cannot be controlled at all. */
function isUncontrollable({ code }: AppProblem): boolean {
  return code === "denied" || code === "pro_required";
}
