// The rows of the outline that is open: its beginning at once, all of it soon,
// and again only when its version is another one.
import { useEffect, useRef, useState } from "preact/hooks";
import { Refusal, type Client, asRefusal, useSession } from "../../server/server.ts";
import { ancestorsOf, ticked, type Row } from "./row-tree.ts";

interface Structure {
  readonly document: { readonly name: string; readonly rowCount: number; readonly version: string };
  readonly rows: readonly Row[];
  readonly nextCursor?: string;
}

interface Known {
  readonly name: string;
  readonly version: string;
  readonly rowCount: number;
  readonly rows: readonly Row[] | undefined;
  readonly isComplete: boolean;
  readonly refusal?: Refusal;
}

export interface OpenOutline extends Omit<Known, "version"> {
  /** Ticks a box, or takes the tick away. Throws what the tool refuses. */
  readonly tick: (row: Row) => Promise<void>;
}

/** Rows of the first answer: as many as a window shows, and some. */
const FIRST = 300;
const NONE: Known = { name: "", version: "", rowCount: 0, rows: undefined, isComplete: false };

export function useOutline(path: string): OpenOutline {
  const { client, version } = useSession();
  const [known, setKnown] = useState<Known>(NONE);
  const latest = useRef(known);
  const update = (to: Known) => setKnown((latest.current = to));

  useEffect(() => {
    const loading = new AbortController();
    const tell = (structure: Known) => !loading.signal.aborted && update(structure);
    load(client, path, latest.current, tell, loading.signal).catch((error: unknown) =>
      tell({ ...NONE, rows: [], refusal: asRefusal(error) }),
    );
    return () => loading.abort();
  }, [client, path, version]);

  /** One tick after the other: each has to know the version that the one before it left. */
  const lastTick = useRef<Promise<unknown>>(Promise.resolve());
  const show = (one: Row) =>
    update({ ...latest.current, rows: latest.current.rows?.map((known) => (known.id === one.id ? one : known)) });
  const tick = (row: Row): Promise<void> => {
    // It shows at once, and is taken back where it is refused.
    show({ ...row, state: ticked(row.state) });
    const done = lastTick.current.then(() => carryOut(row));
    lastTick.current = done.catch(() => show(row));
    return done;
  };

  const carryOut = async (row: Row): Promise<void> => {
    const { version: before } = latest.current;
    const { updatedRow, version } = await setState(client, row, before);
    // The state of a parent is its leaves': what is above is asked for again; below a parent everything may differ.
    const byId = new Map((latest.current.rows ?? []).map((one) => [one.id, one]));
    const above = await Promise.all(
      ancestorsOf(byId, row.id).map(({ id }) => client.call<ReadRow>("get_row", { rowId: id })),
    );
    // Rows that were loaded meanwhile are those of another version: they must not pass for this one.
    if (latest.current.version !== before) return;
    const changed = new Map([updatedRow, ...above.map((answer) => answer.row)].map((one) => [one.id, one]));
    const rows = latest.current.rows?.map((one) => changed.get(one.id) ?? one);
    const isWhole = version !== "" && !row.hasChildren && above.every((answer) => answer.version === version);
    update({ ...latest.current, rows, version: isWhole ? version : "" });
    if (!isWhole) await load(client, path, latest.current, update);
  };
  return { ...known, tick };
}

interface ReadRow {
  readonly row: Row;
  readonly version: string;
}

interface WrittenRow {
  readonly updatedRow: Row;
  /** Empty where rows that are not known here have changed before. */
  readonly version: string;
}

/** Where somebody else changed the outline meanwhile, the row is ticked all the same, and all rows have to be asked for. */
async function setState(client: Client, row: Row, version: string): Promise<WrittenRow> {
  const sent = { rowId: row.id, state: ticked(row.state) };
  try {
    return await client.call<WrittenRow>("update_row", { ...sent, expectedVersion: version });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...(await client.call<WrittenRow>("update_row", sent)), version: "" };
  }
}

async function load(
  client: Client,
  path: string,
  known: Known,
  tell: (known: Known) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (path !== "") await client.call("open_document", { path }, signal);
  const { document } = await client.call<{ document: { version: string; name: string } }>(
    "get_current_document",
    {},
    signal,
  );
  if (document.version === known.version && document.name === known.name && known.isComplete) return;
  const isOther = document.name !== known.name || known.rows === undefined;
  if (isOther) {
    const first = await client.call<Structure>("get_outline_structure", { maxRows: FIRST }, signal);
    tell(knownOf(first, first.nextCursor === undefined));
    if (first.nextCursor === undefined) return;
  }
  tell(knownOf(await client.call<Structure>("get_outline_structure", {}, signal), true));
}

function knownOf({ document, rows }: Structure, isComplete: boolean): Known {
  return { name: document.name, version: document.version, rowCount: document.rowCount, rows, isComplete };
}
