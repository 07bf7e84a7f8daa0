// The dialog that lists all keyboard shortcuts.
import { Icon, useModalDialog } from "../components/components.ts";
import { DESTINATIONS } from "./destinations.ts";

const SHORTCUTS: readonly (readonly [keys: string, effect: string])[] = [
  ["/", "search"],
  ["Ctrl K", "open anything, or run a command"],
  ["↓ ↑", "move through results, rows and lists"],
  ["Enter", "open"],
  ["Esc", "return to the search field, or clear it"],
  ["→ ←", "in an outline: unfold, fold"],
  ["Space", "in an outline: check or uncheck"],
  ["Enter", "in an outline: edit the row, then write the next one"],
  ["Shift Enter", "in an outline: edit the note of the row"],
  ["Alt Shift ↑", "in an outline: move the row; ↓ ← → too"],
  ["Delete", "in an outline: delete the row; Ctrl Z undoes"],
  ["p", "on a link: what it leads to"],
  ["[ ]", "in conversations: the one before, the one after"],
  ["F2", "in the left column: rename; Delete moves to the trash"],
  ["j k", "in a conversation: next or previous prompt"],
  ...DESTINATIONS.map(({ key, name }) => [`g ${key}`, name.toLowerCase()] as const),
  ["c", "add to today’s note"],
  ["n", "new note"],
  ["e", "in a note: write in it"],
  ["Esc", "in the editor: done"],
  ["t", "change the theme"],
  ["?", "show this list"],
];

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const dialog = useModalDialog();
  return (
    <dialog ref={dialog} class="dialog shortcuts" aria-labelledby="shortcuts-title" onClose={onClose}>
      <header>
        <h2 id="shortcuts-title">Shortcuts</h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()} aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {SHORTCUTS.map(([keys, effect]) => (
          <div key={effect}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
