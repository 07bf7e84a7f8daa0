// Lists that the arrow keys go through. Their items are links or buttons marked
// with data-item, so that Enter, the middle button and a screen reader find what
// they know.

const ITEM = "[data-item]";

/** @param opens follows it at once @returns whether there was one */
export function focusFirst(within: HTMLElement | null, opens = false): boolean {
  const item = within?.querySelector<HTMLElement>(ITEM);
  if (opens) item?.click();
  else item?.focus();
  return item !== null && item !== undefined;
}

/** For a list's onKeyDown. */
export function goThrough(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const items = [...list.querySelectorAll<HTMLElement>(ITEM)];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at !== -1 && step !== undefined) {
    event.preventDefault();
    const next = items[at + step];
    if (next !== undefined) next.focus();
    else if (step === -1) focusSearch();
  }
  const isLetter = event.key.length === 1 && event.key !== " " && event.key !== "?" && event.key !== "/";
  if (event.key === "Escape") focusSearch();
  // Who goes on typing means the search.
  else if (isLetter && list.dataset["typing"] === "search" && !event.ctrlKey && !event.metaKey && !event.altKey)
    focusSearch();
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("input[type=search]");
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
