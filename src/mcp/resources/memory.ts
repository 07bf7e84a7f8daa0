// Sessions and workspaces as Markdown, for the resources memory://sessions/{id}
// and memory://workspaces/{id} and for the prompt "continue". Made from tool
// calls.
import type { Commonplace } from "../../app/app.ts";
import type { ResultNamed } from "../../tools/tools.ts";
import { answerOf } from "./answer.ts";

type SessionBriefing = ResultNamed<"memoryManager_loadSession">["data"];
type Session = NonNullable<SessionBriefing["session"]>;
type State = NonNullable<SessionBriefing["states"]>[number];
type Done = NonNullable<SessionBriefing["done"]>[number];

/** A session in Markdown, by its id or name, or undefined. */
export async function sessionPage(id: string, commonplace: Commonplace, vault?: string): Promise<string | undefined> {
  const sent = { targetSessionId: id, vault };
  const briefing = await answerOf(commonplace.call("memoryManager_loadSession", sent, { asker: "server" }));
  if (briefing?.data.session === undefined) return undefined;
  const { session, done = [], calls = 0, filesTouched = [], openEnds = [], states = [] } = briefing.data;
  return pageOf(session.name, [
    lines("", [
      fact("Session", session.id),
      fact("Workspace", session.workspaceId),
      fact("Last used", dateOf(session.lastUsed)),
      fact("Goal", session.goal),
      fact("Description", session.description === session.name ? undefined : session.description),
    ]),
    lines("Open ends", openEnds),
    lines(`Done, the latest first (of ${calls} calls in all)`, done.map(doneLine)),
    lines("Files touched", filesTouched),
    lines("States", states.map(stateLine)),
  ]);
}

/** A workspace in Markdown, by its id or name, or undefined. */
export async function workspacePage(id: string, commonplace: Commonplace, vault?: string): Promise<string | undefined> {
  const briefing = await workspaceBriefing(id, commonplace, vault);
  if (briefing === undefined) return undefined;
  const { workspace, keyFiles = [], preferences, recentFiles = [], sessions = [], states = [] } = briefing;
  return pageOf(workspace.name, [
    lines("", [
      fact("Workspace", workspace.id),
      // Empty for the whole vault, and for a folder that the settings hide.
      fact("Folder", workspace.rootFolder),
      fact("Purpose", workspace.purpose),
      fact("Goal", workspace.currentGoal),
      fact("Description", workspace.description),
      fact("Preferences", preferences),
    ]),
    lines("Key files", keyFiles),
    lines("Recent files", recentFiles),
    lines("Sessions", sessions.map(sessionLine)),
    lines("States", states.map(stateLine)),
  ]);
}

/** The id of the session that was used last, in one workspace or in any. */
export async function latestSession(
  commonplace: Commonplace,
  { workspace, vault }: { readonly workspace?: string | undefined; readonly vault?: string | undefined },
): Promise<string | undefined> {
  if (workspace === undefined) return (await listedSessions(commonplace, vault))[0]?.id;
  return (await workspaceBriefing(workspace, commonplace, vault))?.sessions?.[0]?.id;
}

/** The names of sessions or workspaces, the last used first. */
export async function namesOf(
  commonplace: Commonplace,
  what: "sessions" | "workspaces",
  vault?: string,
): Promise<readonly string[]> {
  const listed =
    what === "sessions" ? await listedSessions(commonplace, vault) : await listedWorkspaces(commonplace, vault);
  return [...new Set(listed.map(({ name }) => name))];
}

const LISTED = { limit: 100 };

async function listedSessions(commonplace: Commonplace, vault: string | undefined) {
  const sent = { ...LISTED, vault };
  const listed = await answerOf(commonplace.call("memoryManager_listSessions", sent, { asker: "server" }));
  return listed?.data.sessions ?? [];
}

async function listedWorkspaces(commonplace: Commonplace, vault: string | undefined) {
  const sent = { ...LISTED, vault };
  const listed = await answerOf(commonplace.call("memoryManager_listWorkspaces", sent, { asker: "server" }));
  return listed?.data.workspaces ?? [];
}

async function workspaceBriefing(id: string, commonplace: Commonplace, vault: string | undefined) {
  return (await answerOf(commonplace.call("memoryManager_loadWorkspace", { id, vault }, { asker: "server" })))?.data;
}

function pageOf(title: string, sections: readonly string[]): string {
  return `# ${title}\n\n${sections.filter(Boolean).join("\n\n")}\n`;
}

function lines(title: string, items: readonly (string | undefined)[]): string {
  const list = items.filter((item) => item !== undefined).map((item) => `- ${item}`);
  if (list.length === 0) return "";
  return title === "" ? list.join("\n") : `## ${title}\n\n${list.join("\n")}`;
}

function fact(name: string, value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : `${name}: ${value}`;
}

function doneLine({ when, tool, paths = [], about, why, error }: Done): string {
  const what = [...paths, about].filter(Boolean).join(", ");
  const parts = [what && ` ${what}`, why && ` (${why})`, error && ` failed: ${error}`];
  return `${dateOf(when)} ${tool}${parts.filter(Boolean).join("")}`;
}

function stateLine({ id, name, activeTask }: State): string {
  return activeTask === undefined ? `${name} (${id})` : `${name} (${id}): ${activeTask}`;
}

function sessionLine({ id, name, lastUsed }: Session): string {
  return `${dateOf(lastUsed)} ${name} (${id})`;
}

function dateOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
