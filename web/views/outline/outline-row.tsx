// One row of an outline: the arrow folds it, the box checks it, a click selects
// it. The tree handles the keyboard.
import { Icon, Highlighted } from "../../components/components.ts";
import type { Row } from "./row-tree.ts";

interface OutlineRowProps {
  readonly row: Row;
  readonly isActive: boolean;
  readonly isFolded: boolean;
  readonly query: string;
  readonly onFold: () => void;
  readonly onToggle: () => void;
  readonly onSelect: () => void;
}

const CHECKED = { checked: "true", unchecked: "false", mixed: "mixed", none: undefined } as const;
/** Deeper rows are not indented further: on a phone there would be no room for their text. */
const MAX_INDENT = 12;

export function OutlineRow({ row, isActive, isFolded, query, onFold, onToggle, onSelect }: OutlineRowProps) {
  const { id, topic, note, level, state, hasChildren } = row;
  return (
    <div
      id={`row-${id}`}
      class={`row${isActive ? " is-active" : ""}${state === "checked" ? " is-done" : ""}`}
      role="treeitem"
      aria-level={level + 1}
      aria-selected={isActive}
      aria-expanded={hasChildren ? !isFolded : undefined}
      aria-checked={CHECKED[state]}
      style={{ "--level": Math.min(level, MAX_INDENT) }}
      onClick={onSelect}
    >
      <span class={isFolded ? "row-fold" : "row-fold is-open"} aria-hidden="true" onClick={onPart(onFold)}>
        {hasChildren && <Icon name="fold" />}
      </span>
      {state !== "none" && (
        <span class="box" data-state={state} aria-hidden="true" onClick={onPart(onToggle)}>
          {state === "checked" && <Icon name="done" />}
        </span>
      )}
      <span class="row-text">
        <span class="row-topic">
          <Highlighted text={topic} query={query} />
        </span>
        {note !== null && note !== "" && (
          <span class="row-note">
            <Highlighted text={note} query={query} />
          </span>
        )}
      </span>
    </div>
  );
}

/** A click on the arrow or the box must not select the row. */
function onPart(work: () => void): (event: MouseEvent) => void {
  return (event) => {
    event.stopPropagation();
    work();
  };
}
