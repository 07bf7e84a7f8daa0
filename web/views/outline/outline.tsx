// The outline view: the head with the choice of a document, and its tree of rows.
import { useMemo } from "preact/hooks";
import { folderIn } from "../../../src/kernel/kernel.ts";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import {
  Chooser,
  Loading,
  ProblemNote,
  ProblemView,
  useRecent,
  useTitle,
  useVisited,
  type ChooserOption,
} from "../../components/components.ts";
import { addressOf, CURRENT_OUTLINE, useNavigation, type RouteTo } from "../../navigation/navigation.ts";
import { useToolCall } from "../../server/server.ts";
import { Tree } from "./tree.tsx";
import { useOutline } from "./use-outline.ts";

export function OutlineView({ route }: { route: RouteTo<"outline"> }) {
  const { document, problem, rows, ...outline } = useOutline(route.document);
  if (problem && rows === undefined)
    return (
      <ProblemView title="Outline" problem={problem}>
        {route.document !== "" && <a href={addressOf(CURRENT_OUTLINE)}>The current outline</a>}
      </ProblemView>
    );
  if (rows === undefined || document === undefined) return <Loading of="the outline" />;
  const { name, rowCount } = outline;
  return (
    <div class="outline">
      <OutlineHead name={name} count={rowCount} path={route.document} />
      {problem && <ProblemNote problem={problem} />}
      <Tree key={name} route={route} document={document} rows={rows} {...outline} />
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
  const { result } = useToolCall("open_document", { withNotes: true });
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
