// What another process uses: its memory in megabytes, its processor time, and its
// open files. Used by benchmarks and by the tests of load.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export function memoryOf(pid: number): number {
  if (process.platform === "linux") return field(pid, "VmRSS");
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
}

/** Its peak; only Linux reports it. */
export function peakMemoryOf(pid: number): number | undefined {
  return process.platform === "linux" ? field(pid, "VmHWM") : undefined;
}

/** The time that all of its threads computed, in milliseconds; only Linux reports it, in hundredths of a second. */
export function processorTimeOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The same of all processes that this one started and that have ended. */
export function processorTimeOfEnded(): number {
  if (process.platform !== "linux") return Number.NaN;
  const fields = statOf(process.pid);
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function statOf(pid: number): readonly string[] {
  // The name of the program comes before, in parentheses, and may have spaces.
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
}

/** The same of the threads that run now, to the nanosecond: for the time of one call. */
export function exactProcessorTimeOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return times.reduce((sum, time) => sum + Number(time), 0) / 1e6;
}

/** Only Linux reports it. */
export function openFilesOf(pid: number): number | undefined {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : undefined;
}

function field(pid: number, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}

/** The memory of the processes that it started, together; only Linux reports it. */
export function memoryOfChildren(pid: number): number {
  if (process.platform !== "linux") return 0;
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "),
  );
  return children.reduce((sum, child) => sum + (child === "" ? 0 : memoryIfRunning(Number(child))), 0);
}

function memoryIfRunning(pid: number): number {
  try {
    return memoryOf(pid);
  } catch {
    // It has just ended.
    return 0;
  }
}
