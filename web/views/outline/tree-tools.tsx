// The buttons above a tree: what the keys do to the selected row, for the mouse,
// for fingers and for people who do not know the keys.
import { Icon, type IconName } from "../../components/components.ts";
import type { Direction } from "./row-places.ts";

export interface RowActions {
  readonly onAdd: () => void;
  readonly onEdit: (field: "topic" | "note") => void;
  readonly onMove: (direction: Direction) => void;
  readonly onDelete: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

interface TreeToolsProps extends RowActions {
  readonly hasRow: boolean;
  readonly canMove: (direction: Direction) => boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

const MOVES: readonly (Pick<ToolProps, "icon" | "name" | "keys"> & { readonly direction: Direction })[] = [
  { direction: "out", icon: "outdent", name: "Outdent", keys: "Alt Shift ←" },
  { direction: "in", icon: "indent", name: "Indent", keys: "Alt Shift →" },
  { direction: "up", icon: "up", name: "Move up", keys: "Alt Shift ↑" },
  { direction: "down", icon: "down", name: "Move down", keys: "Alt Shift ↓" },
];

export function TreeTools({ hasRow, canMove, canUndo, canRedo, ...act }: TreeToolsProps) {
  return (
    <div class="row-tools" role="toolbar" aria-label="Edit the outline">
      <Tool icon="add" name="Add a row" keys="Ctrl Enter" onUse={act.onAdd} />
      <Tool icon="edit" name="Edit the row" keys="Enter" isOff={!hasRow} onUse={() => act.onEdit("topic")} />
      <Tool icon="note" name="Edit its note" keys="Shift Enter" isOff={!hasRow} onUse={() => act.onEdit("note")} />
      {MOVES.map(({ direction, ...tool }) => (
        <Tool key={direction} {...tool} isOff={!canMove(direction)} keepsField onUse={() => act.onMove(direction)} />
      ))}
      <Tool icon="delete" name="Delete the row" keys="Delete" isOff={!hasRow} onUse={act.onDelete} />
      <Tool icon="undo" name="Undo" keys="Ctrl Z" isOff={!canUndo} onUse={act.onUndo} />
      <Tool icon="redo" name="Redo" keys="Ctrl Shift Z" isOff={!canRedo} onUse={act.onRedo} />
    </div>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly name: string;
  readonly keys: string;
  readonly isOff?: boolean;
  /** The field that is being edited stays open. */
  readonly keepsField?: boolean;
  readonly onUse: () => void;
}

function Tool({ icon, name, keys, isOff = false, keepsField = false, onUse }: ToolProps) {
  return (
    <button
      type="button"
      class="quiet"
      aria-label={name}
      title={`${name} (${keys})`}
      // Still found by the keyboard and by screen readers while there is nothing to do.
      aria-disabled={isOff}
      onMouseDown={(event) => keepsField && event.preventDefault()}
      onClick={() => !isOff && onUse()}
    >
      <Icon name={icon} />
    </button>
  );
}
