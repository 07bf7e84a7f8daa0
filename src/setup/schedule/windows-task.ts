// The definition of a task for Windows' Task Scheduler.
import type { Launch } from "../hosts/launch.ts";
import { INDEXING, type ScheduledTask, writtenBy } from "./task.ts";
import { xmlText } from "./xml-text.ts";

/** A task has no environment of its own: npx finds Node on the user's PATH. */
export function windowsTask({ command, args }: Launch, task: ScheduledTask = INDEXING): string {
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    "  <RegistrationInfo>",
    `    <Description>${`${task.purpose}. ${writtenBy(task)}.`}</Description>`,
    "  </RegistrationInfo>",
    "  <Triggers>",
    "    <TimeTrigger>",
    "      <Repetition>",
    `        <Interval>PT${task.hours}H</Interval>`,
    "      </Repetition>",
    "      <StartBoundary>2026-01-01T00:00:00</StartBoundary>",
    "      <Enabled>true</Enabled>",
    "    </TimeTrigger>",
    "  </Triggers>",
    "  <Principals>",
    '    <Principal id="Author">',
    "      <LogonType>InteractiveToken</LogonType>",
    "      <RunLevel>LeastPrivilege</RunLevel>",
    "    </Principal>",
    "  </Principals>",
    "  <Settings>",
    "    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>",
    "    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>",
    "    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>",
    "    <StartWhenAvailable>true</StartWhenAvailable>",
    "    <Hidden>true</Hidden>",
    "    <ExecutionTimeLimit>PT2H</ExecutionTimeLimit>",
    "    <Priority>9</Priority>",
    "  </Settings>",
    '  <Actions Context="Author">',
    "    <Exec>",
    `      <Command>${xmlText(command)}</Command>`,
    `      <Arguments>${xmlText(args.map(windowsArgument).join(" "))}</Arguments>`,
    "    </Exec>",
    "  </Actions>",
    "</Task>",
    "",
  ].join("\r\n");
}

/** As CommandLineToArgvW reads it: backslashes count only before a quote. */
export function windowsArgument(word: string): string {
  if (word !== "" && !/[\s"]/.test(word)) return word;
  return `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&")}"`;
}
