// Programs that were made from Claude Code, or have it inside, and write the same
// records in places of their own.
import { join } from "node:path";
import { operatingSystem, systemFolders } from "../../../kernel/kernel.ts";
import { recordAt } from "../kit/json-document.ts";
import { textOf } from "../kit/stored-json.ts";
import { storedTimes } from "../kit/stored-times.ts";
import { foundFile, listed, lookedInto } from "../kit/transcript-search.ts";
import { timeOf, type ConversationFacts, type Finding, type Home } from "../source.ts";
import { findProject, findProjects, sourceLikeClaudeCode } from "./claude-code.ts";

export const openclaude = sourceLikeClaudeCode({
  name: "openclaude",
  title: "OpenClaude",
  reader: 1,
  find: ({ folder, environment }) =>
    findProjects(join(environment["OPENCLAUDE_CONFIG_DIR"] || join(folder, ".openclaude"), "projects")),
});

/** Sessions of Claude Desktop: a folder for each that is a home of Claude Code, and a file beside it with its facts. */
export const cowork = sourceLikeClaudeCode({
  name: "cowork",
  title: "Claude Cowork",
  reader: 1,
  *find(home) {
    for (const settings of settingsFolders(home)) {
      const root = join(settings, "Claude", "local-agent-mode-sessions");
      for (const account of yield* lookedInto(root)) {
        for (const workspace of (yield* listed(join(root, account.name))) ?? [])
          yield* findCoworkSessions(join(root, account.name, workspace.name));
      }
    }
  },
  factsAt: (path) => {
    const facts = recordAt(coworkFacts(path)) ?? {};
    const folders = facts["userSelectedFolders"];
    return {
      title: textOf(facts["title"]),
      // Without one, it worked in a folder of the app.
      ...(Array.isArray(folders) && { folder: textOf(folders[0]) }),
      ...storedTimes(timeOf(facts["createdAt"])),
    };
  },
});

/** On Windows, an app from the store has its own. */
function settingsFolders(home: Home): string[] {
  return home.systems.flatMap((system) => {
    const { settings, data } = systemFolders(
      { home: home.folder, environment: home.environment },
      operatingSystem(system),
      join,
    );
    const packaged = join(data, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming");
    return system === "win32" ? [settings, packaged] : [settings];
  });
}

function* findCoworkSessions(workspace: string): Generator<Finding> {
  for (const { name } of (yield* listed(workspace)) ?? []) {
    if (!/^local_.*(?<!\.json)$/.test(name)) continue;
    const projects = join(workspace, name, ".claude", "projects");
    for (const project of (yield* listed(projects)) ?? [])
      yield* findProject(join(projects, project.name), coworkFacts);
  }
}

/** `local_<id>.json`, beside the folder `local_<id>`. */
function coworkFacts(transcript: string): string {
  return `${transcript.split(/[/\\]\.claude[/\\]projects[/\\]/)[0]!}.json`;
}

/** Its editor and its CLI; the editor keeps sessions without a folder for the project. */
export const qoder = sourceLikeClaudeCode({
  name: "qoder",
  title: "Qoder",
  reader: 1,
  *find(home) {
    yield* findProjects(join(home.folder, ".qoder", "projects"), qoderFacts);
    yield* findProjects(join(home.folder, ".qoderwork", "projects"), qoderFacts);
    for (const settings of settingsFolders(home)) {
      const projects = join(settings, "Qoder", "SharedClientCache", "cli", "projects");
      yield* findProjects(projects, qoderFacts);
      for (const { name } of (yield* listed(projects)) ?? [])
        if (name.endsWith(".jsonl")) yield* foundFile(join(projects, name), [qoderFacts(join(projects, name))]);
    }
  },
  factsAt: (path): Omit<ConversationFacts, "id"> => {
    const facts = recordAt(qoderFacts(path)) ?? {};
    const continues = textOf(facts["fork_from"]) ?? textOf(facts["parent_session_id"]);
    return {
      title: textOf(facts["title"]),
      folder: textOf(facts["working_dir"]),
      ...(continues !== undefined && { continues }),
    };
  },
});

function qoderFacts(transcript: string): string {
  return transcript.replace(/\.jsonl$/, "-session.json");
}
