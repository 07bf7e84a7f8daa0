// A dialog over the page that is open from the moment it is rendered: keys that
// are pressed right after the one that opened it go into it. Used by all dialogs.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** For the `ref` of a `<dialog>`. The focus goes to its element with `autofocus`, else to its first one. */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return dialog;
}
