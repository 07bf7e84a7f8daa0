// The view of a folder in the vault: its folders, then its notes and other files.
import { useEffect, useState } from "preact/hooks";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import {
  Crumbs,
  Empty,
  FILE_ICONS,
  Icon,
  Loading,
  moveWithArrowKeys,
  ProblemNote,
  Time,
} from "../../components/components.ts";
import { nameIn } from "../../../src/kernel/kernel.ts";
import { fileKind, nameOf } from "../../format/format.ts";
import { addressOf, noteAddress } from "../../navigation/navigation.ts";
import { useToolCall } from "../../server/server.ts";

type FolderItem = ResultNamed<"vaultManager_listDirectory">["data"]["entries"][number];

/** Items that are shown at first, and added by each click: a folder may have ten thousand. */
const PAGE_SIZE = 500;

export function FolderView({ path }: { path: string }) {
  const { result, problem, isLoading } = useToolCall(
    "vaultManager_listDirectory",
    { path: path === "" ? "/" : path },
    { keepsPrevious: true },
  );
  const items = foldersFirst(result?.data.entries ?? []);
  const [count, setCount] = useState(PAGE_SIZE);
  useEffect(() => setCount(PAGE_SIZE), [path]);
  return (
    <div class="folder">
      <Crumbs path={path} />
      <h1>{path === "" ? "Notes" : nameOf(path)}</h1>
      {problem && <ProblemNote problem={problem} />}
      {isLoading && result === undefined && <Loading of="the folder" />}
      {result && items.length === 0 && <Empty title="This folder is empty" />}
      <ul class="entries" onKeyDown={moveWithArrowKeys}>
        {items.slice(0, count).map((item) => (
          <Item key={item.path} item={item} />
        ))}
      </ul>
      {items.length > count && (
        <button type="button" class="button" onClick={() => setCount(count + PAGE_SIZE)}>
          Show more of {items.length.toLocaleString("en")}
        </button>
      )}
    </div>
  );
}

/** Otherwise in the order of the tool. */
function foldersFirst(items: readonly FolderItem[]): FolderItem[] {
  return [...items.filter(({ type }) => type === "folder"), ...items.filter(({ type }) => type !== "folder")];
}

function Item({ item: { type, path, modified, files } }: { item: FolderItem }) {
  const isFolder = type === "folder";
  const name = isFolder ? nameIn(path) : nameOf(path);
  return (
    <li>
      <a href={isFolder ? addressOf({ view: "folder", path }) : noteAddress(path)} data-item>
        <Icon name={isFolder ? "folder" : FILE_ICONS[fileKind(path).kind]} />
        <span class="entry-name">{name}</span>
        {/* Those of its own: a folder of folders has none, and is not empty. */}
        {isFolder && files !== undefined && files > 0 && <span class="entry-count">{files.toLocaleString("en")}</span>}
        <Time at={Date.parse(modified)} />
      </a>
    </li>
  );
}
