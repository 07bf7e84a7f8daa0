// The vault in the left column: pinned and recent notes, and folders that unfold,
// with the note that is open marked. A note or folder that is dragged onto another
// folder moves there, and the links to it follow; its menu, F2 and Delete do the rest.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ResultNamed } from "../../src/tools/tools.ts";
import { folderIn, nameIn, parseJson } from "../../src/kernel/kernel.ts";
import { FILE_ICONS, Icon, Menu, togglePin, usePins, visited, type MenuAction } from "../components/components.ts";
import { fileKind, nameOf } from "../format/format.ts";
import { addressOf, noteAddress, useNavigation } from "../navigation/navigation.ts";
import { useServer, useToolCall, visits } from "../server/server.ts";
import { useFileActions, type FileActions } from "./file-actions.ts";

export { Sessions } from "./sessions.tsx";

type Item = ResultNamed<"vaultManager_listDirectory">["data"]["entries"][number];

const OPENED = "open-folders";
/** Of a folder that has more, the rest is in its view. */
const MAX_ITEMS = 200;
const MAX_RECENT = 5;
const DRAGGED = "application/x-commonplace-path";

/** The row that is being given a name, and what for. */
interface Naming {
  readonly is: "rename" | "note" | "folder";
  /** The path of what is renamed, or the folder in which something is made. */
  readonly path: string;
}

interface Tree {
  readonly shown: string;
  readonly opened: ReadonlySet<string>;
  readonly pins: readonly string[];
  readonly naming: Naming | undefined;
  readonly actions: FileActions;
  readonly open: (paths: readonly string[], isOpen: boolean) => void;
  readonly name: (naming: Naming | undefined) => void;
  readonly pin: (path: string) => void;
}

export function Folders() {
  const { client } = useServer();
  const { route } = useNavigation();
  const shown = route.view === "note" || route.view === "folder" ? route.path : "";
  const [opened, setOpened] = useState(openedBefore);
  const [naming, setNaming] = useState<Naming>();
  const pins = usePins();
  const actions = useFileActions();
  const open = (paths: readonly string[], isOpen: boolean) =>
    setOpened((before) => {
      const after = new Set(before);
      for (const path of paths)
        if (isOpen) after.add(path);
        else after.delete(path);
      visits().setItem(OPENED, JSON.stringify([...after]));
      return after;
    });
  // A note that is opened elsewhere is to be seen here.
  useEffect(() => open(foldersAbove(shown), true), [shown]);
  const name = (next: Naming | undefined) => {
    if (next !== undefined && next.is !== "rename" && next.path !== "") open([next.path], true);
    setNaming(next);
  };
  const tree: Tree = { shown, opened, pins, naming, actions, open, name, pin: (path) => togglePin(client.vault, path) };
  const recent = recentNotes(client.vault).filter(({ path }) => path !== shown && !pins.includes(path));
  return (
    <div class="folders">
      {pins.length > 0 && (
        <Group title="Pinned">
          {pins.map((path) => (
            <NoteRow key={path} path={path} icon="pin" tree={tree} />
          ))}
        </Group>
      )}
      {recent.length > 0 && (
        <Group title="Recent">
          {recent.slice(0, MAX_RECENT).map(({ path }) => (
            <NoteRow key={path} path={path} icon={FILE_ICONS[fileKind(path).kind]} tree={tree} />
          ))}
        </Group>
      )}
      <div class="folder-group">
        <h2>Folders</h2>
        <Menu label="New in the vault" actions={newActions("", tree)} />
      </div>
      <FolderItems path="" tree={tree} />
    </div>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <div class="folder-group">
        <h2>{title}</h2>
      </div>
      <ul class="folder-items" aria-label={title}>
        {children}
      </ul>
    </>
  );
}

/** Notes of this vault that were opened last in this browser. */
function recentNotes(vault: string): readonly { readonly path: string }[] {
  return visited().flatMap(({ kind, address }) => {
    const url = new URL(address, location.href);
    if (kind !== "note" || (url.searchParams.get("vault") ?? "") !== vault) return [];
    return [{ path: decodeURIComponent(url.pathname.replace(/^\/note\//, "")) }];
  });
}

function FolderItems({ path, tree }: { path: string; tree: Tree }) {
  const { result } = useToolCall(
    "vaultManager_listDirectory",
    { path: path === "" ? "/" : path },
    { keepsPrevious: true },
  );
  const entries = result?.data.entries ?? [];
  const items = [
    ...entries.filter(({ type }) => type === "folder"),
    ...entries.filter(({ type }) => type !== "folder"),
  ];
  const { naming, actions, name } = tree;
  const isMaking = naming !== undefined && naming.is !== "rename" && naming.path === path;
  return (
    <ul class="folder-items" aria-label={path === "" ? "Vault" : nameIn(path)} {...dropInto(path, tree)}>
      {isMaking && (
        <NameField
          label={naming.is === "note" ? "Name of the new note" : "Name of the new folder"}
          name=""
          onDone={(typed) => {
            name(undefined);
            const made = inFolder(path, typed ?? "");
            if (typed !== undefined) void (naming.is === "note" ? actions.makeNote : actions.makeFolder)?.(made);
          }}
        />
      )}
      {items
        .slice(0, MAX_ITEMS)
        .map((item) =>
          item.type === "folder" ? (
            <FolderRow key={item.path} item={item} tree={tree} />
          ) : (
            <NoteRow
              key={item.path}
              path={item.path}
              icon={FILE_ICONS[fileKind(item.path).kind]}
              tree={tree}
              isInTree
            />
          ),
        )}
      {items.length > MAX_ITEMS && (
        <li>
          <a href={addressOf({ view: "folder", path })}>{items.length - MAX_ITEMS} more …</a>
        </li>
      )}
    </ul>
  );
}

function FolderRow({ item: { path }, tree }: { item: Item; tree: Tree }) {
  const isOpen = tree.opened.has(path);
  if (isRenamed(path, tree)) return <RenameRow path={path} name={nameIn(path)} tree={tree} isFolder />;
  return (
    <li>
      <div class="folder-row" onKeyDown={(event) => onRowKey(event, path, true, tree)}>
        <button
          type="button"
          class="folder-name"
          aria-expanded={isOpen}
          onClick={() => tree.open([path], !isOpen)}
          {...dragFrom(path, tree)}
          {...dropInto(path, tree)}
        >
          <Icon name="fold" />
          <span>{nameIn(path)}</span>
        </button>
        <Menu
          label={`Actions for ${nameIn(path)}`}
          actions={[...newActions(path, tree), ...changeActions(path, true, tree)]}
        />
      </div>
      {isOpen && <FolderItems path={path} tree={tree} />}
    </li>
  );
}

interface NoteRowProps {
  readonly path: string;
  readonly icon: Parameters<typeof Icon>[0]["name"];
  readonly tree: Tree;
  /** Otherwise it is listed above the folders. */
  readonly isInTree?: boolean;
}

function NoteRow({ path, icon, tree, isInTree = false }: NoteRowProps) {
  if (isInTree && isRenamed(path, tree)) return <RenameRow path={path} name={nameOf(path)} tree={tree} />;
  const isPinned = tree.pins.includes(path);
  const actions: readonly MenuAction[] = [
    { name: isPinned ? "Unpin" : "Pin", icon: "pin", run: () => tree.pin(path) },
    ...(isInTree ? changeActions(path, false, tree) : []),
  ];
  return (
    <li>
      <div class="folder-row" onKeyDown={(event) => isInTree && onRowKey(event, path, false, tree)}>
        <a
          href={noteAddress(path)}
          title={path}
          aria-current={path === tree.shown ? "page" : undefined}
          {...dragFrom(path, tree)}
        >
          <Icon name={icon} />
          <span>{nameOf(path)}</span>
        </a>
        <Menu label={`Actions for ${nameOf(path)}`} actions={actions} />
      </div>
    </li>
  );
}

function newActions(folder: string, { actions, name }: Tree): MenuAction[] {
  return [
    ...(actions.makeNote
      ? [{ name: "New note", icon: "note" as const, run: () => name({ is: "note", path: folder }) }]
      : []),
    ...(actions.makeFolder
      ? [{ name: "New folder", icon: "folder" as const, run: () => name({ is: "folder", path: folder }) }]
      : []),
  ];
}

function changeActions(path: string, isFolder: boolean, { actions, name }: Tree): MenuAction[] {
  return [
    ...(actions.move ? [{ name: "Rename", icon: "edit" as const, run: () => name({ is: "rename", path }) }] : []),
    ...(actions.remove
      ? [{ name: "Move to the trash", icon: "delete" as const, run: () => void actions.remove!(path, isFolder) }]
      : []),
  ];
}

function onRowKey(event: KeyboardEvent, path: string, isFolder: boolean, { actions, name }: Tree): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || !target.matches("a, .folder-name")) return;
  if (event.key === "F2" && actions.move) name({ is: "rename", path });
  else if (event.key === "Delete" && actions.remove) void actions.remove(path, isFolder);
  else return;
  event.preventDefault();
}

function isRenamed(path: string, { naming }: Tree): boolean {
  return naming?.is === "rename" && naming.path === path;
}

interface RenameRowProps {
  readonly path: string;
  /** Without the extension of a note, which stays. */
  readonly name: string;
  readonly tree: Tree;
  readonly isFolder?: boolean;
}

function RenameRow({ path, name, tree, isFolder = false }: RenameRowProps) {
  const extension = nameIn(path).slice(name.length);
  return (
    <NameField
      label={`New name of ${name}`}
      name={name}
      onDone={(typed) => {
        tree.name(undefined);
        if (typed !== undefined && typed !== name)
          void tree.actions.move?.(path, inFolder(folderIn(path), typed + extension), isFolder);
      }}
    />
  );
}

/** @param onDone called with undefined if no name was given */
function NameField({ label, name, onDone }: { label: string; name: string; onDone: (name?: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useLayoutEffect(() => field.current?.select(), []);
  const done = (typed?: string) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(typed?.trim() === "" ? undefined : typed?.trim());
  };
  return (
    <li>
      <input
        ref={field}
        class="folder-field"
        aria-label={label}
        defaultValue={name}
        onBlur={({ currentTarget }) => done(name === "" ? undefined : currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
          event.preventDefault();
          done(event.key === "Enter" ? event.currentTarget.value : undefined);
        }}
      />
    </li>
  );
}

function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function dragFrom(path: string, { actions }: Tree) {
  if (actions.move === undefined) return { draggable: false };
  return { draggable: true, onDragStart: ({ dataTransfer }: DragEvent) => dataTransfer?.setData(DRAGGED, path) };
}

function isOurs({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(DRAGGED) === true;
}

function dropInto(folder: string, { actions: { move } }: Tree) {
  if (move === undefined) return {};
  return {
    onDragOver: (event: DragEvent) => {
      if (isOurs(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const from = event.dataTransfer!.getData(DRAGGED);
      const to = inFolder(folder, nameIn(from));
      if (to === from || folder === from || folder.startsWith(`${from}/`)) return;
      void move(from, to, !/\.[^./]+$/.test(from));
    },
  };
}

function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

function openedBefore(): ReadonlySet<string> {
  const kept = parseJson(visits().getItem(OPENED) ?? "[]");
  return new Set(Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : []);
}
