// Starts the program of an assistant in a folder, and waits for it. Used by resume
// and handoff.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { Problem, programOnPath } from "../../kernel/kernel.ts";

interface Started {
  readonly command: readonly [program: string, ...args: string[]];
  readonly folder: string | undefined;
}

/** @returns the exit code of the program @param hint what to do if it is not installed */
export async function startProgram({ command: [name, ...args], folder }: Started, hint: string): Promise<number> {
  if (folder !== undefined && !isFolder(folder))
    throw new Problem(
      "not_found",
      `The folder of this conversation is not there: ${folder}`,
      "It may have been renamed, or its drive may not be mounted.",
    );
  const program = programOnPath(name);
  if (program === undefined) throw new Problem("not_found", `${name} is not installed, or not on the PATH.`, hint);
  // The terminal sends these to both: the program decides, and this process waits for it.
  for (const signal of ["SIGINT", "SIGQUIT"] as const) process.on(signal, () => {});
  const running = spawn(program, args, { cwd: folder, stdio: "inherit" });
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => running.kill(signal));
  const [code] = (await once(running, "close")) as [number | null];
  return code ?? 1;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
