// Checks whether the system brings the index up to date by itself.
import type { Settings } from "../../settings.ts";
import { commandLine } from "../program-name.ts";
import { isScheduled, ownSchedule } from "../schedule/installation.ts";
import type { Finding } from "./finding.ts";

export function checkSchedule(settings: Settings): Finding {
  const schedule = ownSchedule(settings);
  const path = schedule.files[0]!.path;
  if (isScheduled(schedule))
    return { part: "schedule", state: "ok", path, note: `a ${schedule.title} keeps the index` };
  const note = `conversations are kept when somebody asks; '${commandLine("index", "--install")}' keeps them every six hours`;
  return { part: "schedule", state: "missing", path, note };
}
