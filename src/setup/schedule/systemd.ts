// The units of a systemd user timer.
import type { Launch } from "../hosts/launch.ts";
import { INDEXING, type ScheduledTask, writtenBy } from "./task.ts";

export function systemdService({ command, args, env = {} }: Launch, task: ScheduledTask = INDEXING): string {
  const variables = Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`, false)}`);
  return [
    `# ${writtenBy(task)}; "${task.command} --remove" takes it out.`,
    "[Unit]",
    `Description=${task.purpose}`,
    "",
    "[Service]",
    "Type=oneshot",
    ...variables,
    `ExecStart=${[command, ...args].map((word) => quoted(word, true)).join(" ")}`,
    "Nice=19",
    "IOSchedulingClass=idle",
    "",
  ].join("\n");
}

/** `Persistent`: what was missed while the machine was off is made up for. */
export function systemdTimer(task: ScheduledTask = INDEXING): string {
  return [
    `# ${writtenBy(task)}; "${task.command} --remove" takes it out.`,
    "[Unit]",
    `Description=${task.purpose}`,
    "",
    "[Timer]",
    `OnCalendar=*-*-* 00/${task.hours}:00:00`,
    "RandomizedDelaySec=15min",
    "Persistent=true",
    "",
    "[Install]",
    "WantedBy=timers.target",
    "",
  ].join("\n");
}

/** As systemd.syntax(7) has it; in commands a dollar sign would name a variable. */
function quoted(word: string, isCommand: boolean): string {
  const escaped = word
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("%", "%%");
  return `"${isCommand ? escaped.replaceAll("$", "$$$$") : escaped}"`;
}
