// The field in which a person edits the topic or the note of a row. It grows with
// its text. Leaving it saves; Escape leaves the row as it was, and offers to keep what
// was typed.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { directionOf } from "./row-keys.ts";
import type { Direction } from "./row-places.ts";

interface RowFieldProps {
  readonly kind: "topic" | "note";
  readonly label: string;
  readonly text: string;
  /** Changes when the row moves: a field that is moved in the page loses the focus. */
  readonly position: string;
  /** Enter in a topic: the next row may be written. */
  readonly onEnter: (text: string) => void;
  /** The field is left. */
  readonly onSave: (text: string, isByKey: boolean) => void;
  readonly onCancel: (text: string) => void;
  readonly onMove: (direction: Direction) => void;
  /** Backspace in an empty topic. */
  readonly onErase: () => void;
}

export function RowField({ kind, label, text, position, onEnter, onSave, onCancel, onMove, onErase }: RowFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [value, setValue] = useState(text);
  /** Leaving the field must not save what a key has saved or given up. */
  const isDone = useRef(false);
  const done = (work: () => void) => {
    if (isDone.current) return;
    isDone.current = true;
    work();
  };
  const leave = useRef(() => {});
  leave.current = () => done(() => onSave(value, false));
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), [position]);
  useLayoutEffect(() => {
    field.current?.setSelectionRange(text.length, text.length);
    // Also when it is scrolled out of the window, where rows are not rendered.
    return () => leave.current();
  }, []);
  useLayoutEffect(() => {
    const { current } = field;
    if (current === null) return;
    current.style.height = "0";
    current.style.height = `${current.scrollHeight}px`;
  }, [value]);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    // The Enter and Escape of an input method belong to it.
    if (event.isComposing) return;
    const direction = directionOf(event, kind === "topic");
    const isEnter = event.key === "Enter";
    if (direction !== undefined) onMove(direction);
    else if (event.key === "Escape") done(() => onCancel(value));
    else if (isEnter && kind === "topic") done(() => onEnter(value));
    else if (isEnter && (event.ctrlKey || event.metaKey)) done(() => onSave(value, true));
    else if (event.key === "Backspace" && value === "" && kind === "topic" && !event.repeat) done(onErase);
    else return;
    event.preventDefault();
  };
  return (
    <textarea
      ref={field}
      class={`row-field is-${kind}`}
      aria-label={label}
      rows={1}
      spellcheck
      value={value}
      onInput={({ currentTarget }) => setValue(currentTarget.value)}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      // A field that is moved has the focus again by then.
      onBlur={() => setTimeout(() => document.activeElement !== field.current && leave.current())}
    />
  );
}
