// Every key that does something, in a dialog.
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../components/components.ts";
import { WAYS } from "./destinations.ts";

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["/", "search"],
  ["↓ ↑", "go through results, rows and lists"],
  ["Enter", "open"],
  ["Esc", "back to the search field; there, clear it"],
  ["→ ←", "in an outline: unfold, fold"],
  ["Space", "in an outline: tick"],
  ...WAYS.map(({ key, name }) => [`g ${key}`, name.toLowerCase()] as const),
  ["t", "change the theme"],
  ["?", "this list"],
];

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="shortcuts" aria-labelledby="shortcuts-title" onClose={onClose}>
      <header>
        <h2 id="shortcuts-title">Shortcuts</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()} aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
