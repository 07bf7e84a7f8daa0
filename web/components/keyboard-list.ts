// Lists that the arrow keys move through. Their items are links or buttons with
// the attribute data-item, so Enter, the middle mouse button and screen readers
// work as usual.

const ITEM = "[data-item]";

/** @returns whether the element has an item, or will have */
export function focusFirst(within: HTMLElement | null): boolean {
  return withFirst(within, (item) => item.focus());
}

/** @returns whether the element has an item, or will have */
export function clickFirst(within: HTMLElement | null): boolean {
  return withFirst(within, (item) => item.click());
}

/** While a list is busy with the results of what was typed last: once it has them, unless another key is pressed first. */
function withFirst(within: HTMLElement | null, act: (item: HTMLElement) => void): boolean {
  const busy = within?.querySelector("[aria-busy=true]");
  if (!busy) {
    const item = within?.querySelector<HTMLElement>(ITEM);
    if (item) act(item);
    return Boolean(item);
  }
  const stop = () => {
    observer.disconnect();
    removeEventListener("keydown", stop, true);
  };
  const observer = new MutationObserver(() => {
    if (busy.getAttribute("aria-busy") === "true" && busy.isConnected) return;
    stop();
    if (busy.isConnected) withFirst(within, act);
  });
  observer.observe(document.body, {
    attributes: true,
    attributeFilter: ["aria-busy"],
    childList: true,
    subtree: true,
  });
  // Not the key that is being handled, which has passed the capturing listeners.
  addEventListener("keydown", stop, true);
  return true;
}

/** For a list's onKeyDown. With data-typing="search" on the list, typed letters go to the search field. */
export function moveWithArrowKeys(event: KeyboardEvent): void {
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
  else if (isLetter && list.dataset["typing"] === "search" && !event.ctrlKey && !event.metaKey && !event.altKey)
    focusSearch();
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("input[type=search]");
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
