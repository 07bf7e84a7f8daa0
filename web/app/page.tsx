// The frame of the page: the way around, the search field, the view of the
// place where it is, and the keys that work everywhere.
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, type Place, useNavigation } from "../navigation/navigation.ts";
import { View } from "../views/views.tsx";
import { Icon } from "../components/components.ts";
import { useSession } from "../server/server.ts";
import { SearchField } from "./search-field.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { nextTheme, ThemeSwitch } from "./theme-switch.tsx";
import { WAYS } from "./destinations.ts";

export function Page() {
  const { client, isLive } = useSession();
  const { place, go } = useNavigation();
  const search = useRef<HTMLInputElement>(null);
  const [hasShortcuts, setShortcuts] = useState(false);
  const ways = WAYS.filter(({ tool }) => client.has(tool));
  useGlobalKeys({
    search: () => search.current?.select(),
    shortcuts: () => setShortcuts(true),
    go: (key) => {
      const way = ways.find((one) => one.key === key);
      if (way !== undefined) go(way.to);
    },
  });
  const current = viewOf(place);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Whoever follows a link goes on reading there, with keys or with a screen reader.
  useEffect(() => {
    const isTyping = document.activeElement === search.current;
    if (!isFirst.current && !isTyping) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [keyOf(place)]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <nav class="rail" aria-label="Main">
        <a class="brand" href="/">
          <img src="/assets/icon.svg" alt="" width="24" height="24" />
          <span>Commonplace</span>
        </a>
        <ul>
          {ways.map(({ name, icon, to }) => (
            <li key={name}>
              <a href={addressOf(to)} aria-current={viewOf(to) === current ? "page" : undefined}>
                <Icon name={icon} />
                <span>{name}</span>
              </a>
            </li>
          ))}
        </ul>
        <div class="rail-end">
          <ThemeSwitch />
          <button type="button" class="quiet" onClick={() => setShortcuts(true)}>
            <Icon name="keyboard" />
            <span>Shortcuts</span>
          </button>
          <p class={isLive ? "live" : "live is-off"} role="status">
            {isLive ? "Live" : "Not connected"}
          </p>
        </div>
      </nav>
      <search class="top">
        <SearchField input={search} onHelp={() => setShortcuts(true)} />
      </search>
      <main id="main" ref={main} tabIndex={-1}>
        <View place={place} />
      </main>
      {hasShortcuts && <Shortcuts onClose={() => setShortcuts(false)} />}
    </div>
  );
}

/** What is looked at, whatever is marked or chosen in it. */
function keyOf(place: Place): string {
  return `${place.view} ${"path" in place ? place.path : "id" in place ? place.id : ""}`;
}

/** Which of the ways a place belongs to. */
function viewOf({ view }: Place): Place["view"] {
  return view === "note" ? "folder" : view;
}

interface GlobalKeys {
  readonly search: () => void;
  readonly shortcuts: () => void;
  readonly go: (key: string) => void;
}

/** How long the key after a g may take, in milliseconds. */
const SECOND_KEY = 1_200;

function useGlobalKeys(keys: GlobalKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let since = -SECOND_KEY;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isInDialog()) return;
      const isSecond = event.timeStamp - since < SECOND_KEY;
      since = -SECOND_KEY;
      if (isSecond) latest.current.go(event.key);
      else if (event.key === "g") since = event.timeStamp;
      else if (event.key === "/") latest.current.search();
      else if (event.key === "?") latest.current.shortcuts();
      else if (event.key === "t") nextTheme();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
}

function isInDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
