// What git says when it fails, as a sentence for the model: what is wrong, and
// what to do. Pure.
import type { GitOutcome } from "./git.ts";

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

/** git names files by their full path, which is more than a result may tell. */
function withoutPaths(sentence: string): string {
  return sentence.replace(/(?:\/|[A-Za-z]:\\)[^\s'":]+/g, "…").slice(0, 200);
}
