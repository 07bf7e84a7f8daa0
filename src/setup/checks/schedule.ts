// Checks whether the system brings the index up to date by itself.
import type { Settings } from "../../settings.ts";
import { commandLine } from "../program-name.ts";
import { isRunning, isScheduled, ownSchedule } from "../schedule/installation.ts";
import type { Finding } from "./finding.ts";

export async function checkSchedule(settings: Settings): Promise<Finding> {
  const schedule = await ownSchedule(settings);
  const at = { part: "schedule", path: schedule.files[0]!.path };
  const command = commandLine("index", "--install");
  if (!isScheduled(schedule)) {
    const note = `conversations are kept when somebody asks; '${command}' keeps them every six hours`;
    return { ...at, state: "missing", note };
  }
  if (isRunning(schedule)) return { ...at, state: "ok", note: `a ${schedule.title} keeps the index` };
  const hint = `'${command}' starts it, or log in again`;
  return { ...at, state: "problem", note: `the ${schedule.title} is there, but the system does not run it`, hint };
}
