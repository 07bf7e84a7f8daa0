// A document inside of OmniOutliner: read whole by one script, and changed by
// one. A change is planned on what was read last; the script carries it out
// only where every row that it touches is still as it was then, and reads the
// whole document again in the same go. Where it is not, the plan is made anew.
import { Problem } from "../../kernel/kernel.ts";
import type { Changed, OutlineDocument } from "../model.ts";
import { scripted, type Scripted } from "./edits.ts";
import type { AppJournal, DocumentState } from "./journal.ts";
import { busy, noDocument, notRunning, refusal, staleVersion } from "./problem.ts";
import { outlineOfAnswer, wholeIs, type AppOutline } from "./rows.ts";
import type { Answer, Facts, ScriptEdit, ScriptResult, Way, ScriptCommand } from "./protocol.ts";
import type { OmniOutliner } from "./process.ts";

export interface AppDocument extends OutlineDocument {
  /** Takes steps of the application, forward or back, from one version to another. Refused where the document is at neither. */
  readonly step: (
    step: "undo" | "redo",
    moments: { readonly from: DocumentState; readonly to: DocumentState; readonly most: number },
  ) => Promise<void>;
}

interface Opening {
  readonly application: OmniOutliner;
  readonly journal: AppJournal;
  /** The document at one of these paths; null: the one in front, whichever that is. */
  readonly paths: readonly string[] | null;
  /** What was found out about the application, shared by its documents. */
  readonly known: { way?: Way };
}

/** How often a change is planned anew when the person types in between. */
const TRIES = 3;

export function openAppDocument({ application, journal, paths, known }: Opening): AppDocument {
  /** What was read last. */
  let outline: AppOutline | undefined;
  let told: ScriptResult = {};

  const ask = async (wish: ScriptCommand, signal?: AbortSignal): Promise<ScriptResult> => {
    const answer = await application.ask({ ...wish, paths, way: known.way }, signal);
    const { facts, answer: said } = opened(answer);
    if (facts.isFrontmost) known.way = facts.way;
    if (said.failed !== undefined) throw refusal(said.failed);
    told = said;
    if (said.rows !== undefined) outline = outlineOfAnswer(facts, said.rows);
    return said;
  };

  const read = async (signal?: AbortSignal): Promise<AppOutline> => {
    await ask({ do: "read" }, signal);
    return outline!;
  };

  const document: AppDocument = {
    read,
    change: async (about, plan): Promise<Changed> => {
      let isFresh = outline === undefined;
      let before = outline ?? (await read(about.signal));
      for (let tries = 1; ; tries++) {
        about.signal?.throwIfAborted();
        const planned = planOn(before, about.expectedVersion, plan);
        const isLast = isFresh || !(planned instanceof Problem || planned.edits.length === 0);
        // What is known may be old: a refusal, or that there is nothing to do, holds for what is there now.
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
          const moments = { before: from!, after: momentOf(outline!) };
          journal.add({ tool: about.tool, message, document, name: outline!.name, steps: stepsOf(edits), ...moments });
          return { outline: outline!, added, renamed: new Map(renamed) };
        }
        if (tries >= TRIES) throw busy();
        before = rows === undefined ? await read(about.signal) : outline!;
        isFresh = true;
      }
    },
    canUndo: async () => told.canUndo ?? journal.next("undo") !== undefined,
    canRedo: async () => told.canRedo ?? journal.next("redo") !== undefined,
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

/** The facts alone: a journal keeps no outlines in memory. */
function momentOf({ version, rowCount }: AppOutline): DocumentState {
  return { version, rowCount };
}

/** What is to be done, or why it cannot be: on this outline. */
function planOn(
  outline: AppOutline,
  expectedVersion: string | undefined,
  plan: Parameters<OutlineDocument["change"]>[1],
): (Scripted & { readonly message: string }) | Problem {
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

/** The most steps of undo that edits may be: each value that the dictionary sets is one, all that Omni Automation does is one. */
function stepsOf(edits: readonly ScriptEdit[]): number {
  return edits.reduce((sum, edit) => sum + ("rows" in edit ? 4 * edit.rows.length : 2), 0);
}

function opened(answer: Answer): { readonly facts: Facts; readonly answer: ScriptResult } {
  if ("facts" in answer) return answer;
  throw answer.isRunning ? noDocument() : notRunning();
}
