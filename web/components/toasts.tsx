// Short messages about what was just done, at the bottom of the page, with an Undo.
// One at a time; it stays while it has the pointer or the focus.
import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem } from "../server/server.ts";
import type { Client } from "../server/server.ts";
import { Icon } from "./icons.tsx";

/** Long enough to read it and to reach its button by keys, in milliseconds. */
const SHOWN = 10_000;

interface Toast {
  readonly text: string;
  readonly undo?: (() => Promise<void>) | undefined;
}

let show: (toast: Toast) => void = () => {};

export function showToast(text: string, undo?: () => Promise<void>): void {
  show({ text, undo });
}

/**
 * Says what was done to a file, and takes that back on request.
 * @param path of the file now. @param after called when it was taken back
 */
export async function showUndoable(client: Client, path: string, text: string, after: () => void): Promise<void> {
  const id = client.has("undo") ? await lastChange(client, path) : undefined;
  if (id === undefined) return showToast(text);
  return showToast(text, async () => {
    await client.call("undo", { id });
    after();
  });
}

async function lastChange(client: Client, path: string): Promise<string | undefined> {
  try {
    return (await client.call("history", { path, limit: 1 })).entries[0]?.id;
  } catch {
    return undefined;
  }
}

export function Toasts() {
  const [toast, setToast] = useState<Toast>();
  const [isHeld, setHeld] = useState(false);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    show = (next) => {
      opener.current = document.activeElement;
      setToast(next);
      setHeld(false);
    };
    return () => void (show = () => {});
  }, []);
  useEffect(() => {
    if (toast === undefined || isHeld) return undefined;
    const timer = setTimeout(() => setToast(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  const close = () => {
    setToast(undefined);
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  };
  const undo = async (work: () => Promise<void>) => {
    try {
      await work();
      close();
    } catch (error) {
      setToast({ text: asProblem(error).message });
    }
  };
  return (
    <div class="toasts" role="status">
      {toast && (
        <div
          class="toast"
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocusIn={() => setHeld(true)}
          onFocusOut={() => setHeld(false)}
        >
          <span>{toast.text}</span>
          {toast.undo && (
            <button type="button" class="link" onClick={() => void undo(toast.undo!)}>
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
