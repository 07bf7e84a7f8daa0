// The rows of an outline for its view: the first ones at once, then all of them,
// and again only when the document's version has changed.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ResultNamed } from "../../../src/tools/tools.ts";
import { asProblem, Problem, useServer, type Client } from "../../server/server.ts";
import { ancestorsOf, toggledState, type Row } from "./row-tree.ts";

type Structure = ResultNamed<"get_outline_structure">;

interface LoadedOutline {
  readonly name: string;
  /** Empty if the rows may be those of different versions: they have to be loaded again. */
  readonly version: string;
  readonly rowCount: number;
  readonly rows: readonly Row[] | undefined;
  readonly isComplete: boolean;
  readonly problem?: Problem;
}

export interface OpenOutline extends Omit<LoadedOutline, "version"> {
  /** Checks or unchecks a row. Throws a `Problem` if the tool does. */
  readonly toggle: (row: Row) => Promise<void>;
}

/** Rows of the first request: more than fit into a window. */
const FIRST_ROWS = 300;
const NOTHING: LoadedOutline = { name: "", version: "", rowCount: 0, rows: undefined, isComplete: false };

export function useOutline(path: string): OpenOutline {
  const { client, version } = useServer();
  const [outline, setOutline] = useState<LoadedOutline>(NOTHING);
  const latest = useRef(outline);
  const update = (to: LoadedOutline) => setOutline((latest.current = to));

  useEffect(() => {
    const loading = new AbortController();
    const onLoaded = (loaded: LoadedOutline) => !loading.signal.aborted && update(loaded);
    load(client, path, latest.current, onLoaded, loading.signal).catch((error: unknown) =>
      onLoaded({ ...NOTHING, rows: [], problem: asProblem(error) }),
    );
    return () => loading.abort();
  }, [client, path, version]);

  /** One change at a time: each needs the version that the previous one left. */
  const lastChange = useRef<Promise<unknown>>(Promise.resolve());
  const show = (row: Row) =>
    update({ ...latest.current, rows: latest.current.rows?.map((one) => (one.id === row.id ? row : one)) });
  const toggle = (row: Row): Promise<void> => {
    // Shown at once, and reverted if the change fails.
    show({ ...row, state: toggledState(row.state) });
    const change = lastChange.current.then(() => saveToggled(row));
    lastChange.current = change.catch(() => show(row));
    return change;
  };

  const saveToggled = async (row: Row): Promise<void> => {
    const { version: before } = latest.current;
    const { updatedRow, version } = await updateState(client, row, before);
    // The state of a parent follows from its leaves: ancestors are read again; below a parent every row may differ.
    const byId = new Map((latest.current.rows ?? []).map((one) => [one.id, one]));
    const ancestors = await Promise.all(
      ancestorsOf(byId, row.id).map(({ id }) => client.call("get_row", { rowId: id })),
    );
    // Rows that were loaded in the meantime have another version, which must not be overwritten.
    if (latest.current.version !== before) return;
    const changed = new Map([updatedRow, ...ancestors.map((read) => read.row)].map((one) => [one.id, one]));
    const rows = latest.current.rows?.map((one) => changed.get(one.id) ?? one);
    const isConsistent = version !== "" && !row.hasChildren && ancestors.every((read) => read.version === version);
    update({ ...latest.current, rows, version: isConsistent ? version : "" });
    if (!isConsistent) await load(client, path, latest.current, update);
  };
  return { ...outline, toggle };
}

type UpdatedRow = Pick<ResultNamed<"update_row">, "updatedRow" | "version">;

/** If another program changed the outline, the row is updated anyway, and all rows have to be loaded again. */
async function updateState(client: Client, row: Row, version: string): Promise<UpdatedRow> {
  const input = { rowId: row.id, state: toggledState(row.state) };
  try {
    return await client.call("update_row", { ...input, expectedVersion: version });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...(await client.call("update_row", input)), version: "" };
  }
}

async function load(
  client: Client,
  path: string,
  before: LoadedOutline,
  onLoaded: (outline: LoadedOutline) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (path !== "") await client.call("open_document", { path }, signal);
  const { document } = await client.call("get_current_document", {}, signal);
  if (document.version === before.version && document.name === before.name && before.isComplete) return;
  const isOther = document.name !== before.name || before.rows === undefined;
  if (isOther) {
    const first = await client.call("get_outline_structure", { maxRows: FIRST_ROWS }, signal);
    onLoaded(loadedFrom(first, first.nextCursor === undefined));
    if (first.nextCursor === undefined) return;
  }
  onLoaded(loadedFrom(await client.call("get_outline_structure", {}, signal), true));
}

function loadedFrom({ document, rows }: Structure, isComplete: boolean): LoadedOutline {
  return { name: document.name, version: document.version, rowCount: document.rowCount, rows, isComplete };
}
