// The outline view: a tree that folds, with notes and checkboxes. An outline may
// have a hundred thousand rows, of which only the visible ones are rendered.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { folderIn } from "../../../src/kernel/kernel.ts";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import {
  Chooser,
  Empty,
  Loading,
  ProblemNote,
  ProblemView,
  useRecent,
  useTitle,
  useVisited,
  VirtualList,
  type ChooserOption,
  type ListControl,
} from "../../components/components.ts";
import { addressOf, CURRENT_OUTLINE, useNavigation, type RouteTo } from "../../navigation/navigation.ts";
import { asProblem, useToolCall, type Problem } from "../../server/server.ts";
import { OutlineRow } from "./outline-row.tsx";
import { allFolds, initialFolds, unfoldTo, visibleRows, type Row } from "./row-tree.ts";
import { useOutline } from "./use-outline.ts";

export function OutlineView({ route }: { route: RouteTo<"outline"> }) {
  const { rows, rowCount, name, problem, isComplete, toggle } = useOutline(route.document);
  if (problem)
    return (
      <ProblemView title="Outline" problem={problem}>
        {route.document !== "" && <a href={addressOf(CURRENT_OUTLINE)}>The current outline</a>}
      </ProblemView>
    );
  if (rows === undefined) return <Loading of="the outline" />;
  return (
    <div class="outline">
      <OutlineHead name={name} count={rowCount} path={route.document} />
      {rows.length === 0 ? (
        <Empty title="This outline is empty" />
      ) : (
        <Tree key={name} route={route} rows={rows} isComplete={isComplete} toggle={toggle} />
      )}
    </div>
  );
}

type Documents = NonNullable<ResultNamed<"open_document">["documents"]>;

const NO_DOCUMENTS: Documents = [];

/** Those that were open last come first, then all, by folder. */
function documentOptions(documents: Documents, recent: readonly string[]): ChooserOption[] {
  const options = documents.map(({ path, name }) => {
    const folder = folderIn(path.replaceAll("\\", "/"));
    return { value: path, name: withoutExtension(name), detail: folder, group: folder || "In no folder" };
  });
  const byPath = new Map(options.map((option) => [option.value, option]));
  const first = recent.flatMap((path) => byPath.get(path) ?? []).map((option) => ({ ...option, group: "Recent" }));
  return [...first, ...options.toSorted((a, b) => a.group.localeCompare(b.group) || a.name.localeCompare(b.name))];
}

function withoutExtension(name: string): string {
  return name.replace(/\.(?:opml|ooutline|oo3|md)$/i, "");
}

function OutlineHead({ name, count, path: chosen }: { name: string; count: number; path: string }) {
  const { navigate } = useNavigation();
  const { result } = useToolCall("open_document", {});
  const documents = result?.documents ?? NO_DOCUMENTS;
  const current = chosen || (documents.find(({ isCurrent }) => isCurrent)?.path ?? "");
  useTitle(name);
  const recent = useRecent("outlines", current);
  useVisited(
    "outline",
    addressOf({ ...CURRENT_OUTLINE, document: current }),
    name === "" ? undefined : withoutExtension(name),
  );
  const options = useMemo(() => documentOptions(documents, recent), [documents, recent]);
  return (
    <header class="outline-head">
      <h1>{withoutExtension(name)}</h1>
      <p class="count">{count === 1 ? "1 row" : `${count.toLocaleString("en")} rows`}</p>
      {documents.length > 1 && (
        <Chooser
          label="Outline"
          text="Open another outline"
          placeholder="Name or folder"
          value={current}
          options={options}
          onChoose={(document) => navigate({ ...CURRENT_OUTLINE, document })}
        />
      )}
    </header>
  );
}

interface TreeProps {
  readonly route: RouteTo<"outline">;
  readonly rows: readonly Row[];
  readonly isComplete: boolean;
  readonly toggle: (row: Row) => Promise<void>;
}

function Tree({ route, rows, isComplete, toggle }: TreeProps) {
  const { navigate } = useNavigation();
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows]);
  const [folded, setFolded] = useState(() => initialFolds(rows));
  const [active, setActive] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const list = useRef<ListControl>(null);
  /** The row of the address that was scrolled to. */
  const shownRow = useRef("");
  const visible = useMemo(() => visibleRows(rows, folded), [rows, folded]);
  const at = visible.findIndex(({ id }) => id === active);

  // Rows that are loaded later start folded like the first ones.
  const rowCount = useRef(rows.length);
  useEffect(() => {
    if (!isComplete || rowCount.current === rows.length) return;
    rowCount.current = rows.length;
    setFolded((before) => new Set([...initialFolds(rows), ...before].filter((id) => byId.has(id))));
  }, [rows]);

  useEffect(() => {
    if (route.row === "" || !byId.has(route.row) || shownRow.current === route.row) return;
    setFolded((before) => unfoldTo(byId, route.row, before));
    setActive(route.row);
  }, [route.row, byId]);
  useEffect(() => {
    if (at === -1 || active !== route.row || shownRow.current === active) return;
    shownRow.current = active;
    list.current?.scrollTo(at, "center");
  }, [at, active]);

  const activate = (index: number) => {
    const row = visible[Math.min(Math.max(index, 0), visible.length - 1)];
    if (row === undefined) return;
    setActive(row.id);
    list.current?.scrollTo(visible.indexOf(row));
  };
  const fold = (row: Row, isFolded: boolean) =>
    setFolded((before) => {
      const after = new Set(before);
      if (isFolded) after.add(row.id);
      else after.delete(row.id);
      return after;
    });
  const toggleRow = async (row: Row) => {
    if (row.state === "none") return;
    try {
      setProblem(undefined);
      await toggle(row);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  /** Puts the row into the address. */
  const select = (row: Row) => {
    shownRow.current = row.id;
    setActive(row.id);
    navigate({ ...route, row: row.id }, { replaces: true });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const row = visible[at];
    const isFolded = row !== undefined && folded.has(row.id);
    switch (event.key) {
      case "ArrowDown":
        activate(at + 1);
        break;
      case "ArrowUp":
        activate(at - 1);
        break;
      case "Home":
        activate(0);
        break;
      case "End":
        activate(visible.length - 1);
        break;
      case "ArrowRight":
        if (row?.hasChildren && isFolded) fold(row, false);
        else if (row?.hasChildren) activate(at + 1);
        break;
      case "ArrowLeft":
        if (row?.hasChildren && !isFolded) fold(row, true);
        else activate(visible.findIndex(({ id }) => id === row?.parentId));
        break;
      case " ":
        if (row) void toggleRow(row);
        break;
      case "Enter":
        if (row) select(row);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <div class="tree-tools">
        <button type="button" class="quiet" onClick={() => setFolded(new Set())}>
          Unfold all
        </button>
        <button type="button" class="quiet" onClick={() => setFolded(allFolds(rows))}>
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
        onFocus={() => at === -1 && activate(0)}
      >
        <VirtualList
          items={visible}
          keyOf={(row) => row.id}
          estimateHeight={estimateHeight}
          control={list}
          render={(row) => (
            <OutlineRow
              row={row}
              isActive={row.id === active}
              isFolded={folded.has(row.id)}
              query={route.query}
              onFold={() => fold(row, !folded.has(row.id))}
              onToggle={() => void toggleRow(row)}
              onSelect={() => select(row)}
            />
          )}
        />
      </div>
    </>
  );
}

/** Characters that fit into a line, about. */
const CHARACTERS_PER_LINE = 85;
/** In pixels. */
const LINE_HEIGHT = 26;

function estimateHeight({ topic, note }: Row): number {
  const lines =
    Math.ceil((topic.length + 1) / CHARACTERS_PER_LINE) + Math.ceil((note ?? "").length / CHARACTERS_PER_LINE);
  return Math.max(1, lines) * LINE_HEIGHT + 8;
}
