// The tree of an outline: it folds, checks, edits and moves rows, by keyboard and
// by mouse. An outline may have a hundred thousand rows, of which only the visible
// ones are rendered.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Empty, VirtualList, type ListControl } from "../../components/components.ts";
import { useNavigation, type RouteTo } from "../../navigation/navigation.ts";
import { useServer } from "../../server/server.ts";
import { EditNotice } from "./edit-notice.tsx";
import type { OpenDocument, ShownOutline } from "./open-document.ts";
import { MAX_INDENT, OutlineRow } from "./outline-row.tsx";
import { useRowDrag } from "./row-drag.ts";
import { RowField } from "./row-field.tsx";
import { directionOf } from "./row-keys.ts";
import { allFolds, initialFolds, unfoldTo, visibleRows, type Row, type Rows } from "./row-tree.ts";
import { TreeTools } from "./tree-tools.tsx";
import { NEW_ROW, useRowEditing } from "./use-row-editing.ts";

interface TreeProps extends Omit<ShownOutline, "rows"> {
  readonly route: RouteTo<"outline">;
  readonly document: OpenDocument;
  readonly rows: Rows;
}

export function Tree({ route, document, rows, isComplete, canUndo, canRedo }: TreeProps) {
  const { navigate } = useNavigation();
  const { client } = useServer();
  const canEdit = client.has("update_row");
  const [folded, setFolded] = useState(() => initialFolds(rows.all));
  const [active, setActive] = useState("");
  const list = useRef<ListControl>(null);
  const tree = useRef<HTMLDivElement>(null);
  /** The row of the address that was scrolled to. */
  const shownRow = useRef("");
  const fold = (id: string, isFolded: boolean) => {
    // A row that is no longer seen is not the one that a key changes.
    if (isFolded && rows.ancestorsOf(active).some((above) => above.id === id)) setActive(id);
    setFolded((before) => {
      const after = new Set(before);
      if (isFolded) after.add(id);
      else after.delete(id);
      return after;
    });
  };
  const editing = useRowEditing({
    document,
    rows,
    active,
    folded,
    onActive: setActive,
    onUnfold: (id) => fold(id, false),
    onLeave: () => tree.current?.focus({ preventScroll: true }),
  });
  const { shown, edited } = editing;
  const visible = useMemo(() => visibleRows(shown.all, folded), [shown, folded]);
  const at = visible.findIndex(({ id }) => id === active);

  // Rows that are loaded later start folded like the first ones.
  const loaded = useRef(isComplete ? rows : undefined);
  useEffect(() => {
    if (!isComplete || loaded.current !== undefined) return;
    loaded.current = rows;
    setFolded((before) => new Set([...initialFolds(rows.all), ...before]));
  }, [rows, isComplete]);

  // Before anything else happens: after a change of the rows, a later effect would come
  // after the next click, and select the row that was selected before it.
  useLayoutEffect(() => {
    if (route.row === "" || shownRow.current === route.row || rows.get(route.row) === undefined) return;
    setFolded((before) => unfoldTo(rows, route.row, before));
    setActive(route.row);
  }, [route.row, rows]);
  useEffect(() => {
    if (at === -1 || active !== route.row || shownRow.current === active) return;
    shownRow.current = active;
    list.current?.scrollTo(at, "center");
  }, [at, active]);
  // What is edited or moved stays in the window.
  useEffect(() => {
    if (at !== -1 && editing.keepsInView) list.current?.scrollTo(at);
  }, [at, active, edited?.field]);

  const activate = (index: number) => {
    const row = visible[Math.min(Math.max(index, 0), visible.length - 1)];
    if (row === undefined) return;
    setActive(row.id);
    list.current?.scrollTo(visible.indexOf(row));
  };
  /** Puts the row into the address. */
  const select = (row: Row) => {
    if (row.id === NEW_ROW) return;
    setActive(row.id);
    const id = document.ids.server(row.id);
    shownRow.current = id;
    navigate({ ...route, row: id }, { replaces: true });
  };
  const drag = useRowDrag({
    rows,
    visible,
    folded,
    onDrop: (id, { place }) => {
      setActive(id);
      editing.place(id, place);
    },
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const row = visible[at];
    const isFolded = row !== undefined && folded.has(row.id);
    if (canEdit && editing.onKey(event, directionOf(event, false))) return event.preventDefault();
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    switch (event.key) {
      case "ArrowDown":
        activate(at + 1);
        break;
      case "ArrowUp":
        activate(at - 1);
        break;
      case "Home":
        activate(0);
        break;
      case "End":
        activate(visible.length - 1);
        break;
      case "ArrowRight":
        if (row?.hasChildren && isFolded) fold(row.id, false);
        else if (row?.hasChildren) activate(at + 1);
        break;
      case "ArrowLeft":
        if (row?.hasChildren && !isFolded) fold(row.id, true);
        else activate(visible.findIndex(({ id }) => id === row?.parentId));
        break;
      case " ":
        if (row) editing.toggle(row);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  const fieldOf = (row: Row, index: number, kind: "topic" | "note") => {
    if (edited?.id !== row.id || edited.field !== kind) return undefined;
    const key = `${row.id} ${kind} ${edited.serial}`;
    return <RowField key={key} kind={kind} position={`${row.level} ${index}`} {...editing.fieldProps(row)} />;
  };

  return (
    <>
      <div class="tree-tools">
        <button type="button" class="quiet" onClick={() => setFolded(new Set())}>
          Unfold all
        </button>
        <button type="button" class="quiet" onClick={() => setFolded(allFolds(rows.all))}>
          Fold all
        </button>
        {!isComplete && <span class="count">Loading the rest …</span>}
        {canEdit && (
          <TreeTools
            hasRow={at !== -1 && active !== NEW_ROW}
            canMove={editing.canMove}
            canUndo={canUndo}
            canRedo={canRedo && client.has("redo")}
            {...editing.actions}
          />
        )}
      </div>
      <EditNotice {...editing.notice} />
      {visible.length === 0 && <Empty title="This outline is empty" />}
      <div
        ref={tree}
        class="tree"
        role="tree"
        aria-label="Outline"
        tabIndex={0}
        data-item
        aria-activedescendant={at === -1 ? undefined : `row-${active}`}
        onKeyDown={onKeyDown}
        // By the keyboard: a press of the mouse is about the row under it.
        onFocus={({ target, currentTarget }) =>
          target === currentTarget && at === -1 && currentTarget.matches(":focus-visible") && activate(0)
        }
      >
        <VirtualList
          items={visible}
          keyOf={(row) => row.id}
          estimateHeight={estimateHeight}
          control={list}
          render={(row, index) => (
            <OutlineRow
              row={row}
              isActive={row.id === active}
              isFolded={folded.has(row.id)}
              isDragged={drag.dragging?.id === row.id}
              query={route.query}
              topicField={fieldOf(row, index, "topic")}
              noteField={fieldOf(row, index, "note")}
              onFold={() => fold(row.id, !folded.has(row.id))}
              onToggle={() => editing.toggle(row)}
              onSelect={() => select(row)}
              onEdit={(field) => canEdit && editing.edit(row, field)}
              onGrab={(event) => canEdit && drag.grab(event, row)}
            />
          )}
        />
        {drag.dragging && (
          <div
            class="drop-line"
            role="presentation"
            style={{ top: `${drag.dragging.top}px`, "--level": Math.min(drag.dragging.drop.level, MAX_INDENT) }}
          />
        )}
      </div>
    </>
  );
}

/** Characters that fit into a line, about. */
const CHARACTERS_PER_LINE = 85;
/** In pixels. */
const LINE_HEIGHT = 26;

function estimateHeight({ topic, note }: Row): number {
  const lines =
    Math.ceil((topic.length + 1) / CHARACTERS_PER_LINE) + Math.ceil((note ?? "").length / CHARACTERS_PER_LINE);
  return Math.max(1, lines) * LINE_HEIGHT + 8;
}
