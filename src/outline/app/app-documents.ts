// The application's documents, one process to ask for all of them, and the
// choice between a document there and the same document as a file. Opened by
// commonplace.ts on macOS; used by the entrance to outlines.
import type { Undoing } from "../../journal/journals.ts";
import type { Log } from "../../log.ts";
import type { Problem } from "../../text/problem.ts";
import type { OutlineDocument } from "../outline.ts";
import { openAppDocument } from "./app-document.ts";
import { openAppJournal } from "./app-journal.ts";
import { AppProblem, Elsewhere } from "./app-problem.ts";
import type { Way } from "./conversation.ts";
import { openOmniOutliner, type OmniOutliner } from "./omnioutliner.ts";

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
  const logged = new Set<string>();
  const logOnce = (problem: Problem) => {
    if (!logged.has(problem.code)) log(`${problem.message} ${problem.hint ?? ""}`);
    logged.add(problem.code);
  };
  return {
    frontmost,
    frontmostOr: (file) => either(frontmost, file, { isForced: () => false, logOnce }),
    openOr: (paths, file) => {
      if (!paths.some((path) => OPENED_BY_APP.test(path))) return file;
      const key = paths.join("\0");
      const inApp = byPath.get(key) ?? open(paths);
      byPath.set(key, inApp);
      return either(inApp, async () => file, { isForced: (problem) => problem.isRunning, logOnce });
    },
    journal,
    close: application.close,
  };
}

interface Choosing {
  /** Whether a change may not go to the file where the application cannot be asked for this reason. */
  readonly isForced: (problem: AppProblem) => boolean;
  readonly logOnce: (problem: Problem) => void;
}

/** What the application has open is there, everything else in the file. Asked anew at each call: documents are opened and closed. */
function either(
  inApp: OutlineDocument,
  file: () => Promise<OutlineDocument>,
  { isForced, logOnce }: Choosing,
): OutlineDocument {
  let last: OutlineDocument | undefined;
  const served = async <T>(
    by: (document: OutlineDocument) => Promise<T>,
    mayBeFile: (problem: AppProblem) => boolean,
  ): Promise<T> => {
    try {
      const result = await by(inApp);
      last = inApp;
      return result;
    } catch (error) {
      if (!(error instanceof AppProblem) || (!(error instanceof Elsewhere) && !mayBeFile(error))) throw error;
      if (!(error instanceof Elsewhere)) logOnce(error);
      last = await file();
      return by(last);
    }
  };
  return {
    read: (signal) =>
      served(
        (document) => document.read(signal),
        () => true,
      ),
    change: (about, plan) =>
      served(
        (document) => document.change(about, plan),
        (problem) => isUnaskable(problem) && !isForced(problem),
      ),
    canUndo: async () => (last ?? (await file())).canUndo(),
    canRedo: async () => (last ?? (await file())).canRedo(),
    close: async () => {
      await inApp.close();
      await last?.close();
    },
  };
}

/** Whether it has the document open cannot even be asked. A change that it was asked for and refused is another matter. */
function isUnaskable({ code }: AppProblem): boolean {
  return code === "denied" || code === "pro_required";
}
