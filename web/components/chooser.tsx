// A button that opens a list of options with a field to narrow it: for choices
// with more options than a menu can hold. Used for outlines, projects and vaults.
import { Fragment } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.tsx";
import { usePickList } from "./pick-list.ts";

export interface ChooserOption {
  readonly value: string;
  readonly name: string;
  /** Shown below the name, and searched too. */
  readonly detail?: string;
  readonly count?: number | undefined;
  /** Options of a group follow each other below its name. */
  readonly group?: string;
}

interface ChooserProps {
  readonly label: string;
  /** The text of the button; the name of the chosen option, if it is left out. */
  readonly text?: string;
  /** The option that chooses nothing. */
  readonly none?: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly options: readonly ChooserOption[];
  readonly onChoose: (value: string) => void;
}

/** Options that are rendered at first, and added whenever the list is scrolled to its end. */
const PAGE_SIZE = 100;

export function Chooser({ label, text, none, placeholder = "Filter", value, options, onChoose }: ChooserProps) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (returnsFocus: boolean) => {
    setOpen(false);
    if (returnsFocus) button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = (event: PointerEvent) => !box.current?.contains(event.target as Node) && close(false);
    addEventListener("pointerdown", onPointer);
    return () => removeEventListener("pointerdown", onPointer);
  }, [isOpen]);
  const chosen = options.find((option) => option.value === value)?.name ?? value;
  const shown = text ?? (value === "" ? (none ?? "") : chosen);
  const all = none === undefined ? options : [{ value: "", name: none }, ...options];
  return (
    <div class="chooser" ref={box}>
      <button
        ref={button}
        type="button"
        class="chip"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-label={`${label}: ${shown}`}
        data-chosen={none !== undefined && value !== ""}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="chip-text">{shown}</span>
        <Icon name="down" />
      </button>
      {isOpen && (
        <Panel
          label={label}
          placeholder={placeholder}
          value={value}
          options={all}
          onClose={close}
          onChoose={(to) => {
            close(true);
            onChoose(to);
          }}
        />
      )}
    </div>
  );
}

interface PanelProps extends Pick<ChooserProps, "label" | "value" | "options" | "onChoose"> {
  readonly placeholder: string;
  readonly onClose: (returnsFocus: boolean) => void;
}

function Panel({ label, placeholder, value, options, onChoose, onClose }: PanelProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [count, setCount] = useState(PAGE_SIZE);
  const field = useRef<HTMLInputElement>(null);
  const found = useMemo(() => matching(options, typed), [options, typed]);
  const shown = useMemo(() => found.slice(0, count), [found, count]);
  const { active, setActive, onKeyDown, idOf } = usePickList({
    id,
    keys: useMemo(() => shown.map(keyOf), [shown]),
    subject: typed,
    onPick: (index) => onChoose(shown[index]!.value),
  });
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => setCount(PAGE_SIZE), [typed]);
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: { currentTarget: HTMLElement }) => {
    if (scrollTop + clientHeight > scrollHeight - 200 && count < found.length) setCount(count + PAGE_SIZE);
  };
  return (
    <div class="chooser-panel" onFocusOut={(event) => leaves(event) && onClose(false)}>
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? idOf(active) : undefined}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            onClose(true);
          } else onKeyDown(event);
        }}
      />
      <ul role="listbox" id={`${id}-list`} aria-label={label} onScroll={onScroll}>
        {shown.map((option, index) => (
          <Fragment key={keyOf(option)}>
            {option.group !== undefined && option.group !== found[index - 1]?.group && (
              <li class="chooser-group" role="presentation">
                {option.group}
              </li>
            )}
            <li
              id={idOf(index)}
              role="option"
              aria-selected={index === active}
              data-chosen={option.value === value}
              onPointerMove={() => setActive(index)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(option.value)}
            >
              <span class="chooser-name">{option.name}</span>
              {option.detail !== undefined && option.group === "Recent" && (
                <span class="chooser-detail">{option.detail}</span>
              )}
              {option.count !== undefined && <span class="entry-count">{option.count.toLocaleString("en")}</span>}
            </li>
          </Fragment>
        ))}
      </ul>
      {found.length === 0 && <p class="none">Nothing has this name.</p>}
    </div>
  );
}

/** An option can be in the group of recent ones too. */
const keyOf = ({ group, value }: ChooserOption) => `${group} ${value}`;

/** Options that have every typed word in their name, group or detail. */
function matching(options: readonly ChooserOption[], typed: string): readonly ChooserOption[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter(({ name, detail = "", group = "" }) => {
    const text = `${name}\n${detail}\n${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function leaves(event: FocusEvent): boolean {
  const to = event.relatedTarget as Node | null;
  return to !== null && !(event.currentTarget as HTMLElement).parentElement!.contains(to);
}
