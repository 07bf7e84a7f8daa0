// A list of options below a text field, in which the arrow keys move while the
// field keeps the focus: the pattern that screen readers know as a combobox. Used
// by the chooser and by the palette.
import { useEffect, useRef, useState } from "preact/hooks";

interface PickList {
  /** The option that Enter picks. */
  readonly active: number;
  /** True if the person has moved to it; false if it is only the first. */
  readonly isChosen: boolean;
  readonly setActive: (index: number) => void;
  /** For the field. @returns whether the key was used */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly idOf: (index: number) => string;
}

interface PickListOptions {
  readonly id: string;
  /** One per option. The active option stays active wherever it is moved to by options that arrive later. */
  readonly keys: readonly string[];
  /** The subject of the options; when it changes, the first one is active again. */
  readonly subject: string;
  /** True if the options are still those of another subject: then none of them stays active. */
  readonly isStale?: boolean;
  readonly onPick: (index: number) => void;
}

export function usePickList({ id, keys, subject, isStale = false, onPick }: PickListOptions): PickList {
  const [chosen, setChosen] = useState({ subject, key: "" });
  const seen = useRef(chosen);
  const wasMoved = useRef(false);
  const idOf = (index: number) => `${id}-${index}`;
  const isChosen = chosen.subject === subject && keys.includes(chosen.key);
  const isSeen = seen.current.subject === subject && keys.includes(seen.current.key);
  const active = isChosen ? keys.indexOf(chosen.key) : isSeen ? keys.indexOf(seen.current.key) : 0;
  if (!isStale) seen.current = { subject, key: keys[active] ?? "" };
  const setActive = (index: number) => setChosen({ subject, key: keys[index] ?? "" });
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
    const count = keys.length;
    if (count === 0) return true;
    if (to === undefined) {
      onPick(active);
      return true;
    }
    wasMoved.current = true;
    // One step beyond an end goes to the other.
    const isStep = Math.abs(to - active) === 1;
    setActive(isStep ? (to + count) % count : Math.min(Math.max(0, to), count - 1));
    return true;
  };
  return { active, isChosen, setActive, onKeyDown, idOf };
}
