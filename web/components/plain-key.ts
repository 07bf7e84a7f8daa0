// Tells a key that is a shortcut from one that is typed. Used by the shortcuts of the
// page and of views.

/** Returns whether no text is being written, no dialog is open, and no other key is held. */
export function isPlainKey(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey && !isTextField(event) && !isDialogOpen();
}

/** The editor of notes is in a shadow root, which hides where an event comes from. */
function isTextField(event: Event): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select");
}

export function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
