// A list of options below a text field, in which the arrow keys move while the
// field keeps the focus: the pattern that screen readers know as a combobox. Used
// by the chooser and by the palette.
import { useEffect, useRef, useState } from "preact/hooks";

interface PickList {
  /** The option that Enter picks. */
  readonly active: number;
  readonly setActive: (index: number) => void;
  /** For the field. @returns whether the key was used */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly idOf: (index: number) => string;
}

/** @param reset when it changes, the first option is active again */
export function usePickList(id: string, count: number, reset: string, onPick: (index: number) => void): PickList {
  const [active, setActive] = useState(0);
  const wasMoved = useRef(false);
  const idOf = (index: number) => `${id}-${index}`;
  useEffect(() => setActive(0), [reset]);
  useEffect(() => {
    if (wasMoved.current) document.getElementById(idOf(active))?.scrollIntoView({ block: "nearest" });
    wasMoved.current = false;
  }, [active]);
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 8,
      PageUp: active - 8,
    };
    const to = steps[event.key];
    if (to === undefined && event.key !== "Enter") return false;
    if (event.isComposing) return false;
    event.preventDefault();
    if (to === undefined) {
      if (count > 0) onPick(Math.min(active, count - 1));
      return true;
    }
    wasMoved.current = true;
    // One step beyond an end goes to the other.
    const isStep = Math.abs(to - active) === 1;
    setActive(isStep ? (to + count) % Math.max(1, count) : Math.min(Math.max(0, to), Math.max(0, count - 1)));
    return true;
  };
  return { active: Math.min(active, Math.max(0, count - 1)), setActive, onKeyDown, idOf };
}
