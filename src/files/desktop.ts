// Opens an address in the desktop's program for it, if there is a desktop. Used
// by vaultManager_openNote and by `serve --welcome`.
import { spawn } from "node:child_process";

/** The address is a single argument, and none of these programs takes options from it. @returns whether it was opened */
export function openOnDesktop(address: string): Promise<boolean> {
  const command = DESKTOP_OPENERS[process.platform];
  const hasDesktop = process.platform !== "linux" || Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
  if (command === undefined || !hasDesktop) return Promise.resolve(false);
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program!, [...args, address], { stdio: "ignore", detached: true });
    child.on("error", () => resolve(false));
    child.on("spawn", () => resolve(true));
    child.unref();
  });
}

const DESKTOP_OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  linux: ["xdg-open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
