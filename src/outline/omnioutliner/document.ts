// A document that is open in OmniOutliner, read as a whole by one script and
// changed by one. A change is planned on the last read; the script applies it only
// if every row it touches is still the same, and returns the whole document again.
// Otherwise the change is planned again. Used by documents.ts.
import { statSync } from "node:fs";
import { Problem } from "../../kernel/kernel.ts";
import type { Changed, OutlineDocument } from "../model.ts";
import { staleVersion } from "../problems.ts";
import { scripted, type ScriptPlan } from "./edits.ts";
import type { AppJournal, DocumentState } from "./journal.ts";
import { busy, noDocument, notRunning, scriptProblem } from "./problem.ts";
import { outlineOfAnswer, wholeIs, type AppOutline } from "./rows.ts";
import type { Answer, Facts, ScriptEdit, ScriptResult, Way, ScriptCommand } from "./protocol.ts";
import type { OmniOutliner } from "./process.ts";

export interface AppDocument extends OutlineDocument {
  /** Undoes or redoes in the application, from one version to another. Throws if the document is not at `from`. */
  readonly step: (
    step: "undo" | "redo",
    states: { readonly from: DocumentState; readonly to: DocumentState; readonly most: number },
  ) => Promise<void>;
}

interface Opening {
  readonly application: OmniOutliner;
  readonly journal: AppJournal;
  /** The document at one of these paths; null: whichever is frontmost. */
  readonly paths: readonly string[] | null;
  /** The interface of the application, detected once and shared by its documents. */
  readonly known: { way?: Way };
}

/** How often a change is planned, if the person types in between. */
const TRIES = 3;

export function openAppDocument({ application, journal, paths, known }: Opening): AppDocument {
  /** The last read. */
  let outline: AppOutline | undefined;
  let last: ScriptResult = {};

  const ask = async (command: ScriptCommand, signal?: AbortSignal): Promise<ScriptResult> => {
    const answer = await application.ask({ ...command, paths, way: known.way }, signal);
    const { facts, answer: result } = opened(answer);
    if (facts.isFrontmost) known.way = facts.way;
    if (result.failed !== undefined) throw scriptProblem(result.failed);
    last = result;
    if (result.rows !== undefined) outline = outlineOfAnswer(facts, result.rows);
    return result;
  };

  const read = async (signal?: AbortSignal): Promise<AppOutline> => {
    await ask({ do: "read" }, signal);
    return outline!;
  };

  const document: AppDocument = {
    read,
    modified: async () => {
      const { path = null } = outline ?? {};
      return path === null ? undefined : statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    },
    change: async (about, plan): Promise<Changed> => {
      let isFresh = outline === undefined;
      let before = outline ?? (await read(about.signal));
      if (about.isPreview === true)
        throw new Problem(
          "invalid",
          "OmniOutliner itself shows no preview. Nothing was changed.",
          "A change can be undone.",
        );
      for (let tries = 1; ; tries++) {
        about.signal?.throwIfAborted();
        const planned = planOn(before, about.expectedVersion, plan);
        const isLast = isFresh || !(planned instanceof Problem || planned.edits.length === 0);
        // The last read may be outdated: read again before refusing, or finding nothing to do.
        if (!isLast) {
          before = await read(about.signal);
          isFresh = true;
          continue;
        }
        if (planned instanceof Problem) throw planned;
        const { edits, expects, message } = planned;
        if (edits.length === 0) return { outline: before, added: [] };
        const { isDone, added = [], renamed = [], rows, before: from } = await ask({ do: "change", edits, expects });
        if (isDone === true) {
          const states = { before: from!, after: stateOf(outline!) };
          const { tool } = about;
          about.onWritten?.(
            journal.add({ tool, message, document, name: outline!.name, steps: stepsOf(edits), ...states }),
          );
          return { outline: outline!, added, renamed: new Map(renamed) };
        }
        if (tries >= TRIES) throw busy();
        before = rows === undefined ? await read(about.signal) : outline!;
        isFresh = true;
      }
    },
    canUndo: async () => last.canUndo ?? (await journal.next("undo")) !== undefined,
    canRedo: async () => last.canRedo ?? (await journal.next("redo")) !== undefined,
    step: async (step, { from, to, most }) => {
      const expects = [wholeIs(from.version)];
      const { isDone } = await ask({ do: step, expects, until: to.version, count: to.rowCount, most });
      if (isDone === true) return;
      throw new Problem(
        "conflict",
        `The document was changed in OmniOutliner since: nothing was ${step === "undo" ? "undone" : "redone"}.`,
        "Use Cmd+Z in OmniOutliner to go back step by step.",
      );
    },
    close: async () => {
      outline = undefined;
    },
  };
  return document;
}

/** Only what the journal needs, so that it does not keep outlines in memory. */
function stateOf({ version, rowCount }: AppOutline): DocumentState {
  return { version, rowCount };
}

/** The edits for this outline, or why there are none. */
function planOn(
  outline: AppOutline,
  expectedVersion: string | undefined,
  plan: Parameters<OutlineDocument["change"]>[1],
): (ScriptPlan & { readonly message: string }) | Problem {
  if (expectedVersion !== undefined && expectedVersion !== outline.version) return staleVersion(outline.version);
  try {
    const { edits, message } = plan(outline);
    const { expects, ...rest } = scripted(outline, edits);
    const whole = expectedVersion === undefined ? [] : [wholeIs(expectedVersion)];
    return { ...rest, expects: [...expects, ...whole], message };
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** An upper bound on the undo steps of the edits: one per value set through the dictionary, one in all through Omni Automation. */
function stepsOf(edits: readonly ScriptEdit[]): number {
  return edits.reduce((sum, edit) => sum + ("rows" in edit ? 4 * edit.rows.length : 2), 0);
}

function opened(answer: Answer): { readonly facts: Facts; readonly answer: ScriptResult } {
  if ("facts" in answer) return answer;
  throw answer.isRunning ? noDocument() : notRunning();
}
