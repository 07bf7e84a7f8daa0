// Writes, starts, checks and removes the schedule of this machine. Used by the
// command index, by doctor and by the page.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { conversationSources, statesWithoutStore, homesOf } from "../../conversations/conversations.ts";
import { makeOwnFolder, readBytes, replaceFile, temporaryName, writeOwnFile } from "../../files/files.ts";
import { operatingSystem, Problem } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings.ts";
import { thisMachine } from "../hosts/connection.ts";
import { launchOf } from "../hosts/launch.ts";
import { flagsOf } from "../hosts/setting-flags.ts";
import { scheduleOf, type Schedule, type ScheduleFile } from "./schedule.ts";
import { INDEXING, MARK, type ScheduledTask } from "./task.ts";

/** The schedule of this machine, as this program would write it. */
export async function ownSchedule(settings: Settings, task: ScheduledTask = INDEXING): Promise<Schedule> {
  const { env: environment, execPath: node } = process;
  const launch = launchOf({ system: operatingSystem(), environment, node, script: process.argv[1]! }, [
    ...task.words,
    ...flagsOf(settings),
  ]);
  const further = task === INDEXING ? await variablesOfSources(settings) : variablesOfStore();
  const env = { ...launch.env, ...further };
  return scheduleOf(
    { ...launch, env },
    { ...thisMachine(), data: settings.folders.data, uid: process.getuid?.() ?? 0 },
    task,
  );
}

/**
 * The variables by which programs are told where to keep their conversations, as this process has them. What looks
 * without them would take what is there for deleted.
 */
async function variablesOfSources({ conversations: further, projects }: Settings): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  const environment = new Proxy(process.env, {
    get: (variables, name) => {
      const value = variables[String(name)];
      if (value !== undefined && value !== "") read[String(name)] = value;
      return value;
    },
  });
  statesWithoutStore(await conversationSources(), homesOf({ environment, further, projects }));
  return read;
}

/** The variables, none of them secret, without which a shared store may not be found or trusted. */
function variablesOfStore(): Record<string, string> {
  const names = ["PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGSSLMODE", "PGPASSFILE", "NODE_EXTRA_CA_CERTS"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Returns whether the system runs it. */
export function isRunning({ check }: Schedule): boolean {
  return run(check) === "";
}

/** Returns whether one is there, written by this or an earlier release. */
export function isScheduled({ files }: Schedule): boolean {
  return files.every((file) => existsSync(file.path) && isOurs(file));
}

interface FailedCommand {
  readonly words: readonly string[];
  readonly reason: string;
}

/** Writes its files and starts it. Throws if another program's file is in the way. @returns the commands that failed */
export async function installSchedule(schedule: Schedule): Promise<readonly FailedCommand[]> {
  checkFree(schedule);
  for (const file of schedule.files) await writeFile(file);
  if (schedule.isKept) runAll(schedule.stop);
  return runAll(schedule.start);
}

/** Throws if a file that was not written by this program is where one of the schedule goes. */
export function checkFree({ files }: Schedule): void {
  for (const file of files)
    if (existsSync(file.path) && !isOurs(file))
      throw new Problem("exists", `${file.path} exists, and was not written by Commonplace.`, "Move it away first.");
}

/** The files of it that are there, written by this or an earlier release. */
export function writtenFiles({ files }: Schedule): readonly ScheduleFile[] {
  return files.filter((file) => existsSync(file.path) && isOurs(file));
}

/** Stops it and removes its files. @returns the commands that failed */
export function removeSchedule(schedule: Schedule): readonly FailedCommand[] {
  const files = writtenFiles(schedule);
  const stopped = runAll(schedule.stop);
  for (const { path } of files) rmSync(path);
  return [...stopped, ...runAll(schedule.afterRemoval)];
}

function runAll(commands: readonly (readonly string[])[]): FailedCommand[] {
  return commands.map((words) => ({ words, reason: run(words) })).filter(({ reason }) => reason !== "");
}

function isOurs({ path, encoding }: ScheduleFile): boolean {
  return readBytes(path, { followsLinks: true }).toString(encoding).includes(MARK);
}

async function writeFile({ path, text, encoding }: ScheduleFile): Promise<void> {
  const bytes = Buffer.from(encoding === "utf16le" ? `\uFEFF${text}` : text, encoding);
  makeOwnFolder(dirname(path));
  if (existsSync(path)) await replaceFile(path, bytes, `${dirname(path)}/${temporaryName()}`);
  else writeOwnFile(path, bytes, true);
}

/** @returns why it failed; empty if it did not */
function run(words: readonly string[]): string {
  const [program, ...args] = words;
  const { status, error, stderr } = spawnSync(program!, args, { encoding: "utf8", timeout: 60_000 });
  if (error !== undefined) return error.message;
  // Lines before the last say what succeeded, such as that a link was created.
  return status === 0 ? "" : stderr.trim().split("\n").at(-1) || `exit code ${status}`;
}
