// One row of an outline: folded by its arrow, ticked by its box, linked to by a
// click. The keys are the tree's.
import { Icon, Marked } from "../../components/components.ts";
import type { Row } from "./row-tree.ts";

interface OutlineRowProps {
  readonly row: Row;
  readonly isActive: boolean;
  readonly isFolded: boolean;
  readonly query: string;
  readonly onFold: () => void;
  readonly onTick: () => void;
  readonly onChoose: () => void;
}

const CHECKED = { checked: "true", unchecked: "false", mixed: "mixed", none: undefined } as const;
/** Deeper rows are not moved further to the right: on a phone nothing would be left of them. */
const DEEPEST = 12;

export function OutlineRow({ row, isActive, isFolded, query, onFold, onTick, onChoose }: OutlineRowProps) {
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
      style={{ "--level": Math.min(level, DEEPEST) }}
      onClick={onChoose}
    >
      <span class={isFolded ? "row-fold" : "row-fold is-open"} aria-hidden="true" onClick={onPart(onFold)}>
        {hasChildren && <Icon name="fold" />}
      </span>
      {state !== "none" && (
        <span class="box" data-state={state} aria-hidden="true" onClick={onPart(onTick)}>
          {state === "checked" && <Icon name="done" />}
        </span>
      )}
      <span class="row-text">
        <span class="row-topic">
          <Marked text={topic} query={query} />
        </span>
        {note !== null && note !== "" && (
          <span class="row-note">
            <Marked text={note} query={query} />
          </span>
        )}
      </span>
    </div>
  );
}

/** A click on a part of the row is none on the row. */
function onPart(work: () => void): (event: MouseEvent) => void {
  return (event) => {
    event.stopPropagation();
    work();
  };
}
