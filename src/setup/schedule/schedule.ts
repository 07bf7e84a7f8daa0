// Has the system do a task by itself at regular times: a user timer of
// systemd, an agent of launchd, or a task of Windows' Task Scheduler. Pure;
// installation.ts writes the files and tells the system.
import { join } from "node:path";
import { systemFolders } from "../../kernel/kernel.ts";
import type { Launch } from "../hosts/launch.ts";
import type { Machine } from "../hosts/known-hosts.ts";
import { launchdAgent } from "./launchd.ts";
import { systemdService, systemdTimer } from "./systemd.ts";
import { INDEXING, interval, type ScheduledTask } from "./task.ts";
import { windowsTask } from "./windows-task.ts";

export interface ScheduleFile {
  readonly path: string;
  readonly text: string;
  /** Windows' own format wants UTF-16. */
  readonly encoding: "utf8" | "utf16le";
}

export interface Schedule {
  /** The system's name for it. */
  readonly title: string;
  readonly files: readonly ScheduleFile[];
  /** Commands, each as its words: after the files are written, before they are removed, and after that. */
  readonly start: readonly (readonly string[])[];
  readonly stop: readonly (readonly string[])[];
  readonly afterRemoval: readonly (readonly string[])[];
  /** An earlier one that the system has loaded would stay as it was, until it is stopped. */
  readonly isKept?: boolean;
  /** Ends with 0 if the system runs it. */
  readonly check: readonly string[];
  /** A note for the person. */
  readonly note: string;
}

export interface Scheduling extends Machine {
  /** The folder of our own data, for a file that only our command needs. */
  readonly data: string;
  /** Of the user, on macOS. */
  readonly uid: number;
}

export function scheduleOf(
  launch: Launch,
  { system, home, environment, data, uid }: Scheduling,
  task: ScheduledTask = INDEXING,
): Schedule {
  const note = `It runs ${interval(task)} while you are logged in`;
  if (system.family === "darwin") {
    const label = `io.commonplace.${task.name}`;
    const path = join(home, "Library", "LaunchAgents", `${label}.plist`);
    return {
      title: "launchd agent",
      files: [{ path, text: launchdAgent(label, launch, task), encoding: "utf8" }],
      start: [["launchctl", "bootstrap", `gui/${uid}`, path]],
      stop: [["launchctl", "bootout", `gui/${uid}/${label}`]],
      afterRemoval: [],
      isKept: true,
      check: ["launchctl", "print", `gui/${uid}/${label}`],
      note: `${note}.`,
    };
  }
  if (system.family === "win32") {
    const name = `Commonplace ${task.name}`;
    const path = join(data, `${task.name}-task.xml`);
    return {
      title: "Task Scheduler entry",
      files: [{ path, text: windowsTask(launch, task), encoding: "utf16le" }],
      start: [["schtasks", "/Create", "/TN", name, "/XML", path, "/F"]],
      stop: [["schtasks", "/Delete", "/TN", name, "/F"]],
      afterRemoval: [],
      check: ["schtasks", "/Query", "/TN", name],
      note: `${note}.`,
    };
  }
  const folder = join(systemFolders({ home, environment }, system, join).settings, "systemd", "user");
  const unit = `commonplace-${task.name}`;
  return {
    title: "systemd user timer",
    files: [
      { path: join(folder, `${unit}.service`), text: systemdService(launch, task), encoding: "utf8" },
      { path: join(folder, `${unit}.timer`), text: systemdTimer(task), encoding: "utf8" },
    ],
    start: [systemctl("daemon-reload"), systemctl("enable", "--now", `${unit}.timer`)],
    stop: [systemctl("disable", "--now", `${unit}.timer`)],
    afterRemoval: [systemctl("daemon-reload")],
    check: systemctl("is-active", "--quiet", `${unit}.timer`),
    note: `${note}; 'loginctl enable-linger' lets it run without.`,
  };
}

function systemctl(...words: string[]): string[] {
  return ["systemctl", "--user", ...words];
}
