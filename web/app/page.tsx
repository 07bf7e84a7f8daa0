// The frame around every view: navigation, search field, theme, shortcuts and
// the state of the connection.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, lazy, Toasts, useCommands, useHasLeftColumn } from "../components/components.ts";
import { Folders, Sessions } from "../folders/folders.tsx";
import { addressOf, TODAY, VAULT, useNavigation, vaultAt, type Route } from "../navigation/navigation.ts";
import { Palette } from "../palette/palette.tsx";
import { IS_FOR_MEMBERS, useServer, visits } from "../server/server.ts";
import { View } from "../views/views.tsx";
import { CaptureDialog, NewNoteDialog } from "../writing/writing.tsx";
import { DESTINATIONS } from "./destinations.ts";
import { useGlobalKeys } from "./global-keys.ts";
import { HoverPreview } from "./hover-preview.tsx";
import { SearchField } from "./search-field.tsx";
import { nextTheme, ThemeSwitch } from "./theme-switch.tsx";
import { VaultChooser } from "./vault-chooser.tsx";

const WRITING = [
  { what: "note", name: "New note", icon: "note", keys: "n" },
  { what: "capture", name: "Add to today", icon: "diff", keys: "c" },
] as const;

const Shortcuts = lazy("the shortcuts", () => import("./shortcuts.tsx"), "Shortcuts");
const DIALOGS = { palette: Palette, shortcuts: Shortcuts, capture: CaptureDialog, note: NewNoteDialog };

/** Storage key: kept while the person has folded the folders of the left column. */
const FOLDERS = "folders-folded";

export function Page() {
  const { client, isLive, signOut } = useServer();
  const { route, navigate } = useNavigation();
  // Before the views are rendered, which call tools.
  client.vault = vaultAt(location);
  const search = useRef<HTMLInputElement>(null);
  const [dialog, setDialog] = useState<{ readonly is: keyof typeof DIALOGS; readonly number: number }>();
  const open = (is: keyof typeof DIALOGS) => setDialog((before) => ({ is, number: (before?.number ?? 0) + 1 }));
  const canWrite = client.has("contentManager_createContent");
  const isWide = useHasLeftColumn();
  const [hasFolders, setFolders] = useState(() => visits().getItem(FOLDERS) === null);
  const showFolders = (isShown: boolean) => {
    if (isShown) visits().removeItem(FOLDERS);
    else visits().setItem(FOLDERS, "folded");
    setFolders(isShown);
  };
  const write = (what: "capture" | "note") => canWrite && open(what);
  const destinations = DESTINATIONS.filter(({ tool }) => tool === undefined || client.has(tool));
  useCommands([
    ...destinations.map(({ name, icon, key, route: to }) => ({
      name: `Go to ${name.toLowerCase()}`,
      icon,
      keys: `g ${key}`,
      run: () => navigate(to),
    })),
    ...(canWrite ? WRITING.map(({ what, ...command }) => ({ ...command, run: () => write(what) })) : []),
    IS_FOR_MEMBERS
      ? { name: "Sign out", icon: "leave", run: signOut }
      : { name: "Set up: vault and assistants", icon: "tool", run: () => navigate({ view: "begin" }) },
    ...client.vaults
      .filter((name) => name !== (client.vault || client.vaults[0]))
      .map((name) => ({
        name: `Switch to the vault ${name}`,
        icon: "folder" as const,
        run: () => navigate(addressOf(VAULT, name)),
      })),
    ...(IS_FOR_MEMBERS
      ? []
      : [{ name: "Connect an assistant", icon: "link" as const, run: () => navigate({ view: "begin" }) }]),
    { name: "Change the theme", icon: "light", keys: "t", run: nextTheme },
    { name: "Show the shortcuts", icon: "keyboard", keys: "?", run: () => open("shortcuts") },
  ]);
  useGlobalKeys({
    onPalette: () => open("palette"),
    onSearch: () => search.current?.select(),
    onShortcuts: () => open("shortcuts"),
    onCapture: () => write("capture"),
    onNewNote: () => write("note"),
    onGo: (key) => {
      const destination = destinations.find((one) => one.key === key);
      if (destination !== undefined) navigate(destination.route);
    },
  });
  const Dialog = dialog && DIALOGS[dialog.is];
  const current = destinationOf(route);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // After a link was followed, or something was opened in the palette or from the search field, the keyboard and
  // screen readers continue in the new view; results leave the focus to what is being typed.
  useLayoutEffect(() => {
    const isTyping = route.view === "search" && document.activeElement === search.current;
    if (!isFirst.current && !isTyping) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [subjectOf(route)]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <nav class="rail" aria-label="Main">
        <a class="brand" href={addressOf(TODAY)}>
          <img src="/assets/icon.svg" alt="" width="24" height="24" />
          <span>Commonplace</span>
        </a>
        <VaultChooser />
        <ul>
          {destinations.map(({ name, icon, route: to, isWide: isOnlyWide }) => (
            <li key={name} data-view={to.view} data-wide={isOnlyWide}>
              <a href={addressOf(to)} aria-current={destinationOf(to) === current ? "page" : undefined}>
                <Icon name={icon} />
                <span>{name}</span>
              </a>
              {to.view === "folder" && (
                <button
                  type="button"
                  class="unfold"
                  aria-expanded={hasFolders}
                  aria-label="Folders"
                  onClick={() => showFolders(!hasFolders)}
                >
                  <Icon name="fold" />
                </button>
              )}
            </li>
          ))}
        </ul>
        {isWide && route.view === "conversation" && client.has("recall_conversations") && <Sessions route={route} />}
        {isWide && hasFolders && route.view !== "conversation" && client.has("vaultManager_listDirectory") && (
          <Folders key={client.vault} />
        )}
        <div class="rail-end">
          {canWrite &&
            WRITING.map(({ what, name, icon }) => (
              <button type="button" class="quiet writes" key={what} title={name} onClick={() => write(what)}>
                <Icon name={icon} />
                <span>{name}</span>
              </button>
            ))}
          <ThemeSwitch />
          <button type="button" class="quiet" title="Shortcuts" onClick={() => open("shortcuts")}>
            <Icon name="keyboard" />
            <span>Shortcuts</span>
          </button>
          {IS_FOR_MEMBERS && (
            <button type="button" class="quiet signs-out" onClick={signOut}>
              <Icon name="leave" />
              <span>Sign out</span>
            </button>
          )}
          <p class="live" data-state={isLive === undefined ? "unknown" : isLive ? "live" : "off"} role="status">
            {isLive === false ? "Not connected" : ""}
          </p>
        </div>
      </nav>
      <search class="top">
        <SearchField input={search} onHelp={() => open("shortcuts")} onPalette={() => open("palette")} />
      </search>
      <main id="main" ref={main} tabIndex={-1}>
        <View key={client.vault} route={route} />
      </main>
      <HoverPreview />
      <Toasts />
      {Dialog && (
        // A browser reports later that a dialog was closed: the next one may be open by then.
        <Dialog key={dialog?.number} onClose={() => setDialog((now) => (now === dialog ? undefined : now))} />
      )}
    </div>
  );
}

/** The note, folder or conversation that is shown, regardless of what is selected in it. */
function subjectOf(route: Route): string {
  return `${route.view} ${"path" in route ? route.path : "id" in route ? route.id : ""}`;
}

/** The view whose link in the navigation is current. */
function destinationOf({ view }: Route): Route["view"] {
  return view === "note" ? "folder" : view === "begin" ? "status" : view;
}
