// commonplace doctor: what was found, and what to do about what is wrong.
import { Problem } from "../text/problem.ts";
import { print, type Command } from "./command.ts";
import { findings, tableOf, type Finding } from "./findings.ts";

export const command: Command = {
  usage: "doctor [--json]",
  help: "Looks at everything the server works on, changes nothing, and says what to do\nabout problems. Exit code 1 where there is one.",
  flags: { json: { help: "as JSON" } },
  run: async ({ settings, flags }) => {
    const here = await Promise.all(findings(settings).map(looked));
    const found = settings.outline === "app" ? [...here, ...(await applicationFindings())] : here;
    print(flags["json"] ? JSON.stringify({ findings: found }) : tableOf(found));
    return found.some(({ state }) => state === "problem") ? 1 : 0;
  },
};

/** What OmniOutliner can do here, one finding each. It is asked for nothing that changes a document. */
async function applicationFindings(): Promise<Finding[]> {
  const { inspectApplication } = await import("../outline/app/inspecting-app.ts");
  const seen = await inspectApplication(process.platform);
  return seen.map(({ what, isOk, saw }) => ({ part: `app ${what}`, state: isOk ? "ok" : "problem", note: saw }));
}

/** An outline that is there is opened too: found is not yet readable. */
async function looked(finding: Finding): Promise<Finding> {
  const { part, state, path, note } = finding;
  if (part !== "outline" || state !== "ok" || path === undefined) return finding;
  const { inspectOutline } = await import("../outline/inspecting.ts");
  try {
    const { rows, format } = inspectOutline(path);
    return { ...finding, note: `${note}, ${rows} ${rows === 1 ? "row" : "rows"}, ${format}` };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...finding, state: "problem", note: error.message };
  }
}
