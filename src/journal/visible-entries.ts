// Selects the entries of the history that may be shown while the settings hide files: those
// that are about visible files alone. The exception is a move that kept the
// links of hidden notes whole: it is shown, and can be undone, without them.
// Used by open-journal.ts.
import type { AccessRules } from "../files/files.ts";
import { Problem } from "../kernel/kernel.ts";
import type { Entry, EntryReader } from "./entry.ts";
import { type Action, movesIn } from "./plan/action.ts";

type Shown = Pick<Entry, "actions" | "isReadable">;

export function isShown({ actions, isReadable }: Shown, { hides, isHidden }: AccessRules): boolean {
  if (!hides) return true;
  // The message of a damaged entry may name anything.
  if (!isReadable) return false;
  const hidden = actions.filter((action) => pathsIn(action).some(isHidden));
  if (hidden.length === 0) return true;
  return hidden.every(({ kind }) => kind === "patch") && actions.some(({ kind }) => kind === "move");
}

/** Done entries that may be shown, newest first. */
export async function shownEntries(
  entries: EntryReader,
  before: number,
  limit: number,
  access: AccessRules,
  path?: string,
): Promise<Entry[]> {
  const shown: Entry[] = [];
  for (let last = before; ;) {
    const found = await entries.list(last, limit, path);
    shown.push(...found.filter((entry) => isShown(entry, access)));
    if (found.length < limit || shown.length >= limit) return shown.slice(0, limit);
    last = found.at(-1)!.number;
  }
}

/** An error of a change that also rewrites links in hidden notes, without the names of these. */
export function withoutHiddenNames(
  error: unknown,
  actions: readonly Action[],
  { hides, isHidden }: AccessRules,
): unknown {
  if (!hides || !(error instanceof Problem)) return error;
  const said = `${error.message} ${error.hint ?? ""}`;
  const names = actions.flatMap(pathsIn).filter(isHidden);
  if (!names.some((path) => said.includes(path))) return error;
  return new Problem(
    error.code,
    "This no longer fits: a file that the settings keep out of reach was changed. Nothing was changed.",
    "Look at what is there now, then try again.",
  );
}

function pathsIn(action: Action): string[] {
  return action.kind === "move" ? [action.path, action.to] : [action.path];
}

/** Returns the moves of an entry, without hidden paths. */
export function shownMoves({ actions }: Pick<Entry, "actions">, { isHidden }: Pick<AccessRules, "isHidden">) {
  return movesIn(actions).filter(({ from, to }) => !isHidden(from) && !isHidden(to));
}
