// The property list of a launchd agent.
import type { Launch } from "../hosts/launch.ts";
import { INDEXING, type ScheduledTask, writtenBy } from "./task.ts";
import { xmlText } from "./xml-text.ts";

const HOUR = 60 * 60;

export function launchdAgent(
  label: string,
  { command, args, env = {} }: Launch,
  task: ScheduledTask = INDEXING,
): string {
  const words = [command, ...args].map((word) => `    <string>${xmlText(word)}</string>`);
  const variables = Object.entries(env).flatMap(([name, value]) => [
    `    <key>${xmlText(name)}</key>`,
    `    <string>${xmlText(value)}</string>`,
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    // A comment may not have two hyphens.
    `<!-- ${writtenBy(task).replaceAll("--", "")} -->`,
    '<plist version="1.0">',
    "<dict>",
    "  <key>Label</key>",
    `  <string>${xmlText(label)}</string>`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...words,
    "  </array>",
    ...(variables.length === 0 ? [] : ["  <key>EnvironmentVariables</key>", "  <dict>", ...variables, "  </dict>"]),
    "  <key>StartInterval</key>",
    `  <integer>${task.hours * HOUR}</integer>`,
    "  <key>RunAtLoad</key>",
    "  <true/>",
    "  <key>ProcessType</key>",
    "  <string>Background</string>",
    "  <key>LowPriorityIO</key>",
    "  <true/>",
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
}
