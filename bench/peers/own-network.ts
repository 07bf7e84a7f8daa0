// A network with loopback only, in which all servers of the comparison run: those
// of others must reach nothing outside.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export interface OwnNetwork {
  /** Words before a command that is to run in it. */
  readonly entering: readonly string[];
  readonly close: () => void;
}

export async function ownNetwork(): Promise<OwnNetwork> {
  if (spawnSync("unshare", ["-n", "ip", "link", "set", "lo", "up"]).status !== 0)
    throw new Error(
      "The comparison runs other people's programs in a network of their own: that takes Linux and root.",
    );
  const holder = spawn("unshare", ["-n", "sh", "-c", "ip link set lo up && exec sleep infinity"], { stdio: "ignore" });
  // Loopback is up when `sleep` has taken the place of the shell.
  while (holder.exitCode === null && !readFileSync(`/proc/${holder.pid}/comm`, "utf8").startsWith("sleep"))
    await pause(10);
  return { entering: ["nsenter", `--net=/proc/${holder.pid}/ns/net`], close: () => void holder.kill() };
}
