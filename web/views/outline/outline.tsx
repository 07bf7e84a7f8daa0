// An outline as a tree that folds, with notes and boxes to tick. It may have a
// hundred thousand rows: only those that can be seen are in the page.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addressOf, type Place, useNavigation } from "../../navigation/navigation.ts";
import { type Refusal, asRefusal, useAnswer } from "../../server/server.ts";
import { Empty, Loading, RefusalNote, Refused } from "../../components/components.ts";
import { OutlineRow } from "./outline-row.tsx";
import { firstFolds, unfoldedTo, visibleRows, type Row } from "./row-tree.ts";
import { useOutline } from "./use-outline.ts";
import { VirtualList, type ListControl } from "./virtual-list.tsx";

type OutlinePlace = Extract<Place, { view: "outline" }>;

export function OutlineView({ place }: { place: OutlinePlace }) {
  const outline = useOutline(place.document);
  const { rows, name, refusal, isComplete } = outline;
  if (refusal)
    return (
      <Refused title="Outline" refusal={refusal}>
        {place.document !== "" && (
          <a href={addressOf({ view: "outline", document: "", row: "", query: "" })}>The current outline</a>
        )}
      </Refused>
    );
  if (rows === undefined) return <Loading of="the outline" />;
  return (
    <div class="outline">
      <OutlineHead name={name} count={outline.rowCount} document={place.document} />
      {rows.length === 0 ? (
        <Empty title="This outline is empty" />
      ) : (
        <Tree key={name} place={place} rows={rows} isComplete={isComplete} tick={outline.tick} />
      )}
    </div>
  );
}

interface Openable {
  readonly documents: readonly { readonly path: string; readonly name: string; readonly isCurrent: boolean }[];
}

function OutlineHead({ name, count, document: named }: { name: string; count: number; document: string }) {
  const { go } = useNavigation();
  const { result } = useAnswer<Openable>("open_document", {});
  const documents = result?.documents ?? [];
  const current = named || (documents.find(({ isCurrent }) => isCurrent)?.path ?? "");
  useEffect(() => {
    document.title = `${name} · Commonplace`;
    return () => void (document.title = "Commonplace");
  }, [name]);
  return (
    <header class="outline-head">
      <h1>{name.replace(/\.(?:opml|ooutline|oo3|md)$/i, "")}</h1>
      <p class="count">{count === 1 ? "1 row" : `${count.toLocaleString("en")} rows`}</p>
      {documents.length > 1 && (
        <select
          class="chip"
          aria-label="Outline"
          value={current}
          onChange={(event) => go({ view: "outline", document: event.currentTarget.value, row: "", query: "" })}
        >
          {documents.map(({ path, name: title }) => (
            <option key={path} value={path}>
              {title}
            </option>
          ))}
        </select>
      )}
    </header>
  );
}

interface TreeProps {
  readonly place: OutlinePlace;
  readonly rows: readonly Row[];
  readonly isComplete: boolean;
  readonly tick: (row: Row) => Promise<void>;
}

/** A line of text has about so many characters, and is so high in pixels. */
const CHARACTERS = 85;
const LINE = 26;

function Tree({ place, rows, isComplete, tick }: TreeProps) {
  const { go } = useNavigation();
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const [folded, setFolded] = useState(() => firstFolds(rows));
  const [active, setActive] = useState("");
  const [refusal, setRefusal] = useState<Refusal>();
  const list = useRef<ListControl>(null);
  const wasShown = useRef("");
  const visible = useMemo(() => visibleRows(rows, folded), [rows, folded]);
  const at = visible.findIndex(({ id }) => id === active);

  // Rows that arrive later begin folded like the others.
  const known = useRef(rows.length);
  useEffect(() => {
    if (!isComplete || known.current === rows.length) return;
    known.current = rows.length;
    setFolded((before) => new Set([...firstFolds(rows), ...before].filter((id) => byId.has(id))));
  }, [rows]);

  // The row that the address names is shown, once it is there.
  useEffect(() => {
    if (place.row === "" || !byId.has(place.row) || wasShown.current === place.row) return;
    setFolded((before) => unfoldedTo(byId, place.row, before));
    setActive(place.row);
  }, [place.row, byId]);
  useEffect(() => {
    if (at === -1 || active !== place.row || wasShown.current === active) return;
    wasShown.current = active;
    list.current?.show(at, "center");
  }, [at, active]);

  const choose = (index: number) => {
    const row = visible[Math.min(Math.max(index, 0), visible.length - 1)];
    if (row === undefined) return;
    setActive(row.id);
    list.current?.show(visible.indexOf(row));
  };
  const fold = (row: Row, isFolded: boolean) =>
    setFolded((before) => {
      const after = new Set(before);
      if (isFolded) after.add(row.id);
      else after.delete(row.id);
      return after;
    });
  const tickRow = async (row: Row) => {
    if (row.state === "none") return;
    try {
      setRefusal(undefined);
      await tick(row);
    } catch (error) {
      setRefusal(asRefusal(error));
    }
  };
  const link = (row: Row) => {
    wasShown.current = row.id;
    setActive(row.id);
    go({ ...place, row: row.id }, { replaces: true });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const row = visible[at];
    const isFolded = row !== undefined && folded.has(row.id);
    switch (event.key) {
      case "ArrowDown":
        choose(at + 1);
        break;
      case "ArrowUp":
        choose(at - 1);
        break;
      case "Home":
        choose(0);
        break;
      case "End":
        choose(visible.length - 1);
        break;
      case "ArrowRight":
        if (row?.hasChildren && isFolded) fold(row, false);
        else if (row?.hasChildren) choose(at + 1);
        break;
      case "ArrowLeft":
        if (row?.hasChildren && !isFolded) fold(row, true);
        else choose(visible.findIndex(({ id }) => id === row?.parentId));
        break;
      case " ":
        if (row) void tickRow(row);
        break;
      case "Enter":
        if (row) link(row);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <>
      {refusal && <RefusalNote refusal={refusal} />}
      <div class="tree-tools">
        <button type="button" class="quiet" onClick={() => setFolded(new Set())}>
          Unfold all
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => setFolded(new Set(rows.filter(({ hasChildren }) => hasChildren).map(({ id }) => id)))}
        >
          Fold all
        </button>
        {!isComplete && <span class="count">Loading the rest …</span>}
      </div>
      <div
        class="tree"
        role="tree"
        aria-label="Outline"
        tabIndex={0}
        data-item
        aria-activedescendant={at === -1 ? undefined : `row-${active}`}
        onKeyDown={onKeyDown}
        onFocus={() => at === -1 && choose(0)}
      >
        <VirtualList
          items={visible}
          keyOf={(row) => row.id}
          guess={guessHeight}
          control={list}
          render={(row) => (
            <OutlineRow
              row={row}
              isActive={row.id === active}
              isFolded={folded.has(row.id)}
              query={place.query}
              onFold={() => fold(row, !folded.has(row.id))}
              onTick={() => void tickRow(row)}
              onChoose={() => link(row)}
            />
          )}
        />
      </div>
    </>
  );
}

function guessHeight({ topic, note }: Row): number {
  const lines = Math.ceil((topic.length + 1) / CHARACTERS) + Math.ceil((note ?? "").length / CHARACTERS);
  return Math.max(1, lines) * LINE + 8;
}
