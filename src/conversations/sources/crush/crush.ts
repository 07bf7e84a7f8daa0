// Crush: a database in each project, `<project>/.crush/crush.db` unless a setting
// says otherwise (database.ts). Its data folder has the list of all projects.
import { join } from "node:path";
import { mountedPath } from "../../../kernel/kernel.ts";
import { readBytes } from "../../../files/files.ts";
import { foundDatabase } from "../kit/transcript-search.ts";
import { MAX_VALUE_SIZE, recordOf, recordsOf, storedJson, textOf } from "../kit/stored-json.ts";
import { transcriptFileAt, type ConversationSource, type Finding, type Home, UUID } from "../source.ts";
import { readDatabase } from "./database.ts";

export const crush: ConversationSource = {
  name: "crush",
  title: "Crush",
  reader: 3,
  resume: { command: ["crush", "--session", "ID"], idPattern: UUID },
  find,
  read: readDatabase,
};

function* find({ folder, systems, environment }: Home): Generator<Finding> {
  const places = systems.map((system) => {
    if (environment["CRUSH_GLOBAL_DATA"]) return environment["CRUSH_GLOBAL_DATA"];
    if (environment["XDG_DATA_HOME"]) return join(environment["XDG_DATA_HOME"], "crush");
    return system === "win32"
      ? join(environment["LOCALAPPDATA"] || join(folder, "AppData", "Local"), "crush")
      : join(folder, ".local", "share", "crush");
  });
  for (const place of new Set(places)) yield* findProjects(join(place, "projects.json"));
}

function* findProjects(list: string): Generator<Finding> {
  const isThere = transcriptFileAt(list) !== undefined;
  yield { kind: "looked", place: list, isThere };
  if (!isThere) return;
  const projects = projectsIn(list);
  if (!Array.isArray(projects)) {
    // Without the list, no database counts as deleted: it may be anywhere.
    yield { kind: "unreadable", place: "", count: 1, reason: "its list of projects, projects.json" };
    return;
  }
  const listed = recordsOf(projects).flatMap(({ path, data_dir }) => {
    const project = textOf(path);
    const data = textOf(data_dir) ?? (project === undefined ? undefined : join(project, ".crush"));
    return data === undefined ? [] : [{ data, project }];
  });
  for (const [data, sharing] of Map.groupBy(listed, (one) => one.data)) {
    // Several projects may share one, which does not say whose a session is.
    const project = sharing.length === 1 ? sharing[0]!.project : undefined;
    for (const finding of foundDatabase(join(mountedPath(data), "crush.db")))
      yield finding.kind === "transcript" ? { ...finding, transcript: { ...finding.transcript, project } } : finding;
  }
}

function projectsIn(list: string): unknown {
  try {
    return recordOf(storedJson(readBytes(list, { followsLinks: true }, MAX_VALUE_SIZE)))?.["projects"];
  } catch {
    return undefined;
  }
}
