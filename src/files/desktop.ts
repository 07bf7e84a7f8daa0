// Opens an address in the desktop's program for it, if there is a desktop. Used
// by vaultManager_openNote and by `serve --welcome`.
import { spawn } from "node:child_process";
import { operatingSystem } from "../kernel/kernel.ts";

/** The address is a single argument, and none of these programs takes options from it. @returns whether it was opened */
export function openOnDesktop(address: string): Promise<boolean> {
  const { opener: command, displayVariables } = operatingSystem();
  const hasDesktop = displayVariables?.some((name) => process.env[name]) ?? true;
  if (command === undefined || !hasDesktop) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program!, [...args, address], { stdio: "ignore", detached: true });
    child.on("error", () => resolve(false));
    child.on("spawn", () => resolve(true));
    child.unref();
  });
}
