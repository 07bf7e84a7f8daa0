// Runs git, but no program that a repository names. A repository is not trusted:
// its configuration can name programs (hooks, a file system monitor, filters, a
// signature checker, a transport), and none of them may start because an assistant
// asked about the project. Used by repository.ts and history.ts.
import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { mayRun, programOnPath } from "../../kernel/kernel.ts";

/** Enough to list a million files; beyond it git is stopped. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_ERROR_BYTES = 8 * 1024;
const TIME_LIMIT = 30_000;

const SAFE = [
  "--no-optional-locks",
  "--no-pager",
  "--literal-pathspecs",
  ...[
    "core.fsmonitor=false",
    `core.hooksPath=${devNull}`,
    "log.showSignature=false",
    "submodule.recurse=false",
  ].flatMap((setting) => ["-c", setting]),
];

export interface GitRun {
  readonly folder: string;
  readonly args: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Settings that override those of the repository. */
  readonly overrides?: readonly (readonly [key: string, value: string])[];
  /** git does not search for a repository in this folder or above it. */
  readonly ceiling?: string | undefined;
  readonly timeLimit?: number;
  readonly mostBytes?: number;
}

export interface GitOutcome {
  /** The exit code, or undefined if git was stopped because it took too long or printed too much. */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** @returns undefined if git is not installed */
export function runGit(run: GitRun): Promise<GitOutcome | undefined> {
  const program = findGit();
  if (program === undefined) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...SAFE, ...run.args], {
      cwd: run.folder,
      env: environmentOf(run),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    let stderr = "";
    let isCut = false;
    const cut = () => {
      isCut = true;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(cut, run.timeLimit ?? TIME_LIMIT);
    run.signal?.addEventListener("abort", cut);
    child.stdout.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > (run.mostBytes ?? MAX_BYTES)) cut();
      else parts.push(part);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(0, MAX_ERROR_BYTES);
    });
    const end = () => {
      clearTimeout(timer);
      run.signal?.removeEventListener("abort", cut);
    };
    child.on("error", (error) => {
      end();
      reject(error);
    });
    child.on("close", (code) => {
      end();
      if (run.signal?.aborted) reject(run.signal.reason as Error);
      else resolve({ code: isCut ? undefined : (code ?? undefined), stdout: Buffer.concat(parts), stderr });
    });
    if (run.signal?.aborted) cut();
  });
}

/** The user's environment without variables that redirect git, and without network access. */
function environmentOf({ overrides = [], ceiling }: GitRun): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name)),
  );
  overrides.forEach(([key, value], i) => {
    environment[`GIT_CONFIG_KEY_${i}`] = key;
    environment[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return {
    ...environment,
    GIT_CONFIG_COUNT: String(overrides.length),
    ...(ceiling !== undefined && { GIT_CEILING_DIRECTORIES: ceiling }),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    // A partial clone would fetch missing objects by a command that it names itself.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

let found: { readonly path: string; readonly program: string } | undefined;

function findGit(): string | undefined {
  const path = process.env["PATH"] ?? "";
  if (found?.path === path && mayRun(found.program)) return found.program;
  const program = programOnPath("git");
  found = program === undefined ? undefined : { path, program };
  return program;
}

/** A sentence for the model about a failed git: what is wrong, and what to do. */
export function failureOf(answer: GitOutcome | undefined): string {
  if (answer === undefined) return "git is not installed, or not on the PATH.";
  if (answer.code === undefined) return "git took too long or printed too much, and was stopped.";
  if (/dubious ownership/.test(answer.stderr)) {
    return 'git refuses this repository because another user owns it. If you trust it, run in it: git config --global --add safe.directory "$PWD"';
  }
  if (/not a git repository/.test(answer.stderr)) {
    return "There is a .git here, and git does not accept it as a repository: its HEAD is broken, it may not be read, or it leads to a folder that is gone.";
  }
  const line = /^(?:fatal|error): (.*)$/m.exec(answer.stderr)?.[1] ?? "no reason given";
  return `git failed: ${withoutPaths(line)}`;
}

/** git names files by their full path, which a result must not reveal. */
function withoutPaths(sentence: string): string {
  return sentence.replace(/(?:\/|[A-Za-z]:\\)[^\s'":]+/g, "…").slice(0, 200);
}
