// One property in its form: its name, its value by its type, and the fields that
// change it: a date picker, a number, a check box, a text, or chips for the values
// of a list. Used by properties.tsx.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PropertyType } from "../../../src/markdown/markdown.ts";
import { Icon } from "../../components/components.ts";
import type { Resolved } from "../../markdown/markdown.ts";
import { isLinked, renderValue, valueText } from "./property-values.tsx";

export type ValueChange = { readonly is: "set" | "add" | "remove"; readonly value: unknown } | { readonly is: "unset" };

interface PropertyFieldProps {
  readonly name: string;
  readonly value: unknown;
  readonly type: PropertyType;
  readonly resolve: (target: string) => Resolved;
  /** True for one that was just added: its value is asked for. */
  readonly isOpen: boolean;
  readonly onChange: (change: ValueChange) => void;
  /** Called when a value that was asked for is not given. */
  readonly onLeave: (() => void) | undefined;
}

export function PropertyField(props: PropertyFieldProps) {
  const { name, isOpen, onChange } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <ValueOf {...props} />
        {!isOpen && (
          <button
            type="button"
            class="quiet remove-property"
            aria-label={`Remove ${name}`}
            title={`Remove ${name}`}
            onClick={() => onChange({ is: "unset" })}
          >
            <Icon name="close" />
          </button>
        )}
      </dd>
    </div>
  );
}

function ValueOf({ name, value, type, resolve, isOpen, onChange, onLeave }: PropertyFieldProps) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return <>{renderValue(name, value)}</>;
  if (Array.isArray(value) || type === "multitext") {
    const items = Array.isArray(value) ? value : value === undefined || value === null || value === "" ? [] : [value];
    return (
      <span class="values">
        {items.map((item, i) => (
          <span class="value-chip" key={`${String(item)} ${i}`}>
            {renderValue(name, item, resolve)}
            <button
              type="button"
              aria-label={`Remove ${String(item)} from ${name}`}
              onClick={() => onChange({ is: "remove", value: [item] })}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        <Editable
          label={`Add to ${name}`}
          text=""
          type="text"
          isOpen={isOpen}
          onSave={(text) => onChange(isOpen ? { is: "set", value: [text] } : { is: "add", value: [text] })}
          onLeave={onLeave}
        >
          <Icon name="add" />
        </Editable>
      </span>
    );
  }
  if (type === "checkbox" && (typeof value === "boolean" || value === undefined || value === null || value === ""))
    return (
      <input
        type="checkbox"
        aria-label={name}
        checked={value === true}
        ref={(box) => void (isOpen && box?.focus())}
        onChange={({ currentTarget }) => onChange({ is: "set", value: currentTarget.checked })}
      />
    );
  const text = String(value ?? "");
  const linked = isLinked(name, text);
  return (
    <>
      {linked && renderValue(name, text, resolve)}
      <Editable
        label={linked ? `Change ${name}` : `${name}: ${valueText(value) || "empty"}`}
        text={text}
        type={fieldType(type, text)}
        isOpen={isOpen}
        onSave={(written) => onChange({ is: "set", value: type === "number" ? asNumber(written) : written })}
        onLeave={onLeave}
      >
        {linked ? <Icon name="edit" /> : valueText(value) || <span class="none">Empty</span>}
      </Editable>
    </>
  );
}

type FieldType = "text" | "number" | "date" | "datetime-local";

/** A browser shows nothing in a field of dates whose value is none. */
function fieldType(type: PropertyType, text: string): FieldType {
  if (type === "number") return text === "" || Number.isFinite(Number(text)) ? "number" : "text";
  if (type === "date") return text === "" || /^\d{4}-\d{2}-\d{2}$/.test(text) ? "date" : "text";
  if (type === "datetime")
    return text === "" || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? "datetime-local" : "text";
  return "text";
}

function asNumber(text: string): number | string {
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

interface EditableProps {
  readonly label: string;
  readonly text: string;
  readonly type: FieldType;
  readonly isOpen: boolean;
  readonly onSave: (text: string) => void;
  readonly onLeave: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A button that becomes a field; Enter and leaving it save, Escape does not. */
function Editable({ label, text, type, isOpen, onSave, onLeave, children }: EditableProps) {
  const [isEdited, setEdited] = useState(isOpen);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isDone = useRef(false);
  const isClicked = useRef(false);
  useLayoutEffect(() => {
    if (!isEdited) return;
    isDone.current = false;
    field.current?.focus();
    field.current?.select();
    // Keys write the date into the field: an open picker would take them.
    if (isClicked.current && type !== "text" && type !== "number") field.current?.showPicker();
  }, [isEdited]);
  const close = (returnsFocus: boolean, written?: string) => {
    if (isDone.current) return;
    isDone.current = true;
    setEdited(false);
    if (returnsFocus) queueMicrotask(() => button.current?.focus());
    if (written !== undefined && written !== text) onSave(written);
    else onLeave?.();
  };
  if (!isEdited)
    return (
      <button
        ref={button}
        type="button"
        class="value-button"
        aria-label={label}
        onClick={({ detail }) => {
          isClicked.current = detail > 0;
          setEdited(true);
        }}
      >
        {children}
      </button>
    );
  return (
    <input
      ref={field}
      class="value-field"
      {...({ type, ...(type === "number" && { step: "any" }) } as { type: "text" })}
      aria-label={label}
      defaultValue={text}
      onKeyDown={(event) => {
        if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
        event.preventDefault();
        event.stopPropagation();
        close(true, event.key === "Enter" ? event.currentTarget.value : undefined);
      }}
      onBlur={({ currentTarget }) => close(false, currentTarget.value)}
    />
  );
}
