// Runs the commands of the container's check: buildah, podman and what they need.
import { spawnSync } from "node:child_process";

/** @returns what it printed; fails with it if the command does */
export function must([command = "", ...args]: readonly string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status === 0) return stdout;
  const printed = error === undefined ? `${stdout}${stderr}` : String(error);
  throw new Error(`${command} ${args.join(" ")}\n${printed.trim()}`);
}
