// The palette (Ctrl-K or ⌘K): opens anything by its name, runs commands, and
// leads to the search.
import { useEffect, useMemo, useState } from "preact/hooks";
import { commandsNow, Highlighted, Icon, useModalDialog, usePickList, visited } from "../components/components.ts";
import { useNavigation } from "../navigation/navigation.ts";
import { useServer, useToolCall } from "../server/server.ts";
import { entriesFor, type Entry } from "./entries.ts";

/** Results that are asked for: of each group only the best are shown. */
const LIMIT = 24;
const HEADINGS = 6;
const FILES = 6;

export function Palette({ onClose }: { onClose: () => void }) {
  const { client } = useServer();
  const { navigate } = useNavigation();
  const [typed, setTyped] = useState("");
  const dialog = useModalDialog();
  const commands = useMemo(commandsNow, []);
  const recent = useMemo(() => visited().filter(({ address }) => !isShown(address)), []);
  const query = typed.startsWith(">") ? "" : typed.trim();
  const input = {
    query,
    limit: LIMIT,
    hitsOnly: true,
    ...(client.has("contentManager_readContent") && { headings: HEADINGS, files: FILES }),
  };
  const { result, isLoading } = useToolCall("search", query === "" ? undefined : input, { keepsPrevious: true });
  const entries = useMemo(
    () => entriesFor(typed, { commands, recent, found: query === "" ? undefined : result }),
    [typed, result, commands, recent],
  );
  const open = (entry: Entry) => {
    dialog.current?.close();
    if (entry.run !== undefined) entry.run();
    else if (entry.address !== undefined) navigate(entry.address);
  };
  // Enter opens what the person moved to, else the first of what was found for all that was typed.
  const [isWaiting, setWaiting] = useState(false);
  const isStale = query !== "" && isLoading;
  const { active, isChosen, setActive, onKeyDown, idOf } = usePickList({
    id: "palette",
    keys: useMemo(() => entries.map(({ key }) => key), [entries]),
    subject: typed,
    isStale,
    onPick: (index) => {
      if (isStale && !isChosen) setWaiting(true);
      else open(entries[index]!);
    },
  });
  useEffect(() => {
    if (isWaiting && !isStale) open(entries[active]!);
  }, [isWaiting, isStale]);
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Open or do"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          autoFocus
          role="combobox"
          aria-label="Open a note, heading, row or conversation, or run a command"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={entries.length > 0 ? idOf(active) : undefined}
          placeholder="Open anything, or > for commands"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setWaiting(false);
            setTyped(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul id="palette-list" class="palette-list" role="listbox" aria-label="Found" aria-busy={isStale}>
        {entries.map((entry, index) => (
          <PaletteEntry
            key={entry.key}
            id={idOf(index)}
            entry={entry}
            query={query}
            group={entry.group === entries[index - 1]?.group ? undefined : entry.group}
            isActive={index === active}
            onActive={() => setActive(index)}
            onOpen={() => open(entry)}
          />
        ))}
      </ul>
      {entries.length === 0 && !isLoading && <p class="none palette-none">Nothing found.</p>}
    </dialog>
  );
}

interface PaletteEntryProps {
  readonly id: string;
  readonly entry: Entry;
  readonly query: string;
  /** The name of the group that begins here. */
  readonly group: string | undefined;
  readonly isActive: boolean;
  readonly onActive: () => void;
  readonly onOpen: () => void;
}

function PaletteEntry({ id, entry, query, group, isActive, onActive, onOpen }: PaletteEntryProps) {
  return (
    <>
      {group !== undefined && (
        <li class="chooser-group" role="presentation">
          {group}
        </li>
      )}
      <li
        id={id}
        class="palette-entry"
        role="option"
        aria-selected={isActive}
        onPointerMove={onActive}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onOpen}
      >
        <Icon name={entry.icon} />
        <span class="palette-name">
          <Highlighted text={entry.name} query={query} />
        </span>
        {entry.detail !== undefined && <span class="palette-detail">{entry.detail}</span>}
        {entry.keys !== undefined && (
          <span class="palette-keys" aria-hidden="true">
            {entry.keys.split(" ").map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        )}
      </li>
    </>
  );
}

/** Returns whether the address is that of the view behind the palette. */
function isShown(address: string): boolean {
  return new URL(address, location.href).pathname === location.pathname;
}
