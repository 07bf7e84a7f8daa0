// A folder of the vault: its folders, then its notes and other files.
import { useEffect, useState } from "preact/hooks";
import { addressOf, noteAddress } from "../../navigation/navigation.ts";
import { Crumbs, Icon, goThrough, Empty, Loading, RefusalNote, Time } from "../../components/components.ts";
import { useAnswer } from "../../server/server.ts";
import { nameOf } from "../../format/format.ts";

interface Entry {
  readonly type: "file" | "folder";
  readonly path: string;
  readonly size?: number;
  readonly modified?: number;
  readonly files?: number;
}

/** Entries that are shown at first, and with every further click: a folder may have ten thousand. */
const MOST = 500;

export function FolderView({ path }: { path: string }) {
  const sent = { path: path === "" ? "/" : path };
  const { result, refusal, isLoading } = useAnswer<{ data: { entries: readonly Entry[] } }>(
    "vaultManager_listDirectory",
    sent,
    { keepsLast: true },
  );
  const entries = foldersFirst(result?.data.entries ?? []);
  const [count, setCount] = useState(MOST);
  // Another folder begins at its beginning.
  useEffect(() => setCount(MOST), [path]);
  return (
    <div class="folder">
      <Crumbs path={path} />
      <h1>{path === "" ? "Notes" : nameOf(path)}</h1>
      {refusal && <RefusalNote refusal={refusal} />}
      {isLoading && result === undefined && <Loading of="the folder" />}
      {result && entries.length === 0 && <Empty title="Nothing in here" />}
      <ul class="entries" onKeyDown={goThrough}>
        {entries.slice(0, count).map((entry) => (
          <EntryItem key={entry.path} entry={entry} />
        ))}
      </ul>
      {entries.length > count && (
        <button type="button" class="button" onClick={() => setCount(count + MOST)}>
          Show more of {entries.length.toLocaleString("en")}
        </button>
      )}
    </div>
  );
}

/** Each kind in the order in which it came. */
function foldersFirst(entries: readonly Entry[]): Entry[] {
  return [...entries.filter(({ type }) => type === "folder"), ...entries.filter(({ type }) => type !== "folder")];
}

function EntryItem({ entry: { type, path, modified, files } }: { entry: Entry }) {
  const isFolder = type === "folder";
  const name = isFolder ? path.slice(path.lastIndexOf("/") + 1) : nameOf(path);
  return (
    <li>
      <a href={isFolder ? addressOf({ view: "folder", path }) : noteAddress(path)} data-item>
        <Icon name={isFolder ? "folder" : /\.(?:md|markdown|txt|canvas|base)$/i.test(path) ? "note" : "image"} />
        <span class="entry-name">{name}</span>
        {isFolder && files !== undefined && <span class="entry-count">{files}</span>}
        {modified !== undefined && <Time at={modified} />}
      </a>
    </li>
  );
}
