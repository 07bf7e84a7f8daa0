// Sends requests to OmniOutliner: one osascript process per request, one at a time,
// each with a time limit. Requests are passed on standard input, so that no text of
// the user is in a process list, on disk or in a script. Used by the documents of
// the application and by doctor.
import { spawn } from "node:child_process";
import { AppProblem, noAnswer, problemOf, tooMuch } from "./problem.ts";
import type { Answer, Request } from "./protocol.ts";
import application from "./scripts/application.js?raw";
import dictionary from "./scripts/dictionary.js?raw";
import edits from "./scripts/edits.js?raw";
import automation from "./scripts/omni-automation.js?raw";

export interface OmniOutliner {
  /** The signal aborts a request that only reads; a change always runs to its end. */
  readonly ask: (request: Request, signal?: AbortSignal) => Promise<Answer>;
  /** Waits for the running request. */
  readonly close: () => Promise<void>;
}

/** The script that osascript runs. */
export const SCRIPT = [edits, dictionary, application].join("\n");

/** The function that it passes to the application, to be called with the request. */
export const INSIDE = `function (request) {\n${edits}\n${automation}\nreturn answered(request);\n}`;

/** Milliseconds; below the limit of a tool call, so that the caller learns the reason. */
const TIME_LIMIT = 50_000;

/** Bytes; 100,000 rows take about 15 MB. */
const MAX_ANSWER_LENGTH = 512 * 1024 * 1024;

export function openOmniOutliner({ timeLimit = TIME_LIMIT } = {}): OmniOutliner {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask: (request, signal) => {
      const isChange = request.do === "change" || request.do === "undo" || request.do === "redo";
      const turn = last.then(() => {
        signal?.throwIfAborted();
        return run(JSON.stringify({ ...request, inside: INSIDE }), {
          timeLimit,
          isChange,
          signal: isChange ? undefined : signal,
        });
      });
      last = turn.catch(() => {});
      return turn;
    },
    close: async () => {
      await last;
    },
  };
}

interface RunOptions {
  readonly timeLimit: number;
  readonly isChange: boolean;
  readonly signal: AbortSignal | undefined;
}

function run(input: string, { timeLimit, isChange, signal }: RunOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn("osascript", ["-l", "JavaScript", "-e", SCRIPT], { stdio: "pipe" });
    const out: Buffer[] = [];
    let length = 0;
    let stderr = "";
    const end = (reason: unknown) => {
      child.kill("SIGKILL");
      reject(reason as Error);
    };
    const timer = setTimeout(() => end(noAnswer(timeLimit / 1000, isChange)), timeLimit);
    const abort = () => end(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    child.stdout.on("data", (part: Buffer) => {
      length += part.length;
      if (length > MAX_ANSWER_LENGTH) end(tooMuch());
      else out.push(part);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-10_000)));
    // If the process ends before it has read everything, its exit code says why.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(
        new AppProblem(
          "app_not_running",
          `osascript cannot be run (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`,
          "It is part of macOS: check the PATH of the program that starts this server.",
          false,
        ),
      );
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      if (code !== 0) return reject(problemOf(stderr));
      try {
        resolve(JSON.parse(Buffer.concat(out).toString("utf8")) as Answer);
      } catch {
        reject(new Error(`osascript returned no JSON (${length} bytes)`));
      }
    });
  });
}
