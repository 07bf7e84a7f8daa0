// commonplace doctor: what was found, and what to do about what is wrong.
import { Problem } from "../text/problem.ts";
import { openCommonplace } from "../commonplace.ts";
import type { SourceState } from "../conversations/source-states.ts";
import type { Settings } from "../settings.ts";
import { print, type Command } from "./command.ts";
import { findings, tableOf, type Finding } from "./findings.ts";

export const command: Command = {
  usage: "doctor [--json]",
  help: "Looks at everything the server works on, changes nothing, and says what to do\nabout problems. Exit code 1 where there is one.",
  flags: { json: { help: "as JSON" } },
  run: async ({ settings, flags }) => {
    const found = [...(await Promise.all(findings(settings).map(looked))), ...(await conversationFindings(settings))];
    print(flags["json"] ? JSON.stringify({ findings: found }) : tableOf(found));
    return found.some(({ state }) => state === "problem") ? 1 : 0;
  },
};

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

/** Each program that keeps conversations: where, how many, and what cannot be read. */
async function conversationFindings(settings: Settings): Promise<Finding[]> {
  const commonplace = openCommonplace(settings);
  try {
    return (await (await commonplace.conversations()).glance()).map(findingOf);
  } finally {
    await commonplace.close();
  }
}

function findingOf({
  name,
  conversations,
  archived,
  messages,
  units,
  looked,
  skipped,
  unreadable,
}: SourceState): Finding {
  const places = looked.filter(({ isThere }) => isThere).map(({ place }) => place);
  const [path = looked[0]?.place] = places;
  const part = name;
  const notes = [
    conversations === 0 && units > 0
      ? `${units} files, not indexed yet: 'commonplace index' does it`
      : `${conversations} conversations, ${messages} messages`,
    ...(archived > 0 ? [`${archived} archived`] : []),
    ...skipped.map(({ count, reason }) => `skipped ${count}: ${reason}`),
    ...unreadable.map(({ count, reason, place }) => `cannot be read, ${count}: ${reason} (${place})`),
  ];
  const at = path === undefined ? {} : { path };
  if (conversations === 0 && unreadable.length === 0 && places.length === 0)
    return { part, state: "missing", ...at, note: "not found, so nothing is read from it" };
  const advice = unreadable.length > 0 ? "; check the permissions, or close the program and try again" : "";
  return { part, state: unreadable.length > 0 ? "problem" : "ok", ...at, note: notes.join("; ") + advice };
}
