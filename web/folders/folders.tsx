// The vault in the left column: pinned notes, and folders that unfold, with the note
// that is open marked. A note or folder that is dragged onto another folder moves
// there, and the links to it follow.
import { useEffect, useState } from "preact/hooks";
import type { ResultNamed } from "../../src/tools/tools.ts";
import { folderIn, nameIn, parseJson } from "../../src/kernel/kernel.ts";
import { FILE_ICONS, Icon, ProblemNote, usePins } from "../components/components.ts";
import { fileKind, nameOf } from "../format/format.ts";
import { addressOf, noteAddress, useNavigation } from "../navigation/navigation.ts";
import { asProblem, useServer, useToolCall, visits, type Problem } from "../server/server.ts";

type Item = ResultNamed<"vaultManager_listDirectory">["data"]["entries"][number];

const OPENED = "open-folders";
/** Of a folder that has more, the rest is in its view. */
const MAX_ITEMS = 200;
const DRAGGED = "application/x-commonplace-path";

interface Moved {
  readonly from: string;
  readonly to: string;
  readonly links: string;
}

export function Folders() {
  const { client, refresh } = useServer();
  const { route, navigate } = useNavigation();
  const shown = route.view === "note" || route.view === "folder" ? route.path : "";
  const [opened, setOpened] = useState(openedBefore);
  const [moved, setMoved] = useState<Moved>();
  const [problem, setProblem] = useState<Problem>();
  const pins = usePins();
  const open = (paths: readonly string[], isOpen: boolean) =>
    setOpened((before) => {
      const after = new Set(before);
      for (const path of paths)
        if (isOpen) after.add(path);
        else after.delete(path);
      visits().setItem(OPENED, JSON.stringify([...after]));
      return after;
    });
  // An outline that is opened elsewhere is to be seen here.
  useEffect(() => open(foldersAbove(shown), true), [shown]);

  const move = async (from: string, folder: string) => {
    const to = folder === "" ? nameIn(from) : `${folder}/${nameIn(from)}`;
    if (to === from || folder === from || folder.startsWith(`${from}/`)) return;
    setProblem(undefined);
    setMoved(undefined);
    try {
      const { newPath, recommendations } = await client.call("vaultManager_moveNote", { path: from, newPath: to });
      const links = recommendations.reduce((sum, { message }) => sum + linksIn(message), 0);
      setMoved({ from, to: newPath, links: linksText(links) });
      refresh();
      if (shown === from) navigate(noteAddress(newPath), { replaces: true });
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const undo = async ({ from, to }: Moved) => {
    try {
      const { entries } = await client.call("history", { path: to, limit: 1 });
      await client.call("undo", { id: entries[0]!.id });
      setMoved(undefined);
      refresh();
      if (shown === to) navigate(noteAddress(from), { replaces: true });
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const tree = { shown, opened, open, move: client.has("vaultManager_moveNote") ? move : undefined };
  return (
    <div class="folders">
      {pins.length > 0 && (
        <ul class="folder-items" aria-label="Pinned">
          {pins.map((path) => (
            <Row key={path} path={path} icon="pin" isShown={path === shown} tree={tree} />
          ))}
        </ul>
      )}
      <FolderItems path="" tree={tree} />
      {moved && (
        <p class="folder-note" role="status">
          Moved {nameOf(moved.to)} to {folderIn(moved.to) || "the vault"}
          {moved.links}.{" "}
          {client.has("undo") && (
            <button type="button" class="link" onClick={() => void undo(moved)}>
              Undo
            </button>
          )}
        </p>
      )}
      {problem && <ProblemNote problem={problem} />}
    </div>
  );
}

interface Tree {
  readonly shown: string;
  readonly opened: ReadonlySet<string>;
  readonly open: (paths: readonly string[], isOpen: boolean) => void;
  /** Undefined where the person may not write. */
  readonly move: ((from: string, folder: string) => Promise<void>) | undefined;
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
  return (
    <ul class="folder-items" aria-label={path === "" ? "Vault" : nameIn(path)} {...dropInto(path, tree)}>
      {items
        .slice(0, MAX_ITEMS)
        .map((item) =>
          item.type === "folder" ? (
            <Folder key={item.path} item={item} tree={tree} />
          ) : (
            <Row
              key={item.path}
              path={item.path}
              icon={FILE_ICONS[fileKind(item.path).kind]}
              isShown={item.path === tree.shown}
              tree={tree}
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

function Folder({ item: { path }, tree }: { item: Item; tree: Tree }) {
  const isOpen = tree.opened.has(path);
  return (
    <li>
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
      {isOpen && <FolderItems path={path} tree={tree} />}
    </li>
  );
}

interface RowProps {
  readonly path: string;
  readonly icon: Parameters<typeof Icon>[0]["name"];
  readonly isShown: boolean;
  readonly tree: Tree;
}

function Row({ path, icon, isShown, tree }: RowProps) {
  return (
    <li>
      <a href={noteAddress(path)} aria-current={isShown ? "page" : undefined} {...dragFrom(path, tree)}>
        <Icon name={icon} />
        <span>{nameOf(path)}</span>
      </a>
    </li>
  );
}

function dragFrom(path: string, { move }: Tree) {
  if (move === undefined) return { draggable: false };
  return { draggable: true, onDragStart: ({ dataTransfer }: DragEvent) => dataTransfer?.setData(DRAGGED, path) };
}

function isOurs({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(DRAGGED) === true;
}

function dropInto(folder: string, { move }: Tree) {
  if (move === undefined) return {};
  return {
    onDragOver: (event: DragEvent) => {
      if (isOurs(event)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      event.stopPropagation();
      void move(event.dataTransfer!.getData(DRAGGED), folder);
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

/** The tool says in a sentence how many links of each note it has rewritten. */
function linksIn(message: string): number {
  return Number(/^Rewrote ([\d,]+) links?/.exec(message)?.[1]?.replaceAll(",", "") ?? 0);
}

function linksText(links: number): string {
  return links === 0 ? "" : links === 1 ? "; 1 link follows" : `; ${links.toLocaleString("en")} links follow`;
}
