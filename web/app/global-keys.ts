// The keyboard shortcuts that work in every view. Used by the page's frame.
import { useLayoutEffect, useRef } from "preact/hooks";
import { isDialogOpen, isPlainKey } from "../components/components.ts";
import { nextTheme } from "./theme-switch.tsx";

interface GlobalKeys {
  /** Ctrl-K or ⌘K, in text fields too. */
  readonly onPalette: () => void;
  readonly onSearch: () => void;
  readonly onShortcuts: () => void;
  readonly onCapture: () => void;
  readonly onNewNote: () => void;
  /** The key that followed a g. */
  readonly onGo: (key: string) => void;
}

/** How long after a g the next key still belongs to it, in milliseconds. */
const SEQUENCE_TIMEOUT = 1_200;

export function useGlobalKeys(keys: GlobalKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before anything is painted: a key that is pressed as soon as the page is seen must work.
  useLayoutEffect(() => {
    let pressedG = -SEQUENCE_TIMEOUT;
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        if (!isDialogOpen()) latest.current.onPalette();
        return;
      }
      if (!isPlainKey(event)) return;
      const followsG = event.timeStamp - pressedG < SEQUENCE_TIMEOUT;
      pressedG = -SEQUENCE_TIMEOUT;
      if (followsG) latest.current.onGo(event.key);
      else if (event.key === "g") pressedG = event.timeStamp;
      else if (event.key === "/") latest.current.onSearch();
      else if (event.key === "?") latest.current.onShortcuts();
      else if (event.key === "c") latest.current.onCapture();
      else if (event.key === "n") latest.current.onNewNote();
      else if (event.key === "t") nextTheme();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
