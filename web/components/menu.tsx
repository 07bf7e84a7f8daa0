// A button that opens a short list of actions: with a click, or with the arrow keys.
// Used by the rows of the left column.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icons.tsx";

export interface MenuAction {
  readonly name: string;
  readonly icon: IconName;
  readonly run: () => void;
}

export function Menu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const close = (returnsFocus: boolean) => {
    setOpen(false);
    if (returnsFocus) button.current?.focus();
  };
  // In the top layer: the column that it is opened from scrolls, and would cut it.
  useLayoutEffect(() => {
    if (!isOpen || list.current === null || button.current === null) return;
    list.current.showPopover();
    const at = button.current.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = list.current;
    list.current.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
    list.current.style.top = `${at.bottom + height + 8 > innerHeight ? at.top - height - 4 : at.bottom + 4}px`;
    list.current.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = ({ target }: PointerEvent) => {
      const isWithin = list.current?.contains(target as Node) || button.current?.contains(target as Node);
      if (!isWithin) close(false);
    };
    addEventListener("pointerdown", onPointer);
    return () => removeEventListener("pointerdown", onPointer);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...list.current!.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[to % items.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close(event.key === "Escape");
    else return;
    event.stopPropagation();
    if (event.key !== "Tab") event.preventDefault();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="menu-button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div ref={list} class="menu" role="menu" aria-label={label} popover="manual" onKeyDown={onKeyDown}>
          {actions.map(({ name, icon, run }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close(true);
                run();
              }}
            >
              <Icon name={icon} />
              {name}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
