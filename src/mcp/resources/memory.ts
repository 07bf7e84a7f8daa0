// Memory as a person or a model reads it outside of a tool call: the resources
// memory://sessions/{id} and memory://workspaces/{id}, and what the prompt
// "continue" hands over. Made from the same tool calls as any other.
import type { Commonplace } from "../../app.ts";

interface Session {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly goal?: string;
  readonly workspaceId: string;
  readonly lastUsed: number;
}

interface State {
  readonly id: string;
  readonly name: string;
  readonly activeTask?: string;
}

interface SessionBriefing {
  readonly session: Session;
  readonly done: readonly {
    readonly when: number;
    readonly tool: string;
    readonly paths?: readonly string[];
    readonly about?: string;
    readonly why?: string;
    readonly error?: string;
  }[];
  readonly calls: number;
  readonly filesTouched: readonly string[];
  readonly openEnds: readonly string[];
  readonly states: readonly State[];
}

interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly rootFolder: string;
  readonly purpose?: string;
  readonly currentGoal?: string;
}

interface WorkspaceBriefing {
  readonly workspace: Workspace;
  readonly keyFiles: readonly string[];
  readonly preferences?: string;
  readonly recentFiles: readonly string[];
  readonly sessions: readonly Session[];
  readonly states: readonly State[];
}

/** A session in Markdown, by its id or name; undefined where there is none. */
export async function sessionPage(id: string, commonplace: Commonplace): Promise<string | undefined> {
  const briefing = await told<SessionBriefing>(commonplace, "memoryManager_loadSession", { targetSessionId: id });
  if (briefing?.session === undefined) return undefined;
  const { session, done, calls, filesTouched, openEnds, states } = briefing;
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

/** A workspace in Markdown, by its id or name; undefined where there is none. */
export async function workspacePage(id: string, commonplace: Commonplace): Promise<string | undefined> {
  const briefing = await told<WorkspaceBriefing>(commonplace, "memoryManager_loadWorkspace", { id });
  if (briefing === undefined) return undefined;
  const { workspace, keyFiles, preferences, recentFiles, sessions, states } = briefing;
  return pageOf(workspace.name, [
    lines("", [
      fact("Workspace", workspace.id),
      fact("Folder", workspace.rootFolder || "the whole vault"),
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

/** The name of the session that was used last, in one workspace or in any. */
export async function latestSession(commonplace: Commonplace, workspace?: string): Promise<string | undefined> {
  if (workspace === undefined) return (await listed(commonplace, "memoryManager_listSessions", "sessions"))[0]?.id;
  const briefing = await told<WorkspaceBriefing>(commonplace, "memoryManager_loadWorkspace", { id: workspace });
  return briefing?.sessions[0]?.id;
}

/** What the sessions, or the workspaces, are called: the ones used last first. */
export async function namesOf(commonplace: Commonplace, what: "sessions" | "workspaces"): Promise<readonly string[]> {
  const tool = what === "sessions" ? "memoryManager_listSessions" : "memoryManager_listWorkspaces";
  return [...new Set((await listed(commonplace, tool, what)).map(({ name }) => name))];
}

async function listed(commonplace: Commonplace, tool: string, field: "sessions" | "workspaces") {
  const data = await told<Record<string, readonly Session[]>>(commonplace, tool, { limit: 100 });
  return data?.[field] ?? [];
}

async function told<T>(commonplace: Commonplace, tool: string, sent: object): Promise<T | undefined> {
  const result = await commonplace.ask(tool, sent);
  if (result === undefined || result.isError) return undefined;
  return (result.structuredContent as { readonly data: T }).data;
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

function doneLine({ when, tool, paths = [], about, why, error }: SessionBriefing["done"][number]): string {
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

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}
