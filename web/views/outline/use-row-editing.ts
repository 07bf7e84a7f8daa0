// What a person edits in a tree: the field that is open, the row that is being
// added, and the keys and buttons that change rows. Used by the tree.
import { useMemo, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "../../server/server.ts";
import type { EditNoticeProps, TextEdit } from "./edit-notice.tsx";
import type { OpenDocument, TextConflict } from "./open-document.ts";
import { applyEdit, textOf, type RowEdit } from "./row-edits.ts";
import { lastIn, placeBelow, placeTowards, type Direction, type Place } from "./row-places.ts";
import type { Row, Rows } from "./row-tree.ts";
import type { RowActions } from "./tree-tools.tsx";

/** The row that is being added, until it has a text. */
export const NEW_ROW = "new-row";

interface Edited {
  readonly id: string;
  readonly field: "topic" | "note";
  /** The text that the person began with. */
  readonly before: string;
  /** Of the row that is being added. */
  readonly place?: Place;
  /** Differs for every row that is being added. */
  readonly serial?: number;
}

interface EditingOptions {
  readonly document: OpenDocument;
  readonly rows: Rows;
  readonly active: string;
  readonly folded: ReadonlySet<string>;
  readonly onActive: (id: string) => void;
  readonly onUnfold: (id: string) => void;
  /** The field is closed: the tree gets the focus. */
  readonly onLeave: () => void;
}

export function useRowEditing({ document, rows, active, folded, onActive, onUnfold, onLeave }: EditingOptions) {
  const [edited, setEdited] = useState<Edited>();
  const [message, setMessage] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const keepsInView = useRef(false);
  const serial = useRef(0);
  const shown = useMemo(() => withNewRow(rows, edited), [rows, edited?.place]);
  // What the keys and buttons change is what the person sees marked.
  const isSeen = rows.ancestorsOf(active).every(({ id }) => !folded.has(id));
  const selected = isSeen ? rows.get(active) : undefined;

  const [unsaved, setUnsaved] = useState<TextEdit>();

  const report = (work: Promise<string | undefined>) => {
    setMessage("");
    setProblem(undefined);
    setUnsaved(undefined);
    work.then(
      (said) => setMessage(said ?? ""),
      (error: unknown) => setProblem(asProblem(error)),
    );
  };
  const save = (edit: RowEdit, said?: string) => report(document.edit(edit).then(() => said));

  const open = (to: Edited) => {
    keepsInView.current = true;
    onActive(to.id);
    setEdited(to);
  };
  const close = () => {
    setEdited(undefined);
    onLeave();
  };
  const edit = (row: Row, field: "topic" | "note") => open({ id: row.id, field, before: textOf(row, field) });
  const add = (place: Place) => {
    if (place.parentId !== null) onUnfold(place.parentId);
    serial.current++;
    open({ id: NEW_ROW, field: "topic", before: "", place, serial: serial.current });
  };
  const update = (row: Row, { field, before }: Edited, text: string) => {
    if (text !== before) save({ kind: "update", id: row.id, field, text, before });
  };
  const place = (id: string, to: Place | undefined) => {
    if (to === undefined) return;
    keepsInView.current = true;
    if (to.parentId !== null) onUnfold(to.parentId);
    save({ kind: "move", id, place: to });
  };
  const move = (direction: Direction) => {
    if (selected !== undefined) place(selected.id, placeTowards(rows, selected.id, direction));
  };
  /** @returns the id of the row with this text, which is then where the new row was */
  const addNew = (to: Place, topic: string, said?: string): string => {
    const id = document.ids.next();
    save({ kind: "add", id, topic, place: to }, said);
    return id;
  };
  const remove = (row: Row) => {
    const below = rows.endOf(rows.indexOf(row.id)) - rows.indexOf(row.id) - 1;
    const next = rows.nextSibling(row.id) ?? rows.previousSibling(row.id) ?? rows.get(row.parentId);
    onActive(next?.id ?? "");
    const others = below === 0 ? "" : below === 1 ? " and the row below it" : ` and the ${below} rows below it`;
    save({ kind: "delete", id: row.id }, `Deleted “${row.topic}”${others}. Undo brings it back.`);
  };

  /** The new row is nowhere yet: only its depth can change. */
  const newPlace = ({ parentId, afterId }: Place, direction: Direction): Place | undefined => {
    const parent = rows.get(parentId);
    if (direction === "in" && afterId !== null) return lastIn(rows, afterId);
    return direction === "out" && parent ? { parentId: parent.parentId, afterId: parent.id } : undefined;
  };
  const moveNew = (from: Edited, direction: Direction) => {
    const to = newPlace(from.place!, direction);
    if (to === undefined) return;
    if (to.parentId !== null) onUnfold(to.parentId);
    setEdited({ ...from, place: to });
  };

  const actions: RowActions = {
    onAdd: () => {
      const last = rows.all.findLast(({ level }) => level === 0);
      add(selected ? placeBelow(selected, folded.has(active)) : { parentId: null, afterId: last?.id ?? null });
    },
    onEdit: (field) => selected && edit(selected, field),
    onMove: (direction) => (edited?.place ? moveNew(edited, direction) : move(direction)),
    onDelete: () => {
      if (selected === undefined) return;
      close();
      remove(selected);
    },
    onUndo: () => report(document.undo()),
    onRedo: () => report(document.redo()),
  };

  const fieldProps = (row: Row) => {
    const now = edited!;
    const isNew = now.place !== undefined;
    return {
      label: isNew ? "New row" : now.field === "note" ? `Note of ${row.topic || "the row"}` : "Row",
      text: now.before,
      onEnter: (text: string) => {
        if (isNew && text === "") return leaveNew(now.place!);
        if (isNew) return add({ ...now.place!, afterId: addNew(now.place!, text) });
        update(row, now, text);
        return add(placeBelow(row, folded.has(row.id)));
      },
      onSave: (text: string, isByKey: boolean) => {
        if (isNew && text === "") return leaveNew(now.place!, false);
        if (isNew) onActive(addNew(now.place!, text));
        else update(row, now, text);
        setEdited((open) => (open === now ? undefined : open));
        return isByKey ? onLeave() : undefined;
      },
      onCancel: (text: string) => {
        // A text that was typed is never lost by a key.
        if (isNew && text !== "") {
          onActive(addNew(now.place!, text, `Added “${text}”. Undo takes it out.`));
          return close();
        }
        if (isNew) return leaveNew(now.place!);
        close();
        const { field, before } = now;
        return text === before ? undefined : setUnsaved({ kind: "update", id: row.id, field, text, before });
      },
      onMove: (direction: Direction) => (isNew ? moveNew(now, direction) : move(direction)),
      onErase: () => {
        if (isNew) return leaveNew(now.place!);
        close();
        if (!row.hasChildren) remove(row);
        return undefined;
      },
    };
  };
  /** The new row disappears: the one that it would have followed is selected. */
  const leaveNew = ({ parentId, afterId }: Place, isFocused = true) => {
    onActive(afterId ?? parentId ?? "");
    setEdited(undefined);
    if (isFocused) onLeave();
  };

  /** @returns whether the key belongs to editing */
  const onKey = (event: KeyboardEvent, direction: Direction | undefined): boolean => {
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (direction !== undefined) move(direction);
    else if (event.altKey) return false;
    else if (key === "enter" && isCommand) actions.onAdd();
    else if (key === "enter") actions.onEdit(event.shiftKey ? "note" : "topic");
    else if (key === "f2") actions.onEdit("topic");
    else if ((key === "delete" || key === "backspace") && !isCommand) {
      // A key that is held down deletes one row.
      if (!event.repeat) actions.onDelete();
    } else if (isCommand && (key === "y" || (key === "z" && event.shiftKey))) actions.onRedo();
    else if (isCommand && key === "z") actions.onUndo();
    else return false;
    return true;
  };

  const notice: EditNoticeProps = {
    message,
    problem,
    onKeepMine: ({ edit: mine, theirs }: TextConflict) => save({ ...mine, before: theirs }),
    onDismiss: () => setProblem(undefined),
    unsaved,
    onKeepUnsaved: save,
  };
  return {
    /** The rows with the one that is being added. */
    shown,
    edited,
    keepsInView: keepsInView.current,
    actions,
    edit,
    canMove: (direction: Direction) =>
      edited?.place === undefined
        ? selected !== undefined && placeTowards(rows, selected.id, direction) !== undefined
        : newPlace(edited.place, direction) !== undefined,
    fieldProps,
    place,
    toggle: (row: Row) => {
      if (row.state !== "none") save({ kind: "toggle", id: row.id });
    },
    onKey,
    notice,
  };
}

function withNewRow(rows: Rows, edited: Edited | undefined): Rows {
  if (edited?.place === undefined) return rows;
  return applyEdit(rows, { kind: "add", id: NEW_ROW, topic: "", place: edited.place }) ?? rows;
}
