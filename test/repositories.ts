// Repositories for tests: real folders and the real git, untouched by the
// configuration of the person who runs the tests.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const IDENTITY = { name: "A", email: "a@example.com" };
const ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: IDENTITY.name,
  GIT_AUTHOR_EMAIL: IDENTITY.email,
  GIT_COMMITTER_NAME: IDENTITY.name,
  GIT_COMMITTER_EMAIL: IDENTITY.email,
};

export type Files = Readonly<Record<string, string>>;

/** A folder with a real path that is gone after the tests of this file. */
export function newFolder(files: Files = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "commonplace-project-")));
  folders.push(folder);
  writeFiles(folder, files);
  return folder;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export interface TestRepository {
  readonly folder: string;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (files: Files) => void;
  /** Writes the files and commits everything; days count back from a fixed day. */
  readonly commit: (message: string, files?: Files, daysAgo?: number) => void;
}

const DAY = 86_400;
const NOW = 1_790_000_000;

export function gitIn(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  return execFileSync("git", ["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", ...args], {
    cwd: folder,
    env: { ...ENVIRONMENT, ...environment },
    encoding: "utf8",
    maxBuffer: 1e9,
    timeout: 20_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export function newRepository(files?: Files): TestRepository {
  const folder = newFolder();
  const git = (...args: readonly string[]) => gitIn(folder, args);
  git("init", "--quiet");
  const write = (written: Files) => writeFiles(folder, written);
  const commit = (message: string, written: Files = {}, daysAgo = 0) => {
    write(written);
    const date = `${NOW - daysAgo * DAY} +0000`;
    git("add", "--all");
    gitIn(folder, ["commit", "--quiet", "--allow-empty", "-m", message], {
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    });
  };
  if (files !== undefined) commit("first", files);
  return { folder, git, write, commit };
}
