// commonplace index --install and --remove: shows what would be written, and
// writes or removes it if the person agrees.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { conversationSources, statesWithoutStore, homesOf } from "../../conversations/conversations.ts";
import { makeOwnFolder, readBytes, replaceFile, temporaryName, writeOwnFile } from "../../files/files.ts";
import { joined, multiline, print, printable, type Printable, printJson, Problem } from "../../kernel/kernel.ts";
import type { Settings } from "../../settings.ts";
import type { Invocation } from "../command.ts";
import { isConfirmed } from "../confirmation.ts";
import { thisMachine } from "../connect/connection.ts";
import { launchOf } from "../connect/launch.ts";
import { flagsOf } from "../connect/setting-flags.ts";
import { shellWords } from "../connect/shell-words.ts";
import { scheduleOf, type Schedule, type ScheduleFile } from "./schedule.ts";
import { MARK } from "./written-by.ts";

/** The schedule of this machine, as this program would write it. */
export async function ownSchedule(settings: Settings): Promise<Schedule> {
  const { platform, env: environment, execPath: node } = process;
  const launch = launchOf({ platform, environment, node, script: process.argv[1]! }, ["index", ...flagsOf(settings)]);
  const env = { ...launch.env, ...(await variablesOfSources(settings)) };
  return scheduleOf(
    { ...launch, env },
    { ...thisMachine(), data: settings.folders.data, uid: process.getuid?.() ?? 0 },
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

/** Whether the system runs it. */
export function isRunning({ check }: Schedule): boolean {
  return run(check) === "";
}

/** Whether one is there, written by this or an earlier release. */
export function isScheduled({ files }: Schedule): boolean {
  return files.every((file) => existsSync(file.path) && isOurs(file));
}

export async function install(invocation: Invocation): Promise<number> {
  const schedule = await ownSchedule(invocation.settings);
  for (const file of schedule.files)
    if (existsSync(file.path) && !isOurs(file))
      throw new Problem("exists", `${file.path} exists, and was not written by Commonplace.`, "Move it away first.");
  const shown = schedule.files.map(({ path, text }) => printable`${path}\n${multiline(indented(text))}`);
  const outcome = { ...aboutOf(schedule), commands: schedule.start };
  if (!invocation.flags["json"])
    print(joined([printable`A ${schedule.title}:`, ...shown, ...schedule.start.map(shellLine), ""]));
  if (!(await isConfirmed(invocation, "Write these files, and run these commands?", "does"))) {
    if (invocation.flags["json"]) printJson({ ...outcome, result: "pending" });
    else print("Nothing was written.");
    return 1;
  }
  for (const file of schedule.files) await writeFile(file);
  // An earlier one that is loaded would stay as it was.
  if (process.platform === "darwin") for (const words of schedule.stop) run(words);
  const failed = schedule.start.map((words) => ({ words, reason: run(words) })).filter(({ reason }) => reason !== "");
  if (invocation.flags["json"]) printJson({ ...outcome, result: "written", failed });
  else print(joined(["Written.", ...failed.map(failure), ...(failed.length === 0 ? [schedule.note] : [])]));
  return failed.length === 0 ? 0 : 1;
}

export async function remove(invocation: Invocation): Promise<number> {
  const schedule = await ownSchedule(invocation.settings);
  const files = schedule.files.filter((file) => existsSync(file.path) && isOurs(file));
  const isJson = invocation.flags["json"];
  if (files.length === 0) {
    if (isJson) printJson({ ...aboutOf(schedule), result: "unchanged" });
    else print("Nothing to do: no schedule of Commonplace is there.");
    return 0;
  }
  if (!isJson)
    print(joined([...schedule.stop.map(shellLine), ...files.map(({ path }) => printable`delete ${path}`), ""]));
  if (!(await isConfirmed(invocation, "Take it out?", "does"))) {
    if (isJson) printJson({ ...aboutOf(schedule), result: "pending" });
    else print("Nothing was removed.");
    return 1;
  }
  const stopped = schedule.stop.map((words) => ({ words, reason: run(words) }));
  for (const { path } of files) rmSync(path);
  const reloaded = schedule.afterRemoval.map((words) => ({ words, reason: run(words) }));
  const failed = [...stopped, ...reloaded].filter(({ reason }) => reason !== "");
  if (isJson) printJson({ ...aboutOf(schedule), result: "removed", failed });
  else print(joined(["Removed.", ...failed.map(failure)]));
  return failed.length === 0 ? 0 : 1;
}

function aboutOf({ title, files }: Schedule) {
  return { schedule: title, files: files.map(({ path }) => path) };
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
  return status === 0 ? "" : stderr.trim() || `exit code ${status}`;
}

function failure({ words, reason }: { readonly words: readonly string[]; readonly reason: string }): Printable {
  return printable`This failed (${reason}); run it yourself:  ${shellLine(words)}`;
}

function shellLine(words: readonly string[]): string {
  return shellWords(words, process.platform);
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, "  ");
}
