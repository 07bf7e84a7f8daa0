// Crush: a database in each project, `<project>/.crush/crush.db` unless a setting
// says otherwise (database.ts). Its data folder has the list of all projects.
import { join } from "node:path";
import { readBytes } from "../../../files/files.ts";
import { foundDatabase } from "../transcript-search.ts";
import { LARGEST_VALUE, recordOf, recordsOf, storedJson, textOf } from "../formats/stored-json.ts";
import { transcriptFileAt, type ConversationSource, type Finding, type Home } from "../source.ts";
import { readDatabase } from "./database.ts";

export const crush: ConversationSource = { name: "crush", title: "Crush", reader: 1, find, read: readDatabase };

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
  const folders = recordsOf(projects).map(
    ({ path, data_dir }) => textOf(data_dir) ?? (textOf(path) && join(String(path), ".crush")),
  );
  // Several projects may share one.
  for (const data of new Set(folders)) if (data !== undefined) yield* foundDatabase(join(localPath(data), "crush.db"));
}

function projectsIn(list: string): unknown {
  try {
    return recordOf(storedJson(readBytes(list, { followsLinks: true }, LARGEST_VALUE)))?.["projects"];
  } catch {
    return undefined;
  }
}

/** A path of Windows, as WSL mounts it. */
function localPath(path: string): string {
  const drive = process.platform === "win32" ? null : /^([A-Za-z]):[\\/]/.exec(path);
  return drive === null ? path : `/mnt/${drive[1]!.toLowerCase()}/${path.slice(3).replaceAll("\\", "/")}`;
}
