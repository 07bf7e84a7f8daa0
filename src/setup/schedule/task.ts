// The tasks the system can do by itself at regular times: bring the index up to date,
// and push to the shared store. Pure; used by schedule.ts and what writes
// each system's files.

export interface ScheduledTask {
  /** Part of the names of its files. */
  readonly name: string;
  /** The command that installs and removes it. */
  readonly command: string;
  /** Its command, besides the flags of the settings. */
  readonly words: readonly string[];
  /** Its purpose, as the system shows it. */
  readonly purpose: string;
  /** It runs every so many hours. */
  readonly hours: 1 | 6;
}

export const INDEXING: ScheduledTask = {
  name: "index",
  command: "commonplace index",
  words: ["index"],
  purpose: "Keep conversations with AI assistants in Commonplace",
  hours: 6,
};

/**
 * @param what `memory` or `conversations`; both if it is left out
 * @param space where to, if there is a choice
 */
export function pushingTo(what: string | undefined, space: string | undefined): ScheduledTask {
  const words = what === undefined ? ["push"] : ["push", what];
  return {
    name: "push",
    command: `commonplace ${words.join(" ")}`,
    words: [...words, ...(space === undefined ? [] : ["--space", space])],
    purpose: `Push ${what === undefined ? "memory and conversations" : what} of this machine to the shared store of Commonplace`,
    hours: 1,
  };
}

/** Marks a file as ours, so that nobody else's is replaced. */
export const MARK = 'Written by "commonplace';

/** Returns a line for every file of a schedule, for people who find it. */
export function writtenBy({ command }: ScheduledTask): string {
  return `Written by "${command} --install"`;
}

/** How a person reads its interval. */
export function interval({ hours }: ScheduledTask): string {
  return hours === 1 ? "every hour" : "every six hours";
}
