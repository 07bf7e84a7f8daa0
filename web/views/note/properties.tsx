// The properties of a note: a form where they are read. Each value is shown by its
// type, and a click on it, or Enter, changes it. What is written goes through the
// same tool that assistants use, and can be undone.
import { useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { counted, parseJson } from "../../../src/kernel/kernel.ts";
import { PROPERTY_TYPES, propertyType, type PropertyType } from "../../../src/markdown/markdown.ts";
import { Icon, ProblemNote, showUndoable } from "../../components/components.ts";
import type { Resolved } from "../../markdown/markdown.ts";
import { noteAddress } from "../../navigation/navigation.ts";
import { asProblem, useServer, useToolCall, visits, type InputOf, type Problem } from "../../server/server.ts";
import { PropertyField, type ValueChange } from "./property-field.tsx";
import { renderValue } from "./property-values.tsx";

const WRITE = "contentManager_updateProperties";

interface PropertiesProps {
  readonly path: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Why the properties could not be read. */
  readonly problem: string | undefined;
  /** Where a link leads, as far as is known. */
  readonly resolve: (target: string) => Resolved;
  readonly canEdit: boolean;
}

export function Properties({ path, properties, problem, resolve, canEdit }: PropertiesProps) {
  const { client, refresh } = useServer();
  const note = noteAddress(path);
  // Only where it begins: rendered again between two keys, it would undo the second one.
  const isUnfolded = useMemo(() => !foldedNotes().includes(note), [note]);
  // What the vault knows about properties is asked for once somebody is about to change one.
  const [isUsed, setUsed] = useState(false);
  const [added, setAdded] = useState<{ readonly name: string; readonly type: PropertyType }>();
  const [failure, setFailure] = useState<Problem>();
  const mayWrite = canEdit && problem === undefined && client.has(WRITE);
  const known = useKnownProperties(mayWrite && isUsed);
  if (problem !== undefined) {
    return (
      <p class="problem" role="note">
        The properties cannot be read: {problem}
      </p>
    );
  }
  const shown = Object.entries(properties).filter(([, value]) => mayWrite || (value !== null && value !== ""));
  const isNew = added !== undefined && !Object.hasOwn(properties, added.name);
  if (shown.length === 0 && !mayWrite) return null;
  const write = async (change: Omit<InputOf<typeof WRITE>, "filePath">, text: string) => {
    setFailure(undefined);
    try {
      await client.call(WRITE, { filePath: path, ...change });
      setAdded(undefined);
      refresh();
      await showUndoable(client, path, text, refresh);
    } catch (error) {
      setFailure(asProblem(error));
    }
  };
  const field = (name: string, value: unknown, type: PropertyType, isOpen = false) => (
    <PropertyField
      key={name}
      name={name}
      value={value}
      type={known.get(name)?.type ?? type}
      resolve={resolve}
      isOpen={isOpen}
      onChange={(change: ValueChange) =>
        void write(
          { [change.is]: change.is === "unset" ? [name] : { [name]: change.value } },
          change.is === "unset" ? `Removed ${name}` : `Changed ${name}`,
        )
      }
      onLeave={isOpen ? () => setAdded(undefined) : undefined}
    />
  );
  return (
    <div
      class="property-form"
      onFocusIn={() => setUsed(true)}
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && setUsed(true)}
    >
      {shown.length > 0 && (
        <details
          // A new element for each note: the browser reports later that one was folded.
          key={note}
          class="properties"
          open={isUnfolded}
          onToggle={(event) => keepFolded(note, !event.currentTarget.open)}
        >
          <summary>
            Properties <span class="entry-count">{shown.length}</span>
          </summary>
          <dl>
            {shown.map(([name, value]) =>
              mayWrite ? (
                field(name, value, propertyType(name, value))
              ) : (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{renderValue(name, value, resolve)}</dd>
                </div>
              ),
            )}
          </dl>
        </details>
      )}
      {isNew && <dl class="properties is-new">{field(added.name, undefined, added.type, true)}</dl>}
      {failure && <ProblemNote problem={failure} />}
      {mayWrite && !isNew && <AddProperty known={known} taken={properties} onAdd={setAdded} />}
    </div>
  );
}

interface Known {
  readonly type: PropertyType;
  readonly notes: number;
}

/** All properties of the vault, the most frequent first. */
function useKnownProperties(isAsked: boolean): ReadonlyMap<string, Known> {
  const { result } = useToolCall("vaultLibrarian_query", isAsked ? { properties: true, limit: 1000 } : undefined, {
    keepsPrevious: true,
  });
  const rows = [...(result?.data.rows ?? [])];
  return new Map(
    rows.map(([name, type, notes]) => [String(name), { type: type as PropertyType, notes: Number(notes) }]),
  );
}

const TYPE_NAMES: Readonly<Record<PropertyType, string>> = {
  text: "Text",
  multitext: "List",
  number: "Number",
  checkbox: "Check box",
  date: "Date",
  datetime: "Date and time",
};

interface AddPropertyProps {
  readonly known: ReadonlyMap<string, Known>;
  readonly taken: Readonly<Record<string, unknown>>;
  readonly onAdd: (added: { readonly name: string; readonly type: PropertyType }) => void;
}

/** Asks for a name, with those that the vault has, and for the type of a new one. */
function AddProperty({ known, taken, onAdd }: AddPropertyProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<PropertyType>();
  const name = typed.trim();
  const type = chosen ?? known.get(name)?.type ?? propertyType(name, undefined);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    setTyped("");
    setChosen(undefined);
    if (isOpen) field.current?.focus();
    else if (wasOpen.current) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (!isOpen)
    return (
      <button ref={button} type="button" class="quiet add-property" onClick={() => setOpen(true)}>
        <Icon name="add" />
        Add property
      </button>
    );
  return (
    <div
      class="add-property-fields"
      role="group"
      aria-label="Add property"
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          setOpen(false);
        }
        if (event.key !== "Enter" || name === "" || Object.hasOwn(taken, name)) return;
        event.preventDefault();
        setOpen(false);
        onAdd({ name, type });
      }}
    >
      <input
        type="text"
        aria-label="Name of the property"
        placeholder="Name"
        list={id}
        ref={field}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <datalist id={id}>
        {[...known]
          .filter(([one]) => !Object.hasOwn(taken, one))
          .map(([one, { notes }]) => (
            <option key={one} value={one}>
              {counted(notes, "note")}
            </option>
          ))}
      </datalist>
      <select
        aria-label="Type of the property"
        value={type}
        onChange={({ currentTarget }) => setChosen(currentTarget.value as PropertyType)}
      >
        {PROPERTY_TYPES.map((one) => (
          <option key={one} value={one}>
            {TYPE_NAMES[one]}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button small"
        disabled={name === "" || Object.hasOwn(taken, name)}
        onClick={() => {
          setOpen(false);
          onAdd({ name, type });
        }}
      >
        Add
      </button>
      {Object.hasOwn(taken, name) && <span class="none">This note has it.</span>}
    </div>
  );
}

const FOLDED = "folded-properties";
/** Notes whose folded properties are remembered: those folded last. */
const MAX_FOLDED = 1000;

/** The addresses of the notes whose properties are folded, those folded last first. */
function foldedNotes(): readonly unknown[] {
  // Another program may have written there.
  const kept = parseJson(visits().getItem(FOLDED) ?? "[]");
  return Array.isArray(kept) ? kept : [];
}

function keepFolded(note: string, isFolded: boolean): void {
  const before = foldedNotes();
  if (before.includes(note) === isFolded) return;
  const others = before.filter((one) => one !== note);
  visits().setItem(FOLDED, JSON.stringify((isFolded ? [note, ...others] : others).slice(0, MAX_FOLDED)));
}
