// Checks what OmniOutliner can do on this machine, without changing any document.
// Used by doctor.
import { Problem, type OperatingSystem } from "../../kernel/kernel.ts";
import { noDocument, notRunning, scriptProblem } from "./problem.ts";
import { outlineOfAnswer, type AppOutline } from "./rows.ts";
import type { ScriptResult, Way, ScriptCommand } from "./protocol.ts";
import { openOmniOutliner, type OmniOutliner } from "./process.ts";

/** The result of one check. */
export interface CapabilityCheck {
  /** The capability, in a word or two. */
  readonly what: string;
  readonly isOk: boolean;
  readonly saw: string;
  /** The remedy. */
  readonly hint?: string | undefined;
}

/** Stops at the first failure. */
export async function inspectApplication(
  { hasOmniOutliner, platform }: OperatingSystem,
  application: OmniOutliner = openOmniOutliner(),
): Promise<CapabilityCheck[]> {
  if (!hasOmniOutliner)
    return [
      {
        what: "system",
        isOk: false,
        saw: `OmniOutliner runs on macOS, and this is ${platform}`,
        hint: "use --outline FILE",
      },
    ];
  const checks: CapabilityCheck[] = [];
  const see = (what: string, saw: string, isOk = true, hint?: string) => checks.push({ what, isOk, saw, hint });
  let what = "running";
  const ask = async (command: ScriptCommand, way?: Way) => {
    const answer = await application.ask({ ...command, paths: null, way });
    if (!("facts" in answer)) throw answer.isRunning ? noDocument() : notRunning();
    if (answer.answer.failed !== undefined) throw scriptProblem(answer.answer.failed);
    return answer;
  };
  try {
    const { facts, answer } = await ask({ do: "look" });
    see("running", `yes, version ${answer.version}, and this program may control it`);
    see("document", `'${facts.name}' is frontmost, ${facts.path === null ? "not saved yet" : `at ${facts.path}`}`);
    const isAutomated = facts.way === "automation";
    see(
      "automation",
      isAutomated
        ? "answers: rows that move keep their ids"
        : "does not answer: the scripting dictionary is used, which may give a moved row a new id",
    );
    what = "reading";
    const outlines = new Map<Way, AppOutline>();
    for (const way of isAutomated ? (["automation", "dictionary"] as const) : (["dictionary"] as const)) {
      const started = performance.now();
      const { answer: read } = await ask({ do: "read" }, way);
      const outline = outlineOfAnswer(facts, read.rows!);
      outlines.set(way, outline);
      const seconds = ((performance.now() - started) / 1000).toFixed(2);
      see(
        `reading by ${way}`,
        `${outline.rowCount} rows in ${seconds} s, version ${outline.version}${undoFacts(read)}`,
      );
    }
    const [one, other] = outlines.values();
    if (other !== undefined) see("agreement", ...agreement(one!, other));
  } catch (error) {
    if (error instanceof Problem) see(what, error.message, false, error.hint);
    else see(what, String(error), false, REPORT);
  } finally {
    await application.close();
  }
  return checks;
}

function undoFacts({ canUndo, canRedo }: ScriptResult): string {
  return canUndo === null ? "" : `, can undo: ${canUndo ? "yes" : "no"}, can redo: ${canRedo ? "yes" : "no"}`;
}

const REPORT = "please report this line";

/** Both interfaces must report the same rows, or ids of one would be invalid in the other. */
function agreement(one: AppOutline, other: AppOutline): [saw: string, isOk: boolean, hint?: string] {
  if (one.version === other.version) return ["both ways read the same", true];
  if (one.ids.join() !== other.ids.join()) return ["the two ways know rows by other ids", false, REPORT];
  const isSameText = one.ids.every((id) => one.row(id)!.topic === other.row(id)!.topic);
  if (!isSameText) return ["the two ways read other topics", false, REPORT];
  return ["both ways read the same rows and topics; notes or checkboxes differ", true];
}
