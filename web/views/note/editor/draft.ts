// What was typed and not saved yet, kept in this window's storage: a reload or a
// step back loses nothing. Used by the editor.

export interface Draft {
  /** The text that the editing began with, and its hash. */
  readonly base: string;
  readonly hash: string;
  readonly text: string;
}

const keyOf = (path: string) => `draft:${path}`;

export function keptDraft(path: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(path)) ?? "null");
    return kept === null ? undefined : (kept as Draft);
  } catch {
    return undefined;
  }
}

/** Without a draft, what was kept is forgotten. */
export function keepDraft(path: string, draft: Draft | undefined): void {
  try {
    if (draft === undefined || draft.text === draft.base) sessionStorage.removeItem(keyOf(path));
    else sessionStorage.setItem(keyOf(path), JSON.stringify(draft));
  } catch {
    // The storage is full: the text is still in the editor, and leaving the page asks.
  }
}
