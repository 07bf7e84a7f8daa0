// One row of an outline: the arrow folds it, the box checks it, a click selects
// it, and a second click edits it. Dragging the arrow or the dot moves it. The
// tree handles the keyboard.
import type { ComponentChildren } from "preact";
import { Icon, Highlighted } from "../../components/components.ts";
import type { Row } from "./row-tree.ts";

interface OutlineRowProps {
  readonly row: Row;
  readonly isActive: boolean;
  readonly isFolded: boolean;
  readonly isDragged: boolean;
  readonly query: string;
  /** The fields that replace its texts while it is edited. */
  readonly topicField?: ComponentChildren;
  readonly noteField?: ComponentChildren;
  readonly onFold: () => void;
  readonly onToggle: () => void;
  readonly onSelect: () => void;
  readonly onEdit: (field: "topic" | "note") => void;
  readonly onGrab: (event: PointerEvent) => void;
}

const CHECKED = { checked: "true", unchecked: "false", mixed: "mixed", none: undefined } as const;
/** Deeper rows are not indented further: on a phone there would be no room for their text. */
export const MAX_INDENT = 12;

export function OutlineRow({
  row,
  isActive,
  isFolded,
  isDragged,
  query,
  topicField,
  noteField,
  onFold,
  onToggle,
  onSelect,
  onEdit,
  onGrab,
}: OutlineRowProps) {
  const { id, topic, note, level, state, hasChildren } = row;
  const classes = ["row", isActive && "is-active", state === "checked" && "is-done", isDragged && "is-dragged"];
  return (
    <div
      id={`row-${id}`}
      class={classes.filter(Boolean).join(" ")}
      role="treeitem"
      aria-level={level + 1}
      aria-selected={isActive}
      aria-expanded={hasChildren ? !isFolded : undefined}
      aria-checked={CHECKED[state]}
      style={{ "--level": Math.min(level, MAX_INDENT) }}
      onClick={onSelect}
    >
      <span
        class={isFolded ? "row-fold" : "row-fold is-open"}
        aria-hidden="true"
        onPointerDown={onGrab}
        onClick={onPart(onFold)}
      >
        {hasChildren && <Icon name="fold" />}
      </span>
      {state !== "none" && (
        <span class="box" data-state={state} aria-hidden="true" onClick={onPart(onToggle)}>
          {state === "checked" && <Icon name="done" />}
        </span>
      )}
      <span class="row-text">
        {topicField ?? (
          <span class="row-topic" onClick={isActive ? onPart(() => onEdit("topic")) : undefined}>
            <Highlighted text={topic} query={query} />
          </span>
        )}
        {noteField ??
          (note !== null && note !== "" && (
            <span class="row-note" onClick={isActive ? onPart(() => onEdit("note")) : undefined}>
              <Highlighted text={note} query={query} />
            </span>
          ))}
      </span>
    </div>
  );
}

/** A click on a part of the row must not select it. */
function onPart(work: () => void): (event: MouseEvent) => void {
  return (event) => {
    event.stopPropagation();
    work();
  };
}
